import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEndpoints } from "../../upstreams/http-endpoints.ts";
import { startLocalUpstream, type LocalUpstream, type Reply } from "../../testing/local-upstream.ts";
import type { PriceOutcome, PriceSource, PricedCard } from "../price-source.ts";
import { createCardsIq } from "./source.ts";

const PATH = "/api/price-batch";
const KEY = "iq-key-7";
const CARD: PricedCard = { company: "PSA", certNumber: "102176508" };
const DATA = {
  certification: { label: "2019 Pokemon Pikachu" },
  valuation: { estimatedValue: 150.25, lastSalePrice: 140, confidence: 4 },
  market: { recentSales: [{ date: "2026-11-01", price: 140, platform: "eBay", image: "https://images.test/1.jpg" }] },
  cardsiq: { requiresReview: false },
  errors: {},
};
const entryOf = ({ company, certNumber }: PricedCard, data: unknown = DATA): object => ({
  cert: certNumber,
  grader: company.toLowerCase(),
  data,
});
const LIMITED = { errors: { lookup: "rate limited" } };

let upstream: LocalUpstream;
let open: ReturnType<typeof createEndpoints>;
/** Timeout for upstreams that never answer. All others get the time that a busy machine needs. */
let hasty: ReturnType<typeof createEndpoints>;
const NOW = new Date("2026-11-21T12:00:00Z");

beforeEach(async () => {
  upstream = await startLocalUpstream();
  open = createEndpoints({ REQUEST_TIMEOUT_MS: 20_000 });
  hasty = createEndpoints({ REQUEST_TIMEOUT_MS: 300 });
});
afterEach(async () => {
  await Promise.all([open.close(), hasty.close()]);
  await upstream.close();
});

const json = (status: number, value: unknown, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
});
const html = (status: number, body: string): Reply => ({ status, headers: { "content-type": "text/html" }, body });
const results = (...entries: unknown[]): Reply => json(200, { results: entries });
const HANG: Reply = () => undefined;

function client({ endpoints } = open, key: string | undefined = KEY, base = upstream.origin): PriceSource {
  const settings = { CARDSIQ_API_URL: base, CARDSIQ_API_KEY: key, CARDSIQ_BATCH_SIZE: 10 };
  return createCardsIq({ endpoint: endpoints.cardsiq, settings, now: () => NOW }, 0);
}
async function priceOf(source: PriceSource, card = CARD): Promise<PriceOutcome> {
  const [outcome, ...more] = await source.price([card]);
  if (outcome === undefined || more.length > 0) throw new Error("Not one outcome for one card");
  return outcome;
}
const seenBodies = (): string[] => upstream.seen.map(({ body }) => body);

test("is off without a key and makes no call", async () => {
  const source = client(open, "");
  expect(source.isOn()).toBe(false);
  expect(await source.price([CARD, CARD])).toMatchObject([{ code: "not_configured" }, { code: "not_configured" }]);
  expect(upstream.seen).toEqual([]);
});

test("sends a batch with its key and uses the answer", async () => {
  upstream.on(PATH, results(entryOf(CARD)));
  expect(await priceOf(client())).toEqual({
    code: "found",
    estimateCents: 15_025,
    lastSaleCents: 14_000,
    lastSaleAt: null,
    confidence: 4,
    requiresReview: false,
    month: null,
    sales: [{ soldAt: "2026-11-01T00:00:00.000Z", cents: 14_000, platform: "eBay" }],
    isCut: false,
  });
  expect(upstream.seen.map(({ method, path, headers, body }) => [method, path, headers.authorization, body])).toEqual([
    ["POST", PATH, `Bearer ${KEY}`, '[{"cert":"102176508","grader":"psa"}]'],
  ]);
});

test("accepts a base URL that already has the path", async () => {
  upstream.on(`/iq${PATH}`, results(entryOf(CARD)));
  expect(await priceOf(client(open, KEY, `${upstream.origin}/iq${PATH}`))).toMatchObject({ code: "found" });
  expect(await priceOf(client(open, KEY, `${upstream.origin}/iq`))).toMatchObject({ code: "found" });
});

