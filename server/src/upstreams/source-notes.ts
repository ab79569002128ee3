import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { findSetting } from "../database/server-settings.ts";

export type SourceNotes = ReturnType<typeof createSourceNotes>;

/** What a source learned about its upstream, for all nodes and restarts. The simulator's notes are kept apart. */
export function createSourceNotes(db: Database, source: string, upstreams: "demo" | "live") {
  const name = `${source}_notes_${upstreams}`;
  return {
    /** The notes as they were written; null if there are none. The reader checks their form. */
    async read(): Promise<unknown> {
      return JSON.parse((await findSetting(db, name)) ?? "null");
    },
    async add(notes: Record<string, unknown>): Promise<void> {
      await sql`
        INSERT INTO server_settings (name, value) VALUES (${name}, ${JSON.stringify(notes)})
        ON CONFLICT (name) DO UPDATE SET value = (server_settings.value::jsonb || EXCLUDED.value::jsonb)::text
      `.execute(db);
    },
  };
}
