import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { magicCert } from "@slabdesk/simulator/endpoints/magic.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import {
  askedPrices,
  finishPrices,
  graderCalls,
  letQuotesAge,
  makeKnown,
  marketOf,
  pausePrices,
  pricedLines,
  pricedSheet,
  statesOf,
} from "../../testing/price-test.ts";
import {
  followUntil,
  openEndpoints,
  rowsOf,
  sessionOf,
  sheetOf,
  startScan,
  startScanTest,
  type ScanTest,
} from "../../testing/scan-test.ts";
import type { Person } from "../../testing/test-server.ts";

let server: ScanTest;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  server = await startScanTest({ PRICING_DELAY_MS: "0" });
  ana = await server.addPerson();
  ben = await server.addPerson();
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(async () => {
  await openEndpoints(server);
  server.simulator.calls.clear();
  server.simulator.behavior.heal();
});

const BOTH = ["cardladder", "cardsiq"] as const;
let next = 30_000_000;
/** Certificates that no other test uses, each with prices. */
function newLines(count: number) {
  const lines = pricedLines(next, count);
  next = Number(lines.at(-1)?.[0] ?? next) + 1;
  return lines;
}
/** The same with cached cards, for tests of prices only. */
async function knownLines(count: number) {
  const lines = newLines(count);
  await makeKnown(server, lines);
  return lines;
}
const certsOf = (lines: readonly (readonly [string, string])[]): string[] => lines.map(([cert]) => cert);
const start = (lines: [string, string][], options = {}) => startScan(server, ana, pricedSheet(lines, options));
const post = (url: string, person: Person = ana, payload: object = {}) =>
  server.app.inject({ method: "POST", url, headers: person.headers, payload });
