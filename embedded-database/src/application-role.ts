import pg from "pg";
import type { EmbeddedDatabaseAddress } from "./probe.ts";

/**
 * Statements that transfer everything owned by the cluster's creator. Objects of an extension stay with it, and a
 * column's sequence follows its table. PostgreSQL's own objects are skipped: their OIDs are below the first user OID.
 */
const HAND_OVER = `
  FOR owned IN
    SELECT class, oid FROM (
      SELECT 'pg_namespace'::regclass AS class, oid FROM pg_namespace
      WHERE nspowner = superuser AND nspname NOT LIKE 'pg\\_%'
      UNION ALL
      SELECT 'pg_class'::regclass, relation.oid FROM pg_class AS relation
      WHERE relowner = superuser AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND relpersistence <> 't'
        AND NOT (relkind = 'S' AND EXISTS (
          SELECT FROM pg_depend
          WHERE classid = 'pg_class'::regclass AND objid = relation.oid AND deptype IN ('a', 'i')
        ))
      UNION ALL
      SELECT 'pg_proc'::regclass, oid FROM pg_proc WHERE proowner = superuser
      UNION ALL
      SELECT 'pg_type'::regclass, type.oid FROM pg_type AS type
      WHERE typowner = superuser AND (
        typtype IN ('e', 'd', 'r')
        OR typtype = 'c' AND EXISTS (SELECT FROM pg_class WHERE pg_class.oid = typrelid AND relkind = 'c')
      )
    ) AS made
    WHERE oid >= 16384 AND NOT EXISTS (
      SELECT FROM pg_depend WHERE classid = made.class AND objid = made.oid AND deptype = 'e'
    )
  LOOP
    SELECT * INTO object FROM pg_identify_object(owned.class, owned.oid, 0);
    EXECUTE format('ALTER %s %s OWNER TO %I', object.type, object.identity, application);
  END LOOP;`;

/**
 * Makes sure that the application's role exists, is no superuser, and owns the database and all its objects. This includes
 * objects from an earlier version that connected as the superuser. If nothing is to be done, it only reads.
 *
 * @throws PostgreSQL's error; the database is then unchanged
 */
export async function handOverTo(application: string, superuser: EmbeddedDatabaseAddress): Promise<void> {
  const client = new pg.Client({ ...superuser, password: "", ssl: false });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(`
      DO $$
      DECLARE
        application constant name := ${client.escapeLiteral(application)};
        superuser constant oid := current_user::regrole;
        owned record;
        object record;
      BEGIN
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = application) THEN
          EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION', application);
        END IF;
        IF EXISTS (SELECT FROM pg_database WHERE datname = current_database() AND datdba = superuser) THEN
          EXECUTE format('ALTER DATABASE %I OWNER TO %I', current_database(), application);
        END IF;
        ${HAND_OVER}
      END $$`);
  } finally {
    await client.end();
  }
}
