import { formatNumber, median, percentile, timed } from "../numbers.ts";
import type { Section } from "../report.ts";
import type { BenchDatabase } from "../stage/postgres.ts";
import type { Stage } from "../stage/stage.ts";
import type { Visitor } from "../stage/visitor.ts";
import { measureTriggers, type TriggerCost } from "./counter-triggers.ts";
import { OWNER_ROWS, OWNERS, storeCards } from "./search-rows.ts";

const HISTORY = { days: 90, failedPercent: 10, arePriced: true };
/** The indexes that administrators' requests read, and those that a recount could use. */
const READ_INDEXES: ReadonlySet<string> = new Set([
  "scan_results_session",
  "scan_results_session_states",
  "scan_results_waiting",
]);
const CALLS = 1_000_000;
const ACTIVITIES = 200_000;
/** What a minute of fast runs adds to the counters before the rollup. */
const ADDED_LINES = 20_000;
const TIMES = 40;
const RECOUNTS = 3;

const SETTLED = "status IN ('completed', 'completed_retry', 'error', 'failed')";
const DAY = "(processed_at AT TIME ZONE 'UTC')::date";
const TODAY = new Date().toISOString().slice(0, "2026-11-21".length);
const DAY_OF_A_MARK = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, TODAY.length);

/** One administrator request, and the query that would compute its answer from the rows. */
type Call = { path: string; recount: string[] };
const CALLS_OF_ADMINS: Call[] = [
  {
    path: "/api/admin/stats",
    recount: [
      `SELECT count(*), count(*) FILTER (WHERE processing_error IS NULL) FROM scan_results WHERE ${SETTLED}`,
      `SELECT count(*) FROM user_activity_logs WHERE timestamp >= '${TODAY}'`,
    ],
  },
  {
    path: "/api/admin/charts",
    recount: [
      `SELECT ${DAY}, grading_company, outcome, count(*), sum(market_value)
       FROM scan_results WHERE ${SETTLED} GROUP BY 1, 2, 3`,
      `SELECT user_id, count(*) FROM scan_results WHERE ${SETTLED} GROUP BY 1 ORDER BY 2 DESC LIMIT 20`,
      "SELECT (called_at AT TIME ZONE 'UTC')::date, endpoint, count(*) FROM upstream_calls GROUP BY 1, 2",
    ],
  },
  { path: "/api/admin/sources", recount: [] },
  { path: "/api/admin/users", recount: [] },
  { path: "/api/admin/activity", recount: [] },
  { path: "/api/admin/activity?type=login&to=2020-01-01", recount: [] },
  { path: "/api/admin/sessions", recount: [] },
  {
    path: "/api/admin/sessions?outcome=blocked",
    recount: [sessionsWith("outcome = 'blocked'")],
  },
  {
    path: `/api/admin/sessions?day=${DAY_OF_A_MARK}&company=PSA`,
    recount: [sessionsWith(`${DAY} = '${DAY_OF_A_MARK}' AND grading_company = 'PSA'`)],
  },
];

function sessionsWith(rows: string): string {
  return `SELECT id FROM scan_sessions WHERE id IN (SELECT session_id FROM scan_results WHERE ${SETTLED} AND ${rows})
    ORDER BY started_at DESC LIMIT 50`;
}

type Timing = { path: string; answerMs: number[]; recountMs: number[] };

/** Compares administrators' requests over a million rows and a million calls with recounting. */
export async function measureAdmin(stage: Stage): Promise<Section> {
  const triggers = await measureTriggers(stage);
  return stage.withNodes([{ ROLE: "web" }], async (database, [node]) => {
    if (!node) throw new Error("No node was started");
    const lines = await storeHistory(database);
    const admin = await node.visit();
    const bareMs = await ask(admin, "/api/profile");
    const timings: Timing[] = [];
    for (const { path, recount } of CALLS_OF_ADMINS) {
      const answerMs = await ask(admin, path);
      timings.push({ path, answerMs, recountMs: await countAnew(database, recount) });
    }
    return section(timings, bareMs, lines, triggers);
  });
}

