import { sql } from "kysely";
import type pg from "pg";
import type { LaneName } from "../config.ts";
import type { Database } from "../database/connection.ts";
import { LANE_LOCKS } from "../database/lock-numbers.ts";
import { pause } from "../pause.ts";

/*
 * A lane paces the calls to one company or price source. All nodes share it.
 *
 * A card waits for a slot (at most `concurrency` cards per lane across all nodes), then for its start time (one every
 * `delayMs`, claimed in the database). A slot is a session-level advisory lock: PostgreSQL releases it when the process
 * exits, or when it drops the connection of a dead machine (see database/connection.ts).
 */

export type Lane = {
  /**
   * Runs `work` once the lane admits it: one card every `delayMs`, `concurrency` at a time, across all nodes. Rejects
   * with `LaneClosedError` if the lane closes or `givenUp` aborts before `work` begins; otherwise settles like `work`.
   * `work` must await `waitForCallSlot` before its first call, so that its preparation time doesn't shorten the gap
   * between two cards at the upstream.
   */
  pass<T>(work: (waitForCallSlot: WaitForCallSlot) => Promise<T>, givenUp?: AbortSignal): Promise<T>;
  /** Like `pass`, for work without preparation: it begins when it may call. */
  call<T>(work: () => Promise<T>, givenUp?: AbortSignal): Promise<T>;
  /** Current milliseconds from one card to the next across all nodes; 0 if no card has passed yet. */
  paceMs(): Promise<number>;
};
export type WaitForCallSlot = () => Promise<void>;
export type Lanes = Record<LaneName, Lane> & {
  /** Aborts when the lanes close. */
  closing: AbortSignal;
  close(): Promise<void>;
};

/** The process is stopping or the caller gave up. The work did not begin. */
export class LaneClosedError extends Error {
  override name = "LaneClosedError";
}

/** `delayMs` applies to graders, `priceDelayMs` to price sources. */
export type LaneSettings = { delayMs: number; priceDelayMs: number; concurrency: Record<LaneName, number> };

/** Delay between attempts to take a slot that another node holds. */
const SLOT_RETRY_MS = 100;
/** Added to each gap: network latency varies by some milliseconds and must not shorten the gap at the upstream. */
const MOST_SLACK_MS = 50;
/** Weight of the newest card in the moving average, and the relative change from which the average is stored. */
const NEWEST_SHARE = 0.2;
const STORED_CHANGE = 0.2;

export function createLanes(db: Database, pool: pg.Pool, settings: LaneSettings): Lanes {
  const closing = new AbortController();
  const locks = createSlotLocks(pool);
  const lane = (name: LaneName, index: number, delayMs: number): Lane =>
    createLane({
      name,
      index,
      db,
      locks,
      closing: closing.signal,
      delayMs,
      concurrency: settings.concurrency[name],
    });
  return {
    psa: lane("psa", 0, settings.delayMs),
    cgc: lane("cgc", 1, settings.delayMs),
    tag: lane("tag", 2, settings.delayMs),
    cardladder: lane("cardladder", 3, settings.priceDelayMs),
    cardsiq: lane("cardsiq", 4, settings.priceDelayMs),
    closing: closing.signal,
    async close() {
      closing.abort();
      await locks.close();
    },
  };
}

type LaneParts = {
  name: LaneName;
  index: number;
  db: Database;
  locks: SlotLocks;
  closing: AbortSignal;
  delayMs: number;
  concurrency: number;
};

