import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import { isAgainstRules, isUnstorable } from "../../database/connection.ts";
import { pause } from "../../pause.ts";
import { insertActivities, type NewEntry } from "./activity.repo.ts";

/*
 * Entries are written beside what they tell of, in the order in which they were told. One waits until those before it
 * are written; it is then in the log, or refused (told to the server's log), or kept because the database takes none
 * now, and tried again. When so many are kept that there is no room, a new one is let go, which the server's log tells.
 */

export type ActivityWriting = {
  /** Takes an entry, to be written soon. */
  add(entry: NewEntry): void;
  /** Resolves when nothing waits any more, or when the database takes nothing now. */
  written(): Promise<void>;
  /** Writes what is left, or tells that it is lost when the database does not take it in time. */
  close(): Promise<void>;
};

export type ActivityWritingParts = { pool: pg.Pool; log: FastifyBaseLogger };

const WRITTEN_AT_ONCE = 200;
/** An entry of the browser's is 20,000 characters at most; one of ours some hundred. */
const MOST_WAITING_CHARACTERS = 8_000_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** A reader would rather see the log without its last entries than wait for a database that hangs. */
const READER_WAITS_MS = 5_000;
const CLOSE_WITHIN_MS = 2_000;

export function createActivityWriting({ pool, log }: ActivityWritingParts): ActivityWriting {
  const closing = new AbortController();
  const givingUp = new AbortController();
  const line = createLine();
  /** After a refusal of several at once each of them is tried alone, to find the one. */
  let triedAlone = 0;
  let isRepeated = false;
  let working: Promise<void> | null = null;
  let readers: (() => void)[] = [];

  function lose(entry: NewEntry, error: unknown): void {
    const { userId, activityType, timestamp } = entry;
    log.error({ err: error, userId, activityType, timestamp }, "An activity could not be stored");
  }

  function taken(count: number): void {
    line.take(count);
    triedAlone = Math.max(0, triedAlone - count);
  }

  /** False when the database takes nothing now. */
  async function writeNext(): Promise<boolean> {
    const entries = line.first(triedAlone > 0 ? 1 : WRITTEN_AT_ONCE);
    try {
      await insertActivities(pool, entries, { isRepeated, signal: givingUp.signal });
    } catch (error) {
      if (!isUnstorable(error) && !isAgainstRules(error)) {
        log.error({ err: error, waiting: line.length() }, "The activity log cannot be written now");
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
      else lose(entry, new Error(`${line.length()} entries wait to be written already`));
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
      for (const entry of line.take(line.length())) lose(entry, new Error("The server ended before it was written"));
    },
  };
}

/** What waits, in order, and no more than there is room for. */
function createLine() {
  const entries: NewEntry[] = [];
  let characters = 0;
  return {
    length: () => entries.length,
    first: (count: number): NewEntry[] => entries.slice(0, count),
    /** False when there is no room. */
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
