import { sql } from "kysely";
import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Database } from "../../database/connection.ts";

/*
 * Figures of everything there is, none of which reads the rows themselves: `scan_counters` has the sums of settled rows, and
 * what was added to them since. A sum over both is right at every moment, in one statement.
 */

export type Totals = { users: number; sessions: number; scans: number; successes: number; activity: number };

/** All there is, and the activities since `today`. What was found has no processing error, and nothing else has none. */
export async function readTotals(db: Database, today: Date): Promise<Totals> {
  const { rows } = await sql<Totals>`
    SELECT (SELECT count(*) FROM user_profiles) AS users, (SELECT count(*) FROM scan_sessions) AS sessions,
      COALESCE(sum(cards), 0) AS scans, COALESCE(sum(cards) FILTER (WHERE outcome = 'found'), 0) AS successes,
      (SELECT count(*) FROM user_activity_logs WHERE timestamp >= ${today}) AS activity
    FROM scan_counters`.execute(db);
  const [totals] = rows;
  if (!totals) throw new Error("The database sums nothing up");
  return totals;
}

/** Days as "2026-11-21", both included. */
export type Days = { from: string; to: string };
export type DaySum = { day: string; company: Company | ""; outcome: OutcomeCode | ""; cards: number; value: number };

/** Settled rows of these days by day, company and outcome, oldest first. */
export async function sumDays(db: Database, { from, to }: Days): Promise<DaySum[]> {
  const { rows } = await sql<DaySum>`
    SELECT day::text, grading_company AS company, outcome, sum(cards) AS cards, sum(value) AS value FROM scan_counters
    WHERE day BETWEEN ${from} AND ${to}
    GROUP BY scan_counters.day, grading_company, outcome HAVING sum(cards) <> 0
    ORDER BY scan_counters.day, grading_company, outcome`.execute(db);
  return rows;
}

export type PersonSum = { userId: string; email: string; fullName: string; cards: number };

/** Those with most settled rows of these days, at most `limit`. */
export async function sumPeople(db: Database, { from, to }: Days, limit: number): Promise<PersonSum[]> {
  // Summed by session before it is joined: twenty figures of a session are met with its owner once.
  const { rows } = await sql<PersonSum>`
    SELECT p.id AS "userId", p.email, p.full_name AS "fullName", sum(f.cards) AS cards
    FROM (
      SELECT session_id, sum(cards) AS cards FROM scan_counters WHERE day BETWEEN ${from} AND ${to} GROUP BY session_id
    ) AS f
    JOIN scan_sessions AS s ON s.id = f.session_id JOIN user_profiles AS p ON p.id = s.user_id
    GROUP BY p.id HAVING sum(f.cards) > 0
    ORDER BY sum(f.cards) DESC, p.id LIMIT ${limit}`.execute(db);
  return rows;
}

/** Calls to upstreams of these days, oldest first. */
export async function listCallDays(
  db: Database,
  { from, to }: Days,
): Promise<{ day: string; endpoint: string; calls: number }[]> {
  const { rows } = await sql<{ day: string; endpoint: string; calls: number }>`
    SELECT day::text, endpoint, calls FROM upstream_call_days
    WHERE day BETWEEN ${from} AND ${to} ORDER BY day, endpoint`.execute(db);
  return rows;
}

export type OwnedSession = { sessionId: string; email: string; fullName: string };

export type SessionFilter = {
  userId?: string | undefined;
  day?: string | undefined;
  company?: Company | "" | undefined;
  outcome?: OutcomeCode | undefined;
  cursor: number;
  limit: number;
};

/** Everybody's sessions, newest first, of this owner and with a settled row of this day, company and outcome. */
export async function listSessions(db: Database, filter: SessionFilter): Promise<OwnedSession[]> {
  const { userId, day, company, outcome } = filter;
  const wanted = [
    day !== undefined && sql`f.day = ${day}`,
    company !== undefined && sql`f.grading_company = ${company}`,
    outcome !== undefined && sql`f.outcome = ${outcome}`,
  ].filter((part) => part !== false);
  const withRows = sql`
    s.id IN (SELECT f.session_id FROM scan_counters AS f WHERE ${sql.join(wanted, sql` AND `)}
      GROUP BY f.session_id HAVING sum(f.cards) > 0)`;
  const { rows } = await sql<OwnedSession>`
    SELECT s.id AS "sessionId", p.email, p.full_name AS "fullName"
    FROM scan_sessions AS s JOIN user_profiles AS p ON p.id = s.user_id
    WHERE ${userId === undefined ? sql`true` : sql`s.user_id = ${userId}`}
      AND ${wanted.length === 0 ? sql`true` : withRows}
    ORDER BY s.started_at DESC, s.id DESC OFFSET ${filter.cursor} LIMIT ${filter.limit}`.execute(db);
  return rows;
}

/** The sessions whose figures have had something added since they were summed up. */
export async function listNotRolledUp(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT session_id AS id FROM scan_counters WHERE NOT is_sum`.execute(db);
  return rows.map(({ id }) => id);
}

/** Any number will do, as long as nothing else locks it. */
const FOLDING_LOCK = 460_003;

/**
 * Sums up what was added to a session's figures: what is deleted is what is summed, so nothing is counted twice or lost,
 * and a reader sees the one or the other. Left out while another node sums up, whose rows it would wait for in another
 * order, and while the session is being deleted: its sum would be left over.
 */
export async function rollUpCounters(db: Database, sessionId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ isOurs: boolean; isDeleted: boolean }>`
      SELECT pg_try_advisory_xact_lock(${FOLDING_LOCK}) AS "isOurs",
        EXISTS (SELECT FROM scan_sessions WHERE id = ${sessionId}) AND NOT EXISTS (
          SELECT FROM scan_sessions WHERE id = ${sessionId} FOR KEY SHARE SKIP LOCKED) AS "isDeleted"`.execute(trx);
    const [turn] = rows;
    if (!turn?.isOurs || turn.isDeleted) return;
    await sql`
      WITH folded AS (DELETE FROM scan_counters WHERE session_id = ${sessionId} RETURNING *)
      INSERT INTO scan_counters (session_id, day, grading_company, outcome, source, status, cards, value, is_sum)
      SELECT session_id, day, grading_company, outcome, source, status, sum(cards), sum(value), true FROM folded
      GROUP BY session_id, day, grading_company, outcome, source, status
      HAVING sum(cards) <> 0 OR sum(value) <> 0`.execute(trx);
  });
}
