import { sql } from "kysely";
import type pg from "pg";
import type { LaneName } from "../config.ts";
import type { Database } from "../database/connection.ts";
import { pause } from "../pause.ts";

/*
 * A lane is the paced way to one company. Many nodes share it.
 *
 * A card that wants through is first `waiting` for a permit (at most `concurrency` cards of a lane are under way, over
 * all nodes), then `scheduled` (its slot is reserved in the database, one every `delayMs`), then `under way`. A permit
 * is a session-level advisory lock, so the permits of a node that dies are free at once; a slot that its card never
 * used is lost, which costs one delay and never a call too many.
 */

export type Lane = {
  /**
   * Runs `work` when the lane lets it through: one card every `delayMs`, `concurrency` at a time, over all nodes.
   * Rejects with `LaneClosedError` when the lane closes, or `givenUp` aborts, before the work began, else as `work`
   * does.
   */
  pass<T>(work: () => Promise<T>, givenUp?: AbortSignal): Promise<T>;
};
export type Lanes = Record<LaneName, Lane> & { close(): Promise<void> };

/** The process is stopping, or nobody waits any more; the work was not begun. */
export class LaneClosedError extends Error {
  override name = "LaneClosedError";
}

export type LaneSettings = { delayMs: number; concurrency: Record<LaneName, number> };

/** How long a node waits before it asks again for a permit that another node holds. */
const PERMIT_RETRY_MS = 100;
/** Namespace of our advisory locks: two-key locks `(LANE_LOCKS, lane * 1000 + permit)`. */
const LANE_LOCKS = 7_412_001;

export function createLanes(db: Database, pool: pg.Pool, settings: LaneSettings): Lanes {
  const closing = new AbortController();
  const locks = createPermitLocks(pool);
  const lane = (name: LaneName, index: number): Lane =>
    createLane({
      name,
      index,
      db,
      locks,
      closing: closing.signal,
      delayMs: settings.delayMs,
      concurrency: settings.concurrency[name],
    });
  return {
    psa: lane("psa", 0),
    cgc: lane("cgc", 1),
    tag: lane("tag", 2),
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
  locks: PermitLocks;
  closing: AbortSignal;
  delayMs: number;
  concurrency: number;
};

function createLane(parts: LaneParts): Lane {
  const { locks } = parts;
  const free = Array.from({ length: parts.concurrency }, (_, permit) => parts.index * 1000 + permit);
  const queue: (() => void)[] = [];

  async function takePermit(stop: AbortSignal): Promise<number> {
    for (;;) {
      demandOpen(stop);
      for (const permit of free.slice()) {
        if (await tryPermit(permit, stop)) return permit;
      }
      await (free.length === 0 ? waitForPermit(stop) : pause(PERMIT_RETRY_MS, stop));
    }
  }

  /** Resolves when a permit was given back or the wait is over, whichever comes first. */
  function waitForPermit(stop: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push(resolve);
    const onAbort = (): void => resolve();
    stop.addEventListener("abort", onAbort);
    return promise.finally(() => {
      stop.removeEventListener("abort", onAbort);
      // One that gave up leaves the queue; one that was woken and gave up wakes the next.
      const at = queue.indexOf(resolve);
      if (at >= 0) queue.splice(at, 1);
      else if (stop.aborted) queue.shift()?.();
    });
  }

  async function tryPermit(permit: number, stop: AbortSignal): Promise<boolean> {
    const at = free.indexOf(permit);
    if (at < 0) return false;
    free.splice(at, 1);
    let locked = false;
    try {
      locked = await locks.tryLock(permit);
    } catch (error) {
      if (stop.aborted) throw new LaneClosedError("The lane is closed", { cause: error });
      throw error;
    } finally {
      if (!locked) putBack(permit);
    }
    return locked;
  }

  async function givePermit(permit: number): Promise<void> {
    try {
      await locks.unlock(permit);
    } finally {
      putBack(permit);
    }
  }

  function putBack(permit: number): void {
    free.push(permit);
    queue.shift()?.();
  }

  return {
    async pass(work, givenUp) {
      const stop = givenUp ? AbortSignal.any([parts.closing, givenUp]) : parts.closing;
      const permit = await takePermit(stop);
      try {
        if (parts.delayMs > 0) await pause(await reserveSlot(parts), stop);
        demandOpen(stop);
        return await work();
      } finally {
        await givePermit(permit);
      }
    },
  };
}

function demandOpen(stop: AbortSignal): void {
  if (stop.aborted) throw new LaneClosedError("The lane is closed");
}

/**
 * Reserves the lane's next slot; returns the milliseconds until it begins. No more slots than permits are ever
 * reserved ahead, so one that lies farther in the future comes from a clock set back or a longer delay of before.
 */
async function reserveSlot({ db, name, delayMs, concurrency }: LaneParts): Promise<number> {
  const delay = sql`make_interval(secs => ${delayMs / 1000})`;
  const { rows } = await sql<{ wait_ms: number }>`
    UPDATE lanes
    SET next_at = ${delay} + LEAST(
      GREATEST(next_at, clock_timestamp()),
      clock_timestamp() + ${delay} * ${concurrency}::int)
    WHERE name = ${name}
    RETURNING (EXTRACT(EPOCH FROM next_at - clock_timestamp()) * 1000 - ${delayMs})::float8 AS wait_ms`.execute(db);
  return Math.max(0, rows[0]?.wait_ms ?? 0);
}

type PermitLocks = {
  tryLock(permit: number): Promise<boolean>;
  unlock(permit: number): Promise<void>;
  close(): Promise<void>;
};

/** Advisory locks on one connection of their own, opened when first needed and again after it broke. */
function createPermitLocks(pool: pg.Pool): PermitLocks {
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

  /** A connection answers one question after the other. */
  function ask(call: "pg_try_advisory_lock" | "pg_advisory_unlock", permit: number): Promise<boolean> {
    if (closed) return Promise.reject(new LaneClosedError("The lanes are closed"));
    opening ??= open();
    const connection = opening;
    const answer = last.then(async () => {
      const { client } = await connection;
      const { rows } = await client.query<{ done: boolean }>(`SELECT ${call}($1, $2) AS done`, [LANE_LOCKS, permit]);
      return rows[0]?.done === true;
    });
    last = answer.catch(() => undefined);
    return answer;
  }

  return {
    tryLock: (permit) => ask("pg_try_advisory_lock", permit),
    async unlock(permit) {
      // A broken connection has given its locks back already.
      if (opening) await ask("pg_advisory_unlock", permit);
    },
    async close() {
      closed = true;
      const connection = opening;
      opening = undefined;
      await last;
      if (!connection) return;
      const { client, drop } = await connection;
      client.off("error", drop);
      await client.query("SELECT pg_advisory_unlock_all()");
      client.release();
    },
  };
}
