import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import { isAgainstRules, isUnstorable } from "../../database/connection.ts";
import { pause } from "../../pause.ts";
import { insertActivities, type NewEntry } from "./activity.repo.ts";

/*
 * Entries are written in the background, in the order in which they were added. If the database rejects an entry, the
 * entry is dropped and the server's log records it. If the database is unavailable, entries stay in the queue and are
 * retried. If the queue is full, new entries are dropped and the server's log records it.
 */

export type ActivityWriting = {
  /** Queues an entry for writing. */
  add(entry: NewEntry): void;
  /** Resolves when the queue is empty, when the database is unavailable, or after READER_WAITS_MS. */
  written(): Promise<void>;
  /** Writes the queued entries. Drops and logs the entries that aren't written within CLOSE_WITHIN_MS. */
  close(): Promise<void>;
};

export type ActivityWritingParts = { pool: pg.Pool; log: FastifyBaseLogger };

const WRITTEN_AT_ONCE = 200;
/** An entry from the browser has at most 20,000 characters; one from the server a few hundred. */
const MOST_WAITING_CHARACTERS = 8_000_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** After this time, readers get the log without its last entries, so that a hanging database doesn't block them. */
const READER_WAITS_MS = 5_000;
const CLOSE_WITHIN_MS = 2_000;

export function createActivityWriting({ pool, log }: ActivityWritingParts): ActivityWriting {
  const closing = new AbortController();
  const givingUp = new AbortController();
  const line = createLine();
  /** How many entries of a rejected batch are still to be written one by one, to find the invalid one. */
  let triedAlone = 0;
  let isRepeated = false;
  let working: Promise<void> | null = null;
  let readers: (() => void)[] = [];

  function lose(entry: NewEntry, error: unknown): void {
    const { userId, activityType, timestamp } = entry;
    log.error({ err: error, userId, activityType, timestamp }, "Failed to store an activity");
  }

  function taken(count: number): void {
    line.take(count);
    triedAlone = Math.max(0, triedAlone - count);
  }

  /** Returns false if the database is unavailable. */
  async function writeNext(): Promise<boolean> {
    const entries = line.first(triedAlone > 0 ? 1 : WRITTEN_AT_ONCE);
    try {
      await insertActivities(pool, entries, { isRepeated, signal: givingUp.signal });
    } catch (error) {
      if (!isUnstorable(error) && !isAgainstRules(error)) {
        log.error({ err: error, waiting: line.length() }, "Failed to write the activity log; retrying");
        isRepeated = true;
        return false;
      }
      const [only, ...others] = entries;
      if (only && others.length === 0) {
        lose(only, error);
        taken(1);
      } else triedAlone = entries.length;
      return true;
    }
    isRepeated = false;
    taken(entries.length);
    return true;
  }

  function releaseReaders(): void {
    for (const release of readers) release();
    readers = [];
  }

  async function work(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (line.length() > 0) {
      if (await writeNext()) {
        pauseMs = FIRST_PAUSE_MS;
        continue;
      }
      releaseReaders();
      if (closing.signal.aborted) break;
      await pause(pauseMs, closing.signal);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
    releaseReaders();
    working = null;
  }

  return {
    add(entry) {
      if (line.add(entry)) working ??= work();
      else lose(entry, new Error(`${line.length()} entries are already waiting to be written`));
    },

    async written() {
      if (line.length() === 0 || isRepeated) return;
      const isReleased = new AbortController();
      readers.push(() => isReleased.abort());
      await pause(READER_WAITS_MS, isReleased.signal);
    },

    async close() {
      closing.abort();
      const inTime = new AbortController();
      const tooLate = pause(CLOSE_WITHIN_MS, inTime.signal);
      await Promise.race([working, tooLate]);
      inTime.abort();
      if (working !== null) givingUp.abort();
      for (const entry of line.take(line.length()))
        lose(entry, new Error("The server stopped before the entry was written"));
    },
  };
}

/** A first-in, first-out queue, limited to MOST_WAITING_CHARACTERS. */
function createLine() {
  const entries: NewEntry[] = [];
  let characters = 0;
  return {
    length: () => entries.length,
    first: (count: number): NewEntry[] => entries.slice(0, count),
    /** Returns false if the queue is full. */
    add(entry: NewEntry): boolean {
      if (characters + lengthOf(entry) > MOST_WAITING_CHARACTERS) return false;
      characters += lengthOf(entry);
      entries.push(entry);
      return true;
    },
    take(count: number): NewEntry[] {
      const taken = entries.splice(0, count);
      for (const entry of taken) characters -= lengthOf(entry);
      return taken;
    },
  };
}

function lengthOf({ userId, activityType, description, metadata }: NewEntry): number {
  return userId.length + activityType.length + description.length + metadata.length;
}