/** Returns the number of counter rows. */
async function storeHistory(database: BenchDatabase): Promise<number> {
  await storeCards(database, [], READ_INDEXES, HISTORY);
  await database.query(
    `INSERT INTO scan_counters
     SELECT session_id, ${DAY}, grading_company, outcome, COALESCE(source, ''), status, count(*),
       sum(market_value), true
     FROM scan_results WHERE ${SETTLED} GROUP BY 1, 2, 3, 4, 5, 6`,
  );
  await database.query(
    `INSERT INTO scan_counters (session_id, day, grading_company, outcome, source, status, cards, value)
     SELECT session_id, day, grading_company, outcome, source, status, sign, sign
     FROM scan_counters, (VALUES (1), (-1)) AS line (sign) ORDER BY day DESC, session_id LIMIT $1`,
    [ADDED_LINES],
  );
  await database.query(
    `INSERT INTO upstream_calls (endpoint, called_at, duration_ms, ending, status)
     SELECT (ARRAY['psa-api', 'psa-api', 'psa-page', 'cgc-api', 'tag-api', 'cardladder', 'cardladder', 'cardsiq'])[1 + n % 8],
       now() - make_interval(secs => n * 86400.0 * $2 / $1), 300, 'answered', 200
     FROM generate_series(1, $1::int) AS n`,
    [CALLS, HISTORY.days],
  );
  await database.query(
    `INSERT INTO user_activity_logs (user_id, activity_type, description, timestamp)
     SELECT (SELECT min(id) FROM user_profiles), 'navigation', 'Opened Dashboard', now() - make_interval(secs => n * 86400.0 * $2 / $1)
     FROM generate_series(1, $1::int) AS n`,
    [ACTIVITIES, HISTORY.days],
  );
  await database.query("VACUUM ANALYZE");
  const [counters] = await database.query<{ lines: number }>("SELECT count(*) AS lines FROM scan_counters");
  return counters?.lines ?? 0;
}

/** The first requests are not measured, because a server that has just started is slower. */
async function ask(admin: Visitor, path: string): Promise<number[]> {
  for (let n = 0; n < 5; n += 1) await admin.ask("GET", path);
  const answerMs: number[] = [];
  for (let n = 0; n < TIMES; n += 1) answerMs.push((await timed(() => admin.ask("GET", path))).ms);
  return answerMs;
}

async function countAnew(database: BenchDatabase, statements: readonly string[]): Promise<number[]> {
  if (statements.length === 0) return [];
  const recount = async (): Promise<void> => {
    for (const statement of statements) await database.query(statement);
  };
  await recount();
  const recountMs: number[] = [];
  for (let n = 0; n < RECOUNTS; n += 1) recountMs.push((await timed(recount)).ms);
  return recountMs;
}

function section(
  timings: readonly Timing[],
  bareMs: readonly number[],
  lines: number,
  triggers: readonly TriggerCost[],
): Section {
  const whole = (count: number): string => count.toLocaleString("en-US");
  return {
    title: "Administrators",
    about:
      `Each request of the Admin tab, one after another, ${TIMES} times, over ${whole(OWNERS * OWNER_ROWS)} rows of ${OWNERS} ` +
      `users, in sessions of ${HISTORY.days} days, ${whole(CALLS)} calls to upstreams and ${whole(ACTIVITIES)} activities. ` +
      `There are ${whole(lines)} counter rows; the rollup has not yet processed ${whole(ADDED_LINES)} of them. The medians are ` +
      "compared with a recount from rows and calls by SQL, without HTTP.",
    head: ["request", "p50", "p95", "recount", "recount / p50"],
    rows: [
      ...timings.map(({ path, answerMs, recountMs }) => [
        `\`GET ${path.replace(DAY_OF_A_MARK, "…")}\``,
        milliseconds(median(answerMs)),
        milliseconds(percentile(answerMs, 95)),
        ...(recountMs.length === 0
          ? ["", ""]
          : [milliseconds(median(recountMs)), `${formatNumber(median(recountMs) / median(answerMs))} times`]),
      ]),
      ["no statistics: `GET /api/profile`", milliseconds(median(bareMs)), milliseconds(percentile(bareMs, 95)), "", ""],
    ],
    notes: [
      "The goal is 100 ms for each.",
      `The cost of the counter triggers, alternating with and without them: ${triggers.map(describeCost).join("; ")}. ` +
        "This is only the database's work, in one transaction with every index; a card's lookup takes seconds.",
    ],
  };
}

function describeCost({ what, withMs, withoutMs }: TriggerCost): string {
  const [on, off] = [median(withMs), median(withoutMs)];
  return `${what} ${milliseconds(on)} against ${milliseconds(off)} (${(on / off).toFixed(2)} times)`;
}

const milliseconds = (value: number): string => `${formatNumber(value)} ms`;
