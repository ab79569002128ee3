import pg from "pg";
import type { ScanEvent } from "@slabdesk/contract/api/sessions.ts";
import type { DatabaseSettings } from "../../database/connection.ts";
import { pause } from "../../pause.ts";
import { SCAN_CHANNEL } from "./scans.repo.ts";

/*
 * Progress travels as states, not as messages: a notification only says that a session changed, and each follower
 * asks for the rows that changed after the event it has seen. A notification that is lost or doubled is harmless, any
 * node can serve any browser, and a browser that comes back continues where it was.
 */

export type ScanEvents = {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Yields what changed after event `since` (null = the state now), then every change until the signal aborts. */
  follow(sessionId: string, since: number | null, signal: AbortSignal): AsyncGenerator<ScanEvent>;
};

export type ScanEventsParts = {
  settings: DatabaseSettings;
  changes: (sessionId: string, since: number) => Promise<ScanEvent>;
  report: (error: Error) => void;
};

/** Changes of one session are told at most this often: a table that redraws faster helps nobody. */
const COALESCE_MS = 200;
const RECONNECT_MS = 1_000;
/** A notification connection can die without a word; followers look for themselves this often. */
const LONGEST_SILENCE_MS = 10_000;

export function createScanEvents({ settings, changes, report }: ScanEventsParts): ScanEvents {
  const followers = new Map<string, Set<() => void>>();
  const closing = new AbortController();
  let client: pg.Client | undefined;

  const wake = (sessionId: string): void => {
    for (const follower of followers.get(sessionId) ?? []) follower();
  };
  const wakeAll = (): void => {
    for (const sessionId of followers.keys()) wake(sessionId);
  };

  async function connect(): Promise<void> {
    const connection = new pg.Client({ ...settings, application_name: "slabdesk-events", keepAlive: true });
    connection.on("notification", (message) => {
      if (message.payload) wake(message.payload);
    });
    connection.on("error", (error) => void replace(connection, error));
    connection.on("end", () => void replace(connection, new Error("The database ended the event connection")));
    await connection.connect();
    await connection.query(`LISTEN ${SCAN_CHANNEL}`);
    client = connection;
    wakeAll();
  }

  async function replace(broken: pg.Client, reason: Error): Promise<void> {
    if (client !== broken) return;
    client = undefined;
    report(reason);
    while (!closing.signal.aborted) {
      try {
        await connect();
        return;
      } catch (error) {
        report(new Error("The event connection could not be opened again", { cause: error }));
        await pause(RECONNECT_MS, closing.signal);
      }
    }
  }

  function subscribe(sessionId: string, onChange: () => void): () => void {
    const own = followers.get(sessionId) ?? new Set();
    followers.set(sessionId, own.add(onChange));
    return () => {
      own.delete(onChange);
      if (own.size === 0 && followers.get(sessionId) === own) followers.delete(sessionId);
    };
  }

  return {
    start: connect,
    async stop() {
      closing.abort();
      wakeAll();
      const connection = client;
      client = undefined;
      await connection?.end();
    },
    async *follow(sessionId, since, signal) {
      const done = AbortSignal.any([signal, closing.signal]);
      let changed = Promise.withResolvers<void>();
      const unsubscribe = subscribe(sessionId, () => changed.resolve());
      const onDone = (): void => changed.resolve();
      done.addEventListener("abort", onDone);
      let seen = since;
      try {
        while (!done.aborted) {
          changed = Promise.withResolvers<void>();
          const event = await changes(sessionId, seen ?? Number.MAX_SAFE_INTEGER);
          if (seen === null || event.session.eventSeq > seen) yield event;
          seen = event.session.eventSeq;
          if (event.results.length === 0) await Promise.race([changed.promise, pause(LONGEST_SILENCE_MS, done)]);
          await pause(COALESCE_MS, done);
        }
      } finally {
        done.removeEventListener("abort", onDone);
        unsubscribe();
      }
    },
  };
}
