import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PRICE_SOURCES, type PricePlan, type PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import { scanPlanSchema, type ScanPlanRequest } from "@slabdesk/contract/api/plans.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import { amount } from "../../../../scripts/test-form.ts";
import { askedPrices, letQuotesAge, pausePrices } from "../../testing/price-test.ts";
import {
  followUntil,
  openEndpoints,
  rowsOf,
  startScan,
  startScanTest,
  type ScanTest,
} from "../../testing/scan-test.ts";

/*
 * The price plan must match the run: random sheets are planned, then run. A plan cannot know which card has no price,
 * nor how many cards a batch will contain, so a run makes at most the planned calls, and at CardsIQ exactly as many if
 * all cards are cached.
 */

type Shop = { settings: Record<string, string>; on: PriceSourceName[]; batch: number };
const SHOPS: Shop[] = [
  { settings: { CARDSIQ_BATCH_SIZE: "3" }, on: ["cardladder", "cardsiq"], batch: 3 },
  { settings: { CARDSIQ_BATCH_SIZE: "1" }, on: ["cardladder", "cardsiq"], batch: 1 },
  { settings: { CARDSIQ_BATCH_SIZE: "4", CARDLADDER_PASSWORD: "" }, on: ["cardsiq"], batch: 4 },
  { settings: { CARDSIQ_API_KEY: "" }, on: ["cardladder"], batch: 10 },
];
const SHEETS_A_SHOP = amount({ short: 3, long: 10 });
const SHEETS = SHOPS.length * SHEETS_A_SHOP;
/** With the short form's seed, its few sheets cover all kinds, too. */
const SEED = amount({ short: 1546, long: 20261121 });

let shops: (Shop & { test: ScanTest })[] = [];
beforeAll(async () => {
  shops = await Promise.all(
    SHOPS.map(async (shop) => ({ ...shop, test: await startScanTest({ PRICING_DELAY_MS: "0", ...shop.settings }) })),
  );
});
afterAll(async () => {
  await Promise.all(shops.map(({ test: shop }) => shop.closeAll()));
});

const FORMS: Record<Company, string> = { PSA: "3500000", CGC: "110050000", TAG: "B500000" };
type Line = { certNumber: string; gradingCompany: string };
const goodLine: fc.Arbitrary<Line> = fc
  .tuple(fc.constantFrom<Company>(...COMPANIES), fc.integer({ min: 1, max: 9 }))
  .map(([gradingCompany, n]) => ({ certNumber: `${FORMS[gradingCompany]}${n}`, gradingCompany }));
const damagedLine: fc.Arbitrary<Line> = fc.constant({ certNumber: "", gradingCompany: "PSA" });
const line = fc.oneof({ arbitrary: goodLine, weight: 9 }, { arbitrary: damagedLine, weight: 1 });
const situation = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 12 }),
  reuseKnown: fc.boolean(),
  forgetsQuotes: fc.boolean(),
  ages: fc.nat(3).map((n) => n === 0),
  paused: fc.nat(11).map((n) => PRICE_SOURCES[n] ?? null),
});
type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;

async function arrange(shop: ScanTest, { forgetsQuotes, ages, paused }: Situation): Promise<void> {
  await openEndpoints(shop);
  if (forgetsQuotes) {
    await sql`UPDATE price_quotes SET fetched_at = fetched_at - interval '25 hours' WHERE cert_number LIKE '%0_'`.execute(
      shop.db,
    );
  }
  if (ages) await letQuotesAge(shop, 25);
  if (paused) await pausePrices(shop, [paused], 600);
  shop.simulator.calls.clear();
}

function payloadOf({ lines, reuseKnown }: Situation): ScanPlanRequest {
  const rows = lines.map((row, index) => ({ line: index + 2, cells: [row.certNumber, row.gradingCompany], ...row }));
  return { rows, reuseKnown, mode: "api", includePricing: true };
}

async function planPrices(shop: ScanTest, payload: ScanPlanRequest): Promise<{ prices: PricePlan[]; known: boolean }> {
  const { headers } = shop.admin;
  const answer = await shop.app.inject({ method: "POST", url: "/api/scan-plans", headers, payload });
  expect(answer.statusCode, answer.body).toBe(200);
  const { prices, counts } = scanPlanSchema.parse(answer.json());
  return { prices, known: counts.ready === 0 };
}