async function ask(session: ScanSession, what: "stop" | "resume" | "reprice"): Promise<ScanSession> {
  const answer = await post(`/api/scan-sessions/${session.id}/${what}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const getPrice = (row: ResultRow | undefined, person = ana) => post(`/api/scan-results/${row?.id}/pricing`, person);
async function activityOf(sessionId: string, type: "scan_completed" | "pricing_fetch"): Promise<number> {
  await server.activityWritten();
  const rows = await server.db
    .selectFrom("user_activity_logs")
    .select("metadata")
    .where("activity_type", "=", type)
    .execute();
  return rows.filter(({ metadata }) => JSON.stringify(metadata).includes(sessionId)).length;
}
/** Follows a session until its cards are settled, whatever its prices do. */
async function cardsSettled(session: ScanSession) {
  const isSettled = ({ processedCards, totalCards }: ScanSession) => processedCards === totalCards;
  return followUntil(server, ana, session.id, (event) => isSettled(event.session));
}

describe("a run with prices", () => {
  test("shows the card first, its price later, and ends with the last price", async () => {
    await pausePrices(server, BOTH, 20);
    const lines = newLines(3);
    const session = await start([...lines, ["", "PSA"], [magicCert("PSA", "90"), "PSA"]]);
    const before = (await cardsSettled(session)).at(-1);
    expect(before?.session).toMatchObject({
      status: "processing",
      counts: { completed: 3, error: 2 },
      prices: { pending: 6, waiting: 0 },
    });
    const unpriced = await rowsOf(server, ana, session.id);
    const pending = "pending pending";
    expect(statesOf(unpriced)).toEqual([pending, pending, pending, "null null", "null null"]);
    expect(unpriced.map(({ status, pricing }) => [status, pricing])).toEqual([
      ["completed", null],
      ["completed", null],
      ["completed", null],
      ["error", null],
      ["error", null],
    ]);
    expect(askedPrices(server)).toEqual({ cardladder: [], cardsiq: [] });

    await openEndpoints(server);
    const since = before?.session.eventSeq;
    const events = await followUntil(server, ana, session.id, ({ session: s }) => s.status !== "processing", since);
    expect(events.at(-1)?.session).toMatchObject({ status: "completed", prices: { pending: 0, waiting: 0 } });
    const early = events.filter((event) => event.session.status === "processing");
    expect(early.every((event) => event.session.prices.pending > 0)).toBe(true);
    const rows = await rowsOf(server, ana, session.id);
    for (const { certNumber, pricing, cardsiq, pricingThen } of rows.slice(0, 3)) {
      const { estimate, otherEstimate, sales } = marketOf(certNumber);
      expect(pricing).toMatchObject({ cardladderEstimate: estimate, lastSalePrice: sales[0]?.price ?? null });
      expect(cardsiq).toMatchObject({ estimatedValue: otherEstimate });
      expect(pricingThen).toBeNull();
    }
    expect(statesOf(rows)).toEqual([...Array.from({ length: 3 }, () => "priced priced"), "null null", "null null"]);
    // The last price is sent before the end is logged.
    await expect.poll(() => activityOf(session.id, "scan_completed"), { timeout: 30_000 }).toBe(1);
  });

  test("requests no prices without the option", async () => {
    const session = await start(newLines(1), { includePricing: false });
    expect(statesOf(await finishPrices(server, ana, session))).toEqual(["null null"]);
    expect(askedPrices(server)).toEqual({ cardladder: [], cardsiq: [] });
  });

  test("makes one request for duplicates, and for two sessions at once", async () => {
    const [one = ["", ""], two = ["", ""]] = newLines(2);
    const lines: [string, string][] = [one, two, one, [` '${one[0]}`, "psa"]];
    const sessions = await Promise.all([start(lines), start(lines)]);
    for (const session of sessions) {
      expect(statesOf(await finishPrices(server, ana, session))).toEqual(lines.map(() => "priced priced"));
    }
    const { cardladder, cardsiq } = askedPrices(server);
    expect([cardladder.toSorted(), cardsiq.toSorted()]).toEqual([certsOf([one, two]), certsOf([one, two])]);
    expect(server.simulator.calls.total("cardladder")).toBe(6);
  });

  test("caches an answer for a day, also the answer that there is no price", async () => {
    const lines: [string, string][] = [...newLines(2), [magicCert("PSA", "60"), "PSA"]];
    const states = ["priced priced", "priced priced", "none none"];
    const first = await finishPrices(server, ana, await start(lines));
    expect(statesOf(first)).toEqual(states);
    expect(first.map(({ prices }) => [prices.cardladder.message, prices.cardsiq.message])[2]).toEqual([
      "No CardLadder pricing data found for this card",
      "No CardsIQ pricing data found for this card",
    ]);
    server.simulator.calls.clear();
    const second = await start(lines);
    expect(second).toMatchObject({ status: "completed", prices: { pending: 0 } });
    const cached = await rowsOf(server, ana, second.id);
    expect(cached.map(({ pricing, cardsiq }) => [pricing, cardsiq])).toEqual(
      first.map(({ pricing, cardsiq }) => [pricing, cardsiq]),
    );
    expect(statesOf(cached)).toEqual(states);
    expect([graderCalls(server), askedPrices(server)]).toEqual([0, { cardladder: [], cardsiq: [] }]);

    await letQuotesAge(server, 25);
    expect(statesOf(await finishPrices(server, ana, await start(lines)))).toEqual(states);
    expect(graderCalls(server)).toBe(0);
    const { cardladder, cardsiq } = askedPrices(server);
    expect([cardladder, cardsiq.toSorted()]).toEqual([certsOf(lines), certsOf(lines).toSorted()]);
  });
});

