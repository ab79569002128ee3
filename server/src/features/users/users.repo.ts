import { randomUUID } from "node:crypto";
import { sql, type Selectable } from "kysely";
import { roleSchema, type Profile, type Role, type UserChange } from "@slabdesk/contract/api/people.ts";
import type { Database, DatabaseTransaction } from "../../database/connection.ts";
import type { UserProfilesTable } from "../../database/schema.ts";
import { notifyAuthSessions } from "./auth-sessions.repo.ts";
import { insertPassword } from "./passwords.repo.ts";

export type ProfileRow = Selectable<UserProfilesTable>;

/** Any number will do, as long as nothing else locks it. */
const FIRST_ADMIN_LOCK = 460_001;

export type NewProfile = { email: string; fullName: string; role: Role };

export const parseRole = (role: string): Role => roleSchema.parse(role);

export function presentProfile(row: ProfileRow): Profile {
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
  };
}

/** Adds a person, who has no password yet. Null when the email is taken. */
export async function insertProfile(trx: DatabaseTransaction, user: NewProfile): Promise<ProfileRow | null> {
  const row = await trx
    .insertInto("user_profiles")
    .values({ id: randomUUID(), email: user.email, full_name: user.fullName, role: user.role })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Adds a person and their password. Null when the email is taken. */
export async function insertUser(
  trx: DatabaseTransaction,
  { passwordHash, ...profile }: NewProfile & { passwordHash: string },
): Promise<ProfileRow | null> {
  const row = await insertProfile(trx, profile);
  if (row) await insertPassword(trx, row.id, passwordHash);
  return row;
}

/** Until the transaction ends no other node asks whether there are users. */
export async function lockFirstAdmin(trx: DatabaseTransaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${FIRST_ADMIN_LOCK})`.execute(trx);
}

export async function hasUsers(db: Database): Promise<boolean> {
  return (await db.selectFrom("user_profiles").select("id").limit(1).executeTakeFirst()) !== undefined;
}

export async function listUsers(db: Database, cursor: number, limit: number): Promise<ProfileRow[]> {
  return db
    .selectFrom("user_profiles")
    .selectAll()
    .orderBy("created_at")
    .orderBy("id")
    .offset(cursor)
    .limit(limit)
    .execute();
}

/** Who may act for the backend password: not somebody who has yet to choose a password. */
export async function findOldestActiveAdmin(db: Database): Promise<ProfileRow | null> {
  const row = await db
    .selectFrom("user_profiles")
    .selectAll()
    .where("role", "=", "admin")
    .where("is_active", "=", true)
    .where("one_time_password", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export async function recordLogin(db: Database, userId: string, at: Date): Promise<ProfileRow> {
  return db
    .updateTable("user_profiles")
    .set({ last_login: at })
    .where("id", "=", userId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Reads people and keeps others from changing them until the transaction ends, in one order for all callers. */
export async function lockUsers(trx: DatabaseTransaction, ids: readonly string[]): Promise<ProfileRow[]> {
  return trx.selectFrom("user_profiles").selectAll().where("id", "in", ids).orderBy("id").forNoKeyUpdate().execute();
}

export async function findUser(db: Database, userId: string): Promise<ProfileRow | null> {
  return (await db.selectFrom("user_profiles").selectAll().where("id", "=", userId).executeTakeFirst()) ?? null;
}

/** What is not named stays as it is. All nodes are told to look again at what this person may do. */
export async function changeUser(
  trx: DatabaseTransaction,
  userId: string,
  { isActive, role }: UserChange,
): Promise<ProfileRow> {
  await notifyAuthSessions(trx, userId);
  return trx
    .updateTable("user_profiles")
    .set({
      ...(isActive !== undefined && { is_active: isActive }),
      ...(role !== undefined && { role }),
      updated_at: sql<Date>`now()`,
    })
    .where("id", "=", userId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** How a person has arranged the results table, as it was given; null: not yet. */
export async function findTableView(db: Database, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom("user_profiles")
    .select("table_view")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return row.table_view;
}

export async function saveTableView(db: Database, userId: string, view: string | null): Promise<void> {
  await db.updateTable("user_profiles").set({ table_view: view }).where("id", "=", userId).execute();
}
