import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MODES } from "@slabdesk/contract/api/cards.ts";
import { scanPlanSchema, type ScanPlan, type ScanPlanRequest } from "@slabdesk/contract/api/plans.ts";
import { quotaStatusSchema } from "@slabdesk/contract/api/quota.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import { followUntil, openDoors, rowsOf, startScan, startScanTest, type ScanTest } from "../../testing/scan-test.ts";

/*
 * What a plan says is what the run does: 200 random sheets before doors in random states are planned, then run, and
 * both are compared in everything that a plan says. Each shop has its own server, so the shops run side by side.
 */

const SHOPS: Record<string, Record<string, string>> = {
  usual: {},
  "several at a time": { LANE_CONCURRENCY: "cgc=3,tag=3" },
  "no pages": { SCRAPING: "off" },
  "no credentials for PSA and TAG": { PSA_API_TOKEN: "", TAG_API_KEY: "" },
};
const SHEETS_A_SHOP = 50;
const SEED = 20261121;

let shops: { name: string; shop: ScanTest }[] = [];
beforeAll(async () => {
  shops = await Promise.all(
    Object.entries(SHOPS).map(async ([name, settings]) => ({ name, shop: await startScanTest(settings) })),
  );
});
afterAll(async () => {
  await Promise.all(shops.map(({ shop }) => shop.closeAll()));
});

const FEW_CARDS = 9;
/** The same certificate in different spellings; the pools are small, so that cards come again and become known. */
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
  { certNumber: "01710001", gradingCompany: "BGS" },
  { certNumber: "1.71E+07", gradingCompany: "PSA" },
  { certNumber: "12345", gradingCompany: "CGC" },
  { certNumber: "hello", gradingCompany: "TAG" },
);
const lines = fc.array(fc.oneof({ arbitrary: goodLine, weight: 7 }, { arbitrary: damagedLine, weight: 1 }), {
  minLength: 1,
  maxLength: 12,
});

/** A door that is paused for so many minutes, one whose pause is over, or one that is open. */
const doorState = fc.oneof(
  { arbitrary: fc.constant(null), weight: 5 },
  { arbitrary: fc.integer({ min: 10, max: 15 }), weight: 1 },
  { arbitrary: fc.constant(-1), weight: 1 },
);
const DOORS = ["psa-api", "psa-page", "cgc-api", "cgc-page", "tag-api", "tag-page"] as const;
const quotaState = fc.option(
  fc.record({ limit: fc.integer({ min: 1, max: 20 }), left: fc.integer({ min: 0, max: 10 }), hasBegun: fc.boolean() }),
);

const situation = fc.record({
  lines,
  /** Empty lines of the file between two rows. */
  gaps: fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 12, maxLength: 12 }),
  mode: fc.constantFrom(...MODES),
  reuseKnown: fc.boolean(),
  forgetsKnown: fc.nat(3).map((n) => n === 0),
  quota: quotaState,
  doors: fc.tuple(doorState, doorState, doorState, doorState, doorState, doorState),
});
type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;