describe("Stop and Resume", () => {
  test("cancel the prices and request them again", async () => {
    await pausePrices(server, BOTH, 25);
    const session = await start(newLines(3));
    await cardsSettled(session);
    expect(await ask(session, "stop")).toMatchObject({ status: "failed", prices: { pending: 0, waiting: 0 } });
    expect(statesOf(await rowsOf(server, ana, session.id))).toEqual(["null null", "null null", "null null"]);
    expect(await ask(session, "resume")).toMatchObject({ status: "processing", prices: { pending: 6 } });
    await openEndpoints(server);
    expect(new Set(statesOf(await finishPrices(server, ana, session)))).toEqual(new Set(["priced priced"]));
    expect(await sessionOf(server, ana, session.id)).toMatchObject({ status: "completed", processedCards: 3 });
    expect(askedPrices(server).cardladder).toHaveLength(3);
    // The last price is sent before the end is logged.
    await expect.poll(() => activityOf(session.id, "scan_completed"), { timeout: 30_000 }).toBe(1);
  });

  test("keep a card in flight at Stop; its price comes with Resume", async () => {
    server.simulator.behavior.hold("psa-api");
    const session = await start(newLines(2));
    await followUntil(server, ana, session.id, ({ session: { counts } }) => counts.processing === 1);
    await ask(session, "stop");
    server.simulator.behavior.release();
    await followUntil(server, ana, session.id, ({ session: { counts } }) => counts.completed === 1);
    expect(statesOf(await rowsOf(server, ana, session.id))).toEqual(["null null", "null null"]);
    expect(await sessionOf(server, ana, session.id)).toMatchObject({ status: "failed", prices: { pending: 0 } });
    await ask(session, "resume");
    expect(statesOf(await finishPrices(server, ana, session))).toEqual(["priced priced", "priced priced"]);
    expect(server.simulator.calls.total("psa-api")).toBe(4);
  });

  test("Stop cancels the prices of an ended session, and rows keep existing prices", async () => {
    const session = await start(await knownLines(2));
    const first = await finishPrices(server, ana, session);
    await letQuotesAge(server, 25);
    await pausePrices(server, BOTH, 25);
    expect(await ask(session, "reprice")).toMatchObject({ status: "completed", prices: { pending: 4 } });
    expect(await ask(session, "stop")).toMatchObject({ status: "completed", prices: { pending: 0, waiting: 0 } });
    expect(await rowsOf(server, ana, session.id)).toEqual(first);
    expect(await ask(session, "stop")).toMatchObject({ status: "completed", prices: { pending: 0, waiting: 0 } });
  });
});

describe("repricing", () => {
  test("calls only the price sources, once, and shows the first and the current price", async () => {
    const [line = ["", ""], other = ["", ""]] = await knownLines(2);
    const session = await start([line, other, line]);
    const first = await finishPrices(server, ana, session);
    await ask(session, "reprice");
    expect(await rowsOf(server, ana, session.id)).toEqual(first);

    await letQuotesAge(server, 25);
    server.simulator.calls.clear();
    await Promise.all([ask(session, "reprice"), ask(session, "reprice")]);
    const again = await finishPrices(server, ana, session);
    expect(graderCalls(server)).toBe(0);
    expect(askedPrices(server).cardladder).toEqual(certsOf([line, other]));
    expect(askedPrices(server).cardsiq.toSorted()).toEqual(certsOf([line, other]));
    for (const [index, row] of again.entries()) {
      const before = first[index];
      expect(row.pricingThen).toEqual({ ...before?.pricing, sparkline: [] });
      expect(row.cardsiqThen).toEqual(before?.cardsiq);
      expect(Date.parse(row.pricing?.fetchedAt ?? "")).toBeGreaterThan(Date.parse(before?.pricing?.fetchedAt ?? ""));
    }
    expect(await activityOf(session.id, "pricing_fetch")).toBe(3);

    await letQuotesAge(server, 25);
    await ask(session, "reprice");
    const third = await finishPrices(server, ana, session);
    expect(third.map(({ pricingThen, cardsiqThen }) => [pricingThen, cardsiqThen])).toEqual(
      again.map(({ pricingThen, cardsiqThen }) => [pricingThen, cardsiqThen]),
    );
  });

  test("prices a session that was run without prices", async () => {
    const session = await start(await knownLines(2), { includePricing: false });
    await finishPrices(server, ana, session);
    server.simulator.calls.clear();
    // No price arrives before the response is read.
    for (const endpoint of BOTH) server.simulator.behavior.hold(endpoint);
    expect(await ask(session, "reprice")).toMatchObject({ includePricing: true, prices: { pending: 4 } });
    server.simulator.behavior.release();
    expect(statesOf(await finishPrices(server, ana, session))).toEqual(["priced priced", "priced priced"]);
    expect(graderCalls(server)).toBe(0);
  });

  test("of chosen rows requests only these, and does not change the session's options", async () => {
    const session = await start(await knownLines(3), { includePricing: false });
    const rows = await finishPrices(server, ana, session);
    const [strange] = await finishPrices(server, ana, await start(await knownLines(1), { includePricing: false }));
    const rowIds = [rows[2], rows[0], strange].map((row) => row?.id ?? "");
    for (const endpoint of BOTH) server.simulator.behavior.hold(endpoint);
    const answer = await post(`/api/scan-sessions/${session.id}/reprice`, ana, { rowIds });
    expect(answer.json<ScanSession>()).toMatchObject({ includePricing: false, prices: { pending: 4 } });
    server.simulator.behavior.release();
    const now = await finishPrices(server, ana, session);
    expect(statesOf(now)).toEqual(["priced priced", "null null", "priced priced"]);
    expect(statesOf(await rowsOf(server, ana, strange?.sessionId ?? ""))).toEqual(["null null"]);
    expect(await activityOf(session.id, "pricing_fetch")).toBe(1);
  });

  test("that fails keeps the old price and says why", async () => {
    const session = await start(await knownLines(1));
    const [first] = await finishPrices(server, ana, session);
    // A reviewed mark stays while the row's price is the one that was reviewed.
    const mark = { rowIds: [first?.id], isReviewed: true };
    const reviewedAt = async () => (await rowsOf(server, ana, session.id))[0]?.reviewedAt;
    await post(`/api/scan-sessions/${session.id}/reviewed`, ana, mark);
    await ask(session, "reprice");
    await getPrice(first);
    expect(await reviewedAt()).toMatch(/^20/);
    await letQuotesAge(server, 25);
    for (const endpoint of BOTH) server.simulator.behavior.fail(endpoint, "server_error");
    await ask(session, "reprice");
    const [row] = await finishPrices(server, ana, session);
    const kept = { pricing: first?.pricing, cardsiq: first?.cardsiq, pricingThen: null };
    expect(row).toMatchObject({ ...kept, reviewedAt: null });
    expect(row?.prices.cardladder).toEqual({
      state: "failed",
      message: expect.stringMatching(/^Failed to fetch pricing: CardLadder/),
    });
    expect(row?.prices.cardsiq.state).toBe("failed");
    server.simulator.behavior.heal();
    await openEndpoints(server);
    await post(`/api/scan-sessions/${session.id}/reviewed`, ana, mark);
    expect(await reviewedAt()).toMatch(/^20/);
    await ask(session, "reprice");
    const [now] = await finishPrices(server, ana, session);
    expect(now?.reviewedAt).toBeNull();
    await post(`/api/scan-sessions/${session.id}/reviewed`, ana, mark);
    const again = await start([[first?.certNumber ?? "", "PSA"]]);
    await finishPrices(server, ana, again);
    await ask(session, "reprice");
    expect(await reviewedAt()).toMatch(/^20/);
    expect(now?.prices.cardladder).toEqual({ state: "priced", message: "" });
    expect(now?.pricingThen).toEqual({ ...first?.pricing, sparkline: [] });
  });
});

