import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { userListSchema } from "@slabdesk/contract/api/people.ts";
import { SETTLED_STATUSES } from "@slabdesk/contract/api/results.ts";
import type { NewScanSession, ScanSession } from "@slabdesk/contract/api/sessions.ts";
import {
  adminChartsSchema,
  adminSessionListSchema,
  type AdminSession,
  adminStatsSchema,
  type AdminSessionsQuery,
} from "@slabdesk/contract/api/stats.ts";
import { amount } from "../../../../scripts/test-form.ts";
import type { Database } from "../../database/connection.ts";
import { pause } from "../../concurrency/repeat.ts";
import { finishPrices, letQuotesAge, pricedLines, pricedSheet } from "../../testing/price-test.ts";
import {
  finish,
  followUntil,
  openEndpoints,
  rowsOf,
  sheetOf,
  startScan,
  startScanTest,
  type ScanTest,
} from "../../testing/scan-test.ts";
import type { Person } from "../../testing/test-server.ts";
import { pricesOf, type PriceRecords } from "../../database/row-prices.ts";
import { rollUpAll } from "./stats.service.ts";

let server: ScanTest;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  server = await startScanTest({ PRICING_DELAY_MS: "0", REQUEST_TIMEOUT_MS: "1000", RETRY_DELAYS_S: "0" });
  ana = await server.addPerson();
  ben = await server.addPerson();
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(async () => {
  await openEndpoints(server);
  server.simulator.behavior.heal();
  server.simulator.behavior.latencyMs = 0;
});

const DAY_MS = 86_400_000;
/** Often enough to fall between the statements of a run without slowing it down. */
const WATCH_EVERY_MS = amount({ short: 100, long: 25 });
const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
const daysAgo = (days: number): string => dayOf(new Date(Date.now() - days * DAY_MS));

type Counter = { cards: number; cents: number };
type Counters = Record<string, Counter>;
const keyOf = (...parts: string[]): string => parts.join(" | ");

/** Counts all rows one by one. */
async function recount(db: Database): Promise<Counters> {
  const counters: Counters = {};
  const columns = [
    "session_id",
    "status",
    "grading_company",
    "outcome",
    "source",
    "processed_at",
    "created_at",
  ] as const;
  for (const row of await db
    .selectFrom("scan_results")
    .select(columns)
    .select(pricesOf("scan_results").as("prices"))
    .execute()) {
    if (!SETTLED_STATUSES.some((status) => status === row.status)) continue;
    const company = ["PSA", "CGC", "TAG"].includes(row.grading_company) ? row.grading_company : "";
    const day = dayOf(row.processed_at ?? row.created_at);
    const key = keyOf(row.session_id, day, company, row.outcome ?? "", row.source ?? "", row.status);
    const worth = worthOf(row.prices);
    const sum = (counters[key] ??= { cards: 0, cents: 0 });
    sum.cards += 1;
    sum.cents += Math.round(worth * 100);
  }
  return counters;
}

function worthOf({ cardladder, cardsiq }: PriceRecords): number {
  return cardladder?.price?.cardladderEstimate ?? cardsiq?.price?.estimatedValue ?? 0;
}

async function readCounters(db: Database): Promise<Counters> {
  const { rows } = await sql<{ parts: string[]; cards: number; value: number }>`
    SELECT ARRAY[session_id::text, day::text, grading_company, outcome, source, status] AS parts, sum(cards) AS cards,
      sum(value) AS value
    FROM scan_counters GROUP BY session_id, day, grading_company, outcome, source, status
    HAVING sum(cards) <> 0 OR sum(value) <> 0`.execute(db);
  return Object.fromEntries(
    rows.map(({ parts, cards, value }) => [keyOf(...parts), { cards, cents: Math.round(value * 100) }]),
  );
}

async function countCalls(db: Database): Promise<Record<string, number>[]> {
  const noted = await sql<{ key: string; calls: number }>`
    SELECT day || ' ' || endpoint AS key, calls FROM upstream_call_days ORDER BY key`.execute(db);
  const counted = await sql<{ key: string; calls: number }>`
    SELECT (called_at AT TIME ZONE 'UTC')::date || ' ' || endpoint AS key, count(*) AS calls
    FROM upstream_calls GROUP BY key ORDER BY key`.execute(db);
  return [noted, counted].map(({ rows }) => Object.fromEntries(rows.map(({ key, calls }) => [key, calls])));
}

/** Statistics and rows at one moment. */
function atOneMoment<T>(read: (db: Database) => Promise<T>): Promise<T> {
  return server.db.transaction().setIsolationLevel("repeatable read").execute(read);
}

const ask = (method: "GET" | "POST" | "PATCH" | "DELETE", url: string, payload?: object, person = ana) =>
  server.app.inject({ method, url, headers: person.headers, ...(payload && { payload }) });