async function run(shop: ScanTest, payload: ScanPlanRequest) {
  const header = ["CertNumber", "GradingCompany"];
  const session = await startScan(shop, shop.admin, { csvFilename: "box.csv", header, ...payload });
  const isOver = ({ status, prices }: ScanSession) => status === "completed" && prices.pending === 0;
  await followUntil(shop, shop.admin, session.id, (event) => isOver(event.session));
  const rows = await rowsOf(shop, shop.admin, session.id);
  const { headers } = shop.admin;
  // Prices that wait for a paused source would continue when it opens.
  await shop.app.inject({ method: "POST", url: `/api/scan-sessions/${session.id}/stop`, headers });
  return rows;
}

type Seen = PricePlan & { calledAll: boolean; known: boolean };

async function compare({ test: shop, on, batch }: Shop & { test: ScanTest }, given: Situation): Promise<Seen[]> {
  await arrange(shop, given);
  const payload = payloadOf(given);
  const { prices, known } = await planPrices(shop, payload);
  const rows = await run(shop, payload);
  const cardsOf = (list: typeof rows): number => new Set(list.map((row) => row.gradingCompany + row.certNumber)).size;
  const found = rows.filter((row) => row.outcome === "found");
  const asked = askedPrices(shop);
  expect(prices.map(({ source }) => source)).toEqual([...PRICE_SOURCES]);
  return prices.map((plan) => {
    const { source, isOn, cards, cached, calls, until, message } = plan;
    const made = shop.simulator.calls.total(source);
    expect([source, isOn]).toEqual([source, on.includes(source)]);
    if (!isOn) {
      expect([cards, cached, calls, until, message, made]).toEqual([0, 0, 0, null, null, 0]);
      return { ...plan, calledAll: false, known };
    }
    expect([source, cards + cached]).toEqual([source, cardsOf(found)]);
    const waiting = found.filter((row) => row.prices[source].state === "waiting");
    expect([source, message]).toEqual([source, given.paused === source ? "out of order" : null]);
    expect([source, cardsOf(waiting), asked[source].length]).toEqual([
      source,
      until === null ? 0 : cards,
      until === null ? cards : 0,
    ]);
    expect(new Set(asked[source]).size).toBe(asked[source].length);
    const batches = Math.ceil(cards / batch);
    if (source === "cardladder") expect(calls).toBe(cards * 3);
    else if (known) expect(calls).toBe(batches);
    else expect([calls >= batches, calls <= cards]).toEqual([true, true]);
    if (until !== null) return { ...plan, calledAll: false, known };
    expect(made).toBeLessThanOrEqual(calls);
    if (source === "cardsiq" && known) expect(made).toBe(calls);
    return { ...plan, calledAll: made === calls, known };
  });
}

test(`${SHEETS} random sheets request the prices that their plans said`, { timeout: 450_000 }, async () => {
  const seen: Seen[] = [];
  const agree = async (shop: (typeof shops)[number], seed: number): Promise<void> => {
    const property = fc.asyncProperty(situation, async (given) => {
      seen.push(...(await compare(shop, given)));
    });
    await fc.assert(property, { seed, numRuns: SHEETS_A_SHOP, endOnFailure: true });
  };
  await Promise.all(shops.map((shop, index) => agree(shop, SEED + index)));
  expect(seen).toHaveLength(SHEETS * PRICE_SOURCES.length);
  const kinds: Record<string, (plan: Seen) => boolean> = {
    "calls as planned": ({ calls, calledAll }) => calls > 0 && calledAll,
    "batches of known cards": ({ source, calls, known }) => source === "cardsiq" && calls > 0 && known,
    "prices of the last day": ({ cached }) => cached > 0,
    "prices of the last day beside others": ({ cached, cards }) => cached > 0 && cards > 0,
    "prices that wait": ({ until, cards }) => until !== null && cards > 0,
    "a source that is off": ({ isOn }) => !isOn,
  };
  for (const [kind, isOne] of Object.entries(kinds)) {
    expect(seen.filter(isOne).length, `sheets with ${kind}`).toBeGreaterThan(0);
  }
});