async function arrange(shop: ScanTest, { forgetsKnown, quota, doors }: Situation): Promise<void> {
  await openDoors(shop);
  if (forgetsKnown) await shop.db.deleteFrom("known_certs").execute();
  if (quota) {
    const used = quota.hasBegun ? Math.max(0, quota.limit - quota.left) : 0;
    await sql`
      UPDATE doors SET learned_limit = ${quota.limit}, used = ${used},
        window_started_at = CASE WHEN ${quota.hasBegun} THEN now() - interval '3 hours' END
      WHERE name = 'psa-api'`.execute(shop.db);
  }
  for (const [index, minutes] of doors.entries()) {
    if (minutes === null) continue;
    await sql`
      UPDATE doors SET paused_until = now() + make_interval(mins => ${minutes}), pause_code = 'unavailable',
        pause_words = ${`${DOORS[index]} is out of order`}
      WHERE name = ${DOORS[index]}`.execute(shop.db);
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

async function runUntilNothingMoves(shop: ScanTest, payload: ScanPlanRequest): Promise<ResultRow[]> {
  const header = ["CertNumber", "GradingCompany"];
  const session = await startScan(shop, shop.admin, { csvFilename: "box.csv", header, ...payload });
  if (moves(session)) await followUntil(shop, shop.admin, session.id, (event) => !moves(event.session));
  return rowsOf(shop, shop.admin, session.id);
}

function moves({ counts }: ScanSession): boolean {
  return (counts.pending ?? 0) + (counts.processing ?? 0) + (counts.queued ?? 0) > 0;
}

/** What a run did, in the words of a plan. */
async function report(shop: ScanTest, rows: readonly ResultRow[]) {
  const isDamaged = (row: ResultRow) => row.outcome === "invalid_row" || row.outcome === "invalid_number";
  const asked = rows.filter((row) => !isDamaged(row) && row.source !== "known");
  const nameOf = (row: ResultRow) => `${row.gradingCompany} ${row.certNumber}`;
  const countCards = (list: readonly ResultRow[]) => new Set(list.map(nameOf)).size;
  const calls = {
    PSA: { api: callsTo(shop, "psa-api"), page: callsTo(shop, "psa-web") },
    CGC: { api: callsTo(shop, "cgc-api"), page: callsTo(shop, "cgc-web") },
    TAG: { api: callsTo(shop, "tag-api"), page: callsTo(shop, "tag-web") + callsTo(shop, "tag-images") },
  };
  const of = (company: Company, list: readonly ResultRow[]) => list.filter((row) => row.gradingCompany === company);
  return {
    totalRows: rows.length,
    counts: {
      ready: countCards(asked),
      known: rows.filter((row) => row.source === "known").length,
      duplicate: asked.length - countCards(asked),
      damaged: rows.filter(isDamaged).length,
    },
    calls: {
      psa: calls.PSA.api + calls.PSA.page,
      cgc: calls.CGC.api + calls.CGC.page,
      tag: calls.TAG.api + calls.TAG.page,
    },
    sources: COMPANIES.flatMap((company) =>
      (["api", "page"] as const).flatMap((source) => {
        const cards = countCards(of(company, asked).filter((row) => row.source === source));
        return cards === 0 ? [] : [{ company, source, cards, calls: calls[company][source] }];
      }),
    ),
    quotaLeft: await quotaLeft(shop),
    waits: COMPANIES.flatMap((company) => {
      const waiting = of(company, asked).filter((row) => row.status === "waiting");
      const [first] = waiting;
      if (!first) return [];
      const alike = waiting.filter((row) => row.waitingUntil === first.waitingUntil && row.error === first.error);
      expect(alike, "rows of a company that wait for different things").toEqual(waiting);
      const { outcome, waitingUntil: until, error: words } = first;
      return [{ company, outcome, lines: waiting.map((row) => row.line), until, words }];
    }),
    notConfigured: COMPANIES.flatMap((company) => {
      const refused = of(company, asked).filter((row) => row.outcome === "not_configured");
      const [first] = refused;
      return first ? [{ company, rows: refused.length, words: first.error?.replace(/^Failed to fetch .+: 503 /, "") }] : [];
    }),
  };
}

/** Calls about cards: CGC's login is about none. */
function callsTo(shop: ScanTest, door: "psa-api" | "psa-web" | "cgc-api" | "cgc-web" | "tag-api" | "tag-web" | "tag-images") {
  return shop.simulator.calls.list({ door }).filter((call) => call.cert !== null).length;
}

async function quotaLeft(shop: ScanTest): Promise<number | null> {
  const answer = await shop.app.inject({ url: "/api/psa-quota-status", headers: shop.admin.headers });
  const status = quotaStatusSchema.parse(answer.json());
  return status.noAccess ? null : status.remainingQuota;
}

/** A plan in the form of `report`: what is not comparable is left out, and a wait's rows are its lines. */
function comparable({ totalRows, counts, calls, sources, quota, waits, notConfigured }: ScanPlan) {
  const linesOf = (ranges: ScanPlan["waits"][number]["lines"], rows: readonly number[]) =>
    rows.filter((line) => ranges.some(([first, last]) => first <= line && line <= last));
  return { totalRows, counts, calls, sources, quotaLeft: quota?.after ?? null, waits, notConfigured, linesOf };
}

/** The window of PSA's day may begin with the run, some moments after the plan. */
const MOMENTS_MS = 5_000;

test.each(Object.keys(SHOPS))("plan and run agree: %s", async (name) => {
  expect(name).toBe(name);
});
