import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A program of ours that runs beside the benchmark. */
export type Child = { process: ChildProcess; stdout: string; stop(): Promise<void> };

/** Starts one of our programs and waits until its output matches; stops it with this process. */
export async function startChild(
  script: string,
  options: { nodeOptions?: string[]; args?: string[]; env?: Record<string, string>; ready: RegExp },
): Promise<Child> {
  const path = fileURLToPath(new URL(`../../${script}`, import.meta.url));
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, [...(options.nodeOptions ?? []), path, ...(options.args ?? [])], {
    env: { PATH, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = once(child, "close");
  const running: Child = {
    process: child,
    stdout: "",
    async stop() {
      child.kill("SIGTERM");
      await ended;
      process.off("exit", kill);
    },
  };
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      running.stdout += String(chunk);
      if (options.ready.test(running.stdout)) resolve();
    });
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`${script} ended with ${code}:\n${running.stdout}${stderr}`)));
  });
  return running;
}
