import { codeOf } from "@slabdesk/embedded-database/embedded-database-error.ts";
import type { EmbeddedDatabase } from "@slabdesk/embedded-database/embedded-database.ts";
import pg from "pg";
import { openDatabase, openPool, type Database, type DatabaseSettings } from "./database/connection.ts";
import { LIVE_DATABASE, readChoice, writeChoice } from "./database/embedded.ts";
import { readKind, recordKind } from "./database/kind.ts";
import { migrateToLatest } from "./database/migrate.ts";
import { StartFailure } from "./start-failure.ts";

export type Store = { settings: DatabaseSettings; dataDir: string; embedded: EmbeddedDatabase | null };

const ALREADY_EXISTS = "42P04";
const NOT_PERMITTED = "42501";
const CONNECTIONS = 2;

/**
 * Prepares an empty live database beside the demo's, with its accounts, and chooses it for the next starts. Returns a
 * message for the person. @throws StartFailure if it is live already or can't be created
 */
export async function goLive({ settings, dataDir, embedded }: Store): Promise<string> {
  return withDatabase(embedded?.settings ?? settings, async (demo) => {
    await migrateToLatest(demo);
    if ((await readKind(demo)) === "live") {
      throw new StartFailure(
        "This database is live already. Set UPSTREAMS=live to start the server before any credentials are set.",
      );
    }
    if (embedded) {
      const accounts = await prepareLive(demo, await embedded.addDatabase(LIVE_DATABASE));
      await writeChoice(dataDir, "live");
      return `${accounts}\nnpm start now starts the live database. The demo is kept; npm run go-demo returns to it.`;
    }
    const { name, live } = await addBeside(settings);
    return (
      `${await prepareLive(demo, live)}\nStop all nodes, change the database in DATABASE_URL to ${name}, set ` +
      "UPSTREAMS=live, and start them.\nThe demo is kept; the earlier settings return to it."
    );
  });
}

/** Chooses the demo for the next starts. Nothing is deleted. @throws StartFailure if there is nothing to undo */
export async function goDemo({ dataDir, embedded }: Store): Promise<string> {
  if (!embedded) {
    throw new StartFailure(
      "With DATABASE_URL, the settings choose the database: set it to the demo's, and remove UPSTREAMS=live and the " +
        "sources' settings.",
    );
  }
  if ((await readChoice(dataDir)) !== "live")
    throw new StartFailure("There is nothing to undo: npm run go-live is not in effect in this data folder.");
  await writeChoice(dataDir, "demo");
  return "npm start now starts the demo. The live database is kept; npm run go-live returns to it.";
}

async function prepareLive(demo: Database, settings: DatabaseSettings): Promise<string> {
  return withDatabase(settings, async (live) => {
    await migrateToLatest(live);
    if ((await recordKind(live, "live")) === "demo") {
      throw new StartFailure(
        "The database beside this one holds a demo too. Rename it, and run npm run go-live again.",
      );
    }
    const copied = await copyAccounts(demo, live);
    if (copied === 0) return "The live database is ready.";
    return `The live database is ready, with ${copied === 1 ? "1 account" : `${copied} accounts`} and no cards.`;
  });
}

/** Creates a database beside the one of DATABASE_URL unless it exists. @throws StartFailure if that is not permitted */
async function addBeside(settings: DatabaseSettings): Promise<{ name: string; live: DatabaseSettings }> {
  const client = new pg.Client(settings);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; user: string; exists: boolean }>(
      `SELECT current_database() || '_live' AS name, current_user AS user,
         EXISTS (SELECT FROM pg_database WHERE datname = current_database() || '_live') AS exists`,
    );
    const { name = "", user = "", exists = false } = rows[0] ?? {};
    if (!exists) {
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`).catch((error: unknown) => {
        if (codeOf(error) === ALREADY_EXISTS) return;
        if (codeOf(error) !== NOT_PERMITTED) throw error;
        const command = `createdb --owner=${user} ${name}`;
        throw new StartFailure(
          `The user ${user} of DATABASE_URL may not create databases. Create an empty one as a superuser, for example ` +
            `with ${command}, and run npm run go-live again.`,
          { cause: error },
        );
      });
    }
    return { name, live: withName(settings, name) };
  } finally {
    await client.end();
  }
}

function withName(settings: DatabaseSettings, name: string): DatabaseSettings {
  if (!("connectionString" in settings)) return { ...settings, database: name };
  const url = new URL(settings.connectionString);
  url.pathname = `/${encodeURIComponent(name)}`;
  return { connectionString: url.href };
}

async function withDatabase<T>(settings: DatabaseSettings, work: (db: Database) => Promise<T>): Promise<T> {
  // A connection that breaks while idle fails the next query, which reports it.
  const db = openDatabase(openPool(settings, () => undefined, CONNECTIONS));
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Copies the accounts into a database without users, without counts and signed-in devices. Returns their number. */
export async function copyAccounts(from: Database, to: Database): Promise<number> {
  const profiles = await from.selectFrom("user_profiles").selectAll().where("is_service", "=", false).execute();
  const accounts = await from.selectFrom("auth_accounts").selectAll().execute();
  const twoFactors = await from.selectFrom("auth_two_factors").selectAll().execute();
  const secrets = await from.selectFrom("server_settings").selectAll().where("name", "=", "auth_secret").execute();
  return to.transaction().execute(async (transaction) => {
    const users = transaction.selectFrom("user_profiles").select("id").where("is_service", "=", false);
    const present = await users.limit(1).execute();
    if (present.length > 0 || profiles.length === 0) return 0;
    const unused = { total_scans: 0, total_cards_processed: 0 };
    await transaction
      .insertInto("user_profiles")
      .values(profiles.map((profile) => ({ ...profile, ...unused })))
      .execute();
    if (accounts.length > 0) await transaction.insertInto("auth_accounts").values(accounts).execute();
    if (twoFactors.length > 0) await transaction.insertInto("auth_two_factors").values(twoFactors).execute();
    for (const secret of secrets)
      await transaction
        .insertInto("server_settings")
        .values(secret)
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: secret.value }))
        .execute();
    return profiles.length;
  });
}
