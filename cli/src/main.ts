import { EXIT } from "./command-error.ts";
import { run } from "./lookup.ts";
import { createScreen } from "./screen.ts";

/* The command's only file that uses the environment and the process. */

/** One Ctrl-C can arrive twice, from the terminal and from npm. A later one ends the command at once. */
const SAME_PRESS_MS = 1_000;

const nowMs = (): number => performance.now();
const isTerminal = process.stderr.isTTY && process.env.TERM !== "dumb";
const screen = createScreen(process.stderr, isTerminal, nowMs);

const interruption = new AbortController();
let interruptedAtMs = Infinity;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (nowMs() - interruptedAtMs > SAME_PRESS_MS) process.exit(EXIT.interrupted);
    interruptedAtMs = Math.min(interruptedAtMs, nowMs());
    interruption.abort();
  });
}
// A closed terminal is not an error. The exit code still reports the result.
process.stderr.on("error", () => {});
// A download reports a closed stdout itself. For the help and the version, a closed stdout is not an error.
process.stdout.on("error", () => {});

const { SLABDESK_URL, SLABDESK_TOKEN } = process.env;
const { stdin, stdout } = process;
const ports = { stdin, stdout, stdoutIsTerminal: stdout.isTTY, screen, signal: interruption.signal, nowMs };
process.exitCode = await run(process.argv.slice(2), { SLABDESK_URL, SLABDESK_TOKEN }, ports);
