import { startSimulator, type Simulator } from "@slabdesk/simulator/simulator.ts";
import { Gate } from "./gate.ts";

/** The upstreams of one product: its own simulator, with graders and price sources each behind a gate. */
export type Upstream = Pick<Simulator, "origin" | "calls" | "behavior"> & {
  gate: Gate;
  priceGate: Gate;
  /** Settings that point a server at it. */
  settings: Record<string, string>;
  /** Resets everything that a journey has changed. */
  calmDown: () => void;
  close: () => Promise<void>;
};

const GRADERS = ["PSA_API_URL", "PSA_WEB_URL", "CGC_API_URL", "CGC_WEB_URL", "TAG_API_URL", "TAG_WEB_URL"];
const PRICE_SOURCES = ["CARDLADDER_API_URL", "CARDSIQ_API_URL"];

/** Images are plain unless a journey looks at them, because drawing a slab costs more than the rest of a card. */
export async function startUpstream(hasPlainImages: boolean): Promise<Upstream> {
  const simulator = await startSimulator({ hasPlainImages });
  const [gate, priceGate] = await Promise.all([Gate.start(simulator.origin), Gate.start(simulator.origin)]);
  const { behavior } = simulator;
  const through = (name: string, value: string): string => {
    if (GRADERS.includes(name)) return value.replace(simulator.origin, gate.origin);
    return PRICE_SOURCES.includes(name) ? value.replace(simulator.origin, priceGate.origin) : value;
  };
  const settings = Object.fromEntries(
    Object.entries(simulator.settings).map(([name, value]) => [name, through(name, value)]),
  );
  return {
    origin: simulator.origin,
    calls: simulator.calls,
    behavior,
    gate,
    priceGate,
    settings,
    calmDown: () => {
      gate.open();
      priceGate.open();
      behavior.heal();
      behavior.cardladder = { argumentSet: "condition", refused: [] };
      behavior.latencyMs = 0;
      behavior.failureRate = 0;
      behavior.psaDailyQuota = null;
      behavior.marketFactor = 1;
    },
    close: async () => {
      await gate.close();
      await priceGate.close();
      await simulator.close();
    },
  };
}
