import { sql, type Kysely } from "kysely";

/**
 * Locks the tables that requests and runs write to, for a migration that rewrites one of them. Takes all locks or none,
 * and retries until all tables are free. If the migration locked them one by one, it could deadlock with a card that
 * settles, because the two use a different order.
 *
 * @param others more tables that the migration rewrites
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
      RAISE 'Could not lock the tables; stop the other nodes and start again';
    END $$`.execute(db);
}
