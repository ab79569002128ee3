import { sql } from "kysely";
import type { z } from "zod";
import type { OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { adminSessionsQuerySchema, AdminStats } from "@slabdesk/contract/api/stats.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import type { Database } from "../../database/connection.ts";
import { ROLLUP_LOCK } from "../../database/lock-numbers.ts";
import { firstOf, rowsOf, valuesOf } from "../../database/statements.ts";

/* `scan_counters` holds rolled-up counts of settled rows and later changes. Their sum in one statement is exact. */

type Totals = Omit<AdminStats, "successRate">;

/** Reads the totals and the number of activities since `today`. A success is a card with outcome `found`. */
export async function readTotals(db: Database, today: string): Promise<Totals> {
  const totals = await firstOf<Totals>(db)`
    SELECT (SELECT count(*) FROM user_profiles WHERE NOT is_service) AS "userCount",
      (SELECT count(*) FROM scan_sessions) AS "sessionCount", COALESCE(sum(cards), 0) AS "scanCount",
      COALESCE(sum(cards) FILTER (WHERE outcome = 'found'), 0) AS "successCount",
      (SELECT count(*) FROM user_activity_logs WHERE timestamp >= ${today}) AS "todayActivity"
    FROM scan_counters`;
  if (!totals) throw new Error("The totals query returned no row");
  return totals;
}

/** Days in the format "2026-11-21", both inclusive. */
export type Days = { from: string; to: string };
export type DaySum = { day: string; company: Company | ""; outcome: OutcomeCode | ""; cards: number; value: number };

export function sumDays(db: Database, { from, to }: Days): Promise<DaySum[]> {
  return rowsOf<DaySum>(db)`
    SELECT day::text, grading_company AS company, outcome, sum(cards) AS cards, sum(value) AS value FROM scan_counters
    WHERE day BETWEEN ${from} AND ${to}
    GROUP BY scan_counters.day, grading_company, outcome HAVING sum(cards) <> 0
    ORDER BY scan_counters.day, grading_company, outcome`;
}

/** Lists the users with the most settled rows in these days, at most `limit`. */
export async function sumPeople(db: Database, { from, to }: Days, limit: number) {
  // Sum by session before the join, so that each session is joined with its owner only once.
  return rowsOf<{ userId: string; email: string; fullName: string; cards: number }>(db)`
    SELECT p.id AS "userId", p.email, p.full_name AS "fullName", sum(f.cards) AS cards
    FROM (
      SELECT session_id, sum(cards) AS cards FROM scan_counters WHERE day BETWEEN ${from} AND ${to} GROUP BY session_id
    ) AS f
    JOIN scan_sessions AS s ON s.id = f.session_id JOIN user_profiles AS p ON p.id = s.user_id
    GROUP BY p.id HAVING sum(f.cards) > 0
    ORDER BY sum(f.cards) DESC, p.id LIMIT ${limit}`;
}

export type CallDay = { day: string; endpoint: string; calls: number };

export function listCallDays(db: Database, { from, to }: Days): Promise<CallDay[]> {
  return rowsOf<CallDay>(db)`
    SELECT day::text, endpoint, calls FROM upstream_call_days
    WHERE day BETWEEN ${from} AND ${to} ORDER BY day, endpoint`;
}

export type SessionsQuery = z.output<typeof adminSessionsQuerySchema>;
export type SessionFilter = Omit<SessionsQuery, "company"> & { company: Company | "" | undefined };

/** Lists all users' sessions, newest first. Filters by owner, and by a settled row's day, company and outcome. */
export function listSessions(db: Database, filter: SessionFilter) {
  const { userId, day, company, outcome } = filter;
  const wanted = [
    day !== undefined && sql`f.day = ${day}`,
    company !== undefined && sql`f.grading_company = ${company}`,
    outcome !== undefined && sql`f.outcome = ${outcome}`,
  ].filter((part) => part !== false);
  const withRows = sql`
    s.id IN (SELECT f.session_id FROM scan_counters AS f WHERE ${sql.join(wanted, sql` AND `)}
      GROUP BY f.session_id HAVING sum(f.cards) > 0)`;
  return rowsOf<{ sessionId: string; id: string; email: string; fullName: string }>(db)`
    SELECT s.id AS "sessionId", p.id, p.email, p.full_name AS "fullName"
    FROM scan_sessions AS s JOIN user_profiles AS p ON p.id = s.user_id
    WHERE ${userId === undefined ? sql`true` : sql`s.user_id = ${userId}`}
      AND ${wanted.length === 0 ? sql`true` : withRows}
    ORDER BY s.started_at DESC, s.id DESC OFFSET ${filter.cursor} LIMIT ${filter.limit}`;
}

export function listNotRolledUp(db: Database): Promise<string[]> {
  return valuesOf<string>(db)`SELECT DISTINCT session_id FROM scan_counters WHERE NOT is_sum`;
}

/**
 * Replaces a session's counters by their sums in one statement, so that nothing is counted twice or lost. Skips it if
 * another node is rolling up, because the two lock rows in different orders, and if the session is being deleted,
 * because the sums would be left behind.
 */
export async function rollUpCounters(db: Database, sessionId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const turn = await firstOf<{ isOurs: boolean; isDeleted: boolean }>(trx)`
      SELECT pg_try_advisory_xact_lock(${ROLLUP_LOCK}) AS "isOurs",
        EXISTS (SELECT FROM scan_sessions WHERE id = ${sessionId}) AND NOT EXISTS (
          SELECT FROM scan_sessions WHERE id = ${sessionId} FOR KEY SHARE SKIP LOCKED) AS "isDeleted"`;
    if (!turn?.isOurs || turn.isDeleted) return;
    await sql`
      WITH rolled_up AS (DELETE FROM scan_counters WHERE session_id = ${sessionId} RETURNING *)
      INSERT INTO scan_counters (session_id, day, grading_company, outcome, source, status, cards, value, is_sum)
      SELECT session_id, day, grading_company, outcome, source, status, sum(cards), sum(value), true FROM rolled_up
      GROUP BY session_id, day, grading_company, outcome, source, status
      HAVING sum(cards) <> 0 OR sum(value) <> 0`.execute(trx);
  });
}
