import type { BenchDatabase } from "../stage/postgres.ts";

/** The rows per session, in turn for each owner, as if they had worked in parallel. */
const SESSION_ROWS = 200;
export const OWNERS = 200;
export const OWNER_ROWS = 5_000;
/** More than the number of sessions, so that each has a different start time. */
const LAST_SESSION = (OWNER_ROWS / SESSION_ROWS + 1) * (OWNERS + 1);
/** The days over which sessions are spread, and the percentage of cards that were not found. Found ones may be priced. */
export type History = { days: number; failedPercent: number; arePriced: boolean };
const YESTERDAY: History = { days: 1, failedPercent: 0, arePriced: false };

/**
 * Stores a million cards of two hundred owners, starting with the given ones: all found within a day, or spread as
 * `history` says. Numbers and names vary as in real data: ten brands, four thousand players. Only the indexes that are
 * read exist, and they are built last, because anything else takes minutes.
 */
export async function storeCards(
  database: BenchDatabase,
  people: readonly string[],
  readIndexes: ReadonlySet<string>,
  { days, failedPercent, arePriced }: History = YESTERDAY,
): Promise<void> {
  const indexes = await database.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename = 'scan_results' AND indexname <> 'scan_results_pkey'`,
  );
  for (const { name } of indexes) await database.query(`DROP INDEX ${name}`);
  // The setup isn't measured: it need not survive a crash, and made-up data needs no checks.
  for (const table of ["photos", "result_prices", "scan_results"])
    await database.query(`ALTER TABLE ${table} SET UNLOGGED`);
  await database.query("SET session_replication_role = replica");
  await database.query("SET maintenance_work_mem = '512MB'");
  await database.query(
    `INSERT INTO user_profiles (id, email, full_name)
     SELECT md5(n::text), 'owner' || n || '@example.net', 'Owner ' || n FROM generate_series(1, $1::int) AS n`,
    [OWNERS - people.length],
  );
  await database.query(
    `WITH owners AS (
       SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM user_profiles
       WHERE id = ANY($1) OR email LIKE '%@example.net'
     )
     INSERT INTO scan_sessions (user_id, session_name, csv_filename, header, total_cards, processed_cards,
       processing_mode, include_pricing, reuse_known, status, event_seq, started_at)
     SELECT owners.id, 'Box ' || turn, 'box.csv', '[]', $2, $2, 'api', false, true, 'completed', 1,
       now() - make_interval(secs => 86400 * $5::float8 - (turn * ($3::int + 1) + owners.n) * $6::float8)
     FROM owners, generate_series(1, $4::int / $2::int) AS turn`,
    [people, SESSION_ROWS, OWNERS, OWNER_ROWS, days, days === 1 ? 1 : (days * 86_400) / LAST_SESSION],
  );
  await database.query(
    `INSERT INTO scan_results (session_id, user_id, line, cells, sheet_notes, status, outcome, source, event_seq,
       cert_number, grading_company, item_name, player_character, brand_set, year, grade, price_text, customer_price,
       notes, front_image_url, back_image_url, processed_at, processing_error, market_value)
     SELECT s.id, s.user_id, line, jsonb_build_array(cert, company, '12.50', ''), '',
       CASE WHEN failed THEN 'error' ELSE 'completed' END,
       CASE WHEN failed THEN (ARRAY['not_found', 'invalid_number', 'blocked', 'timeout'])[1 + hash / 19 % 4] ELSE 'found' END,
       CASE WHEN NOT failed THEN (ARRAY['api', 'api', 'page', 'known'])[1 + hash / 23 % 4] END, 1,
       cert, company, year || ' ' || brand || ' #' || hash % 300 || ' ' || player || ' ' || variety, player, brand, year,
       '10', '12.50', '12.50', '', 'https://images.example.com/cert/' || cert || '/front.jpg',
       'https://images.example.com/cert/' || cert || '/back.jpg', s.started_at + make_interval(secs => line),
       CASE WHEN failed THEN 'Failed to fetch ' || company || ' cert ' || cert END,
       CASE WHEN NOT failed AND $2 THEN hash % 50000 / 100.0 ELSE 0 END
     FROM (
       SELECT id, user_id, started_at, total_cards, row_number() OVER (ORDER BY started_at, id) AS n FROM scan_sessions
     ) AS s
     CROSS JOIN LATERAL generate_series(2, s.total_cards + 1) AS line
     CROSS JOIN LATERAL (SELECT abs(hashint8(s.n * 1000 + line)::bigint) AS hash) AS hashed
     CROSS JOIN LATERAL (SELECT
       hash / 13 % 100 < $1 AS failed, (20000000 + hash % 70000000)::text AS cert,
       (ARRAY['PSA', 'PSA', 'PSA', 'CGC', 'TAG'])[1 + hash % 5] AS company,
       (1980 + hash / 5 % 45)::text AS year,
       (ARRAY['TOPPS CHROME', 'PANINI PRIZM', 'POKEMON SWORD & SHIELD', 'UPPER DECK', 'BOWMAN DRAFT', 'FLEER ULTRA',
         'POKEMON BASE SET', 'PANINI SELECT', 'DONRUSS OPTIC', 'TOPPS HERITAGE'])[1 + hash / 7 % 10] AS brand,
       (ARRAY['KEN', 'LUKA', 'MIKE', 'TOM', 'SHOHEI', 'WAYNE', 'MICHAEL', 'DARK', 'SHINING', 'ROOKIE'])[1 + hash / 70 % 10]
         || ' ' || translate((1000 + hash / 700 % 400)::text, '0123456789', 'AEIOUNRSTL') || 'SON' AS player,
       (ARRAY['REFRACTOR', 'HOLO', 'SILVER', '1ST EDITION', 'REVERSE HOLO', 'BASE'])[1 + hash / 11 % 6] AS variety
     ) AS card`,
    [failedPercent, arePriced],
  );
  for (const { name, definition } of indexes) if (readIndexes.has(name)) await database.query(definition);
  await database.query("RESET ALL");
  await database.query("VACUUM ANALYZE scan_results");
}
