import { sql } from "kysely";
import type pg from "pg";
import { z } from "zod";
import { recordOf } from "@slabdesk/contract/api/cards.ts";
import { PRICE_SOURCE_NAMES } from "@slabdesk/contract/api/prices.ts";
import { SOURCE_NAMES, sourceNameSchema, type SourceName } from "@slabdesk/contract/api/sources.ts";
import type { Database } from "../database/connection.ts";
import { pause } from "../concurrency/repeat.ts";
import { createSlotLocks, createSlots, demandOpen, type SlotLocks } from "./lane-slots.ts";
import { callerNow } from "./on-behalf-of.ts";
import { createSlowCallers, type HeldLane } from "./slow-callers.ts";

/*
 * A lane paces the calls to one company or price source across all nodes. A card waits for one of `concurrency` slots,
 * for its start time (one every `delayMs`), and before its first call for a call slot (one every `delayMs` as well). A
 * card that makes no call gives its start time to the next card.
 */

export type WaitForCallSlot = () => Promise<void>;
type Lane = ReturnType<typeof createLane>;
export type Lanes = Record<SourceName, Lane> & {
  closing: AbortSignal;
  close(): Promise<void>;
};

/** `delayMs` applies to graders, `priceDelayMs` to price sources. */
export type LaneSettings = {
  delayMs: number;
  priceDelayMs: number;
  concurrency: Record<SourceName, number>;
  /** A card is slow if its calls take longer than this and than two delays. */
  longCallMs: number;
  /** The people who have jobs that may start in a lane. */
  listPeopleWithJobs: (lane: SourceName) => Promise<readonly string[]>;
};

/** A notice to other nodes: a lane, and who held it. */
const noticeSchema = z.object({
  name: sourceNameSchema,
  held: z.array(z.object({ userId: z.string(), cards: z.number(), heldMs: z.number(), excessMs: z.number() })),
});
/** The shortest time between notices about normal cards. PostgreSQL commits transactions with notices one at a time. */
const NOTICE_EVERY_MS = 1_000;
/** A notice may have 8,000 bytes. */
const PEOPLE_IN_A_NOTICE = 40;

/** Added to each gap: network latency varies by some milliseconds and must not shorten the gap at the upstream. */
const MOST_SLACK_MS = 50;
/** Weight of the newest card in the moving average, and the relative change from which the average is stored. */
const NEWEST_SHARE = 0.2;
const STORED_CHANGE = 0.2;

export function createLanes(db: Database, pool: pg.Pool, settings: LaneSettings): Lanes {
  const closing = new AbortController();
  const locks = createSlotLocks(pool, (notice) => {
    const { data } = noticeSchema.safeParse(JSON.parse(notice));
    // A node of another version may send other notices.
    if (data) for (const held of data.held) lanes[data.name].charge(held);
  });
  const lanes: Record<SourceName, Lane> = recordOf(SOURCE_NAMES, (name) => {
    const delayMs = name in PRICE_SOURCE_NAMES ? settings.priceDelayMs : settings.delayMs;
    const concurrency = settings.concurrency[name];
    const { longCallMs, listPeopleWithJobs } = settings;
    const own = { name, delayMs, concurrency, longCallMs, listPeopleWithJobs };
    return [name, createLane({ db, locks, closing: closing.signal, ...own })];
  });
  return {
    ...lanes,
    closing: closing.signal,
    async close() {
      closing.abort();
      await locks.close();
    },
  };
}

type LaneParts = Pick<LaneSettings, "longCallMs" | "listPeopleWithJobs"> & {
  name: SourceName;
  db: Database;
  locks: SlotLocks;
  closing: AbortSignal;
  delayMs: number;
  concurrency: number;
};

function createLane(parts: LaneParts) {
  const first = SOURCE_NAMES.indexOf(parts.name) * 1000;
  const runInSlot = createSlots(parts.locks, { first, count: parts.concurrency });
  const noteDuration = createDurationNotes(parts);
  const longCallMs = Math.max(parts.longCallMs, 2 * parts.delayMs);
  const { delayMs, closing, concurrency: slots } = parts;
  const listPeopleWithJobs = () => parts.listPeopleWithJobs(parts.name);
  const slowCallers = createSlowCallers({ longCallMs, delayMs, slots, closing, listPeopleWithJobs });

  const noticeAfter = createNotices(parts.name);

  /**
   * Runs `work` once the lane admits it, and settles like it. Rejects with `LaneClosedError` if the lane closes or
   * `givenUp` aborts before, and with `LaneWaitError` if the caller's card must wait after slow ones. `work` must await
   * `waitForCallSlot` before its first call: preparation takes time.
   */
  async function pass<T>(work: (waitForCallSlot: WaitForCallSlot) => Promise<T>, givenUp?: AbortSignal): Promise<T> {
    const stop = givenUp ? AbortSignal.any([parts.closing, givenUp]) : parts.closing;
    const caller = callerNow();
    const visit = caller && slowCallers.arrive(caller.userId);
    const inSlot = async (notifyNodes: (notice: string) => void): Promise<T> => {
      // Only now: the person's card before this one may have been slow.
      if (caller) await slowCallers.demandNoWait(caller.userId);
      visit?.enter();
      await takeTurn(parts, "next_at", stop);
      demandOpen(stop);
      const startedAt = performance.now();
      const callSlot = callSlotOnce(parts, stop);
      try {
        const result = await work(callSlot.wait);
        if (callSlot.usedAt() !== null) await noteDuration(performance.now() - startedAt);
        return result;
      } finally {
        const usedAt = callSlot.usedAt();
        const tookMs = performance.now() - (usedAt ?? startedAt);
        // A card that made no call is slow if its preparation held the slot for as long.
        if (caller && (usedAt !== null || tookMs >= longCallMs)) {
          const notice = noticeAfter(slowCallers.note(caller.userId, tookMs));
          if (notice !== null) notifyNodes(notice);
        }
        if (usedAt === null) await giveTurnBack(parts);
      }
    };
    return runInSlot(inSlot, stop).finally(() => visit?.leave());
  }

  return {
    pass,
    /** Charges a person for cards that another node looked up. */
    charge: slowCallers.charge,
    /** How many milliseconds a card has to wait after slow ones until it asks again; 0 if it may go. */
    waitMs: slowCallers.waitMs,
    /** Runs a single lookup or price, which passes the lane, after the person's wait. */
    runSingle: slowCallers.runSingle,
    /** Like `pass`, for work without preparation: it begins when it may call. */
    call: <T>(work: () => Promise<T>, givenUp?: AbortSignal): Promise<T> =>
      pass((waitForCallSlot) => waitForCallSlot().then(work), givenUp),
    /** Current milliseconds from one card to the next across all nodes; 0 if no card has passed yet. */
    async paceMs(): Promise<number> {
      const stored = parts.db.selectFrom("lanes").select("card_ms").where("name", "=", parts.name);
      const lane = await stored.executeTakeFirst();
      return Math.max(parts.delayMs, (lane?.card_ms ?? 0) / parts.concurrency);
    },
  };
}

