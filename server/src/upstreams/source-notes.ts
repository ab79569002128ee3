import { sql } from "kysely";
import type { Database } from "../database/connection.ts";

/** What a source learned about its upstream. All nodes share it, and it survives restarts. */
export type SourceNotes = {
  /** The notes as they were written; null if there are none. The reader checks their form. */
  read(): Promise<unknown>;
  add(notes: Record<string, unknown>): Promise<void>;
};

/** Notes of the simulator never affect the real source. */
export function createSourceNotes(db: Database, source: string, upstreams: "demo" | "live"): SourceNotes {
  const name = `${source}_notes_${upstreams}`;
  return {
    async read() {
      const found = await db.selectFrom("server_settings").select("value").where("name", "=", name).executeTakeFirst();
      const notes: unknown = found ? JSON.parse(found.value) : null;
      return notes;
    },
    async add(notes) {
      await sql`
        INSERT INTO server_settings (name, value) VALUES (${name}, ${JSON.stringify(notes)})
        ON CONFLICT (name) DO UPDATE SET value = (server_settings.value::jsonb || EXCLUDED.value::jsonb)::text
      `.execute(db);
    },
  };
}
