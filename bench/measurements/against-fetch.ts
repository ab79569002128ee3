import { median } from "../numbers.ts";
import { makeSheet } from "../stage/sheet.ts";
import { startSimulatorProcess } from "../stage/simulator.ts";
import type { Stage } from "../stage/stage.ts";
import { runToEnd } from "./run-to-end.ts";

export const CONCURRENCY = 8;
export const LATENCY_MS = 50;
const CARDS = 600;
const ROUNDS = 3;
const CALLS = ["GetByCertNumber", "GetImagesByCertNumber"];

export type AgainstFetch = { cards: number; run: number; fetch: number };

/** Cards per second of a run whose upstream is 50 ms away, and of a loop that only makes the same calls. */
export async function measureAgainstFetch(stage: Stage): Promise<AgainstFetch> {
  const simulator = await startSimulatorProcess(LATENCY_MS);
  try {
    const settings = { ...simulator.settings, LANE_CONCURRENCY: String(CONCURRENCY) };
    return await stage.withNodes([settings], async (database, [node]) => {
      if (!node) throw new Error("No node was started");
      const visitor = await node.visit();
      const runs: number[] = [];
      const fetches: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        fetches.push(await fetchCards(simulator.settings, 50_000_000));
        const { id } = await visitor.upload(makeSheet(CARDS, 40_000_000 + round * CARDS));
        runs.push(await runToEnd(database, id));
      }
      return { cards: CARDS, run: median(runs), fetch: median(fetches) };
    });
  } finally {
    await simulator.close();
  }
}

async function fetchCards(settings: Record<string, string>, firstCert: number): Promise<number> {
  const headers = { authorization: `Bearer ${settings.PSA_API_TOKEN}`, accept: "application/json" };
  const startedAt = performance.now();
  let next = 0;
  async function work(): Promise<void> {
    for (let card = next++; card < CARDS; card = next++) {
      for (const call of CALLS) {
        const response = await fetch(`${settings.PSA_API_URL}/cert/${call}/${firstCert + card}`, { headers });
        if (!response.ok) throw new Error(`${call} answered ${response.status}`);
        await response.json();
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return (CARDS * 1000) / (performance.now() - startedAt);
}