function createLane(parts: LaneParts): Lane {
  const { locks } = parts;
  const free = Array.from({ length: parts.concurrency }, (_, slot) => parts.index * 1000 + slot);
  const queue: (() => void)[] = [];

  async function takeSlot(stop: AbortSignal): Promise<number> {
    for (;;) {
      demandOpen(stop);
      for (const slot of free.slice()) {
        if (await trySlot(slot, stop)) return slot;
      }
      await (free.length === 0 ? waitForSlot(stop) : pause(SLOT_RETRY_MS, stop));
    }
  }

  /** Resolves when a slot is released or `stop` aborts, whichever comes first. */
  function waitForSlot(stop: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push(resolve);
    const onAbort = (): void => resolve();
    stop.addEventListener("abort", onAbort);
    return promise.finally(() => {
      stop.removeEventListener("abort", onAbort);
      // An aborted waiter leaves the queue. If it was already woken, it wakes the next one.
      const at = queue.indexOf(resolve);
      if (at >= 0) queue.splice(at, 1);
      else if (stop.aborted) queue.shift()?.();
    });
  }

  async function trySlot(slot: number, stop: AbortSignal): Promise<boolean> {
    const at = free.indexOf(slot);
    if (at < 0) return false;
    free.splice(at, 1);
    let locked = false;
    try {
      locked = await locks.tryLock(slot);
    } catch (error) {
      if (stop.aborted) throw new LaneClosedError("The lane is closed", { cause: error });
      throw error;
    } finally {
      if (!locked) putBack(slot);
    }
    return locked;
  }

  async function giveSlot(slot: number): Promise<void> {
    try {
      await locks.unlock(slot);
    } finally {
      putBack(slot);
    }
  }

  function putBack(slot: number): void {
    free.push(slot);
    queue.shift()?.();
  }

  const noteDuration = createDurationNotes(parts);

  const pass: Lane["pass"] = async (work, givenUp) => {
    const stop = givenUp ? AbortSignal.any([parts.closing, givenUp]) : parts.closing;
    const slot = await takeSlot(stop);
    try {
      await takeTurn(parts, "next_at", stop);
      demandOpen(stop);
      const startedAt = performance.now();
      const result = await work(callSlotOnce(parts, stop));
      await noteDuration(performance.now() - startedAt);
      return result;
    } finally {
      await giveSlot(slot);
    }
  };

  return {
    pass,
    call: (work, givenUp) =>
      pass(async (waitForCallSlot) => {
        await waitForCallSlot();
        return work();
      }, givenUp),
    async paceMs() {
      const lane = await parts.db
        .selectFrom("lanes")
        .select("card_ms")
        .where("name", "=", parts.name)
        .executeTakeFirst();
      return Math.max(parts.delayMs, (lane?.card_ms ?? 0) / parts.concurrency);
    },
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
    await db
      .updateTable("lanes")
      .set({ card_ms: Math.round(mean) })
      .where("name", "=", name)
      .execute();
  };
}

function demandOpen(stop: AbortSignal): void {
  if (stop.aborted) throw new LaneClosedError("The lane is closed");
}

/** Only a card's first call waits for the lane. Its other calls follow immediately. */
function callSlotOnce(parts: LaneParts, stop: AbortSignal): WaitForCallSlot {
  let hasWaited = false;
  return async () => {
    if (hasWaited) return;
    hasWaited = true;
    await takeTurn(parts, "next_call_at", stop);
    demandOpen(stop);
  };
}

/**
 * Waits until the lane's next card may start or call, then claims the turn. Turns are not booked in advance, so an
 * aborted wait costs nothing. A next turn more than one delay away is ignored: the clock was set back, or the delay was
 * longer before.
 */
async function takeTurn(
  { db, name, delayMs }: LaneParts,
  turn: "next_at" | "next_call_at",
  stop: AbortSignal,
): Promise<void> {
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

type SlotLocks = {
  tryLock(slot: number): Promise<boolean>;
  unlock(slot: number): Promise<void>;
  close(): Promise<void>;
};

/** Advisory locks on a dedicated connection, opened on first use and reopened after it breaks. */
function createSlotLocks(pool: pg.Pool): SlotLocks {
  let opening: Promise<{ client: pg.PoolClient; drop: () => void }> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  async function open(): Promise<{ client: pg.PoolClient; drop: () => void }> {
    try {
      const client = await pool.connect();
      const drop = (): void => {
        opening = undefined;
        client.release(true);
      };
      client.once("error", drop);
      return { client, drop };
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  /** Runs one query at a time, because a connection can't run several at once. */
  function ask(call: "pg_try_advisory_lock" | "pg_advisory_unlock", slot: number): Promise<boolean> {
    if (closed) return Promise.reject(new LaneClosedError("The lanes are closed"));
    opening ??= open();
    const connection = opening;
    const answer = last.then(async () => {
      const { client } = await connection;
      const { rows } = await client.query<{ done: boolean }>(`SELECT ${call}($1, $2) AS done`, [LANE_LOCKS, slot]);
      return rows[0]?.done === true;
    });
    last = answer.catch(() => undefined);
    return answer;
  }

  return {
    tryLock: (slot) => ask("pg_try_advisory_lock", slot),
    async unlock(slot) {
      // A broken connection has already released its locks.
      if (opening) await ask("pg_advisory_unlock", slot);
    },
    async close() {
      closed = true;
      await last;
      const connection = opening;
      opening = undefined;
      if (!connection) return;
      const { client, drop } = await connection;
      client.off("error", drop);
      let isUnlocked = false;
      try {
        await client.query("SELECT pg_advisory_unlock_all()");
        isUnlocked = true;
      } finally {
        // Closing a connection releases its locks too. The pool can't end before all its connections are returned.
        client.release(!isUnlocked);
      }
    },
  };
}
