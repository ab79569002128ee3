import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MODES } from "@slabdesk/contract/api/cards.ts";
import { scanPlanSchema, type ScanPlan, type ScanPlanRequest } from "@slabdesk/contract/api/plans.ts";
import { quotaStatusSchema } from "@slabdesk/contract/api/quota.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import { amount } from "../../../../scripts/test-form.ts";
import {
  followUntil,
  isForImageFile,
  openEndpoints,
  rowsOf,
  startScan,
  startScanTest,
  type ScanTest,
} from "../../testing/scan-test.ts";

/*
 * A plan must match its run: random sheets are planned and run against endpoints in random states, and all numbers of
 * the plan are compared. Each shop has its own server, so the shops run in parallel.
 */

type Shop = { settings: Record<string, string>; hasProbes: boolean };
const SHOPS: Shop[] = [
  { settings: {}, hasProbes: true },
  { settings: { SCRAPING: "off" }, hasProbes: true },
  { settings: { PSA_API_TOKEN: "", TAG_API_KEY: "" }, hasProbes: true },
  // While one card probes an endpoint, cards beside it may use another endpoint; no plan can know which.
  { settings: { LANE_CONCURRENCY: "cgc=3,tag=3" }, hasProbes: false },
];
const SHEETS_A_SHOP = amount({ short: 6, long: 50 });
const SHEETS = SHOPS.length * SHEETS_A_SHOP;
/** The minimum number of sheets of each kind. */
const SHEETS_OF_A_KIND = amount({ short: 1, long: 5 });
/** With the short form's seed, its few sheets cover all kinds, too. */
const SEED = amount({ short: 518, long: 20261209 });

let shops: (Shop & { test: ScanTest })[] = [];
beforeAll(async () => {
  shops = await Promise.all(SHOPS.map(async (shop) => ({ ...shop, test: await startScanTest(shop.settings) })));
});
afterAll(async () => {
  await Promise.all(shops.map(({ test: shop }) => shop.closeAll()));
});

const FEW_CARDS = 9;
/** Minutes. */
const PAUSE_OVER = -1;
/** One certificate in different spellings; the pools are small, so that cards repeat and are cached. */
const SPELLINGS: Record<Company, (n: number) => string[]> = {
  PSA: (n) => [`0171000${n}`, `171000${n}`, ` 0171000${n} `, `'0171000${n}`, `PSA 0171000${n}`, `#0171000${n}`],
  CGC: (n) => [`110020000${n}`, `1100200-00${n}`, `110020000${n}.0`, `cgc 110020000${n}`],
  TAG: (n) => [`B100000${n}`, `b100000${n}`, `B 100000${n}`, `TAG-B100000${n}`],
};
type Line = { certNumber: string; gradingCompany: string };

const goodLine: fc.Arbitrary<Line> = fc
  .tuple(fc.constantFrom("PSA", "PSA", "CGC", "TAG"), fc.integer({ min: 1, max: FEW_CARDS }), fc.nat())
  .map(([company, n, spelling]) => {
    const spellings = SPELLINGS[company](n);
    return {
      certNumber: spellings[spelling % spellings.length] ?? "",
      gradingCompany: spelling % 2 === 0 ? company : ` ${company.toLowerCase()}`,
    };
  });
const damagedLine: fc.Arbitrary<Line> = fc.constantFrom(
  { certNumber: "", gradingCompany: "PSA" },
  { certNumber: "01710001", gradingCompany: "" },
  { certNumber: "1100200-002", gradingCompany: "" },
  { certNumber: "B1000003", gradingCompany: "PSA" },
  { certNumber: "01710001", gradingCompany: "BGS" },
  { certNumber: "1.71E+07", gradingCompany: "PSA" },
  { certNumber: "12345", gradingCompany: "CGC" },
  { certNumber: "hello", gradingCompany: "TAG" },
);
const lines = fc.array(fc.oneof({ arbitrary: goodLine, weight: 7 }, { arbitrary: damagedLine, weight: 1 }), {
  minLength: 1,
  maxLength: 12,
});

