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
  /** Everything that is not as it must be, one line each. */
  faults: string[];
  /** Rows that were settled when the last kill came: that there are some, and not all, says that it came in mid-run. */
  settledAtLastKill: number;
  outages: Outage[];
};

/** A kill comes at most this long after the moment that was seen: some look-ups, from claim to commit. */
const MOMENT_MS = 400;
/** A server in its start is killed at most this long after its spawn: before, in and after all it does there. */
const START_MS = 1_500;
/** Jobs of a dead worker are taken up after 10 s without its heartbeat; the rest is a slow machine. */
const NEXT_PROGRESS_WITHIN_MS = 120_000;
const END_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 250;
/** Nothing depends on the moment at which the end is seen. */
const LOOK_FOR_THE_END_EVERY_MS = 1_000;
/** The last kill comes with at least this share of the rows still open, and with this many rows at least. */
const LEFT_FOR_THE_END = { share: 0.1, rows: 8 };

/** Kills an installation that works on a sheet, again and again, and looks at every row when the run has ended. */
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
    // One in four is not even let start again.
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

/** Waits until so many rows are settled, or the session has ended. */
function watch(installation: Installation, client: SurvivalClient, id: string) {
  return async (settled: number, withinMs: number): Promise<void> => {
    let last: SessionSeen | null = null;
    const isThere = async (): Promise<boolean> => {
      last = await client.session(installation.origin(), id);
      return last.status !== "processing" || last.processedCards >= settled;
    };
    const interval = settled === Number.POSITIVE_INFINITY ? LOOK_FOR_THE_END_EVERY_MS : LOOK_EVERY_MS;
    await vi.waitUntil(isThere, { timeout: withinMs, interval }).catch((cause: unknown) => {
      const message = `${settled} settled rows were not seen within ${withinMs / 1000} s`;
      throw new Error(`${message}; the session was ${JSON.stringify(last)}\n${installation.tail()}`, { cause });
    });
  };
}
