import { sql } from "kysely";
import pg from "pg";
import { pause } from "../concurrency/repeat.ts";
import type { Database, DatabaseSettings } from "./connection.ts";

/* Notifications between nodes. Receivers read the state itself, so lost or duplicate ones do no harm. */

const CHANNELS = ["scan_changes", "auth_sessions", "credential_changes"] as const;
/** Payload: a session id, or the id of a user whose auth sessions or role changed; empty for credentials. */
export type Channel = (typeof CHANNELS)[number];

export type Notifications = ReturnType<typeof createNotifications>;

/** Notifies all nodes on commit. */
export async function notify(db: Database, channel: Channel, name = ""): Promise<void> {
  await sql`SELECT pg_notify(${channel}, ${name})`.execute(db);
}

const RECONNECT_MS = 1_000;

export function createNotifications(settings: DatabaseSettings, report: (error: Error) => void) {
  const watchers = new Map<string, Set<() => void>>();
  const closing = new AbortController();
  let client: pg.Client | undefined;

  const tell = (key: string): void => {
    for (const onNotice of watchers.get(key) ?? []) onNotice();
  };

  async function connect(): Promise<void> {
    const connection = new pg.Client({ ...settings, application_name: "slabdesk-events", keepAlive: true });
    connection.on("notification", ({ channel, payload = "" }) => tell(keyOf(channel, payload)));
    connection.on("error", (error) => void replace(connection, error));
    connection.on("end", () => void replace(connection, new Error("The database closed the notification connection")));
    await connection.connect();
    await connection.query(CHANNELS.map((channel) => `LISTEN ${channel}`).join("; "));
    if (closing.signal.aborted) return connection.end();
    client = connection;
    for (const key of watchers.keys()) tell(key);
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
        report(new Error("Could not reopen the notification connection", { cause: error }));
        await pause(RECONNECT_MS, closing.signal);
      }
    }
  }

  return {
    start: connect,
    async stop(): Promise<void> {
      closing.abort();
      const connection = client;
      client = undefined;
      await connection?.end();
    },
    /** Calls `onNotice` for each notification of this name, and after possible gaps. Returns a function to stop. */
    watch(channel: Channel, name: string, onNotice: () => void): () => void {
      const key = keyOf(channel, name);
      const own = watchers.get(key) ?? new Set();
      watchers.set(key, own.add(onNotice));
      return () => {
        own.delete(onNotice);
        if (own.size === 0 && watchers.get(key) === own) watchers.delete(key);
      };
    },
  };
}

const keyOf = (channel: string, name: string): string => `${channel} ${name}`;
