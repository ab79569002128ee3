import { startChild } from "./child.ts";

export type SimulatorProcess = { settings: Record<string, string>; close: () => Promise<void> };

/** The graders in a separate process, answering after `latencyMs`; `settings` point a server at them. */
export async function startSimulatorProcess(latencyMs = 0): Promise<SimulatorProcess> {
  const child = await startChild("simulator/src/main.ts", {
    args: ["--port", "0", "--latency", String(latencyMs), "--plain-images"],
    ready: /^IMAGE_HOSTS=.+$/m,
  });
  const lines = [...child.stdout.matchAll(/^([A-Z_]+)=(.*)$/gm)];
  const settings = Object.fromEntries(lines.map(([, name = "", value = ""]) => [name, value]));
  return { settings, close: child.stop };
}
