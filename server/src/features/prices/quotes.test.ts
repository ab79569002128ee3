import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cardsiqSchema, pricingSchema } from "@slabdesk/contract/api/prices.ts";
import { magicCert } from "@slabdesk/simulator/endpoints/magic.ts";
import {
  askedPrices,
  finishPrices,
  letQuotesAge,
  makeKnown,
  marketOf,
  pausePrices,
  pricedLines,
  pricedSheet,
  statesOf,
} from "../../testing/price-test.ts";
import { openEndpoints, runSheet, sheetOf, startScan, startScanTest, type ScanTest } from "../../testing/scan-test.ts";
import type { Person } from "../../testing/test-server.ts";

let server: ScanTest;
let ana: Person;
beforeAll(async () => {
  server = await startScanTest({ PRICING_DELAY_MS: "0" });
  ana = await server.addPerson();
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(async () => {
  await openEndpoints(server);
  server.simulator.behavior.heal();
  server.simulator.calls.clear();
  await server.db.deleteFrom("price_quotes").execute();
});

const post = (url: string, payload: object, headers: object = ana.headers) =>
  server.app.inject({ method: "POST", url, headers: { ...headers }, payload });
const cardladder = (payload: object) => post("/api/cardladder-pricing", payload);
const cardsiq = (payload: object) => post("/api/cardsiq-pricing", payload);

describe("POST /api/cardladder-pricing", () => {
  const RECORDED = "154284805";
  let card: { cardName: string; grade: string; gradingCompany: string };
  beforeAll(async () => {
    const [row] = await runSheet(server, ana, sheetOf([[RECORDED, "PSA"]], { mode: "api" }));
    card = { cardName: row?.itemName ?? "", grade: row?.grade ?? "", gradingCompany: "PSA" };
    expect(card.cardName).not.toBe("");
  });

  test("finds a card by its printed name, and a price of the last day without a call", async () => {
    const answer = await cardladder(card);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(pricingSchema.parse(answer.json())).toMatchObject({ cardladderEstimate: 15_600, confidence: 5 });
    expect(askedPrices(server)).toEqual({ cardladder: [RECORDED], cardsiq: [] });
    expect((await cardladder(card)).json()).toEqual(answer.json());
    expect(askedPrices(server).cardladder).toHaveLength(1);
    await letQuotesAge(server, 25);
    await cardladder(card);
    expect(askedPrices(server).cardladder).toHaveLength(2);
  });

  test.each<[what: string, change: (name: string) => object]>([
    ["in other letters and blanks", (name) => ({ cardName: `  ${name.toUpperCase().replaceAll(" ", "  ")}\t` })],
    ["with the grade as a number", () => ({ grade: 10 })],
    ["with the grade as a text", () => ({ grade: "10" })],
    ["with the grade as printed by PSA", () => ({ grade: "GEM MT 10" })],
    ["with the company in small letters", () => ({ gradingCompany: " psa " })],
  ])("%s", async (_what, change) => {
    const answer = await cardladder({ ...card, ...change(card.cardName) });
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { cardladderEstimate: 15_600 }]);
  });

  test("prefers the newer of two cards with the same name and grade", async () => {
    const [line = ["", ""]] = pricedLines(33_000_000, 1);
    await sql`
      INSERT INTO cached_certs (grading_company, cert_number, source, card, notes, fetched_at)
      SELECT grading_company, ${line[0]}, source, card, notes, fetched_at + interval '1 minute' FROM cached_certs
      WHERE cert_number = ${RECORDED}`.execute(server.db);
    expect((await cardladder(card)).json()).toMatchObject({ cardladderEstimate: marketOf(line[0]).estimate });
    await server.db.deleteFrom("cached_certs").where("cert_number", "=", line[0]).execute();
  });

  test("uses the certificate if given, whatever the name", async () => {
    const [line = ["", ""]] = pricedLines(33_000_100, 1);
    const answer = await cardladder({ ...card, cardName: "Somebody else", certNumber: ` ${line[0]} ` });
    expect(answer.json()).toMatchObject({ cardladderEstimate: marketOf(line[0]).estimate });
    expect(askedPrices(server).cardladder).toEqual([line[0]]);
  });

  test.each<[what: string, change: object, status: number, code: string, message: RegExp]>([
    [
      "a name that nobody looked up",
      { cardName: "No such card" },
      404,
      "not_found",
      /^No CardLadder pricing data found/,
    ],
    ["no name", { cardName: " " }, 400, "bad_request", /cardName: needs the name of a card/],
    ["another grade", { grade: 9 }, 404, "not_found", /no PSA 9 of this name/],
    ["a grade that is a word", { grade: "mint" }, 404, "not_found", /^No CardLadder/],
    ["another company", { gradingCompany: "CGC" }, 404, "not_found", /^No CardLadder/],
    ["a company that is not looked up", { gradingCompany: "BGS" }, 400, "bad_request", /PSA.*CGC.*TAG/],
    ["a number that is none", { certNumber: "12-x" }, 400, "invalid_number", /\w/],
    ["a card without a price", { certNumber: magicCert("PSA", "60") }, 404, "not_found", /^No CardLadder pricing data/],
  ])("of %s", async (_what, change, status, code, message) => {
    const answer = await cardladder({ ...card, ...change });
    expect([answer.statusCode, answer.json()]).toMatchObject([status, { code, error: expect.stringMatching(message) }]);
  });

  test("says when to retry while CardLadder is paused, and still serves cached quotes", async () => {
    await cardladder(card);
    await pausePrices(server, ["cardladder"], 600);
    expect((await cardladder(card)).statusCode).toBe(200);
    await letQuotesAge(server, 25);
    const answer = await cardladder(card);
    expect([answer.statusCode, answer.json()]).toMatchObject([502, { code: "unavailable", error: "out of order" }]);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(500);
    expect(askedPrices(server).cardladder).toHaveLength(1);
  });

  test("reports CardLadder's daily limit and its failures with different codes", async () => {
    server.simulator.behavior.fail("cardladder", "server_error");
    expect((await cardladder(card)).json()).toMatchObject({ code: "unavailable" });
    server.simulator.behavior.fail("cardladder", "quota");
    const answer = await cardladder(card);
    expect([answer.statusCode, answer.json()]).toMatchObject([429, { code: "quota_exhausted" }]);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(3_500);
  });
});

