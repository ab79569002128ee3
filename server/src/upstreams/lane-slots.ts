import pLimit from "p-limit";
import type pg from "pg";
import { createShares } from "../concurrency/shares.ts";
import { LANE_LOCKS } from "../database/lock-numbers.ts";
import { pause } from "../concurrency/repeat.ts";
import { callerNow } from "./on-behalf-of.ts";

/* A slot is a session-level advisory lock: PostgreSQL releases it when the process or its connection ends. */

/** The process is stopping or the caller gave up. The work did not begin. */
export class LaneClosedError extends Error {
  override name = "LaneClosedError";
}

const SLOT_RETRY_MS = 100;

export function demandOpen(stop: AbortSignal): void {
  if (stop.aborted) throw new LaneClosedError("The lane is closed");
}

/** Runs work that holds one of the slots with these numbers. Within this process, callers take turns. */
export function createSlots(locks: SlotLocks, numbers: readonly number[]) {
  const inUse = new Set<number>();
  const refuse = () => new LaneClosedError("The lane is closed");
  const places = createShares({ total: numbers.length, each: numbers.length, refuse });

  /** Locks a free slot. Null if other nodes hold them all. */
  async function tryFree(stop: AbortSignal): Promise<number | null> {
    for (const slot of numbers) {
      if (inUse.has(slot)) continue;
      inUse.add(slot);
      let isLocked = false;
      try {
        isLocked = await locks.tryLock(slot);
        if (isLocked) return slot;
      } catch (error) {
        if (stop.aborted) throw new LaneClosedError("The lane is closed", { cause: error });
        throw error;
      } finally {
        if (!isLocked) inUse.delete(slot);
      }
    }
    return null;
  }

  async function take(stop: AbortSignal): Promise<number> {
    for (;;) {
      demandOpen(stop);
      const slot = await tryFree(stop);
      if (slot !== null) return slot;
      await pause(SLOT_RETRY_MS, stop);
    }
  }

  async function runWithSlot<T>(work: () => Promise<T>, stop: AbortSignal): Promise<T> {
    const slot = await take(stop);
    try {
      return await work();
    } finally {
      await locks.unlock(slot).finally(() => inUse.delete(slot));
    }
  }

  return <T>(work: () => Promise<T>, stop: AbortSignal) =>
    places.run(callerNow()?.userId ?? "nobody", () => runWithSlot(work, stop), stop);
}

export type SlotLocks = ReturnType<typeof createSlotLocks>;

/** Advisory locks on a dedicated connection, opened on first use and reopened after it breaks. */
export function createSlotLocks(pool: pg.Pool) {
  let opening: ReturnType<typeof open> | undefined;
  // A connection runs one query at a time.
  const inTurn = pLimit(1);
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

  function ask(call: "pg_try_advisory_lock" | "pg_advisory_unlock", slot: number): Promise<boolean> {
    if (closed) return Promise.reject(new LaneClosedError("The lanes are closed"));
    opening ??= open();
    const connection = opening;
    return inTurn(async () => {
      const { client } = await connection;
      const { rows } = await client.query<{ done: boolean }>(`SELECT ${call}($1, $2) AS done`, [LANE_LOCKS, slot]);
      return rows[0]?.done === true;
    });
  }

  return {
    tryLock: (slot: number): Promise<boolean> => ask("pg_try_advisory_lock", slot),
    async unlock(slot: number): Promise<void> {
      // A broken connection has already released its locks.
      if (opening) await ask("pg_advisory_unlock", slot);
    },
    async close(): Promise<void> {
      closed = true;
      // Queries that were asked before come first.
      await inTurn(() => undefined);
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