/** An endpoint that is open, paused for some minutes, or past its pause. */
const endpointState = fc.oneof(
  { arbitrary: fc.constant(null), weight: 5 },
  { arbitrary: fc.integer({ min: 10, max: 15 }), weight: 1 },
  { arbitrary: fc.constant(PAUSE_OVER), weight: 1 },
);
const ENDPOINTS = ["psa-api", "psa-page", "cgc-api", "cgc-page", "tag-api", "tag-page"] as const;
const quotaState = fc.option(
  fc.record({ limit: fc.integer({ min: 1, max: 20 }), left: fc.integer({ min: 0, max: 10 }), hasBegun: fc.boolean() }),
);

const situation = fc.record({
  lines,
  /** Empty lines between two rows of the file. */
  gaps: fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 12, maxLength: 12 }),
  mode: fc.constantFrom(...MODES),
  reuseKnown: fc.boolean(),
  forgetsCached: fc.nat(3).map((n) => n === 0),
  quota: quotaState,
  endpoints: fc.tuple(endpointState, endpointState, endpointState, endpointState, endpointState, endpointState),
  acceptCompanies: fc.boolean(),
});
type SimulatedEndpoint = Parameters<ScanTest["simulator"]["calls"]["total"]>[0];
type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;

async function arrange(
  shop: ScanTest,
  hasProbes: boolean,
  { forgetsCached, quota, endpoints }: Situation,
): Promise<void> {
  // Waiting rows would continue when their endpoint opens.
  await shop.app.inject({ url: "/api/stop", headers: shop.admin.headers });
  await openEndpoints(shop);
  if (forgetsCached) await shop.db.deleteFrom("cached_certs").execute();
  if (quota) {
    const used = quota.hasBegun ? Math.max(0, quota.limit - quota.left) : 0;
    await sql`
      UPDATE endpoints SET learned_limit = ${quota.limit}, learned_at = now(), used = ${used},
        window_started_at = CASE WHEN ${quota.hasBegun} THEN now() - interval '3 hours' END
      WHERE name = 'psa-api'`.execute(shop.db);
  }
  for (const [index, minutes] of endpoints.entries()) {
    if (minutes === null || (minutes === PAUSE_OVER && !hasProbes)) continue;
    await sql`
      UPDATE endpoints SET paused_until = now() + make_interval(mins => ${minutes}), pause_code = 'unavailable',
        pause_message = ${`${ENDPOINTS[index]} is out of order`}
      WHERE name = ${ENDPOINTS[index]}`.execute(shop.db);
  }
  shop.simulator.calls.clear();
}

function sheetRows({ lines: typed, gaps }: Situation): ScanPlanRequest["rows"] {
  let line = 1;
  return typed.map((row, index) => {
    line += gaps[index] ?? 1;
    return { line, ...row, cells: [row.certNumber, row.gradingCompany] };
  });
}

