import { sql } from "kysely";
import { PREPARED, type Database, type DatabaseTransaction } from "../../database/connection.ts";
import { notify } from "../../database/notifications.ts";
import type { Schema } from "../../database/schema.ts";
import { hashToken } from "./hashed-tokens.repo.ts";

/* Profiles for the activity log. They are not user accounts: no one signs in by email, and lists omit them. */
/** Acts for scripts that sign in with the backend password. An administrator. */
export const BACKEND_ID = "backend-service";
/** Stands for failed sign-ins with an email that no user has. */
export const UNKNOWN_ID = "unknown-account";

/** An auth session ends `idleMs` after its last use, and `longestMs` after its start in any case. */
export type AuthSessionLimits = { idleMs: number; longestMs: number };

/** The columns that `presentProfile` needs. */
export const PROFILE_COLUMNS = [
  ...(["id", "email", "full_name", "role", "is_active", "total_scans", "total_cards_processed"] as const),
  ...(["last_login", "created_at", "updated_at", "one_time_password", "two_factor_enabled"] as const),
] as const satisfies readonly (keyof Schema["user_profiles"])[];

/** Finds the auth session of a token, in the one statement that every request of a signed-in person needs. */
export async function findByToken(db: Database, token: string, now: Date) {
  const row = await db
    .selectFrom("auth_sessions as s")
    .innerJoin("user_profiles as u", "u.id", "s.user_id")
    .select(PROFILE_COLUMNS.map((column) => `u.${column}` as const))
    .select([
      "s.id as sessionId",
      "s.created_at as createdAt",
      "s.updated_at as updatedAt",
      "s.expires_at as expiresAt",
    ])
    .where("s.token_hash", "=", hashToken(token))
    .where("s.expires_at", ">", now)
    .modifyEnd(PREPARED)
    .executeTakeFirst();
  if (!row) return null;
  const { sessionId: id, createdAt, updatedAt, expiresAt, ...profile } = row;
  return { session: { id, userId: profile.id, createdAt, updatedAt, expiresAt }, profile };
}

export async function listAuthSessions(db: Database, userId: string) {
  return db
    .selectFrom("auth_sessions")
    .select(["id", "user_id", "expires_at", "ip_address", "user_agent", "created_at", "updated_at"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", sql<Date>`now()`)
    .orderBy("updated_at", "desc")
    .orderBy("id")
    .execute();
}

/** Ends all auth sessions of a user except `but`. Returns how many were ended. */
export async function endAuthSessions(db: Database, userId: string, but: string | null = null): Promise<number> {
  const ended = await db
    .deleteFrom("auth_sessions")
    .where("user_id", "=", userId)
    .$if(but !== null, (query) => query.where("id", "<>", but))
    .returning("id")
    .execute();
  await notify(db, "auth_sessions", userId);
  return ended.length;
}

/** Ends everybody's auth sessions. */
export async function endAllAuthSessions(db: Database): Promise<void> {
  const ended = await db.deleteFrom("auth_sessions").returning("user_id").execute();
  for (const userId of new Set(ended.map(({ user_id }) => user_id))) await notify(db, "auth_sessions", userId);
}

/** Ends one auth session of a user. Returns false if the user has no session with this id. */
export async function endAuthSession(db: Database, userId: string, authSessionId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    DELETE FROM auth_sessions WHERE id = ${authSessionId} AND user_id = ${userId}`.execute(db);
  if (numAffectedRows) await notify(db, "auth_sessions", userId);
  return numAffectedRows === 1n;
}

export async function hasAuthSession(db: Database, authSessionId: string): Promise<boolean> {
  const session = db.selectFrom("auth_sessions").select("id").where("id", "=", authSessionId);
  return (await session.executeTakeFirst()) !== undefined;
}

const PER_PERSON_AT_MOST = 20;

/** Ends a user's least recently used auth sessions beyond the limit. */
export async function endSurplusAuthSessions(db: Database, userId: string): Promise<void> {
  const { numAffectedRows } = await sql`
    DELETE FROM auth_sessions WHERE user_id = ${userId} AND id NOT IN (
      SELECT id FROM auth_sessions WHERE user_id = ${userId}
      ORDER BY updated_at DESC, id LIMIT ${PER_PERSON_AT_MOST})`.execute(db);
  if (numAffectedRows) await notify(db, "auth_sessions", userId);
}

/** Deletes an auth session whose token was never sent to a client. */
export async function takeBackSignIn(trx: DatabaseTransaction, token: string): Promise<void> {
  await trx.deleteFrom("auth_sessions").where("token_hash", "=", hashToken(token)).execute();
}

/** Records that an auth session is in use and extends it, at most once a minute. */
export async function noteSeen(db: Database, authSessionId: string, limits: AuthSessionLimits): Promise<void> {
  const after = (ms: number) => sql`make_interval(secs => ${ms / 1000})`;
  await sql`
    UPDATE auth_sessions SET updated_at = now(),
      expires_at = least(now() + ${after(limits.idleMs)}, created_at + ${after(limits.longestMs)})
    WHERE id = ${authSessionId} AND updated_at < now() - interval '1 minute'`.execute(db);
}

export async function deleteExpiredAuthSessions(db: Database): Promise<void> {
  await sql`DELETE FROM auth_sessions WHERE expires_at < now()`.execute(db);
  // Of sign-ins that ended before the second step.
  await sql`DELETE FROM auth_verifications WHERE expires_at < now()`.execute(db);
}
