import { setTimeout as sleep } from "node:timers/promises";
import { vi } from "vitest";
import type { Seeded } from "@slabdesk/simulator/made-up/seeded.ts";
import type { Simulator } from "@slabdesk/simulator/simulator.ts";
import { findFaults, type Outage, type Sighting } from "./crash-faults.ts";
import { VICTIMS, type Installation } from "./installation.ts";
import { signIn, type SessionSeen, type SurvivalClient } from "./survival-client.ts";
import { survivalSheet } from "./survival-sheet.ts";

export type CrashRun = { rows: number; kills: number; random: Seeded };
export type CrashReport = {
  session: SessionSeen;
  /** All errors, one line each. */
  faults: string[];
  /** The rows settled before the last kill: some but not all, so the kill came during the run. */
  settledAtLastKill: number;
  outages: Outage[];
};

/** The maximum delay of a kill after the observed moment: some lookups, from claim to commit. */
const MOMENT_MS = 400;
/** The maximum delay of a kill after the spawn: before, during, and after start-up. */
const START_MS = 1_500;
/** Another worker takes a dead worker's jobs after 10 s without a heartbeat; the rest is for slow machines. */
const NEXT_PROGRESS_WITHIN_MS = 120_000;
const END_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 250;
/** The exact moment when the end is noticed does not matter. */
const LOOK_FOR_THE_END_EVERY_MS = 1_000;
/** The last kill comes with at least this share and this number of rows still open. */
const LEFT_FOR_THE_END = { share: 0.1, rows: 8 };

/** Kills an installation repeatedly while it runs a sheet, and checks every row when the run has ended. */
export async function crashRun(
  installation: Installation,
  simulator: Simulator,
  { rows, kills, random }: CrashRun,
): Promise<CrashReport> {
  const client = await signIn(installation.origin());
  const { sheet, expected } = survivalSheet(rows, random);
  const { id } = await client.upload(installation.origin(), { ...sheet, includePricing: true }, "crash-run");
  const seen = watch(installation, client, id);
  const outages: Outage[] = [];
  const sightings: Sighting[] = [];
  const settledAtUpload = (await client.session(installation.origin(), id)).processedCards;
  const open = rows - settledAtUpload;
  const span = open - Math.max(open * LEFT_FOR_THE_END.share, LEFT_FOR_THE_END.rows);
  let settledAtLastKill = 0;
  for (let done = 0; done < kills;) {
    await seen(settledAtUpload + Math.floor((span * (done + 1)) / kills), NEXT_PROGRESS_WITHIN_MS);
    const rowsSeen = await client.rows(installation.origin(), id);
    sightings.push({ at: Date.now(), rows: rowsSeen });
    settledAtLastKill = rowsSeen.filter((row) => row.processedAt !== null).length;
    await sleep(random.next() * MOMENT_MS);
    const outage = { from: Date.now(), to: Number.POSITIVE_INFINITY, victims: [random.pick(VICTIMS)] };
    outages.push(outage);
    await installation.kill(outage.victims[0] ?? "server");
    done += 1;
    // One kill in four comes during start-up.
    if (done < kills && random.chance(0.25)) {
      const victim = random.pick(VICTIMS);
      outage.victims.push(victim);
      await installation.recoverAndKill(random.next() * START_MS, victim);
      done += 1;
    }
    await installation.recover();
    outage.to = Date.now();
  }
  await seen(Number.POSITIVE_INFINITY, END_WITHIN_MS);
  const faults = await findFaults({ installation, client, id, expected, sightings, outages, calls: simulator.calls });
  return { session: await client.session(installation.origin(), id), faults, settledAtLastKill, outages };
}

/** Waits until this many rows are settled or the session has ended. */
function watch(installation: Installation, client: SurvivalClient, id: string) {
  return async (settled: number, withinMs: number): Promise<void> => {
    let last: SessionSeen | null = null;
    const isThere = async (): Promise<boolean> => {
      last = await client.session(installation.origin(), id);
      return last.status !== "processing" || last.processedCards >= settled;
    };
    const interval = settled === Number.POSITIVE_INFINITY ? LOOK_FOR_THE_END_EVERY_MS : LOOK_EVERY_MS;
    await vi.waitUntil(isThere, { timeout: withinMs, interval }).catch(async (cause: unknown) => {
      const message = `${settled} settled rows were not seen within ${withinMs / 1000} s`;
      const open = (await client.rows(installation.origin(), id)).filter((row) => row.processedAt === null);
      const state = `the session was ${JSON.stringify(last)}, its first open rows ${JSON.stringify(open.slice(0, 3))}`;
      throw new Error(`${message}; ${state}\n${installation.tail()}`, { cause });
    });
  };
}
