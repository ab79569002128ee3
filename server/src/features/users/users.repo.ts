import { randomUUID } from "node:crypto";
import { sql, type Selectable, type UpdateObject } from "kysely";
import type { Profile, Role, UserChange } from "@slabdesk/contract/api/people.ts";
import type { Database, DatabaseTransaction } from "../../database/connection.ts";
import { FIRST_ADMIN_LOCK } from "../../database/lock-numbers.ts";
import { notify } from "../../database/notifications.ts";
import type { Schema } from "../../database/schema.ts";
import { firstOf, rowsOf } from "../../database/statements.ts";
import { type PROFILE_COLUMNS, UNKNOWN_ID } from "./auth-sessions.repo.ts";

export type ProfileRow = Selectable<Schema["user_profiles"]>;

export function presentProfile(row: Pick<ProfileRow, (typeof PROFILE_COLUMNS)[number]>): Profile {
  return {
    id: row.id,
    email: row.email,
    fullName: row.full_name,
    role: row.role,
    isActive: row.is_active,
    totalScans: row.total_scans,
    totalCardsProcessed: row.total_cards_processed,
    lastLogin: row.last_login?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    mustChangePassword: row.one_time_password !== null,
    hasTwoStep: row.two_factor_enabled,
  };
}

/** Inserts a user without a password. `oneTimeUntil`: if it will be a one-time one. Returns null if the email is taken. */
export function insertProfile(
  trx: DatabaseTransaction,
  { email, fullName, role, oneTimeUntil }: { email: string; fullName: string; role: Role; oneTimeUntil: Date | null },
): Promise<ProfileRow | null> {
  return firstOf<ProfileRow>(trx)`
    INSERT INTO user_profiles (id, email, full_name, role, one_time_password, one_time_until)
    VALUES (${randomUUID()}, ${email}, ${fullName}, ${role}, ${oneTimeUntil && "given"}, ${oneTimeUntil})
    ON CONFLICT (email) DO NOTHING RETURNING *`;
}

/** Blocks the creation of the first administrator on other nodes until the transaction ends. */
export async function lockFirstAdmin(trx: DatabaseTransaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${FIRST_ADMIN_LOCK})`.execute(trx);
}

export async function hasUsers(db: Database): Promise<boolean> {
  const user = db.selectFrom("user_profiles").select("id").where("is_service", "=", false).limit(1);
  return (await user.executeTakeFirst()) !== undefined;
}

/** Lists users, oldest first, each with the number of settled rows in their sessions. */
export function listUsers(db: Database, cursor: number, limit: number) {
  return rowsOf<ProfileRow & { scan_count: number }>(db)`
    SELECT p.*, (SELECT COALESCE(sum(processed_cards), 0) FROM scan_sessions WHERE user_id = p.id) AS scan_count
    FROM user_profiles AS p WHERE NOT is_service ORDER BY created_at, id OFFSET ${cursor} LIMIT ${limit}`;
}

/** The id of the profile under which sign-ins with this email are logged. */
export async function findUserIdByEmail(db: Database, email: string): Promise<string> {
  const row = await db.selectFrom("user_profiles").select("id").where("email", "=", email).executeTakeFirst();
  return row?.id ?? UNKNOWN_ID;
}

/** @throws if the user doesn't exist */
export function updateUser(db: Database, id: string, change: UpdateObject<Schema, "user_profiles">) {
  return db.updateTable("user_profiles").set(change).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

export async function removeTwoStep(trx: DatabaseTransaction, userId: string): Promise<ProfileRow> {
  await trx.deleteFrom("auth_two_factors").where("user_id", "=", userId).execute();
  return updateUser(trx, userId, { two_factor_enabled: false });
}

/** Whether an active administrator other than this user remains. The backend service isn't one. */
export async function hasOtherAdmin(trx: DatabaseTransaction, userId: string): Promise<boolean> {
  const admin = await firstOf<{ id: string }>(trx)`
    SELECT id FROM user_profiles
    WHERE role = 'admin' AND is_active AND NOT is_service AND id <> ${userId} LIMIT 1`;
  return admin !== null;
}

/** Locks users against changes until the transaction ends. Locks in id order to avoid deadlocks. */
export async function lockUsers(trx: DatabaseTransaction, ids: readonly string[]): Promise<ProfileRow[]> {
  return trx.selectFrom("user_profiles").selectAll().where("id", "in", ids).orderBy("id").forNoKeyUpdate().execute();
}

export async function findUser(db: Database, userId: string): Promise<ProfileRow | null> {
  return (await db.selectFrom("user_profiles").selectAll().where("id", "=", userId).executeTakeFirst()) ?? null;
}

/** Updates the given fields. Notifies all nodes on commit to authorize the user's connections again. */
export async function changeUser(trx: DatabaseTransaction, userId: string, { isActive, role }: UserChange) {
  await notify(trx, "auth_sessions", userId);
  return updateUser(trx, userId, { is_active: isActive, role, updated_at: sql<Date>`now()` });
}
