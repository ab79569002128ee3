import { startSimulator, type Simulator } from "@slabdesk/simulator/simulator.ts";
import { Gate } from "./gate.ts";

/** The graders of one product: a simulator of its own, reached through a gate. */
export type Upstream = Pick<Simulator, "origin" | "calls" | "behavior"> & {
  gate: Gate;
  /** Environment settings that point a server at it. */
  settings: Record<string, string>;
  /** Ends all that a journey has switched. */
  calmDown: () => void;
  close: () => Promise<void>;
};

const THROUGH_THE_GATE = ["PSA_API_URL", "PSA_WEB_URL", "CGC_API_URL", "CGC_WEB_URL", "TAG_API_URL", "TAG_WEB_URL"];

export async function startUpstream(): Promise<Upstream> {
  const simulator = await startSimulator();
  const gate = await Gate.start(simulator.origin);
  const { behavior } = simulator;
  const settings = Object.fromEntries(
    Object.entries(simulator.settings).map(([name, value]) => [
      name,
      THROUGH_THE_GATE.includes(name) ? value.replace(simulator.origin, gate.origin) : value,
    ]),
  );
  return {
    origin: simulator.origin,
    calls: simulator.calls,
    behavior,
    gate,
    settings,
    calmDown: () => {
      gate.open();
      behavior.heal();
      behavior.latencyMs = 0;
      behavior.failureRate = 0;
      behavior.psaDailyQuota = null;
    },
    close: async () => {
      await gate.close();
      await simulator.close();
    },
  };
}
