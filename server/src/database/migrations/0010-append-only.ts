import { sql, type Kysely } from "kysely";
import { holdTables } from "../hold-tables.ts";

const LOG = "user_activity_logs";

/** Makes the activity log append-only. Any page of it can be read from an index in display order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await holdTables(db, [LOG]);
  await sql`
    ALTER TABLE user_activity_logs
      DROP CONSTRAINT user_activity_logs_user_id_fkey,
      ADD FOREIGN KEY (user_id) REFERENCES user_profiles (id)`.execute(db);
  await indexInOrder(db);
  await refuseChanges(db);
}

/** One index per filter. Entries with the same timestamp are ordered by id. */
async function indexInOrder(db: Kysely<unknown>): Promise<void> {
  for (const [name, columns] of [
    ["user_activity_logs_timestamp", []],
    ["user_activity_logs_person", ["user_id"]],
    ["user_activity_logs_type", ["activity_type"]],
    ["user_activity_logs_person_type", ["user_id", "activity_type"]],
  ] as const) {
    const all = sql.join([...columns, "timestamp", "id"].map((column) => sql.id(column)));
    await sql`DROP INDEX IF EXISTS ${sql.id(name)}`.execute(db);
    await sql`CREATE INDEX ${sql.id(name)} ON user_activity_logs (${all})`.execute(db);
  }
}

/**
 * A table's owner keeps all privileges until they are revoked, and revoked privileges don't apply to a superuser. The
 * trigger does, even where `session_replication_role` disables others.
 */
async function refuseChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    DO $$
    BEGIN
      EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON user_activity_logs FROM PUBLIC, %s',
        (SELECT relowner::regrole FROM pg_class WHERE oid = 'user_activity_logs'::regclass));
    END $$`.execute(db);
  await sql`
    CREATE FUNCTION refuse_change_of_activity() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'The activity log only grows: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER refuse_change_of_activity BEFORE UPDATE OR DELETE OR TRUNCATE ON user_activity_logs
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_activity()`.execute(db);
  await sql`ALTER TABLE user_activity_logs ENABLE ALWAYS TRIGGER refuse_change_of_activity`.execute(db);
}