async function change(session: ScanSession, what: string, payload: object = {}): Promise<void> {
  const answer = await ask("POST", `/api/scan-sessions/${session.id}/${what}`, payload);
  expect(answer.statusCode, answer.body).toBe(200);
}
const read = async (what: string) => (await ask("GET", `/api/admin/${what}`, undefined, server.admin)).json<unknown>();

const row = (line: number, certNumber: string): NewScanSession["rows"][number] => ({
  line,
  cells: [certNumber, "PSA", "", ""],
  certNumber,
  gradingCompany: "PSA",
});

describe("statistics", () => {
  test("match a recount after every kind of change, with rollups in between", async () => {
    const [first, second, third, ...rest] = pricedLines(51_000_000, 8);
    if (!first || !second || !third) throw new Error("The simulator has no prices");
    const sheet = pricedSheet([
      first,
      second,
      third,
      first,
      ["12", "PSA"],
      ["4076154006", "CGC"],
      ["99999990", "PSA"],
      ["99999973", "PSA"],
      ["", "TAG"],
      ["1234", "BGS"],
    ]);
    const finished = (session: ScanSession) => finishPrices(server, ana, session);
    const start = (lines: NewScanSession = sheet) => startScan(server, ana, lines);
    const session = await start();
    const changes: [string, () => Promise<unknown>][] = [
      ["a run", () => finished(session)],
      ["known cards", async () => finished(await start())],
      [
        "a price that changed",
        async () => {
          await letQuotesAge(server, 25);
          await sql`
            WITH quote AS (
              INSERT INTO price_quotes (source, grading_company, cert_number, price, message, fetched_at)
              SELECT source, grading_company, cert_number, price || '{"cardladderEstimate": 1.25}', message, fetched_at
              FROM price_quotes WHERE source = 'cardladder' AND price IS NOT NULL LIMIT 1 RETURNING id
            )
            UPDATE result_prices SET quote_id = quote.id FROM quote
            WHERE source = 'cardladder' AND quote_id IS NOT NULL`.execute(server.db);
          await change(session, "reprice");
        },
      ],
      ["its arrival", () => finished(session)],
      [
        "a failing upstream",
        async () => {
          server.simulator.behavior.fail("psa-api", "server_error");
          await finished(await start({ ...pricedSheet(rest), reuseKnown: false }));
        },
      ],
      [
        "a retry",
        async () => {
          server.simulator.behavior.heal();
          await openEndpoints(server);
          const [failed] = adminSessionListSchema.parse(await read("sessions?outcome=unavailable")).sessions;
          if (!failed) throw new Error("Nothing failed");
          await change(failed, "retry");
          await finished(failed);
        },
      ],
      [
        "rows that come",
        () => change(session, "rows", { rows: [row(50, first[0]), row(51, "7"), row(52, "52000001")] }),
      ],
      ["their end", () => finished(session)],
      [
        "rows that go",
        async () => {
          for (const { id, line } of await rowsOf(server, ana, session.id))
            if ([2, 50, 51].includes(line))
              expect((await ask("DELETE", `/api/scan-results/${id}`)).statusCode).toBe(200);
        },
      ],
      [
        "a number put right",
        async () => {
          const wrong = (await rowsOf(server, ana, session.id)).find(({ line }) => line === 6);
          const answer = await ask("PATCH", `/api/scan-results/${wrong?.id}`, { certNumber: second[0] });
          expect(answer.statusCode, answer.body).toBe(200);
          await finished(session);
        },
      ],
      [
        "a stop and its resume",
        async () => {
          server.simulator.behavior.latencyMs = 20;
          const lines = Array.from({ length: 12 }, (_, n): [string, string] => [String(53_000_000 + n), "PSA"]);
          const stopped = await start(sheetOf(lines, { mode: "api" }));
          await followUntil(server, ana, stopped.id, ({ session }) => session.processedCards > 2);
          await change(stopped, "stop");
          await change(stopped, "resume");
          await finish(server, ana, stopped);
        },
      ],
      ["a deletion", () => ask("DELETE", `/api/scan-sessions/${session.id}`, undefined, server.admin)],
    ];

    const both = () => atOneMoment(async (db) => [await readCounters(db), await recount(db)]);
    const differences: object[] = [];
    const over = new AbortController();
    const watching = (async () => {
      while (!over.signal.aborted) {
        await Promise.all([rollUpAll(server.db), rollUpAll(server.db)]);
        const [counters, rows] = await both();
        await pause(WATCH_EVERY_MS, over.signal);
        if (JSON.stringify(sorted(counters)) !== JSON.stringify(sorted(rows))) differences.push({ counters, rows });
      }
    })();
    try {
      for (const [what, make] of changes) {
        await make();
        const [counters, rows] = await both();
        expect(counters, what).toEqual(rows);
        expect(Object.keys(rows ?? {}).length, what).toBeGreaterThan(0);
      }
    } finally {
      over.abort();
      await watching;
    }
    expect(differences).toEqual([]);

    const before = await readCounters(server.db);
    // Skipped while the server's own rollup runs.
    const rollUpAndCount = () => rollUpAll(server.db).then(countLines);
    await expect.poll(rollUpAndCount).toEqual({ lines: Object.keys(before).length, added: 0 });
    expect(await readCounters(server.db)).toEqual(before);
    expect(server.errors).toEqual([]);
  });

  test("of upstream calls match a recount, also after old calls are deleted", async () => {
    const [noted, counted] = await atOneMoment(countCalls);
    expect(noted).toEqual(counted);
    expect(Object.keys(noted ?? {}).length).toBeGreaterThan(0);
    await noteCalls({ "psa-api": 3, "psa-page": 2, cardladder: 4, "cardladder-sign-in": 1 }, 5);
    await noteCalls({ "psa-api": 2 }, 5);
    const gone = { day: daysAgo(5), endpoint: "gone-by-now", calls: 9 };
    await server.db.insertInto("upstream_call_days").values(gone).execute();
    await sql`DELETE FROM upstream_calls WHERE called_at < now() - interval '2 days'`.execute(server.db);
    const { calls } = adminChartsSchema.parse(await read("charts"));
    expect(calls.filter(({ day }) => day === daysAgo(5))).toEqual([
      { day: daysAgo(5), source: "cardladder", calls: 5 },
      { day: daysAgo(5), source: "psa", calls: 5 },
      { day: daysAgo(5), source: "psa-page", calls: 2 },
    ]);
  });
});

