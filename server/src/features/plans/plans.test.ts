import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { scanPlanSchema, type ScanPlan, type ScanPlanRequest } from "@slabdesk/contract/api/plans.ts";
import type { Mode } from "@slabdesk/contract/api/cards.ts";
import { amount } from "../../../../scripts/test-form.ts";
import type { PauseCode } from "../../database/schema.ts";
import type { LookupEndpoint } from "../../upstreams/endpoint.ts";
import {
  isForImageFile,
  openEndpoints,
  sheetOf,
  startScan,
  startScanTest,
  type ScanTest,
} from "../../testing/scan-test.ts";
import type { Person } from "../../testing/test-server.ts";

/** No worker runs here: a started sheet stays in front of the next one. */
const AS_PLANNER = { ROLE: "web", CARD_DELAY_MS: "5000", PSA_DAILY_QUOTA: "100" };
const CARD_MS = 5_000;
const DAY_MS = 86_400_000;

type Shop = "usual" | "no pages" | "no credentials";
let shops: Record<Shop, ScanTest>;
let usual: ScanTest;
beforeAll(async () => {
  usual = await startScanTest(AS_PLANNER);
  shops = {
    usual,
    "no pages": await startScanTest({ ...AS_PLANNER, SCRAPING: "off" }),
    "no credentials": await startScanTest({
      ...AS_PLANNER,
      PSA_API_TOKEN: "",
      CGC_API_USERNAME: "",
      CGC_API_PASSWORD: "",
      TAG_API_KEY: "",
    }),
  };
});
afterAll(async () => {
  for (const shop of Object.values(shops)) await shop.closeAll();
});
beforeEach(async () => {
  for (const shop of Object.values(shops)) await openEndpoints(shop);
});

type Line = [certNumber: string, gradingCompany: string];
type Options = Pick<ScanPlanRequest, "mode" | "reuseKnown">;

function requestPlan(shop: ScanTest, person: Person | null, payload: object) {
  return shop.app.inject({ method: "POST", url: "/api/scan-plans", headers: person?.headers ?? {}, payload });
}

async function planOf(
  lines: readonly Line[],
  options: Options = {},
  { shop = usual, person = shop.admin }: { shop?: ScanTest; person?: Person } = {},
): Promise<ScanPlan> {
  const rows = lines.map(([certNumber, gradingCompany], index) => ({ line: index + 2, certNumber, gradingCompany }));
  const answer = await requestPlan(shop, person, { rows, ...options });
  expect(answer.statusCode, answer.body).toBe(200);
  return scanPlanSchema.parse(answer.json());
}

async function pauseEndpoint(
  shop: ScanTest,
  endpoint: LookupEndpoint,
  until: Date,
  code: PauseCode = "blocked",
): Promise<void> {
  const message = `${endpoint} is paused`;
  await shop.db
    .updateTable("endpoints")
    .set({ paused_until: until, pause_code: code, pause_message: message })
    .where("name", "=", endpoint)
    .execute();
}

/** PSA's window: this many calls of `limit` were made since `startedAt`. */
async function setQuota(shop: ScanTest, limit: number, used: number, startedAt: Date | null): Promise<void> {
  await shop.db
    .updateTable("endpoints")
    .set({ learned_limit: limit, learned_at: new Date(), used, window_started_at: startedAt })
    .where("name", "=", "psa-api")
    .execute();
}

const later = (date: Date, ms: number): string => new Date(date.getTime() + ms).toISOString();

const PSA_CARDS: Line[] = [
  ["81000001", "PSA"],
  ["81000002", "PSA"],
  ["81000003", "PSA"],
  ["81000004", "PSA"],
  ["81000005", "PSA"],
];
const ONE_OF_EACH: Line[] = [
  ["81000001", "PSA"],
  ["1100100001", "CGC"],
  ["B1000001", "TAG"],
];