async function planSheet(shop: ScanTest, payload: ScanPlanRequest): Promise<ScanPlan> {
  const answer = await shop.app.inject({
    method: "POST",
    url: "/api/scan-plans",
    headers: shop.admin.headers,
    payload,
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return scanPlanSchema.parse(answer.json());
}

/** Rows wait for at least ten minutes, until they are stopped. */
async function runUntilNothingMoves(shop: ScanTest, payload: ScanPlanRequest): Promise<ResultRow[]> {
  const header = ["CertNumber", "GradingCompany"];
  const session = await startScan(shop, shop.admin, { csvFilename: "box.csv", header, ...payload });
  if (moves(session)) await followUntil(shop, shop.admin, session.id, (event) => !moves(event.session));
  return rowsOf(shop, shop.admin, session.id);
}

/**
 * Cards beside a probe wait for a second, which a plan does not count as a wait. Counts and waits are read one after the
 * other: if a wait has ended between them, they differ.
 */
function moves({ counts, waits }: ScanSession): boolean {
  const soon = Date.now() + MOMENTS_MS;
  const waiting = waits.reduce((sum, { count }) => sum + count, 0);
  return (
    (counts.pending ?? 0) + (counts.processing ?? 0) + (counts.queued ?? 0) > 0 ||
    (counts.waiting ?? 0) !== waiting ||
    waits.some(({ until }) => until !== null && Date.parse(until) < soon)
  );
}

/** What a run did, in the words of a plan. */
async function reportOf(shop: ScanTest, rows: readonly ResultRow[]) {
  const isDamaged = (row: ResultRow) => row.outcome === "invalid_row" || row.outcome === "invalid_number";
  const fresh = rows.filter((row) => !isDamaged(row) && row.source !== "known");
  const ready = countCards(fresh);
  const made = {
    PSA: { api: callsTo(shop, "psa-api"), page: callsTo(shop, "psa-web") },
    CGC: { api: callsTo(shop, "cgc-api"), page: callsTo(shop, "cgc-web") },
    TAG: { api: callsTo(shop, "tag-api"), page: callsTo(shop, "tag-web") + callsTo(shop, "tag-images") },
  };
  const eachCompany = <T>(tell: (company: Company, list: ResultRow[]) => T[]): T[] =>
    COMPANIES.flatMap((company) =>
      tell(
        company,
        fresh.filter((row) => row.gradingCompany === company),
      ),
    );
  return {
    totalRows: rows.length,
    counts: {
      ready,
      known: rows.filter((row) => row.source === "known").length,
      duplicate: fresh.length - ready,
      toFix: rows.filter(isDamaged).length,
    },
    calls: {
      psa: made.PSA.api + made.PSA.page,
      cgc: made.CGC.api + made.CGC.page,
      tag: made.TAG.api + made.TAG.page,
    },
    sources: eachCompany((company, list) =>
      (["api", "page"] as const)
        .map((source) => ({ company, source, cards: countCards(list.filter((row) => row.source === source)) }))
        .filter(({ cards }) => cards > 0)
        .map((found) => ({ ...found, calls: made[company][found.source] })),
    ),
    quotaLeft: await quotaLeft(shop),
    waits: eachCompany((company, list) => waitOf(company, list)),
    notConfigured: eachCompany((company, list) => {
      const refused = list.filter((row) => row.outcome === "not_configured");
      const message = refused[0]?.error?.replace(/^Failed to fetch .+: 503 /, "");
      return message === undefined ? [] : [{ company, rows: refused.length, message }];
    }),
  };
}

function waitOf(company: Company, list: readonly ResultRow[]) {
  const waiting = list.filter((row) => row.status === "waiting");
  const [first] = waiting;
  if (!first) return [];
  const { outcome, waitingUntil, error: message } = first;
  for (const row of waiting) expect(row).toMatchObject({ outcome, waitingUntil, error: message });
  return [{ company, outcome, message, until: waitingUntil ?? "", lines: waiting.map((row) => row.line) }];
}

function countCards(rows: readonly ResultRow[]): number {
  return new Set(rows.map((row) => `${row.gradingCompany} ${row.certNumber}`)).size;
}

/** Calls of lookups: CGC's login is about no card, and image files are fetched after the lookup. */
function callsTo(shop: ScanTest, endpoint: SimulatedEndpoint): number {
  return shop.simulator.calls.list({ endpoint }).filter((call) => call.cert !== null && !isForImageFile(call)).length;
}

async function quotaLeft(shop: ScanTest): Promise<number | null> {
  const answer = await shop.app.inject({ url: "/api/psa-quota-status", headers: shop.admin.headers });
  const status = quotaStatusSchema.parse(answer.json());
  return status.noAccess ? null : status.remainingQuota;
}

function linesOf(ranges: ScanPlan["waits"][number]["lines"]): number[] {
  return ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, n) => first + n));
}

/** PSA's window of a day may begin with the run, some moments after the plan. Different waits are a minute apart. */
const MOMENTS_MS = 10_000;

