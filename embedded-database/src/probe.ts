import pg from "pg";

/** The embedded database's address for `pg`. `host` is the folder of its Unix socket. */
export type EmbeddedDatabaseAddress = { host: string; port: number; user: string; database: string };

const ALREADY_EXISTS = new Set(["42P04", "23505"]);
const STARTING_OR_STOPPING = "57P03";

/** Checks whether PostgreSQL accepts connections. @throws its error, unless it is starting or stopping */
export async function probe(superuser: EmbeddedDatabaseAddress): Promise<"ready" | "not yet"> {
  const client = maintenanceClient(superuser);
  try {
    await client.connect();
    return "ready";
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code === STARTING_OR_STOPPING) return "not yet";
    throw error;
  } finally {
    await client.end();
  }
}

/** Creates the role, which is no superuser, and the database that it owns. @throws PostgreSQL's error */
export async function createDatabase(superuser: EmbeddedDatabaseAddress, role: string): Promise<void> {
  const client = maintenanceClient(superuser);
  const owner = client.escapeIdentifier(role);
  const create = async (catalog: string, name: string, statement: string): Promise<void> => {
    const { rowCount } = await client.query(`SELECT FROM ${catalog} = $1`, [name]);
    if (rowCount === 0) await client.query(statement).catch(ignoreExisting);
  };
  try {
    await client.connect();
    const rights = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION";
    await create("pg_roles WHERE rolname", role, `CREATE ROLE ${owner} ${rights}`);
    const database = client.escapeIdentifier(superuser.database);
    await create("pg_database WHERE datname", superuser.database, `CREATE DATABASE ${database} OWNER ${owner}`);
  } finally {
    await client.end();
  }
}

/** A statement of a killed application may still be running and create the same. */
function ignoreExisting(error: unknown): void {
  if (!(error instanceof pg.DatabaseError) || !ALREADY_EXISTS.has(error.code ?? "")) throw error;
}

function maintenanceClient(superuser: EmbeddedDatabaseAddress): pg.Client {
  const client = new pg.Client({ ...superuser, database: "postgres", password: "", ssl: false });
  // If a connection breaks while connecting, connect() rejects and the event fires too.
  client.on("error", () => {});
  return client;
}
