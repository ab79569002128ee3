import { EXIT } from "./command-error.ts";
import { runCommand } from "./command.ts";
import { createScreen } from "./screen.ts";

/* The only file of the command that reads the environment and knows the process. */

/** Ctrl-C comes twice, from the terminal and from npm, within milliseconds; later, it means at once. */
const SAME_WISH_MS = 1_000;

const nowMs = (): number => performance.now();
const isTerminal = process.stderr.isTTY && process.env.TERM !== "dumb";
const screen = createScreen(process.stderr, isTerminal, nowMs);

const interruption = new AbortController();
let interruptedAtMs = Infinity;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (nowMs() - interruptedAtMs > SAME_WISH_MS) process.exit(EXIT.interrupted);
    interruptedAtMs = Math.min(interruptedAtMs, nowMs());
    interruption.abort();
  });
}
// A terminal that is closed takes no words any more; the exit code still says how it went.
process.stderr.on("error", () => {});
// A download says itself that nobody reads it any more; of the help or the version, whoever has left wants no more.
process.stdout.on("error", () => {});

const { stdin, stdout } = process;
const { SLABDESK_URL, SLABDESK_TOKEN } = process.env;
process.exitCode = await runCommand(
  process.argv.slice(2),
  { SLABDESK_URL, SLABDESK_TOKEN },
  { stdin, stdout, stdoutIsTerminal: stdout.isTTY, screen, signal: interruption.signal, nowMs },
);