function compare(plan: ScanPlan, run: Awaited<ReturnType<typeof reportOf>>): void {
  const { totalRows, counts, calls, sources, quota, waits, notConfigured } = plan;
  expect({
    totalRows,
    counts,
    calls,
    sources,
    quotaLeft: quota?.after ?? null,
    waits: waits.map(({ company, outcome, message, lines: ranges }) => ({
      company,
      outcome,
      message,
      lines: linesOf(ranges),
    })),
    notConfigured,
  }).toEqual({
    ...run,
    waits: run.waits.map(({ company, outcome, message, lines: waiting }) => ({
      company,
      outcome,
      message,
      lines: waiting,
    })),
  });
  for (const [index, { until, rows, lines: ranges }] of waits.entries()) {
    expect(rows).toBe(linesOf(ranges).length);
    const apartMs = Math.abs(Date.parse(until ?? "") - Date.parse(run.waits[index]?.until ?? ""));
    expect(apartMs).toBeLessThan(MOMENTS_MS);
  }
}

test(`${SHEETS} random sheets do what their plans said`, { timeout: 900_000 }, async () => {
  const seen: ScanPlan[] = [];
  const agree = async (shop: ScanTest, { hasProbes }: Shop, seed: number): Promise<void> => {
    const property = fc.asyncProperty(situation, async (given) => {
      await arrange(shop, hasProbes, given);
      const { mode, reuseKnown, acceptCompanies } = given;
      const payload = { rows: sheetRows(given), mode, reuseKnown, acceptCompanies };
      const plan = await planSheet(shop, payload);
      const rows = await runUntilNothingMoves(shop, payload);
      compare(plan, await reportOf(shop, rows));
      seen.push(plan);
    });
    // What came before decides what is known, so a smaller sheet would not be the same case.
    await fc.assert(property, { seed, numRuns: SHEETS_A_SHOP, endOnFailure: true });
  };
  await Promise.all(shops.map(({ test: shop, ...kind }, index) => agree(shop, kind, SEED + index)));

  expect(seen).toHaveLength(SHEETS);
  const kinds: Record<string, (plan: ScanPlan) => boolean> = {
    "known rows": ({ counts }) => counts.known > 0,
    "rows filled by an earlier one": ({ counts }) => counts.duplicate > 0,
    "rows to fix": ({ counts }) => counts.toFix > 0,
    "rows that nobody can be asked about": ({ notConfigured }) => notConfigured.length > 0,
    "rows that wait for a broken endpoint": ({ waits }) => waits.some((wait) => wait.outcome === "unavailable"),
    "rows that wait for PSA's quota": ({ waits }) => waits.some((wait) => wait.outcome === "quota_exhausted"),
    "PSA cards by both ways": ({ sources }) => sources.filter(({ company }) => company === "PSA").length === 2,
    "PSA cards some of which wait": ({ sources, waits }) =>
      sources.some(({ company }) => company === "PSA") && waits.some(({ company }) => company === "PSA"),
  };
  for (const [kind, isOne] of Object.entries(kinds)) {
    expect(seen.filter(isOne).length, `sheets with ${kind}`).toBeGreaterThanOrEqual(SHEETS_OF_A_KIND);
  }
});

test("cards beside a probe wait for its result, not for another endpoint's pause", async () => {
  const shop = shops.find(({ settings }) => "LANE_CONCURRENCY" in settings)?.test;
  if (!shop) throw new Error("No shop looks several cards up at a time");
  await openEndpoints(shop);
  await sql`
    UPDATE endpoints SET pause_code = 'blocked', pause_message = 'closed',
      paused_until = now() + CASE name WHEN 'tag-api' THEN interval '1 hour' ELSE interval '-1 second' END
    WHERE name IN ('tag-api', 'tag-page')`.execute(shop.db);
  shop.simulator.behavior.latencyMs = 300;
  const rows = [2, 3, 4].map((line) => ({ line, certNumber: `B20000${line}0`, gradingCompany: "TAG" }));
  const plan = await planSheet(shop, { rows });
  expect(plan).toMatchObject({ waits: [], sources: [{ company: "TAG", source: "page", cards: 3 }] });
  const done = await runUntilNothingMoves(shop, { rows });
  expect(done.map((row) => [row.status, row.source])).toEqual(rows.map(() => ["completed", "page"]));
});
