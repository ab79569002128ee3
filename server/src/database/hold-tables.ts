import { sql, type Kysely } from "kysely";

/**
 * Takes the tables that people and runs write to, for a migration that rewrites one of them: all of them or none, again
 * and again until nobody holds any. Taken one after the other, as a migration reaches them, they would be waited for in
 * another order than a card that settles takes them, and one of the two would be shot.
 *
 * @param others tables that the migration rewrites besides those
 */
export async function holdTables(db: Kysely<unknown>, others: readonly string[] = []): Promise<void> {
  const tables = ["user_profiles", "scan_sessions", "scan_results", "cached_certs", "price_quotes", ...others];
  await sql`
    DO $$
    BEGIN
      FOR attempt IN 1..6000 LOOP
        BEGIN
          LOCK TABLE ${sql.join(tables.map((table) => sql.id(table)))}
          IN ACCESS EXCLUSIVE MODE NOWAIT;
          RETURN;
        EXCEPTION WHEN lock_not_available THEN
          PERFORM pg_sleep(0.02);
        END;
      END LOOP;
      RAISE 'The tables are in use without a pause; stop the other nodes and start again';
    END $$`.execute(db);
}