/** Returns a notice after each slow card, and at most once a second after normal ones. It covers all cards since the last. */
function createNotices(name: SourceName): (held: HeldLane) => string | null {
  const untold = new Map<string, HeldLane>();
  let toldAt = -Infinity;
  return (held) => {
    const isSlow = held.excessMs > 0;
    if (!isSlow) {
      const { cards, heldMs } = untold.get(held.userId) ?? { cards: 0, heldMs: 0 };
      untold.set(held.userId, { ...held, cards: cards + held.cards, heldMs: heldMs + held.heldMs });
      if (performance.now() - toldAt < NOTICE_EVERY_MS) return null;
    }
    toldAt = performance.now();
    const told = [...(isSlow ? [held] : []), ...untold.values()].slice(0, PEOPLE_IN_A_NOTICE);
    untold.clear();
    return JSON.stringify({ name, held: told } satisfies z.input<typeof noticeSchema>);
  };
}

/** Maintains the average time of a card for plans. Stores it only when it changed noticeably. */
function createDurationNotes({ db, name }: LaneParts): (ms: number) => Promise<void> {
  let mean: number | null = null;
  let stored = Number.POSITIVE_INFINITY;
  return async (ms) => {
    mean = mean === null ? ms : mean + (ms - mean) * NEWEST_SHARE;
    if (Math.abs(mean - stored) <= stored * STORED_CHANGE && Number.isFinite(stored)) return;
    stored = mean;
    const update = db.updateTable("lanes").set({ card_ms: Math.round(mean) });
    await update.where("name", "=", name).execute();
  };
}

/** Only a card's first call waits for the lane. Its other calls follow immediately. `usedAt`: when it could call. */
function callSlotOnce(parts: LaneParts, stop: AbortSignal): { wait: WaitForCallSlot; usedAt: () => number | null } {
  let usedAt: number | null = null;
  async function wait(): Promise<void> {
    if (usedAt !== null) return;
    usedAt = performance.now();
    await takeTurn(parts, "next_call_at", stop);
    demandOpen(stop);
    usedAt = performance.now();
  }
  return { wait, usedAt: () => usedAt };
}

/** Lets the next card start at once. Its first call still waits for a call slot. */
async function giveTurnBack({ db, name, delayMs }: LaneParts): Promise<void> {
  if (delayMs === 0) return;
  await sql`UPDATE lanes SET next_at = clock_timestamp() WHERE name = ${name}`.execute(db);
}

/** Waits for and claims a turn. One more than a delay away is ignored: the clock was set back, or delays were longer. */
async function takeTurn(parts: LaneParts, turn: "next_at" | "next_call_at", stop: AbortSignal): Promise<void> {
  const { db, name, delayMs } = parts;
  if (delayMs === 0) return;
  const spacing = sql`make_interval(secs => ${(delayMs + Math.min(MOST_SLACK_MS, delayMs / 20)) / 1000})`;
  const next = sql.ref(turn);
  while (!stop.aborted) {
    const { rows } = await sql<{ wait_ms: number | null }>`
      WITH start AS (
        UPDATE lanes SET ${next} = clock_timestamp() + ${spacing}
        WHERE name = ${name} AND (${next} <= clock_timestamp() OR ${next} > clock_timestamp() + ${spacing})
        RETURNING name
      )
      SELECT CASE WHEN NOT EXISTS (SELECT FROM start)
        THEN (EXTRACT(EPOCH FROM ${next} - clock_timestamp()) * 1000)::float8 END AS wait_ms
      FROM lanes WHERE name = ${name}`.execute(db);
    const waitMs = rows[0]?.wait_ms ?? null;
    if (waitMs === null) return;
    await pause(Math.max(1, waitMs), stop);
  }
}
