import type { ScanEvent } from "@slabdesk/contract/api/sessions.ts";
import { createShares } from "../../concurrency/shares.ts";
import type { Notifications } from "../../database/notifications.ts";
import { pause } from "../../pause.ts";

/*
 * Followers receive state, not messages. A notification only says that a session changed; each follower then reads the
 * rows that changed after its last event. Lost or duplicate notifications are harmless, any node can serve any browser,
 * and a reconnecting browser continues where it stopped.
 */

export type SessionEvents = ReturnType<typeof createSessionEvents>;

export type SessionEventsParts = {
  notifications: Notifications;
  changes: (sessionId: string, since: number) => Promise<ScanEvent | null>;
  /** Minimum interval between events of a session, in milliseconds. */
  eventsMs: number;
};

/** A notification connection can fail silently, so followers also poll at this interval. */
const LONGEST_SILENCE_MS = 10_000;

/** More rows than a run usually settles between two events. */
const MANY_ROWS = 200;

export function createSessionEvents({ notifications, changes, eventsMs }: SessionEventsParts) {
  const closing = new AbortController();
  const reading = createShares({ total: Infinity, each: 1 });

  /** Reads a part of many rows for one of a person's streams at a time, so that they leave time for others' requests. */
  async function read(person: string, sessionId: string, since: number, done: AbortSignal): Promise<ScanEvent | null> {
    return reading.run(person, async () => {
      const event = await changes(sessionId, since);
      if (event !== null && event.results.length > MANY_ROWS) await pause(eventsMs, done);
      return event;
    });
  }

  return {
    stop: (): void => closing.abort(),

    /**
     * Yields the changes after event `since` (null: the current state), then every later change until the signal aborts
     * or the session is deleted. `person` is whose stream it is.
     */
    async *follow(
      person: string,
      sessionId: string,
      since: number | null,
      signal: AbortSignal,
    ): AsyncGenerator<ScanEvent> {
      const done = AbortSignal.any([signal, closing.signal]);
      let changed = Promise.withResolvers<void>();
      const unwatch = notifications.watch("scan_changes", sessionId, () => changed.resolve());
      const onDone = (): void => changed.resolve();
      done.addEventListener("abort", onDone);
      let seen = since;
      try {
        while (!done.aborted) {
          changed = Promise.withResolvers<void>();
          const event = await read(person, sessionId, seen ?? Number.MAX_SAFE_INTEGER, done);
          if (event === null || done.aborted) return;
          if (seen === null || event.session.eventSeq > seen) yield event;
          seen = event.session.eventSeq;
          if (event.results.length === 0) await Promise.race([changed.promise, pause(LONGEST_SILENCE_MS, done)]);
          await pause(eventsMs, done);
        }
      } finally {
        done.removeEventListener("abort", onDone);
        unwatch();
      }
    },
  };
}