test("makes no call without cards", async () => {
  expect(await client().price([])).toEqual([]);
  expect(upstream.seen).toEqual([]);
});

test("treats CardsIQ's own failure as no answer about the card", async () => {
  const failed = { error: "Invalid API response", status1: 200, status2: 500 };
  upstream.on(PATH, results({ cert: CARD.certNumber, grader: "psa", data: failed }));
  expect(await priceOf(client())).toMatchObject({ code: "unavailable" });
});

test("reads at most four results for each card", async () => {
  const own = { cert: CARD.certNumber, grader: "psa", data: { valuation: { estimatedValue: 1 } } };
  upstream.on(PATH, results(null, null, null, own));
  expect(await priceOf(client())).toMatchObject({ code: "found" });
  upstream.on(PATH, results(null, null, null, null, own));
  expect(await priceOf(client())).toMatchObject({ code: "unavailable" });
});

test("matches results by number and company, in any order", async () => {
  const cards: PricedCard[] = [
    { company: "PSA", certNumber: "00123456" },
    { company: "PSA", certNumber: "123456" },
    { company: "CGC", certNumber: "123456" },
    { company: "TAG", certNumber: "A1234567" },
    { company: "PSA", certNumber: "999" },
  ];
  const worth = (estimatedValue: number): object => ({ valuation: { estimatedValue } });
  upstream.on(
    PATH,
    results(
      null,
      "noise",
      { cert: {}, grader: "psa", data: worth(9) },
      { cert: "a1234567", grader: "TAG", data: worth(4) },
      { cert: "123456", grader: "cgc", data: worth(3) },
      { cert: 123_456, grader: "psa", data: worth(2) },
      { cert: "00123456", grader: "psa", data: worth(1) },
      { cert: "0999", grader: "psa", data: worth(9) },
      { cert: "999", grader: "bgs", data: worth(9) },
      { cert: "999", data: worth(9) },
    ),
  );
  const outcomes = await client().price(cards);
  expect(outcomes.map((outcome) => (outcome.code === "found" ? outcome.estimateCents : outcome.code))).toEqual([
    100,
    200,
    300,
    400,
    "unavailable",
  ]);
  expect(upstream.seen).toHaveLength(1);
});

describe("a result with", () => {
  const review = { ...DATA, cardsiq: { requiresReview: true } };
  const cases: [string, unknown, object][] = [
    ["doubt", review, { code: "found", requiresReview: true }],
    [
      "an estimate only",
      { valuation: { estimatedValue: "5" } },
      { code: "found", estimateCents: 500, lastSaleCents: null },
    ],
    [
      "a last sale only",
      { valuation: { lastSalePrice: 5 } },
      { code: "found", estimateCents: null, lastSaleCents: 500 },
    ],
    ["no market", { ...DATA, market: undefined }, { code: "found", sales: [] }],
    ["a market of another kind", { ...DATA, market: { recentSales: "many" } }, { code: "found", sales: [] }],
    ["price metrics of 0", { valuation: { estimatedValue: 0, lastSalePrice: 0 } }, { code: "not_found" }],
    ["no price metrics", { valuation: {} }, { code: "not_found" }],
    ["no valuation", { errors: {} }, { code: "not_found" }],
    ["null", null, { code: "not_found" }],
    ["no price metrics and another error", { errors: { valuation: "failed" } }, { code: "unavailable" }],
    ["price metrics and another error", { ...DATA, errors: { market: "failed" } }, { code: "found" }],
    ["errors that are none", { ...DATA, errors: { lookup: null } }, { code: "found" }],
    ["a text", "none", { code: "unavailable" }],
    ["no data", undefined, { code: "unavailable" }],
  ];
  test.each(cases)("%s", async (_what, data, outcome) => {
    upstream.on(PATH, results({ ...entryOf(CARD), data }));
    expect(await priceOf(client())).toMatchObject(outcome);
    expect(upstream.seen).toHaveLength(1);
  });
});

