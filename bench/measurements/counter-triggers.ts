import { timed } from "../numbers.ts";
import type { BenchDatabase } from "../stage/postgres.ts";
import type { Stage } from "../stage/stage.ts";

/** A query with and without the triggers of `scan_results`. */
export type TriggerCost = { what: string; withMs: number[]; withoutMs: number[] };

const SHEET_ROWS = 20_000;
/** The same batch size as the server's. */
const ROWS_A_STATEMENT = 2_000;
const SETTLED_ONE_BY_ONE = 3_000;
const TURNS = 5;

/** Stores sheets and settles rows one by one, alternating with and without the triggers. */
export async function measureTriggers(stage: Stage): Promise<TriggerCost[]> {
  return stage.withNodes([{ ROLE: "web" }], async (database, [node]) => {
    if (!node) throw new Error("No node was started");
    await node.visit();
    const storing: TriggerCost = { what: `storing a sheet of ${SHEET_ROWS} rows`, withMs: [], withoutMs: [] };
    const settling: TriggerCost = {
      what: `settling ${SETTLED_ONE_BY_ONE} of them one by one`,
      withMs: [],
      withoutMs: [],
    };
    for (let turn = 0; turn < TURNS * 2; turn += 1) {
      const isOn = turn % 2 === 0;
      await database.query(`ALTER TABLE scan_results ${isOn ? "ENABLE" : "DISABLE"} TRIGGER USER`);
      const sessionId = await startSession(database);
      const stored = await timed(() => storeSheet(database, sessionId));
      const settled = await timed(() => settleRows(database, sessionId));
      storing[isOn ? "withMs" : "withoutMs"].push(stored.ms);
      settling[isOn ? "withMs" : "withoutMs"].push(settled.ms);
    }
    return [storing, settling];
  });
}

async function startSession(database: BenchDatabase): Promise<string> {
  const [session] = await database.query<{ id: string }>(
    `INSERT INTO scan_sessions (user_id, session_name, csv_filename, header, total_cards, processing_mode, include_pricing,
       reuse_known)
     SELECT min(id), 'Box', 'box.csv', '[]', $1, 'api', false, true FROM user_profiles RETURNING id`,
    [SHEET_ROWS],
  );
  if (!session) throw new Error("No session was stored");
  return session.id;
}

/** A tenth of the rows are invalid and settled from the start. */
async function storeSheet(database: BenchDatabase, sessionId: string): Promise<void> {
  await database.query("BEGIN");
  for (let at = 0; at < SHEET_ROWS; at += ROWS_A_STATEMENT)
    await database.query(
      `INSERT INTO scan_results (session_id, user_id, line, cells, sheet_notes, status, outcome, job_id, event_seq, cert_number,
         grading_company, price_text, customer_price, notes, processed_at)
       SELECT s.id, s.user_id, n, jsonb_build_array(n::text, 'PSA', '12.50', ''), '',
         CASE n % 10 WHEN 0 THEN 'error' ELSE 'pending' END, CASE n % 10 WHEN 0 THEN 'invalid_number' END,
         CASE n % 10 WHEN 0 THEN NULL ELSE gen_random_uuid() END, 1, (20000000 + n)::text, 'PSA', '12.50', '12.50', '',
         CASE n % 10 WHEN 0 THEN now() END
       FROM scan_sessions AS s, generate_series($2::int + 1, $2::int + $3::int) AS n WHERE s.id = $1`,
      [sessionId, at, ROWS_A_STATEMENT],
    );
  await database.query("COMMIT");
}

/** The statements of a lookup, without the round trip to the database. */
async function settleRows(database: BenchDatabase, sessionId: string): Promise<void> {
  await database.query(
    `DO $$
     DECLARE job uuid;
     BEGIN
       FOR job IN
         SELECT job_id FROM scan_results WHERE session_id = '${sessionId}' AND job_id IS NOT NULL
         ORDER BY id LIMIT ${SETTLED_ONE_BY_ONE}
       LOOP
         UPDATE scan_results SET status = 'completed', outcome = 'found', source = 'api', job_id = NULL, event_seq = 2,
           item_name = '1999 POKEMON GAME #4 CHARIZARD', player_character = 'CHARIZARD', year = '1999',
           brand_set = 'POKEMON GAME', grade = 'MINT 9', front_image_url = 'https://images.example.com/front.jpg',
           back_image_url = 'https://images.example.com/back.jpg', processed_at = clock_timestamp()
         WHERE job_id = job AND status IN ('pending', 'processing', 'queued');
       END LOOP;
     END $$`,
  );
}
