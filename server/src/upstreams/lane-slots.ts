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
/** How long a node may take slots while other nodes wait for one, and how long it then pauses. */
const LONGEST_KEEPING_MS = 1_000;
const YIELD_MS = 2 * SLOT_RETRY_MS;
/** The number of the lock that waiting nodes share. It is higher than the numbers of the lane's slots. */
const WAITING = 999;

type SlotWork<T> = (notifyNodes: (notice: string) => void) => Promise<T>;

export function demandOpen(stop: AbortSignal): void {
  if (stop.aborted) throw new LaneClosedError("The lane is closed");
}

/**
 * Runs work that holds one of a lane's slots. Within this process, callers take turns. Nodes take turns, too. Work that
 * calls `notifyNodes` sends other nodes a notice with the release of its slot.
 */
export function createSlots(locks: SlotLocks, { first, count }: { first: number; count: number }) {
  const numbers = Array.from({ length: count }, (_, slot) => first + slot);
  const waiting = first + WAITING;
  let keepingSince = -Infinity;
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
    demandOpen(stop);
    if (performance.now() - keepingSince > LONGEST_KEEPING_MS) {
      keepingSince = performance.now();
      // Without a pause, this node would take the slot again before the others could.
      if (await locks.isAnotherWaiting(waiting)) await pause(YIELD_MS, stop);
    }
    return (await tryFree(stop)) ?? waitForFree(stop);
  }

  async function waitForFree(stop: AbortSignal): Promise<number> {
    await locks.startWaiting(waiting);
    try {
      for (;;) {
        await pause(SLOT_RETRY_MS, stop);
        demandOpen(stop);
        const slot = await tryFree(stop);
        if (slot === null) continue;
        keepingSince = performance.now();
        return slot;
      }
    } finally {
      await locks.stopWaiting(waiting);
    }
  }

  async function runWithSlot<T>(work: SlotWork<T>, stop: AbortSignal): Promise<T> {
    const slot = await take(stop);
    let notice: string | null = null;
    try {
      return await work((text) => (notice = text));
    } finally {
      await locks.unlock(slot, notice).finally(() => inUse.delete(slot));
    }
  }

  return <T>(work: SlotWork<T>, stop: AbortSignal) =>
    places.run(callerNow()?.sharesAs ?? "nobody", () => runWithSlot(work, stop), stop);
}

type LockCall =
  | "pg_try_advisory_lock"
  | "pg_advisory_unlock"
  | "pg_advisory_lock_shared"
  | "pg_advisory_unlock_shared"
  | "pg_try_advisory_xact_lock";

export type SlotLocks = ReturnType<typeof createSlotLocks>;

const CHANNEL = "lane_notices";

/**
 * Advisory locks on a dedicated connection, opened on first use and reopened after it breaks. Calls `onNotice` with the
 * notices of other nodes. Those from before the connection was opened are lost.
 */
export function createSlotLocks(pool: pg.Pool, onNotice: (notice: string) => void) {
  let opening: ReturnType<typeof open> | undefined;
  // A connection runs one query at a time.
  const inTurn = pLimit(1);
  let closed = false;

  async function open(): Promise<{ client: pg.PoolClient; drop: () => void }> {
    const client = await pool.connect().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    let isDropped = false;
    const drop = (): void => {
      if (isDropped) return;
      isDropped = true;
      opening = undefined;
      client.release(true);
    };
    client.once("error", drop);
    try {
      const { rows } = await client.query<{ id: number }>("SELECT pg_backend_pid() AS id");
      client.on("notification", ({ processId, payload = "" }) => {
        if (processId !== rows[0]?.id) onNotice(payload);
      });
      await client.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      drop();
      throw error;
    }
    return { client, drop };
  }

  function ask(call: LockCall, slot: number, notice: string | null = null): Promise<boolean> {
    if (closed) return Promise.reject(new LaneClosedError("The lanes are closed"));
    opening ??= open();
    const connection = opening;
    return inTurn(async () => {
      const { client } = await connection;
      const [also, values] = notice === null ? ["", []] : [`, pg_notify('${CHANNEL}', $3)`, [notice]];
      const { rows } = await client.query<{ done: boolean }>(`SELECT ${call}($1, $2) AS done${also}`, [
        LANE_LOCKS,
        slot,
        ...values,
      ]);
      return rows[0]?.done === true;
    });
  }

  return {
    tryLock: (slot: number): Promise<boolean> => ask("pg_try_advisory_lock", slot),
    /** Also sends other nodes a notice, unless it is null. */
    async unlock(slot: number, notice: string | null): Promise<void> {
      // A broken connection has already released its locks.
      if (opening) await ask("pg_advisory_unlock", slot, notice);
    },
    async startWaiting(slot: number): Promise<void> {
      await ask("pg_advisory_lock_shared", slot);
    },
    /** Never throws: a broken connection has already released its locks, and the caller may already hold a slot. */
    async stopWaiting(slot: number): Promise<void> {
      if (opening) await ask("pg_advisory_unlock_shared", slot).catch(() => false);
    },
    /** Whether another node is waiting. If so, it holds the shared lock, and this node can't lock it exclusively. */
    isAnotherWaiting: async (slot: number): Promise<boolean> => !(await ask("pg_try_advisory_xact_lock", slot)),
    async close(): Promise<void> {
      closed = true;
      // Queries that were asked before come first.
      await inTurn(() => undefined);
      const connection = opening;
      opening = undefined;
      if (!connection) return;
      const { client, drop } = await connection;
      try {
        // Closing a connection releases its locks too, but later.
        await client.query("SELECT pg_advisory_unlock_all()");
      } finally {
        // The pool can't end before all its connections are returned.
        drop();
      }
    },
  };
}