describe("a plan", () => {
  test("counts every row exactly once, and adds up calls and minutes", async () => {
    const plan = await planOf([
      ["81000001", "PSA"],
      ["'81000001", "psa"],
      ["", "PSA"],
      ["98174651", "BGS"],
      ["8.1E+07", "PSA"],
      ["1100100-001", "cgc"],
      ["1100100001", "CGC"],
      ["1100100002", "CGC"],
      ["b1000001", "TAG"],
    ]);
    expect(plan).toMatchObject({
      totalRows: 9,
      counts: { ready: 4, known: 0, duplicate: 2, toFix: 3 },
      calls: { psa: 2, cgc: 2, tag: 1 },
      sources: [
        { company: "PSA", source: "api", cards: 1, calls: 2 },
        { company: "CGC", source: "api", cards: 2, calls: 2 },
        { company: "TAG", source: "api", cards: 1, calls: 1 },
      ],
      quota: { before: 100, after: 98, total: 100, isConfirmed: false, resetsAt: null },
      ifLimited: [],
      waits: [],
      notConfigured: [],
      minutes: 0.17,
    });
  });

  test("ends when the slowest lane does", async () => {
    const before = new Date();
    const plan = await planOf(PSA_CARDS);
    const after = new Date();
    expect(plan.endsAt >= later(before, 5 * CARD_MS)).toBe(true);
    expect(plan.endsAt <= later(after, 5 * CARD_MS)).toBe(true);
  });

  test("of invalid rows only costs nothing", async () => {
    const plan = await planOf([["", ""]]);
    expect(plan).toMatchObject({
      counts: { ready: 0, known: 0, duplicate: 0, toFix: 1 },
      calls: { psa: 0, cgc: 0, tag: 0 },
      sources: [],
      waits: [],
      minutes: 0,
    });
  });

  test("makes no call and stores nothing", async () => {
    usual.simulator.calls.clear();
    const count = () => sql<{ n: number }>`SELECT count(*)::int AS n FROM scan_sessions`.execute(usual.db);
    const { rows: before } = await count();
    await planOf(ONE_OF_EACH);
    expect((await count()).rows).toEqual(before);
    expect(usual.simulator.calls.list().filter((call) => !isForImageFile(call))).toEqual([]);
  });
});

/** The source of one card of each company, or why there is none. */
const WAYS: [shop: Shop, mode: Mode, way: Record<"PSA" | "CGC" | "TAG", string>][] = [
  ["usual", "api-with-fallback", { PSA: "2 api", CGC: "1 api", TAG: "1 api" }],
  ["usual", "api", { PSA: "2 api", CGC: "1 api", TAG: "1 api" }],
  ["usual", "scraping", { PSA: "1 page", CGC: "1 page", TAG: "3 page" }],
  ["no pages", "api-with-fallback", { PSA: "2 api", CGC: "1 api", TAG: "1 api" }],
  ["no pages", "api", { PSA: "2 api", CGC: "1 api", TAG: "1 api" }],
  [
    "no pages",
    "scraping",
    {
      PSA: "Web scraping is turned off. Choose API only, or ask an administrator to turn it on",
      CGC: "Web scraping is turned off. Choose API only, or ask an administrator to turn it on",
      TAG: "Web scraping is turned off. Choose API only, or ask an administrator to turn it on",
    },
  ],
  ["no credentials", "api-with-fallback", { PSA: "1 page", CGC: "1 page", TAG: "3 page" }],
  [
    "no credentials",
    "api",
    {
      PSA: "PSA API credentials not configured: an administrator must enter PSA_API_TOKEN in Admin → Sources",
      CGC: "CGC API credentials not configured: an administrator must enter CGC_API_USERNAME and CGC_API_PASSWORD in Admin → Sources",
      TAG: "TAG API credentials not configured: an administrator must enter a key that TAG issued (TAG_API_KEY) in Admin → Sources",
    },
  ],
  ["no credentials", "scraping", { PSA: "1 page", CGC: "1 page", TAG: "3 page" }],
];

test.each(WAYS)("in a shop with %s, %s", async (shop, mode, way) => {
  const plan = await planOf(ONE_OF_EACH, { mode }, { shop: shops[shop] });
  const ways = [
    ...plan.sources.map(({ company, source, calls }) => [company, `${calls} ${source}`]),
    ...plan.notConfigured.map(({ company, message }) => [company, message]),
  ];
  expect(Object.fromEntries(ways)).toEqual(way);
  expect(ways).toHaveLength(3);
  expect(plan.waits).toEqual([]);
});

