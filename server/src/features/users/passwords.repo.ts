import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database, DatabaseTransaction } from "../../database/connection.ts";
import type { OneTimePassword } from "../../database/schema.ts";

/** The provider under which better-auth looks for a password. */
const PROVIDER = "credential";

/** `oneTime`: an administrator gave it; `isOutdated`: and its time is over, which matters to one that is not used yet. */
export type StoredPassword = { hash: string; oneTime: OneTimePassword | null; isOutdated: boolean };

export async function insertPassword(trx: DatabaseTransaction, userId: string, hash: string): Promise<void> {
  await trx
    .insertInto("auth_accounts")
    .values({ id: randomUUID(), account_id: userId, provider_id: PROVIDER, user_id: userId, password: hash })
    .execute();
}

/** What is stored of the password of whoever has this email; null when nobody does. */
export async function findHashByEmail(db: Database, email: string): Promise<string | null> {
  const row = await db
    .selectFrom("auth_accounts as account")
    .innerJoin("user_profiles as person", "person.id", "account.user_id")
    .select("account.password")
    .where("account.provider_id", "=", PROVIDER)
    .where("person.email", "=", email)
    .executeTakeFirst();
  return row?.password ?? null;
}

export async function findHash(db: Database, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom("auth_accounts")
    .select("password")
    .where("provider_id", "=", PROVIDER)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.password ?? null;
}

/** Reads somebody's password and keeps others from changing it, or from signing in by it, until the transaction ends. */
export async function lockPassword(trx: DatabaseTransaction, userId: string): Promise<StoredPassword | null> {
  const person = await trx
    .selectFrom("user_profiles")
    .select(["one_time_password as oneTime", sql<boolean>`COALESCE(one_time_until <= now(), false)`.as("isOutdated")])
    .where("id", "=", userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  // Read in a statement of its own: it sees what whoever held the lock before has committed.
  const hash = await findHash(trx, userId);
  return person && hash !== null ? { ...person, hash } : null;
}

export async function spendOneTimePassword(trx: DatabaseTransaction, userId: string): Promise<void> {
  await trx.updateTable("user_profiles").set({ one_time_password: "used" }).where("id", "=", userId).execute();
}

/** Gives somebody another password: their own, or one for a single sign-in until a time. */
export async function setPassword(
  trx: DatabaseTransaction,
  userId: string,
  hash: string,
  oneTimeUntil: Date | null,
): Promise<void> {
  await trx
    .updateTable("auth_accounts")
    .set({ password: hash, updated_at: sql<Date>`now()` })
    .where("provider_id", "=", PROVIDER)
    .where("user_id", "=", userId)
    .execute();
  await trx
    .updateTable("user_profiles")
    .set({
      one_time_password: oneTimeUntil && "given",
      one_time_until: oneTimeUntil,
      updated_at: sql<Date>`now()`,
    })
    .where("id", "=", userId)
    .execute();
}
