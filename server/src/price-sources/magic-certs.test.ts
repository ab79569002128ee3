import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import { startSimulator, type Simulator } from "@slabdesk/simulator/simulator.ts";
import { parseConfig } from "../config.ts";
import { openDatabase, openPool, type Database } from "../database/connection.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing/test-database.ts";
import { createEndpoints } from "../upstreams/http-endpoints.ts";
import { createSourceNotes } from "../upstreams/source-notes.ts";
import { createCardLadder } from "./cardladder/source.ts";
import { createCardsIq } from "./cardsiq/source.ts";
import type { PriceFound, PriceOutcome, PriceSource } from "./price-source.ts";

let testDatabase: TestDatabase;
let db: Database;
let simulator: Simulator;
let open: ReturnType<typeof createEndpoints>;
let now: Date;
let cardladder: PriceSource;
let cardsiq: PriceSource;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = openDatabase(openPool(testDatabase.settings, (error) => expect.unreachable(error.message)));
  simulator = await startSimulator({ hasPlainImages: true });
  open = createEndpoints({ REQUEST_TIMEOUT_MS: 3000 });
});
beforeEach(() => {
  now = new Date();
  const settings = parseConfig(simulator.settings);
  const notes = createSourceNotes(db, "cardladder", "live");
  cardladder = createCardLadder({ endpoints: open.endpoints, settings, now: () => now, notes });
  cardsiq = createCardsIq({ endpoint: open.endpoints.cardsiq, settings, now: () => now }, 0);
  simulator.calls.clear();
});
afterAll(async () => {
  await open.close();
  await simulator.close();
  await db.destroy();
  await testDatabase.end();
});

const PREFIX: Record<Company, string> = { PSA: "999999", CGC: "99999999", TAG: "X99999" };

async function priceOf(source: PriceSource, company: Company, certNumber: string): Promise<PriceOutcome> {
  const [outcome] = await source.price([{ company, certNumber }]);
  if (!outcome) throw new Error(`No outcome of ${company} ${certNumber}`);
  return outcome;
}
async function foundOf(source: PriceSource, company: Company, certNumber: string): Promise<PriceFound> {
  const outcome = await priceOf(source, company, certNumber);
  if (outcome.code !== "found") throw new Error(`Not found but ${outcome.code}: ${outcome.message}`);
  return outcome;
}

/** The parts of a price: its estimate, its last sale, its sales. */
function holdingsOf(outcome: PriceOutcome): string {
  if (outcome.code !== "found") return outcome.code;
  const parts = [
    outcome.estimateCents === null ? "" : "estimate",
    outcome.lastSaleCents === null ? "" : "last",
    outcome.sales.length === 0 ? "" : "sales",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

const CASES: [ending: string, what: string, cardladder: string, cardsiq: string][] = [
  ["60", "no prices", "not_found", "not_found"],
  ["61", "no sales", "estimate", "estimate"],
  ["62", "no estimate", "last sales", "last sales"],
  ["63", "CardLadder's daily limit", "quota_exhausted", "estimate last sales"],
  ["64", "no answer", "timeout", "timeout"],
  ["65", "5xx", "unavailable", "unavailable"],
  ["66", "a half grade in the other form", "estimate last sales", "estimate last sales"],
  ["67", "CardsIQ's rate limit, once", "estimate last sales", "estimate last sales"],
  ["68", "CardsIQ's rate limit", "estimate last sales", "unavailable"],
  ["69", "estimates 38 % apart", "estimate last sales", "estimate last sales"],
];
test.each(CASES)("magic cert %s, %s", async (ending, _what, ...holdings) => {
  const outcomes = await Promise.all(
    COMPANIES.flatMap((company) =>
      [cardladder, cardsiq].map((source) => priceOf(source, company, `${PREFIX[company]}${ending}`)),
    ),
  );
  expect(outcomes.map(holdingsOf)).toEqual(COMPANIES.flatMap(() => holdings));
});

test("the estimates of 69 are 38 % apart", async () => {
  const [one, other] = await Promise.all([foundOf(cardladder, "PSA", "99999969"), foundOf(cardsiq, "PSA", "99999969")]);
  const estimates = [one.estimateCents ?? 0, other.estimateCents ?? 0];
  expect(Math.max(...estimates) / Math.min(...estimates)).toBeCloseTo(1.38, 2);
});

test("CardLadder and CardsIQ list the same sales of a card", async () => {
  const [one, other] = await Promise.all([foundOf(cardladder, "PSA", "98174651"), foundOf(cardsiq, "PSA", "98174651")]);
  expect(one.sales.length).toBeGreaterThan(0);
  expect(one.sales).toEqual(expect.arrayContaining([...other.sales]));
});

test("the recorded estimate is exact", async () => {
  expect(await foundOf(cardladder, "PSA", "154284805")).toMatchObject({
    estimateCents: 1_560_000,
    lastSaleCents: 1_560_000,
    lastSaleAt: "2026-04-29T03:59:01.000Z",
    confidence: 5,
    month: { count: 12, averageCents: 1_635_983 },
  });
});

test("a batch with one rate-limited card is one call and one more", async () => {
  const cards = ["98174651", "99999968", "154284805"].map((certNumber) => ({ company: "PSA" as const, certNumber }));
  const outcomes = await cardsiq.price(cards);
  expect(outcomes.map(({ code }) => code)).toEqual(["found", "unavailable", "found"]);
  expect(simulator.calls.count({ endpoint: "cardsiq" })).toBe(2);
});

test("twenty cards with an expired token need one refresh; the refresh token rotates", async () => {
  const certs = Array.from({ length: 20 }, (_none, at) => String(98_174_651 + at));
  const askAll = async (): Promise<string[]> => {
    const outcomes = await Promise.all(certs.map((cert) => priceOf(cardladder, "PSA", cert)));
    return [...new Set(outcomes.map(({ code }) => code))].filter((code) => code !== "found" && code !== "not_found");
  };
  const authSessions = (): number[] =>
    ["/cardladder-auth", "/cardladder-token"].map((path) => simulator.calls.count({ path }));
  expect([await askAll(), authSessions()]).toEqual([[], [1, 0]]);
  now = new Date(now.getTime() + 56 * 60_000);
  expect([await askAll(), authSessions()]).toEqual([[], [1, 1]]);
  now = new Date(now.getTime() + 56 * 60_000);
  expect([await askAll(), authSessions()]).toEqual([[], [1, 2]]);
});

test("a token that is refused early is replaced", async () => {
  expect(await priceOf(cardladder, "PSA", "98174651")).toMatchObject({ code: "found" });
  simulator.behavior.renewDay();
  expect(await priceOf(cardladder, "PSA", "154284805")).toMatchObject({ code: "found" });
});
