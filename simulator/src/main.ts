import { parseArgs } from "node:util";
import type { Latency } from "./endpoints/behavior.ts";
import { CHAOS_FAULTS, type ChaosMix } from "./endpoints/chaos.ts";
import { startSimulator, type SimulatorOptions } from "./simulator.ts";

const USAGE = `Usage: node simulator/src/main.ts [--port 4700] [--latency 50-200] [--failure-rate 0.1] [--psa-quota 2500]
       [--chaos hang=0.02,reset=0.02] [--plain-images]
Chaos takes ${CHAOS_FAULTS.join(", ")}.`;

/** Runs the simulator until SIGTERM or SIGINT. Prints the settings that point a server at it. */
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
      chaos: { type: "string", default: "" },
      "plain-images": { type: "boolean", default: false },
    },
  });
  const quota = values["psa-quota"];
  return {
    port: readNumber("--port", values.port),
    latencyMs: readLatency(values.latency),
    failureRate: readNumber("--failure-rate", values["failure-rate"]),
    chaos: readChaos(values.chaos),
    hasPlainImages: values["plain-images"],
    ...(quota === undefined ? {} : { psaDailyQuota: readNumber("--psa-quota", quota) }),
  };
}

function readLatency(text: string): Latency {
  const [low = "", high] = text.split("-");
  const lowMs = readNumber("--latency", low);
  return high === undefined ? lowMs : [lowMs, readNumber("--latency", high)];
}

/** Parses "hang=0.02,reset=0.02". */
function readChaos(text: string): ChaosMix {
  const mix: ChaosMix = {};
  for (const part of text.split(",").filter((piece) => piece.trim() !== "")) {
    const [name, share = ""] = part.split("=").map((piece) => piece.trim());
    const fault = CHAOS_FAULTS.find((known) => known === name);
    if (!fault) throw new RangeError(`--chaos takes faults with their shares, not "${part}".\n${USAGE}`);
    mix[fault] = readNumber("--chaos", share);
  }
  return mix;
}

function readNumber(name: string, text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number) || number < 0)
    throw new RangeError(`${name} takes a number, not "${text}".\n${USAGE}`);
  return number;
}

await main();
