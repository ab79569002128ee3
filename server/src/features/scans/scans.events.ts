import type { ScanEvent } from "@slabdesk/contract/api/sessions.ts";
import type { Notifications } from "../../database/notifications.ts";
import { pause } from "../../pause.ts";

/*
 * Progress travels as states, not as messages: a notification only says that a session changed, and each follower
 * asks for the rows that changed after the event it has seen. A notification that is lost or doubled is harmless, any
 * node can serve any browser, and a browser that comes back continues where it was.
 */

export type ScanEvents = {
  stop(): void;
  /** Yields what changed after event `since` (null = the state now), then every change until the signal aborts or the session is deleted. */
  follow(sessionId: string, since: number | null, signal: AbortSignal): AsyncGenerator<ScanEvent>;
};

export type ScanEventsParts = {
  notifications: Notifications;
  /** Null when there is no such session any more. */
  changes: (sessionId: string, since: number) => Promise<ScanEvent | null>;
  /** Changes of one session are told at most this often. */
  eventsMs: number;
};

/** A notification connection can die without a word; followers look for themselves this often. */
const LONGEST_SILENCE_MS = 10_000;

export function createScanEvents({ notifications, changes, eventsMs }: ScanEventsParts): ScanEvents {
  const closing = new AbortController();
  return {
    stop: () => closing.abort(),
    async *follow(sessionId, since, signal) {
      const done = AbortSignal.any([signal, closing.signal]);
      let changed = Promise.withResolvers<void>();
      const unwatch = notifications.watch("scan_changes", sessionId, () => changed.resolve());
      const onDone = (): void => changed.resolve();
      done.addEventListener("abort", onDone);
      let seen = since;
      try {
        while (!done.aborted) {
          changed = Promise.withResolvers<void>();
          const event = await changes(sessionId, seen ?? Number.MAX_SAFE_INTEGER);
          if (event === null) return;
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