describe("cached certs", () => {
  const sheet: Line[] = [
    ["81000011", "PSA"],
    ["81000012", "PSA"],
    ["81000013", "PSA"],
    ["81000011", "PSA"],
  ];
  beforeAll(async () => {
    await sql`
      INSERT INTO cached_certs (grading_company, cert_number, card, source, notes, fetched_at) VALUES
        ('PSA', '81000011', '{}', 'api', '', now()),
        ('PSA', '81000012', '{}', 'page', '', now() - interval '29 days'),
        ('PSA', '81000013', '{}', 'api', '', now() - interval '31 days')`.execute(usual.db);
  });

  test.each<[Options, Partial<ScanPlan["counts"]>]>([
    [{ mode: "api-with-fallback" }, { known: 3, ready: 1, duplicate: 0 }],
    [{ mode: "scraping" }, { known: 3, ready: 1, duplicate: 0 }],
    [{ mode: "api" }, { known: 2, ready: 2, duplicate: 0 }],
    [{ reuseKnown: false }, { known: 0, ready: 3, duplicate: 1 }],
  ])("with %j come to %j", async (options, counts) => {
    expect((await planOf(sheet, options)).counts).toMatchObject(counts);
  });

  const TENTH = amount({ short: 1_000, long: 10_000 });
  test(`serve ${10 * TENTH} rows`, async () => {
    await sql`
      INSERT INTO cached_certs (grading_company, cert_number, card, source, notes, fetched_at)
      SELECT 'CGC', (2000000000 + n)::text, '{}', 'api', '', now() FROM generate_series(1, ${3 * TENTH}::int) AS n
    `.execute(usual.db);
    const sheetLines = Array.from({ length: 10 * TENTH }, (_, n): Line => [
      String(2_000_000_001 + (n % (9 * TENTH))),
      "CGC",
    ]);
    const { counts } = await planOf(sheetLines);
    expect(counts).toEqual({ known: 4 * TENTH, ready: 6 * TENTH, duplicate: 0, toFix: 0 });
  });
});

describe("waiting rows in a plan", () => {
  const inHours = (hours: number): Date => new Date(Math.round(Date.now() / 1000) * 1000 + hours * 3_600_000);

  test("are those that PSA's daily quota does not cover, the last of the sheet", async () => {
    const resetsAt = inHours(20);
    await setQuota(usual, 10, 8, new Date(resetsAt.getTime() - DAY_MS));
    const plan = await planOf([...PSA_CARDS, ["", "PSA"], ["81000004", "PSA"], ["1100100001", "CGC"]], { mode: "api" });
    expect(plan).toMatchObject({
      counts: { ready: 6, duplicate: 1, toFix: 1 },
      calls: { psa: 2, cgc: 1 },
      sources: [
        { company: "PSA", source: "api", cards: 2, calls: 2 },
        { company: "CGC", cards: 1 },
      ],
      quota: { before: 2, after: 0, total: 10, resetsAt: resetsAt.toISOString() },
      minutes: 0.17,
      endsAt: later(resetsAt, 3 * CARD_MS),
    });
    expect(plan.waits).toEqual([
      {
        company: "PSA",
        outcome: "quota_exhausted",
        rows: 4,
        lines: [
          [4, 6],
          [8, 8],
        ],
        until: resetsAt.toISOString(),
        message: expect.stringContaining("10 API calls per day is used up"),
      },
    ]);
  });

  test("use the page in API with scraping fallback, unless scraping is off", async () => {
    for (const shop of [usual, shops["no pages"]]) await setQuota(shop, 10, 8, inHours(-1));
    const withPages = await planOf(PSA_CARDS, {});
    expect(withPages).toMatchObject({ calls: { psa: 5 }, quota: { after: 0 }, waits: [] });
    expect(withPages.sources.map(({ source, cards }) => [source, cards])).toEqual([
      ["api", 2],
      ["page", 3],
    ]);
    const without = await planOf(PSA_CARDS, {}, { shop: shops["no pages"] });
    expect(without).toMatchObject({ calls: { psa: 2 }, waits: [{ rows: 3, lines: [[4, 6]] }] });
  });

  test("are all rows if PSA allows no call", async () => {
    await setQuota(usual, 0, 0, inHours(-1));
    const plan = await planOf(PSA_CARDS, { mode: "api" });
    expect(plan).toMatchObject({ calls: { psa: 0 }, quota: { before: 0, after: 0, total: 0 }, waits: [{ rows: 5 }] });
  });

  test("wait for a window that begins with the run", async () => {
    await setQuota(usual, 4, 0, null);
    const before = new Date();
    const plan = await planOf(PSA_CARDS, { mode: "api" });
    const until = plan.waits[0]?.until ?? "";
    expect(until >= later(before, DAY_MS)).toBe(true);
    expect(until <= later(new Date(), DAY_MS)).toBe(true);
    expect(plan.quota).toEqual({ before: 4, after: 0, total: 4, isConfirmed: true, resetsAt: null });
  });

  test("are also planned for lower limits, until PSA names its limit", async () => {
    const { ifLimited } = await planOf(PSA_CARDS, { mode: "api" });
    expect(ifLimited).toEqual([{ perDay: 1, cards: 5, today: 1, byPage: 0, endsAt: expect.any(String) as unknown }]);
    const days = (Date.parse(ifLimited[0]?.endsAt ?? "") - Date.now()) / DAY_MS;
    expect(Math.round(days)).toBe(4);
    expect((await planOf(PSA_CARDS)).ifLimited).toMatchObject([{ perDay: 1, today: 1, byPage: 4, endsAt: null }]);
    expect((await planOf(PSA_CARDS, { mode: "scraping" })).ifLimited).toEqual([]);
    await setQuota(usual, 4, 0, null);
    expect((await planOf(PSA_CARDS, { mode: "api" })).ifLimited).toEqual([]);
  });

  test("are not planned for a limit that today's calls have passed", async () => {
    await setQuota(usual, 2500, 2, new Date());
    await usual.db.updateTable("endpoints").set({ learned_limit: null, learned_at: null }).execute();
    expect((await planOf(PSA_CARDS, { mode: "api" })).ifLimited).toEqual([]);
  });

  test("need more days if one day's calls are not enough", async () => {
    const resetsAt = inHours(2);
    await setQuota(usual, 2, 2, new Date(resetsAt.getTime() - DAY_MS));
    const plan = await planOf(PSA_CARDS, { mode: "api" });
    expect(plan).toMatchObject({ calls: { psa: 0 }, sources: [], minutes: 0, waits: [{ rows: 5 }] });
    expect(plan.endsAt).toBe(later(resetsAt, 2 * DAY_MS + 5 * CARD_MS));
  });

  test("wait for the first of their endpoints to open, and name it", async () => {
    const soon = inHours(1);
    await pauseEndpoint(usual, "psa-api", inHours(3), "forbidden");
    await pauseEndpoint(usual, "psa-page", soon);
    const plan = await planOf(ONE_OF_EACH);
    expect(plan.waits).toEqual([
      {
        company: "PSA",
        outcome: "blocked",
        rows: 1,
        lines: [[2, 2]],
        until: soon.toISOString(),
        message: "psa-page is paused",
      },
    ]);
    expect(plan).toMatchObject({ calls: { psa: 0, cgc: 1, tag: 1 }, endsAt: later(soon, CARD_MS) });
  });

  test("do not delay rows with another endpoint", async () => {
    await pauseEndpoint(usual, "psa-api", inHours(1));
    await pauseEndpoint(usual, "cgc-page", inHours(1));
    expect(await planOf(ONE_OF_EACH)).toMatchObject({
      calls: { psa: 1, cgc: 1, tag: 1 },
      waits: [],
      sources: [{ source: "page" }, { source: "api" }, { source: "api" }],
    });
  });

  test("do not exist behind an endpoint whose pause is over", async () => {
    await pauseEndpoint(usual, "psa-page", inHours(-1));
    expect(await planOf(ONE_OF_EACH, { mode: "scraping" })).toMatchObject({ calls: { psa: 1 }, waits: [] });
  });
});

