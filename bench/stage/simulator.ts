import { startChild } from "./child.ts";

/** The graders in a separate process, answering at once; `settings` point a server at them. */
export async function startSimulatorProcess(): Promise<{
  settings: Record<string, string>;
  close: () => Promise<void>;
}> {
  const child = await startChild("simulator/src/main.ts", {
    args: ["--port", "0", "--latency", "0", "--plain-pictures"],
    ready: /^IMAGE_HOSTS=.+$/m,
  });
  const lines = [...child.stdout.matchAll(/^([A-Z_]+)=(.*)$/gm)];
  const settings = Object.fromEntries(lines.map(([, name = "", value = ""]) => [name, value]));
  return { settings, close: child.stop };
}
