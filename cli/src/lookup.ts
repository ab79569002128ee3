import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { formatRecent } from "@slabdesk/contract/certs/dates.ts";
import cliPackage from "../package.json" with { type: "json" };
import { HELP, parseCommand, type Environment, type LookupOptions, type Source } from "./arguments.ts";
import { CommandError, EXIT, type ExitCode } from "./command-error.ts";
import { fileTarget, identityOf, stdoutTarget, writeDownload, type Target } from "./output-file.ts";
import { createProgress, failedRows, failureMessage, priceWaitMessage } from "./progress.ts";
import type { Screen } from "./screen.ts";
import { readSheet, runKey } from "./sheet-file.ts";
import { SlabdeskClient } from "./slabdesk-client.ts";

export type LookupPorts = {
  stdin: Readable;
  stdout: NodeJS.WritableStream;
  stdoutIsTerminal: boolean;
  screen: Screen;
  /** Ends the command. The run continues on the server. */
  signal: AbortSignal;
  nowMs: () => number;
};

/** The polling interval starts short, so that a short run ends quickly, and doubles up to the maximum. */
const FIRST_POLL_MS = 100;
const MAX_POLL_MS = 2_000;

export async function run(args: readonly string[], environment: Environment, ports: LookupPorts): Promise<ExitCode> {
  try {
    const command = parseCommand(args, environment);
    if (command.kind === "lookup") return await lookup(command.options, ports);
    ports.stdout.write(command.kind === "help" ? HELP : `slabdesk ${cliPackage.version}\n`);
    return EXIT.found;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    ports.screen.say(...error.message.split("\n"));
    return error.exitCode;
  }
}

/** Sends the sheet, watches its run and writes the result. Each step can be repeated: a run is found by its key. */
async function lookup(options: LookupOptions, ports: LookupPorts): Promise<ExitCode> {
  const { screen, signal } = ports;
  if (options.tokenOnCommandLine) {
    screen.say(
      "Warning: other users of this machine can see the token in the process list. Use SLABDESK_TOKEN instead.",
    );
  }
  let session: ScanSession | null = null;
  try {
    const target = await targetOf(options, ports);
    const open = await prepare(options.source, ports);
    const client = clientOf(options, ports);
    await client.checkToken();
    session = await goOn(client, await open(client), screen);
    const showProgress = createProgress(screen, ports.nowMs);
    showProgress(session);
    for (let waitMs = FIRST_POLL_MS; session.status === "processing"; waitMs = Math.min(waitMs * 2, MAX_POLL_MS)) {
      await sleep(waitMs, undefined, { signal });
      session = await client.session(session.id);
      showProgress(session);
    }
    if (session.status === "failed") throw new CommandError(EXIT.interrupted, "Someone stopped the run.");
    await client.download(session.id, options.format, (response) => writeDownload(target, response, signal));
    return sumUp(session, target, screen);
  } catch (error) {
    const failure = signal.aborted ? new CommandError(EXIT.interrupted, "Interrupted.") : error;
    if (!(failure instanceof CommandError)) throw error;
    screen.say(failure.message);
    screen.say(...(session === null ? earlyMessage(options, signal.aborted) : comeBackMessage(session, options)));
    return failure.exitCode;
  }
}

async function targetOf({ output, format, source }: LookupOptions, ports: LookupPorts): Promise<Target> {
  const sheet = source.kind === "session" ? null : await identityOf(source.path === "-" ? "/dev/stdin" : source.path);
  if (output !== null) return fileTarget(output, sheet);
  return stdoutTarget(ports.stdout, ports.stdoutIsTerminal, format, sheet);
}

function clientOf({ server, token }: LookupOptions, { screen, signal }: LookupPorts): SlabdeskClient {
  return new SlabdeskClient({
    server,
    token,
    signal,
    onWait: (message, waitMs, tries) => {
      if (tries === 1) screen.say(`${message}. Retrying. The run continues on the server.`);
      screen.status(`Retrying in ${Math.ceil(waitMs / 1_000)} s`);
    },
    onBack: () => screen.say("Connected again."),
  });
}

/** Reads the input. Returns a function that gets the session: newly stored, found by its key, or given by id. */
async function prepare(source: Source, { stdin, screen, signal }: LookupPorts) {
  if (source.kind === "session") return (client: SlabdeskClient) => client.session(source.id);
  const sheet = await readSheet(source.path, stdin, signal);
  const key = runKey(sheet, source.run, source.again);
  return async (client: SlabdeskClient) => {
    const { session, isNew } = await client.createSession(sheet, source.run, key);
    if (!isNew)
      screen.say(`This sheet was already sent (${formatRecent(session.startedAt)}). Use --again to start a new run.`);
    return session;
  };
}

async function goOn(client: SlabdeskClient, session: ScanSession, screen: Screen): Promise<ScanSession> {
  screen.say(`${session.sessionName}: ${rowsDone(session)} done`);
  if (session.status !== "failed") return session;
  screen.say("The run was stopped. Resuming it.");
  return client.resume(session.id);
}

function sumUp(session: ScanSession, target: Target, screen: Screen): ExitCode {
  const failed = failedRows(session);
  screen.say(failed === 0 ? `All ${session.totalCards} rows found.` : `${failureMessage(session)}.`);
  const waitingPrices = priceWaitMessage(session);
  if (waitingPrices !== null) screen.say(waitingPrices);
  if (target.kind === "file") screen.say(`Written to ${target.path}`);
  return failed === 0 ? EXIT.found : EXIT.rowsFailed;
}

function rowsDone({ processedCards, totalCards }: ScanSession): string {
  return `${processedCards} of ${totalCards} rows`;
}

function isFoundAgain(source: Source): boolean {
  return source.kind === "session" || (source.path !== "-" && !source.again);
}

/** Before the server responds, the command doesn't know whether the sheet was stored. */
function earlyMessage({ source }: LookupOptions, isInterrupted: boolean): string[] {
  if (!isInterrupted) return [];
  const where = isFoundAgain(source)
    ? "Run the same command again to continue it"
    : "The dashboard in the browser shows it";
  return [`If the run has started, it continues on the server. ${where}.`];
}

function comeBackMessage(session: ScanSession, { source }: LookupOptions): string[] {
  const bySession = `slabdesk lookup --session ${session.id} with the same -o, --format and --server`;
  const state = {
    processing: `The run continues on the server. ${rowsDone(session)} are done.`,
    failed: `${rowsDone(session)} are done.`,
    completed: "The run is complete.",
  }[session.status];
  return [state, `To continue, run ${isFoundAgain(source) ? "the same command again or " : ""}${bySession}`];
}
