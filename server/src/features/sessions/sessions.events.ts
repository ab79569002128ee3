import { addAbortListener } from "node:events";
import type { ScanEvent } from "@slabdesk/contract/api/sessions.ts";
import { READING_MS, requests } from "../../concurrency/budgets.ts";
import { createShares } from "../../concurrency/shares.ts";
import type { Context } from "../../context.ts";
import { pause } from "../../concurrency/repeat.ts";
import type { SessionRow } from "./sessions.present.ts";

/*
 * Followers receive state, not messages. A notification only says that a session changed; the node then reads the rows
 * that changed after the last event, once for all its followers of the session. Lost or duplicate notifications are
 * harmless, any node can serve any browser, and a reconnecting browser continues where it stopped.
 */

export type SessionEvents = ReturnType<typeof createSessionEvents>;

type Followed = Pick<SessionRow, "id" | "user_id">;
/** An event as text, which takes less memory while many slow followers hold it. `at` is its number. */
type Written = { at: number; hasRows: boolean; text: string };
/** What changed after event `since`. `event` is null if the session was deleted. */
type News = { since: number; event: Written | null };
/** The reading of one session for all its followers, up to event `at`. `next` rejects if a reading fails. */
type Feed = { followers: number; at: number; next: PromiseWithResolvers<News>; leaving: AbortController };

/** A notification connection can fail silently, so feeds also poll at this interval. */
const LONGEST_SILENCE_MS = 10_000;

export function createSessionEvents({ notifications, sessions: { changes }, intervals: { eventsMs } }: Context) {
  const closing = new AbortController();
  const feeds = new Map<string, Feed>();
  const readChanges = createReading(changes);

  /** Joins the session's feed. Starts it for the first follower; its reading counts toward the session's owner. */
  function join({ id: sessionId, user_id: owner }: Followed): Feed {
    const running = feeds.get(sessionId);
    if (running) {
      running.followers += 1;
      return running;
    }
    const feed: Feed = { followers: 1, at: 0, next: nextNews(), leaving: new AbortController() };
    feeds.set(sessionId, feed);
    void read(owner, sessionId, feed);
    return feed;
  }

  function leave(sessionId: string, feed: Feed): void {
    feed.followers -= 1;
    if (feed.followers > 0) return;
    feed.leaving.abort();
    if (feeds.get(sessionId) === feed) feeds.delete(sessionId);
  }

  /** Reads the session after each notification until nobody follows it. */
  async function read(owner: string, sessionId: string, feed: Feed): Promise<void> {
    const done = AbortSignal.any([feed.leaving.signal, closing.signal]);
    let changed = Promise.withResolvers<void>();
    const unwatch = notifications.watch("scan_changes", sessionId, () => changed.resolve());
    try {
      let since = Number.MAX_SAFE_INTEGER;
      while (!done.aborted) {
        changed = Promise.withResolvers<void>();
        const event = await readChanges(owner, sessionId, since, done);
        const news = feed.next;
        feed.next = nextNews();
        // The first reading has no rows, so it continues only from the state that it found.
        news.resolve({ since: Math.min(since, event?.at ?? 0), event });
        if (event === null) return;
        since = event.at;
        feed.at = since;
        if (!event.hasRows) await Promise.race([changed.promise, pause(LONGEST_SILENCE_MS, done)]);
        await pause(eventsMs, done);
      }
    } catch (error) {
      feed.next.reject(error);
    } finally {
      unwatch();
      if (feeds.get(sessionId) === feed) feeds.delete(sessionId);
    }
  }

  return {
    stop: (): void => closing.abort(),

    /** Yields the texts of the changes after event `since` (null: the current state), then of later ones. */
    async *follow(person: string, session: Followed, since: number | null, signal: AbortSignal) {
      const done = AbortSignal.any([signal, closing.signal]);
      const feed = join(session);
      let seen = since;
      try {
        while (!done.aborted) {
          // Taken before the read, so that no news is missed.
          let next = feed.next.promise;
          const event = await readChanges(person, session.id, seen ?? Number.MAX_SAFE_INTEGER, done);
          if (event === null) return;
          if (seen === null || event.at > seen) yield event.text;
          seen = event.at;
          if (seen < feed.at) continue;
          // A follower that was too slow for some news reads for itself again.
          for (let news = await orDone(next, done); news && news.since <= seen; news = await orDone(next, done)) {
            next = feed.next.promise;
            if (news.event === null) return;
            if (news.event.at <= seen) continue;
            yield news.event.text;
            seen = news.event.at;
          }
        }
      } finally {
        leave(session.id, feed);
      }
    },
  };
}

/** Reads what changed, for one stream of a person at a time. Null if the session was deleted, or when `done` aborts. */
function createReading(changes: Context["sessions"]["changes"]) {
  const places = createShares({ total: Infinity, each: 1, budgets: requests });
  return (person: string, sessionId: string, since: number, done: AbortSignal): Promise<Written | null> =>
    places
      .run(person, () => requests.charge(person, () => changes(sessionId, since).then(written), READING_MS), done)
      .catch((error: unknown) => {
        if (done.aborted) return null;
        throw error;
      });
}

const written = (event: ScanEvent | null): Written | null =>
  event && {
    at: event.session.eventSeq,
    hasRows: event.results.length > 0,
    text: `event: scan\nid: ${event.session.eventSeq}\ndata: ${JSON.stringify(event)}\n\n`,
  };

/** The promise of a feed's next news. It may reject while no follower awaits it, which is not an error. */
function nextNews(): PromiseWithResolvers<News> {
  const next = Promise.withResolvers<News>();
  next.promise.catch(() => undefined);
  return next;
}

/** The promise's value, or null when the signal aborts. */
async function orDone<T>(promise: Promise<T>, done: AbortSignal): Promise<T | null> {
  if (done.aborted) return null;
  const aborted = Promise.withResolvers<null>();
  const listener = addAbortListener(done, () => aborted.resolve(null));
  return Promise.race([promise, aborted.promise]).finally(() => listener[Symbol.dispose]());
}
