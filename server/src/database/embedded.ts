import {
  startEmbeddedDatabase,
  type EmbeddedDatabase,
  type EmbeddedDatabaseOptions,
} from "@slabdesk/embedded-database/embedded-database.ts";

/** Starts Slabdesk's own PostgreSQL in the data folder, for a server without DATABASE_URL. */
export function startOwnDatabase(
  options: Pick<EmbeddedDatabaseOptions, "dataDir" | "log" | "postgresSettings">,
): Promise<EmbeddedDatabase> {
  return startEmbeddedDatabase({
    ...options,
    // The picture cache, which nodes with DATABASE_URL store in the data folder too.
    ownEntries: ["images"],
    systemDir: "/var/lib/slabdesk",
    name: "slabdesk",
    role: "slabdesk_app",
  });
}