describe("POST /api/cardsiq-pricing", () => {
  test("answers by company and number, from the cache for a day", async () => {
    const [line = ["", ""]] = pricedLines(33_000_200, 1);
    const answer = await cardsiq({ grader: "psa", certNumber: ` #${line[0]} ` });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(cardsiqSchema.parse(answer.json()).estimatedValue).toBe(marketOf(line[0]).otherEstimate);
    expect((await cardsiq({ grader: "PSA", certNumber: line[0] })).json()).toEqual(answer.json());
    expect(askedPrices(server)).toEqual({ cardladder: [], cardsiq: [line[0]] });
  });

  test("shares one call among concurrent requests for a card", async () => {
    const [line = ["", ""]] = pricedLines(33_000_300, 1);
    const answers = await Promise.all(Array.from({ length: 5 }, () => cardsiq({ grader: "PSA", certNumber: line[0] })));
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200, 200]);
    expect(askedPrices(server).cardsiq).toEqual([line[0]]);
  });

  test.each<[what: string, payload: object, status: number, code: string, message: RegExp]>([
    ["another company", { grader: "SGC", certNumber: "12345678" }, 400, "bad_request", /PSA.*CGC.*TAG/],
    ["no company", { certNumber: "12345678" }, 400, "bad_request", /grader/],
    ["a number that is none", { grader: "CGC", certNumber: "12" }, 400, "invalid_number", /\w/],
    ["a card without a price", { grader: "PSA", certNumber: magicCert("PSA", "60") }, 404, "not_found", /^No CardsIQ/],
    ["a card that fails", { grader: "PSA", certNumber: magicCert("PSA", "68") }, 502, "unavailable", /CardsIQ/],
  ])("of %s", async (_what, payload, status, code, message) => {
    const answer = await cardsiq(payload);
    expect([answer.statusCode, answer.json()]).toMatchObject([status, { code, error: expect.stringMatching(message) }]);
  });
});

test("a user who is not signed in gets no price", async () => {
  for (const url of ["/api/cardladder-pricing", "/api/cardsiq-pricing"]) {
    expect((await post(url, { grader: "PSA", certNumber: "12345678" }, {})).statusCode).toBe(401);
  }
  expect(askedPrices(server)).toEqual({ cardladder: [], cardsiq: [] });
});

test("concurrent requests for the same card share one call, however wide the lane is", async () => {
  const wide = await startScanTest({ PRICING_DELAY_MS: "0", LANE_CONCURRENCY: "4" });
  try {
    const payload = { grader: "PSA", certNumber: "36000001" };
    const ask = () =>
      wide.app.inject({ method: "POST", url: "/api/cardsiq-pricing", headers: wide.admin.headers, payload });
    const answers = await Promise.all(Array.from({ length: 8 }, ask));
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(wide.simulator.calls.total("cardsiq")).toBe(1);
  } finally {
    await wide.closeAll();
  }
});

test("a single price request for a card doesn't delay the other cards of a run", async () => {
  const wide = await startScanTest({ PRICING_DELAY_MS: "0", LANE_CONCURRENCY: "4" });
  try {
    const lines = pricedLines(37_000_000, 2);
    const [[single] = [""], [other] = [""]] = lines;
    await makeKnown(wide, lines);
    wide.simulator.behavior.hold("cardsiq");
    const { headers } = wide.admin;
    const payload = { grader: "PSA", certNumber: single };
    const answer = wide.app.inject({ method: "POST", url: "/api/cardsiq-pricing", headers, payload });
    await expect.poll(() => askedPrices(wide).cardsiq, { timeout: 20_000 }).toEqual([single]);
    const session = await startScan(wide, wide.admin, pricedSheet(lines));
    await expect.poll(() => askedPrices(wide).cardsiq, { timeout: 20_000 }).toContain(other);
    wide.simulator.behavior.release();
    expect((await answer).statusCode).toBe(200);
    expect(statesOf(await finishPrices(wide, wide.admin, session))).toEqual(["priced priced", "priced priced"]);
    expect(askedPrices(wide).cardsiq.toSorted()).toEqual([single, other].toSorted());
  } finally {
    await wide.closeAll();
  }
});