describe("Get Price", () => {
  test("returns the row, and its duplicates in the session get the price too", async () => {
    const [line = ["", ""], other = ["", ""]] = await knownLines(2);
    const session = await start([line, other, line], { includePricing: false });
    const [first, second] = await finishPrices(server, ana, session);
    const since = (await sessionOf(server, ana, session.id)).eventSeq;
    const answer = await getPrice(first);
    const row = answer.json<ResultRow>();
    expect([answer.statusCode, row.id, statesOf([row])]).toEqual([200, first?.id, ["priced priced"]]);
    expect(row.pricing).toMatchObject({ cardladderEstimate: marketOf(line[0]).estimate });
    const rows = await rowsOf(server, ana, session.id);
    expect(statesOf(rows)).toEqual(["priced priced", "null null", "priced priced"]);
    expect(rows[0]).toEqual(row);
    const [event] = await followUntil(server, ana, session.id, () => true, since);
    expect(event?.results.map(({ line: number }) => number).toSorted()).toEqual([2, 4]);
    expect(askedPrices(server)).toEqual({ cardladder: [line[0]], cardsiq: [line[0]] });
    expect(await activityOf(`"${first?.id}"`, "pricing_fetch")).toBe(1);
    expect(await activityOf(`"${second?.id}"`, "pricing_fetch")).toBe(0);
  });

  test("uses a price of the last day; an older one becomes the first price", async () => {
    const session = await start(await knownLines(1));
    const [first] = await finishPrices(server, ana, session);
    server.simulator.calls.clear();
    expect((await getPrice(first)).json()).toEqual(first);
    expect(askedPrices(server).cardladder).toEqual([]);
    await letQuotesAge(server, 25);
    expect((await getPrice(first)).json()).toMatchObject({ pricingThen: { ...first?.pricing, sparkline: [] } });
    expect(askedPrices(server).cardladder).toHaveLength(1);
  });

  test("says that there is no price, that a row has no card, and hides other people's rows", async () => {
    const session = await start([
      [magicCert("PSA", "60"), "PSA"],
      [magicCert("PSA", "90"), "PSA"],
      ["", "PSA"],
    ]);
    const [none, unknown, empty] = await finishPrices(server, ana, session);
    const answers = await Promise.all([getPrice(none), getPrice(unknown), getPrice(empty), getPrice(none, ben)]);
    expect(answers.map((answer) => [answer.statusCode, answer.json<{ code: string }>().code])).toEqual([
      [404, "not_found"],
      [409, "conflict"],
      [409, "conflict"],
      [404, "no_such_thing"],
    ]);
    expect(answers[0].json<{ error: string }>().error).toBe("No CardLadder pricing data found for this card");
    expect((await getPrice(none, server.admin)).statusCode).toBe(404);
  });

  test("reports a failure in the answer and on the row, and can be repeated", async () => {
    const session = await start(await knownLines(1), { includePricing: false });
    const [first] = await finishPrices(server, ana, session);
    for (const endpoint of BOTH) server.simulator.behavior.fail(endpoint, "server_error");
    const answer = await getPrice(first);
    expect([answer.statusCode, answer.json()]).toMatchObject([502, { code: "unavailable" }]);
    expect(statesOf(await rowsOf(server, ana, session.id))).toEqual(["failed failed"]);
    server.simulator.behavior.heal();
    expect((await getPrice(first)).statusCode).toBe(200);
  });

  test("completes the run if it fetches the last price", async () => {
    await pausePrices(server, BOTH, 25);
    const session = await start(await knownLines(1));
    await cardsSettled(session);
    const [row] = await rowsOf(server, ana, session.id);
    const refused = await getPrice(row);
    expect([refused.statusCode, Number(refused.headers["retry-after"]) > 0]).toEqual([502, true]);
    expect(statesOf(await rowsOf(server, ana, session.id))).toEqual(["pending pending"]);
    // Another session's quotes price the card at both sources meanwhile.
    await quoteFor(row?.certNumber ?? "");
    expect((await getPrice(row)).statusCode).toBe(200);
    expect(await sessionOf(server, ana, session.id)).toMatchObject({ status: "completed", prices: { pending: 0 } });
    expect(await activityOf(session.id, "scan_completed")).toBe(1);
  });

  test("leaves database connections for colleagues while many wait for the session", async () => {
    const [row] = await finishPrices(server, ana, await start(await knownLines(1)));
    const waiting = await server.db.transaction().execute(async (trx) => {
      await sql`SELECT FROM scan_sessions WHERE id = ${row?.sessionId} FOR UPDATE`.execute(trx);
      const asked = Array.from({ length: 10 }, () => getPrice(row));
      await vi.waitUntil(async () => (await countLockWaits()) > 0, { timeout: 20_000 });
      for (let n = 0; n < 50; n += 1) {
        const profile = await server.app.inject({ url: "/api/profile", headers: ben.headers });
        expect(profile.statusCode).toBe(200);
      }
      expect(await countLockWaits()).toBe(1);
      return asked;
    });
    const answers = await Promise.all(waiting);
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  });

  test("is refused while twenty prices wait", async () => {
    const session = await start(await knownLines(24), { includePricing: false });
    const rows = await finishPrices(server, ana, session);
    for (const source of BOTH) server.simulator.behavior.hold(source);
    const asked = rows.map((row) => getPrice(row));
    // Ten rows wait for both sources. The others are refused, those that arrive last perhaps before they are priced.
    const refusal = await Promise.any(
      asked.map(async (one) => {
        const answer = await one;
        expect(answer.json()).toMatchObject({
          code: "too_many_requests",
          error: expect.stringMatching(/^20 of your single/),
        });
        return answer;
      }),
    );
    expect(refusal.statusCode).toBe(429);
    server.simulator.behavior.release();
    const answers = await Promise.all(asked);
    const refused = answers.filter((answer) => answer.statusCode === 429);
    expect(answers.filter((answer) => answer.statusCode === 200).length + refused.length).toBe(24);
  });
});

