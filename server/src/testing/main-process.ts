import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The server's process as `npm start` runs it. */
export type MainProcess = { process: ChildProcess; stdout: string; stderr: string; ended: Promise<number | null> };

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

/** Starts the process on any free port. `settings` are environment variables. */
export function startMain(settings: Record<string, string>, ...command: string[]): MainProcess {
  const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, PORT: "0", ...settings };
  const child = spawn(process.execPath, [MAIN, ...command], { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close").then(() => child.exitCode);
  const run: MainProcess = { process: child, stdout: "", stderr: "", ended };
  child.stdout.on("data", (chunk) => (run.stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (run.stderr += String(chunk)));
  return run;
}

/** Resolves with the address once the server prints it. Rejects if the server exits before. */
export async function addressOf(run: MainProcess): Promise<string> {
  const seen = new Promise<string>((resolve) => {
    const search = () => {
      const found = /(http:\/\/localhost:\d+)/.exec(run.stdout)?.[1];
      if (found) resolve(found);
    };
    run.process.stdout?.on("data", search);
    search();
  });
  const ended = run.ended.then((code) => {
    throw new Error(`The server ended with ${code}: ${run.stderr}`);
  });
  return Promise.race([seen, ended]);
}

export async function stopMain(run: MainProcess): Promise<number | null> {
  run.process.kill("SIGTERM");
  return run.ended;
}
