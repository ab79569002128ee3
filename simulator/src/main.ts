import { parseArgs } from "node:util";
import type { Latency } from "./doors/behavior.ts";
import { startSimulator, type SimulatorOptions } from "./simulator.ts";

const USAGE = `Usage: node simulator/src/main.ts [--port 4700] [--latency 50-200] [--failure-rate 0.1] [--psa-quota 2500]`;

/** Runs the simulator until SIGTERM or SIGINT and prints the settings that point a server at it. */
async function main(): Promise<void> {
  const simulator = await startSimulator(readOptions());
  const settings = Object.entries(simulator.settings).map(
    ([name, value]) => `${name}=${value}
`,
  );
  process.stdout.write(`The simulator listens on ${simulator.origin}. Settings for a server:

${settings.join("")}`);
  const stop = (): void => {
    void simulator.close();
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

function readOptions(): SimulatorOptions {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "4700" },
      latency: { type: "string", default: "0" },
      "failure-rate": { type: "string", default: "0" },
      "psa-quota": { type: "string" },
    },
  });
  const quota = values["psa-quota"];
  return {
    port: readNumber("--port", values.port),
    latencyMs: readLatency(values.latency),
    failureRate: readNumber("--failure-rate", values["failure-rate"]),
    ...(quota === undefined ? {} : { psaDailyQuota: readNumber("--psa-quota", quota) }),
  };
}

function readLatency(text: string): Latency {
  const [low = "", high] = text.split("-");
  const lowMs = readNumber("--latency", low);
  return high === undefined ? lowMs : [lowMs, readNumber("--latency", high)];
}

function readNumber(name: string, text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number) || number < 0)
    throw new RangeError(`${name} takes a number, not "${text}".\n${USAGE}`);
  return number;
}

await main();
