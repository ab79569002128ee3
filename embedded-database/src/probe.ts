import pg from "pg";

/** The embedded database's address for `pg`. `host` is the folder of its Unix socket. */
export type EmbeddedDatabaseAddress = { host: string; port: number; user: string; database: string };

const ALREADY_EXISTS = new Set(["42P04", "23505"]);
const STARTING_OR_STOPPING = "57P03";

/**
 * Checks whether the database accepts connections, and creates the application's database in a new cluster.
 *
 * @throws PostgreSQL's error, unless it is starting or stopping
 */
export async function probe(settings: EmbeddedDatabaseAddress): Promise<"ready" | "not yet"> {
  const client = new pg.Client({ ...settings, database: "postgres", password: "", ssl: false });
  // If a connection breaks while connecting, connect() rejects and the event fires too.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [settings.database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(settings.database)}`);
    return "ready";
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code === STARTING_OR_STOPPING) return "not yet";
    if (error.code !== undefined && ALREADY_EXISTS.has(error.code)) return "ready";
    throw error;
  } finally {
    await client.end();
  }
}
