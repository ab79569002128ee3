import { randomUUID } from "node:crypto";
import { sql, type RawBuilder } from "kysely";
import type { Database, DatabaseTransaction } from "../../database/connection.ts";
import { updateUser } from "./users.repo.ts";

/** The provider id under which better-auth stores passwords. */
const PROVIDER = "credential";

/** `oneTime`: set if an administrator assigned the password. `isOutdated`: the one-time password has expired. */
export type StoredPassword = NonNullable<Awaited<ReturnType<typeof lockPassword>>>;

export async function insertPassword(trx: DatabaseTransaction, userId: string, hash: string): Promise<void> {
  await trx
    .insertInto("auth_accounts")
    .values({ id: randomUUID(), account_id: userId, provider_id: PROVIDER, user_id: userId, password: hash })
    .execute();
}

export const findHashByEmail = (db: Database, email: string): Promise<string | null> =>
  findHash(db, sql`(SELECT id FROM user_profiles WHERE email = ${email})`);

export async function findHash(db: Database, userId: string | RawBuilder<unknown>): Promise<string | null> {
  const { rows } = await sql<{ password: string | null }>`
    SELECT password FROM auth_accounts WHERE provider_id = ${PROVIDER} AND user_id = ${userId}`.execute(db);
  return rows[0]?.password ?? null;
}

/** Reads and locks a user's password. Until the transaction ends, no other can change it or sign in with it. */
export async function lockPassword(trx: DatabaseTransaction, userId: string) {
  const person = await trx
    .selectFrom("user_profiles")
    .select(["two_factor_enabled as hasTwoStep", "one_time_password as oneTime"])
    .select(sql<boolean>`COALESCE(one_time_until <= now(), false)`.as("isOutdated"))
    .where("id", "=", userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  // A separate statement, so that it sees the changes committed by the previous lock holder.
  const hash = await findHash(trx, userId);
  return person && hash !== null ? { ...person, hash } : null;
}

/** Sets a user's password. If `oneTimeUntil` is set, it is a one-time password that expires at that time. */
export async function setPassword(trx: DatabaseTransaction, userId: string, hash: string, oneTimeUntil: Date | null) {
  await sql`
    UPDATE auth_accounts SET password = ${hash}, updated_at = now()
    WHERE provider_id = ${PROVIDER} AND user_id = ${userId}`.execute(trx);
  const oneTime = { one_time_password: oneTimeUntil && ("given" as const), one_time_until: oneTimeUntil };
  return updateUser(trx, userId, { ...oneTime, updated_at: sql<Date>`now()` });
}
