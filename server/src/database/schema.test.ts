import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storedSourceSchema, MODES } from "@slabdesk/contract/api/cards.ts";
import { OUTCOME_CODES } from "@slabdesk/contract/api/outcomes.ts";
import { roleSchema } from "@slabdesk/contract/api/people.ts";
import { PRICE_SOURCES, priceStateSchema } from "@slabdesk/contract/api/prices.ts";
import { rowStatusSchema, SETTLED_STATUSES } from "@slabdesk/contract/api/results.ts";
import { sessionStatusSchema } from "@slabdesk/contract/api/sessions.ts";
import { SOURCE_NAMES } from "@slabdesk/contract/api/sources.ts";
import { COMPANIES } from "@slabdesk/contract/certs/company.ts";
import { DELIMITERS } from "@slabdesk/contract/api/sheet-format.ts";
import type { CallEnding } from "../upstreams/on-behalf-of.ts";
import { ENDPOINT_NAMES, LOOKUP_ENDPOINT_NAMES } from "../upstreams/endpoint.ts";
import { openDatabase, openPool, type Database } from "./connection.ts";
import { ROW_TEXT } from "./row-size.ts";
import type { OneTimePassword, PauseCode } from "./schema.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

/** The specification's section 3, by table; further columns are allowed. */
const FIELDS = {
  user_profiles: "id email full_name role is_active total_scans total_cards_processed last_login created_at updated_at",
  scan_sessions:
    "id user_id session_name csv_filename total_cards processed_cards processing_mode status started_at completed_at upload_date",
  scan_results:
    "id session_id user_id cert_number grading_company item_name player_character year brand_set card_number grade sport_game variety front_image_url back_image_url cert_url price notes processing_error created_at",
  user_activity_logs: "user_id activity_type description metadata timestamp",
};

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(
    openPool(database.settings, (error) => {
      throw error;
    }),
  );
  await sql`
    INSERT INTO user_profiles (id, email, full_name) VALUES ('ana', 'ana@example.com', 'Ana');
    INSERT INTO scan_sessions (user_id, session_name, csv_filename, header, total_cards, processing_mode,
      include_pricing, reuse_known) VALUES ('ana', 'Box', 'box.csv', '[]', 1, 'api', false, true);
    INSERT INTO scan_results (session_id, user_id, line, cells, status, cert_number, grading_company, price_text,
      customer_price, sheet_notes, notes, event_seq)
    SELECT id, user_id, 1, '[]', 'completed', '12345678', 'PSA', '', '', '', '', 1 FROM scan_sessions`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  await database.end();
});

test("the tables have the specified fields", async () => {
  const tables = await db.introspection.getTables();
  for (const [name, fields] of Object.entries(FIELDS)) {
    const columns = tables.find((table) => table.name === name)?.columns.map((column) => column.name);
    expect(columns, name).toEqual(expect.arrayContaining(fields.split(" ")));
  }
  const certNumber = tables
    .find((table) => table.name === "scan_results")
    ?.columns.find((column) => column.name === "cert_number");
  expect(certNumber?.dataType).toBe("text");
});

const CARD_SOURCES = storedSourceSchema.options;
const CALL_ENDINGS = {
  answered: true,
  useless: true,
  timed_out: true,
  too_large: true,
  redirected: true,
  network_error: true,
} satisfies Record<CallEnding, true>;
const ONE_TIME_PASSWORDS = { given: true, used: true } satisfies Record<OneTimePassword, true>;
const PAUSE_CODES = {
  quota_exhausted: true,
  blocked: true,
  forbidden: true,
  unavailable: true,
  timeout: true,
} satisfies Record<PauseCode, true>;

test.each([
  ["user_profiles", "role", roleSchema.options],
  ["user_profiles", "one_time_password", Object.keys(ONE_TIME_PASSWORDS)],
  ["source_credentials", "source", SOURCE_NAMES],
  ["scan_sessions", "status", sessionStatusSchema.options],
  ["scan_sessions", "processing_mode", MODES],
  ["scan_sessions", "delimiter", DELIMITERS],
  ["scan_results", "status", rowStatusSchema.options],
  ["scan_results", "outcome", OUTCOME_CODES],
  ["scan_results", "source", [...CARD_SOURCES, "known"]],
  ["scan_results", "own_mode", MODES],
  ["scan_counters", "grading_company", ["", ...COMPANIES]],
  ["scan_counters", "outcome", ["", ...OUTCOME_CODES]],
  ["scan_counters", "source", ["", ...CARD_SOURCES, "known"]],
  ["scan_counters", "status", SETTLED_STATUSES],
  ["result_prices", "source", PRICE_SOURCES],
  ["result_prices", "state", priceStateSchema.options],
  ["cached_certs", "grading_company", COMPANIES],
  ["cached_certs", "source", CARD_SOURCES],
  ["price_quotes", "grading_company", COMPANIES],
  ["price_quotes", "source", PRICE_SOURCES],
  ["price_requests", "source", PRICE_SOURCES],
  ["lanes", "name", SOURCE_NAMES],
  ["endpoints", "name", LOOKUP_ENDPOINT_NAMES],
  ["endpoints", "pause_code", Object.keys(PAUSE_CODES)],
  ["upstream_calls", "endpoint", ENDPOINT_NAMES],
  ["upstream_calls", "ending", Object.keys(CALL_ENDINGS)],
])("%s.%s allows exactly the values of the code", async (table, column, values) => {
  const { rows } = await sql<{ value: string }>`
    SELECT value[1] FROM pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([^'']*)''::text', 'g') AS value
    WHERE conrelid = ${table}::regclass AND conname = ${`${table}_${column}_check`}`.execute(db);
  expect(rows.map(({ value }) => value).toSorted()).toEqual([...values].toSorted());
});

test("an event or a review of a row changes no index (HOT update)", async () => {
  await db.connection().execute(async (connection) => {
    for (const seq of [2, 3, 4])
      await sql`UPDATE scan_results SET event_seq = ${seq}, reviewed_at = now()`.execute(connection);
    await sql`SELECT pg_stat_force_next_flush()`.execute(connection);
  });
  const { rows } = await sql`
    SELECT n_tup_upd AS updates, n_tup_hot_upd AS hot FROM pg_stat_user_tables WHERE relname = 'scan_results'`.execute(
    db,
  );
  expect(rows).toEqual([{ updates: 3, hot: 3 }]);
});

test("the size of a row's text is known without reading its cells", async () => {
  await sql`
    UPDATE scan_results SET cells = (SELECT jsonb_agg(md5(n::text)) FROM generate_series(1, 20000) AS n)`.execute(db);
  const { rows } = await sql<{ text: number }>`SELECT ${ROW_TEXT} AS text FROM scan_results`.execute(db);
  expect(rows).toEqual([{ text: expect.closeTo(20_000 * ('"", '.length + 32), -2) as number }]);
  const sum = sql`SELECT sum(${ROW_TEXT}) FROM scan_results`;
  const { rows: plans } = await sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sum}`.execute(db);
  const blocks = JSON.stringify(plans).matchAll(/"Shared (?:Hit|Read) Blocks":(\d+)/g);
  const [hits, reads] = Array.from(blocks, ([, count]) => Number(count));
  expect((hits ?? Infinity) + (reads ?? Infinity)).toBeLessThan(20);
});