const sorted = (counters: Counters | undefined) =>
  Object.entries(counters ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));

async function countLines(): Promise<{ lines: number; added: number }> {
  const { rows } = await sql<{ lines: number; added: number }>`
    SELECT count(*) AS lines, count(*) FILTER (WHERE NOT is_sum) AS added FROM scan_counters`.execute(server.db);
  return rows[0] ?? { lines: -1, added: -1 };
}

async function noteCalls(endpoints: Record<string, number>, ago: number): Promise<void> {
  await sql`
    INSERT INTO upstream_calls (endpoint, called_at, duration_ms, ending)
    SELECT key, now() - make_interval(days => ${ago}), 1, 'answered'
    FROM jsonb_each_text(${JSON.stringify(endpoints)}::jsonb), generate_series(1, value::int)`.execute(server.db);
}

describe("administrators' statistics", () => {
  test("count users, sessions, settled rows, successes, and today's activity", async () => {
    await server.db
      .insertInto("user_activity_logs")
      .values(
        [0, DAY_MS].map((ago) => ({
          user_id: ben.id,
          activity_type: "navigation" as const,
          description: "Opened Dashboard",
          metadata: "{}",
          timestamp: new Date(Date.now() - ago),
        })),
      )
      .execute();
    const open = await server.db.selectFrom("scan_results").select("id").where("status", "=", "pending").execute();
    expect(open).toEqual([]);
    const expected = await sql<Record<string, number>>`
      SELECT (SELECT count(*) FROM user_profiles WHERE NOT is_service) AS "userCount", (SELECT count(*) FROM scan_sessions) AS "sessionCount",
        count(*) AS "scanCount", count(*) FILTER (WHERE processing_error IS NULL) AS "successCount",
        round(100.0 * count(*) FILTER (WHERE processing_error IS NULL) / count(*)) AS "successRate"
      FROM scan_results`.execute(server.db);
    const countToday = async () => {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*) FROM user_activity_logs WHERE timestamp >= ${new Date(new Date().setUTCHours(0, 0, 0, 0))}`.execute(
        server.db,
      );
      return rows[0]?.count ?? -1;
    };
    const before = await countToday();
    const { todayActivity, ...stats } = adminStatsSchema.parse(await read("stats"));
    expect([stats]).toEqual(expected.rows);
    const { users } = userListSchema.parse(await read("users"));
    expect(users.reduce((sum, { scanCount }) => sum + scanCount, 0)).toBe(stats.scanCount);
    expect(users.find(({ id }) => id === ana.id)?.scanCount).toBe(stats.scanCount);
    expect(stats.successCount).toBeGreaterThan(0);
    expect(stats.successCount).toBeLessThan(stats.scanCount);
    // Concurrent actions are logged a moment later.
    expect(todayActivity).toBeGreaterThanOrEqual(before);
    expect(todayActivity).toBeLessThanOrEqual(await countToday());
  });

  test("are charted by day, company, cause, and person, and each mark lists its sessions", async () => {
    const others = await startScan(
      server,
      ben,
      sheetOf([
        ["54000001", "PSA"],
        ["54000002", "PSA"],
        ["12", "PSA"],
        ["1", "BGS"],
      ]),
    );
    await finish(server, ben, others);
    await setBack(others, 89);
    const tooOld = await startScan(server, ben, sheetOf([["12", "PSA"]]));
    await setBack(tooOld, 90);

    const charts = adminChartsSchema.parse(await read("charts"));
    expect([charts.from, charts.to]).toEqual([daysAgo(89), daysAgo(0)]);
    expect(charts.days.filter(({ day }) => day === daysAgo(89))).toEqual([
      { day: daysAgo(89), company: "other", cards: 1, value: 0 },
      { day: daysAgo(89), company: "PSA", cards: 3, value: 0 },
    ]);
    expect(charts.days.map(({ day }) => day)).toEqual(charts.days.map(({ day }) => day).toSorted());
    const rows = await server.db
      .selectFrom("scan_results")
      .select(["outcome", "user_id"])
      .select(pricesOf("scan_results").as("prices"))
      .where("session_id", "<>", tooOld.id)
      .execute();
    const tally = (list: readonly (string | null)[]) => {
      const counts: Record<string, number> = {};
      for (const one of list) counts[one ?? ""] = (counts[one ?? ""] ?? 0) + 1;
      return counts;
    };
    expect(Object.fromEntries(charts.causes.map(({ outcome, cards }) => [outcome, cards]))).toEqual(
      tally(rows.map(({ outcome }) => outcome)),
    );
    expect(Object.fromEntries(charts.people.map(({ userId, cards }) => [userId, cards]))).toEqual(
      tally(rows.map(({ user_id }) => user_id)),
    );
    expect(charts.people.map(({ fullName }) => fullName)).toEqual(["Person 1", "Person 2"]);
    const worth = rows.map(({ prices }) => worthOf(prices));
    const total = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0);
    expect(total(charts.days.map(({ value }) => value))).toBeCloseTo(total(worth), 2);
    expect(total(worth)).toBeGreaterThan(0);
    expect(charts.quotas).toEqual({ psa: 2500 });

    const anas = (await listed({ userId: ana.id })).map(({ id }) => id);
    expect(anas.length).toBeGreaterThan(2);
    const all = await listed({});
    expect(all.map(({ id }) => id)).toEqual([tooOld.id, others.id, ...anas]);
    expect(all[1]).toMatchObject({
      counts: { completed: 2, error: 2 },
      causes: { invalid_number: 1, invalid_row: 1 },
      owner: { id: ben.id, email: ben.email, fullName: "Person 2" },
    });
    expect(all.map(({ api_mode }) => api_mode)).toEqual(all.map(({ processingMode }) => processingMode));
    // Computed from the counters and from the rows.
    for (const { api_mode: _mode, ...session } of all)
      expect(session).toEqual((await ask("GET", `/api/scan-sessions/${session.id}`, undefined, server.admin)).json());
    expect((await ask("GET", "/api/admin/sessions?day=0000-01-01", undefined, server.admin)).statusCode).toBe(400);
    for (const [filter, expected] of [
      [{ userId: ben.id, company: "PSA" }, [tooOld, others]],
      [{ day: daysAgo(89) }, [others]],
      [{ day: daysAgo(89), company: "other" }, [others]],
      [{ day: daysAgo(89), company: "other", outcome: "found" }, []],
      [{ userId: ben.id, outcome: "invalid_number" }, [tooOld, others]],
      [{ userId: ana.id, day: daysAgo(89) }, []],
      [{ userId: "nobody" }, []],
      [{ userId: "\0" }, []],
    ] satisfies [AdminSessionsQuery, ScanSession[]][])
      expect(
        (await listed(filter)).map(({ id }) => id),
        JSON.stringify(filter),
      ).toEqual(expected.map(({ id }) => id));
    const paged = adminSessionListSchema.parse(await read("sessions?limit=2"));
    const next = adminSessionListSchema.parse(await read(`sessions?limit=200&cursor=${paged.nextCursor}`));
    expect([...paged.sessions, ...next.sessions].map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect([paged.nextCursor, next.nextCursor]).toEqual(["2", null]);
  });
});

async function listed(query: AdminSessionsQuery): Promise<AdminSession[]> {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return adminSessionListSchema.parse(await read(`sessions?${text}`)).sessions;
}

/** Moves the end of the session's rows this many days back. */
async function setBack(session: ScanSession, days: number): Promise<void> {
  await sql`
    UPDATE scan_results SET processed_at = processed_at - make_interval(days => ${days})
    WHERE session_id = ${session.id}`.execute(server.db);
}