async function countLockWaits(): Promise<number> {
  const { rows } = await sql`
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(server.db);
  return rows.length;
}

/** Both sources' quotes of a card, as from another session. */
async function quoteFor(certNumber: string): Promise<void> {
  const newest = await server.db
    .selectFrom("price_quotes")
    .select(["source", "price", "sales"])
    .distinctOn("source")
    .where("price", "is not", null)
    .orderBy("source")
    .execute();
  await server.db
    .insertInto("price_quotes")
    .values(
      newest.map(({ source, price, sales }) => ({
        source,
        price: JSON.stringify(price),
        sales: JSON.stringify(sales),
        grading_company: "PSA" as const,
        cert_number: certNumber,
        message: "",
        fetched_at: new Date(),
      })),
    )
    .execute();
}

describe("a row's sales", () => {
  test("are those behind its prices, newest first, for its owner only", async () => {
    const [line = ["", ""]] = await knownLines(1);
    const [row] = await finishPrices(server, ana, await start([line]));
    const url = `/api/scan-results/${row?.id}/sales`;
    const answer = await server.app.inject({ url, headers: ana.headers });
    const { cardladder } = answer.json<{ cardladder: { price: number; soldAt: string }[] }>();
    expect(cardladder.map(({ price, soldAt }) => ({ price, date: soldAt }))).toEqual(
      marketOf(line[0]).sales.map(({ price, date }) => ({ price, date })),
    );
    expect((await server.app.inject({ url, headers: ben.headers })).statusCode).toBe(404);
    const [bare] = await finishPrices(server, ana, await start(await knownLines(1), { includePricing: false }));
    const none = await server.app.inject({ url: `/api/scan-results/${bare?.id}/sales`, headers: ana.headers });
    expect(none.json()).toEqual({ cardladder: [], cardsiq: [] });
  });
});

describe("the offer rule", () => {
  const rule = { metric: "medianPrice", tiers: [{ from: 0, percent: 60 }], roundTo: 1, rounding: "down" };
  const change = (session: ScanSession, payload: object, person = ana) =>
    server.app.inject({ method: "PATCH", url: `/api/scan-sessions/${session.id}`, headers: person.headers, payload });

  test("is stored with the session, sent to followers, and can be removed", async () => {
    const session = await startScan(server, ana, sheetOf([["", "PSA"]]));
    const answer = await change(session, { offerRule: rule });
    expect([answer.statusCode, answer.json<ScanSession>().offerRule]).toEqual([200, rule]);
    const [event] = await followUntil(server, ana, session.id, () => true, session.eventSeq);
    expect(event?.session.offerRule).toEqual(rule);
    expect((await change(session, { offerRule: null })).json<ScanSession>().offerRule).toBeNull();
    expect((await change(session, { offerRule: rule }, ben)).statusCode).toBe(404);
    expect((await sessionOf(server, ana, session.id)).offerRule).toBeNull();
  });

  test.each<[string, object]>([
    ["offerRule.tiers", { ...rule, tiers: [] }],
    ["offerRule.tiers.0.percent", { ...rule, tiers: [{ from: 0, percent: 101 }] }],
    [
      "offerRule.tiers.1.from",
      {
        ...rule,
        tiers: [
          { from: 0, percent: 1 },
          { from: -1, percent: 1 },
        ],
      },
    ],
    ["offerRule.roundTo", { ...rule, roundTo: 3 }],
    ["offerRule.metric", { ...rule, metric: "guess" }],
  ])("with a bad %s is refused by its name", async (field, offerRule) => {
    const session = await startScan(server, ana, sheetOf([["", "PSA"]]));
    const answer = await change(session, { offerRule });
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: "bad_request" }]);
    expect(Object.keys(answer.json<{ fields: object }>().fields)).toEqual([field]);
  });
});

test("other people's sessions cannot be repriced", async () => {
  const session = await startScan(server, ana, sheetOf([["", "PSA"]]));
  expect((await post(`/api/scan-sessions/${session.id}/reprice`, ben)).statusCode).toBe(404);
  expect((await post("/api/scan-sessions/nothing/reprice")).statusCode).toBe(404);
  expect((await post("/api/scan-results/1x/pricing")).statusCode).toBe(404);
});
