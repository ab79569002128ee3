import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../../server/src/main.ts", import.meta.url));
const KEPT_OUTPUT = 20_000;

/** One run of `main.ts`, from spawn to exit. */
export type ServerProcess = {
  pid: number;
  /** Resolves with the URL when the server reports it; rejects if the server exits first. */
  ready: Promise<string>;
  /** Whether it serves now, including the database. */
  isServing(): Promise<boolean>;
  /** Resolves with the exit code or signal when the process is gone and its output is read. */
  ended: Promise<number | NodeJS.Signals>;
  hasEnded(): boolean;
  signal(name: "SIGTERM" | "SIGKILL"): void;
  /** The end of its output, for failure messages. */
  tail(): string;
};

const running = new Set<ServerProcess>();

/** Starts the server with these settings and no others from the environment. */
export function startServerProcess(settings: Record<string, string>): ServerProcess {
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH, NODE_COMPILE_CACHE, PORT: "0", LOG_LEVEL: "warn", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let address: string | null = null;
  const keep = (text: string): void => void (output = (output + text).slice(-KEPT_OUTPUT));
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", keep);
  const ended = endOf(child);
  const started: ServerProcess = {
    pid: child.pid ?? 0,
    ready: addressOf(child, ended, () => output).then((found) => (address = found)),
    isServing: async () => address !== null && (await isReady(address)),
    ended,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    signal: (name) => void child.kill(name),
    tail: () => output.slice(-2_000),
  };
  // A test that kills a starting server does not wait for its URL.
  started.ready.catch(() => undefined);
  running.add(started);
  void ended.then(() => running.delete(started));
  return started;
}

/** Kills all servers that a test file left running. */
export async function killServersLeft(): Promise<void> {
  const left = [...running];
  for (const server of left) server.signal("SIGKILL");
  await Promise.all(left.map((server) => server.ended));
}

async function isReady(origin: string): Promise<boolean> {
  return fetch(`${origin}/readyz`).then(
    (answer) => answer.ok,
    // It has just exited.
    () => false,
  );
}

async function endOf(child: ChildProcess): Promise<number | NodeJS.Signals> {
  await once(child, "close");
  return child.exitCode ?? child.signalCode ?? -1;
}

async function addressOf(child: ChildProcess, ended: Promise<unknown>, output: () => string): Promise<string> {
  const said = new Promise<string>((resolve) => {
    child.stdout?.on("data", () => {
      const port = /http:\/\/localhost:(\d+)/.exec(output())?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    });
  });
  const gone = ended.then((code) => {
    throw new Error(`The server ended with ${String(code)} before it served:\n${output()}`);
  });
  return Promise.race([said, gone]);
}