describe("the planned minutes", () => {
  test("include other people's cards ahead, and follow the lane's pace", async () => {
    const ben = await usual.addPerson();
    await startScan(usual, ben, sheetOf(PSA_CARDS, { reuseKnown: false }));
    const two = PSA_CARDS.slice(0, 2);
    expect((await planOf(two)).minutes).toBe(0.33);
    // CGC cards of the same sheet are in another lane.
    const others: Line[] = [
      ["1100100001", "CGC"],
      ["1100100002", "CGC"],
    ];
    expect((await planOf([...others, ...two])).minutes).toBe(0.33);
    await usual.db.updateTable("lanes").set({ card_ms: 30_000 }).where("name", "=", "psa").execute();
    expect((await planOf(two)).minutes).toBe(2);
  });
});

describe("access to plans", () => {
  test("PSA's quota is for administrators only, and absent if its API is not used", async () => {
    const user = await usual.addPerson();
    expect((await planOf(ONE_OF_EACH, {}, { person: user })).quota).toBeNull();
    expect((await planOf(ONE_OF_EACH, { mode: "scraping" })).quota).toMatchObject({ before: 100, after: 100 });
    expect((await planOf(ONE_OF_EACH, {}, { shop: shops["no credentials"] })).quota).toBeNull();
  });

  test("a plan needs a signed-in user and a sheet with rows", async () => {
    const rows = [{ line: 2, certNumber: "81000001", gradingCompany: "PSA" }];
    expect((await requestPlan(usual, null, { rows })).statusCode).toBe(401);
    expect((await requestPlan(usual, usual.admin, { rows: [] })).statusCode).toBe(400);
    expect((await requestPlan(usual, usual.admin, { rows, mode: "guess" })).statusCode).toBe(400);
    expect((await requestPlan(usual, usual.admin, {})).statusCode).toBe(400);
  });
});
