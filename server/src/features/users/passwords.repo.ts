import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database, DatabaseTransaction } from "../../database/connection.ts";
import type { OneTimePassword } from "../../database/schema.ts";

/** The provider id under which better-auth stores passwords. */
const PROVIDER = "credential";

/** `oneTime`: set if an administrator assigned the password. `isOutdated`: the one-time password has expired. */
export type StoredPassword = { hash: string; oneTime: OneTimePassword | null; isOutdated: boolean };

export async function insertPassword(trx: DatabaseTransaction, userId: string, hash: string): Promise<void> {
  await trx
    .insertInto("auth_accounts")
    .values({ id: randomUUID(), account_id: userId, provider_id: PROVIDER, user_id: userId, password: hash })
    .execute();
}

/** Returns the password hash of the user with this email. Null if there is none. */
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

/** Reads and locks a user's password. Until the transaction ends, no other can change it or sign in with it. */
export async function lockPassword(trx: DatabaseTransaction, userId: string): Promise<StoredPassword | null> {
  const person = await trx
    .selectFrom("user_profiles")
    .select(["one_time_password as oneTime", sql<boolean>`COALESCE(one_time_until <= now(), false)`.as("isOutdated")])
    .where("id", "=", userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  // A separate statement, so that it sees the changes committed by the previous lock holder.
  const hash = await findHash(trx, userId);
  return person && hash !== null ? { ...person, hash } : null;
}

export async function spendOneTimePassword(trx: DatabaseTransaction, userId: string): Promise<void> {
  await trx.updateTable("user_profiles").set({ one_time_password: "used" }).where("id", "=", userId).execute();
}

/** Sets a user's password. If `oneTimeUntil` is set, it is a one-time password that expires at that time. */
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