describe("rate-limited cards of a batch", () => {
  const other: PricedCard = { company: "CGC", certNumber: "6016747097" };
  const third: PricedCard = { company: "PSA", certNumber: "154284805" };

  test("are requested once more, in one batch, then settle", async () => {
    upstream.on(
      PATH,
      results(entryOf(CARD, LIMITED), entryOf(other), entryOf(third, LIMITED)),
      results(entryOf(third, LIMITED), entryOf(CARD)),
    );
    expect(await client().price([CARD, other, third])).toMatchObject([
      { code: "found" },
      { code: "found" },
      {
        code: "unavailable",
        message: expect.stringContaining("CardsIQ could not look up the card because of its rate limit") as unknown,
      },
    ]);
    expect(seenBodies()).toEqual([
      '[{"cert":"102176508","grader":"psa"},{"cert":"6016747097","grader":"cgc"},{"cert":"154284805","grader":"psa"}]',
      '[{"cert":"102176508","grader":"psa"},{"cert":"154284805","grader":"psa"}]',
    ]);
  });

  test("all have the second call's outcome", async () => {
    upstream.on(PATH, results(entryOf(CARD, LIMITED), entryOf(other)), json(429, {}));
    expect(await client().price([CARD, other])).toMatchObject([{ code: "quota_exhausted" }, { code: "found" }]);
  });
});

describe("a batch answered with", () => {
  const answers: [string, Reply, string][] = [
    ["401", json(401, { error: "key" }), "forbidden"],
    ["403", json(403, {}), "forbidden"],
    ["403 with a page", html(403, "<html>"), "blocked"],
    ["a challenge", html(503, "<html><head><title>Just a moment...</title></head></html>"), "blocked"],
    ["404", json(404, {}), "unavailable"],
    ["400", json(400, {}), "unavailable"],
    ["500", json(500, {}), "unavailable"],
    ["502 with a page", html(502, "<html>"), "unavailable"],
    ["null", json(200, null), "unavailable"],
    ["an empty object", json(200, {}), "unavailable"],
    ["a list", json(200, [entryOf(CARD)]), "unavailable"],
    ["no results", json(200, { results: null }), "unavailable"],
    ["an empty list of results", results(), "unavailable"],
    ["its error form", json(200, { error: "Invalid API response", status1: 200, status2: 500 }), "unavailable"],
    ["torn JSON", { body: '{"results":[{"cert":"10' }, "unavailable"],
    ["a web page", html(200, "<!DOCTYPE html><p>Hi"), "unavailable"],
    ["a redirect to another host", { status: 302, headers: { location: "http://localhost:1/" } }, "unavailable"],
    ["more than 1 MB", { body: JSON.stringify({ results: [entryOf(CARD)] }).padEnd(1_000_001) }, "unavailable"],
    ["a broken connection", (response) => response.socket?.resetAndDestroy(), "unavailable"],
    ["nothing", HANG, "timeout"],
  ];
  test.each(answers)("%s", async (_what, reply, code) => {
    upstream.on(PATH, reply);
    const outcomes = await client(reply === HANG ? hasty : open).price([CARD, { ...CARD, certNumber: "7" }]);
    const message = expect.stringMatching(/CardsIQ|^Request timeout after/) as unknown;
    expect(outcomes).toMatchObject([
      { code, message: message },
      { code, message: message },
    ]);
  });

  test.each([
    ["its Retry-After", { "retry-after": "90" }, "2026-11-21T12:01:30.000Z"],
    ["a minute without one", {}, "2026-11-21T12:01:00.000Z"],
  ])("429 waits for %s", async (_what, headers, until) => {
    upstream.on(PATH, json(429, {}, headers));
    expect(await priceOf(client())).toMatchObject({ code: "quota_exhausted", until: new Date(until), limit: null });
  });

  test("a page that repeats the key: the cause does not contain it", async () => {
    upstream.on(PATH, json(500, { authorization: `Bearer ${KEY}`, reason: "broken" }));
    const outcome = await priceOf(client());
    const cause = "cause" in outcome && outcome.cause instanceof Error ? outcome.cause.message : "";
    expect(cause).toMatch(/^HTTP 500: .*broken/);
    expect(cause).not.toContain(KEY);
  });
});
