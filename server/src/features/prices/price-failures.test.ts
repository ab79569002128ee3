import { sql } from "kysely";
import { sourceListSchema } from "@slabdesk/contract/api/sources.ts";
import { scanPlanSchema } from "@slabdesk/contract/api/plans.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { magicCert } from "@slabdesk/simulator/endpoints/magic.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { finishPrices, graderCalls, makeKnown, pricedLines, pricedSheet, statesOf } from "../../testing/price-test.ts";
import {
  followUntil,
  openEndpoints,
  rowsOf,
  sessionOf,
  startScan,
  startScanTest,
  type ScanTest,
} from "../../testing/scan-test.ts";
import type { Person } from "../../testing/test-server.ts";

let server: ScanTest;
beforeAll(async () => {
  server = await startScanTest({ PRICING_DELAY_MS: "0", REQUEST_TIMEOUT_MS: "2000" });
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(async () => {
  await openEndpoints(server);
  server.simulator.behavior.heal();
  server.simulator.calls.clear();
});

let next = 31_000_000;
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
const start = (lines: [string, string][], options = {}) => startScan(server, server.admin, pricedSheet(lines, options));
const priceCalls = () => server.simulator.calls.total("cardladder") + server.simulator.calls.total("cardsiq");
/** How often the log says that a run is completed. The last price is sent before it is logged, so poll this. */
async function completions(sessionId: string): Promise<number> {
  await server.activityWritten();
  const rows = await server.db
    .selectFrom("user_activity_logs")
    .select("metadata")
    .where("activity_type", "=", "scan_completed")
    .execute();
  return rows.filter(({ metadata }) => JSON.stringify(metadata).includes(sessionId)).length;
}
/** Ends the pause of a price source. The pause begins a moment after the call that caused it. */
async function letTimePass(): Promise<void> {
  const end = sql`UPDATE endpoints SET paused_until = now() WHERE paused_until > now() RETURNING name`;
  await expect.poll(async () => (await end.execute(server.db)).rows, { timeout: 60_000 }).not.toEqual([]);
}
async function ended(session: ScanSession): Promise<ScanSession> {
  await followUntil(server, server.admin, session.id, (event) => event.session.status !== "processing");
  return sessionOf(server, server.admin, session.id);
}

describe("a price source that", () => {
  test.each(["server_error", "hang", "torn", "html", "reset", "refused", "bot_wall"] as const)(
    "answers with %s fails the price, not the card",
    async (fault) => {
      for (const endpoint of ["cardladder", "cardsiq"] as const) server.simulator.behavior.fail(endpoint, fault);
      const session = await start(await knownLines(2));
      const rows = await finishPrices(server, server.admin, session);
      for (const { status, error, pricing, cardsiq, prices } of rows) {
        expect({ status, error, pricing, cardsiq }).toEqual({
          status: "completed",
          error: null,
          pricing: null,
          cardsiq: null,
        });
        for (const { state, message } of Object.values(prices)) {
          expect([state, message]).toEqual(["failed", expect.stringMatching(/^Failed to fetch pricing: \S.*\w/)]);
        }
      }
      expect(await sessionOf(server, server.admin, session.id)).toMatchObject({
        status: "completed",
        processedCards: 2,
        counts: { completed: 2 },
        prices: { pending: 0, waiting: 0, waits: [] },
      });
      await expect.poll(() => completions(session.id), { timeout: 30_000 }).toBe(1);
    },
  );

  test("fails for one card prices the others, and does not affect the other source", async () => {
    const lines: [string, string][] = [...newLines(2), [magicCert("PSA", "68"), "PSA"]];
    const rows = await finishPrices(server, server.admin, await start(lines));
    expect(statesOf(rows)).toEqual(["priced priced", "priced priced", "priced failed"]);
  });
});

describe("CardLadder's daily limit", () => {
  test("lets prices wait and the run end without them; they arrive after the reset", async () => {
    server.simulator.behavior.fail("cardladder", "quota");
    const session = await start(newLines(4));
    const isAtRest = ({ status, prices }: ScanSession): boolean => status === "completed" && prices.waiting === 4;
    await followUntil(server, server.admin, session.id, (event) => isAtRest(event.session));
    const resting = await sessionOf(server, server.admin, session.id);
    expect(resting.prices).toMatchObject({
      pending: 0,
      waiting: 4,
      waits: [{ source: "cardladder", message: expect.stringContaining("daily limit") as unknown }],
    });
    expect(Date.parse(resting.prices.waits[0]?.until ?? "") - Date.now()).toBeGreaterThan(3_500_000);
    expect(statesOf(await rowsOf(server, server.admin, session.id))).toEqual(
      Array.from({ length: 4 }, () => "waiting priced"),
    );
    expect(server.simulator.calls.count({ endpoint: "cardladder" })).toBe(1);

    // Another run during the pause: graders and the other source continue, CardLadder gets no calls.
    const later = await start(newLines(3));
    expect(await ended(later)).toMatchObject({ status: "completed", counts: { completed: 3 } });
    await followUntil(server, server.admin, later.id, ({ session: { prices } }) => prices.waiting === 3);
    expect(server.simulator.calls.count({ endpoint: "cardladder" })).toBe(1);
    expect(server.simulator.calls.count({ endpoint: "cardsiq" })).toBeGreaterThan(0);

    server.simulator.behavior.heal();
    await letTimePass();
    const rows = await finishPrices(server, server.admin, session);
    expect(statesOf(rows)).toEqual(Array.from({ length: 4 }, () => "priced priced"));
    expect(statesOf(await finishPrices(server, server.admin, later))).toEqual(
      Array.from({ length: 3 }, () => "priced priced"),
    );
    const now = await sessionOf(server, server.admin, session.id);
    expect(now).toMatchObject({ status: "completed", completedAt: resting.completedAt });
    for (const { id } of [session, later]) await expect.poll(() => completions(id), { timeout: 30_000 }).toBe(1);
  });

  test("Stop cancels waiting prices, the cards need no Resume, a reprice requests them again", async () => {
    server.simulator.behavior.fail("cardladder", "quota");
    const session = await start(newLines(2));
    const isAtRest = ({ status, prices }: ScanSession): boolean => status === "completed" && prices.waiting === 2;
    await followUntil(server, server.admin, session.id, (event) => isAtRest(event.session));
    const post = async (what: string): Promise<ScanSession> => {
      const url = `/api/scan-sessions/${session.id}/${what}`;
      const answer = await server.app.inject({ method: "POST", url, headers: server.admin.headers });
      return answer.json();
    };
    expect(await post("stop")).toMatchObject({ status: "completed", prices: { pending: 0, waiting: 0 } });
    server.simulator.behavior.heal();
    await openEndpoints(server);
    // No price arrives before the response is read.
    server.simulator.behavior.hold("cardladder");
    expect(await post("reprice")).toMatchObject({ status: "completed", prices: { pending: 2 } });
    server.simulator.behavior.release();
    const rows = await finishPrices(server, server.admin, session);
    expect(statesOf(rows)).toEqual(["priced priced", "priced priced"]);
    expect(graderCalls(server)).toBe(4);
    await expect.poll(() => completions(session.id), { timeout: 30_000 }).toBe(1);
  });
});

test("after CardLadder refuses three cards of a company, no more are requested; rows, plan, and sources page say so", async () => {
  const { behavior, calls } = server.simulator;
  const { headers } = server.admin;
  behavior.cardladder = { argumentSet: "grade", refused: ["cgc"] };
  const cgc = Array.from({ length: 20 }, (_, n): [string, string] => [String(1500000000100 + n), "CGC"]);
  const rows = await finishPrices(server, server.admin, await start([...newLines(2), ...cgc]));
  const message = "CardLadder refuses CGC cards. Slabdesk tries again a day after the refusal";
  const prices = rows.map(({ prices: { cardladder } }) => cardladder);
  expect(prices.map(({ state }) => state)).toEqual(["priced", "priced", ...cgc.map(() => "none")]);
  // The third refusal is the company's. It doesn't matter which cards are first.
  const ofCards = prices.slice(2).filter((price) => price.message !== message);
  expect(ofCards.map((price) => price.message)).toEqual(
    Array.from({ length: 2 }, () => expect.stringMatching(/^CardLadder refuses CGC \d{13}$/) as unknown),
  );
  const askedCerts = calls.list({ endpoint: "cardladder" }).map(({ cert }) => cert);
  expect(new Set(askedCerts).size).toBe(5);

  const more: [string, string] = ["1500000000200", "CGC"];
  const planned = await server.app.inject({
    method: "POST",
    url: "/api/scan-plans",
    headers,
    payload: pricedSheet([...newLines(1), more]),
  });
  const [cardladder] = scanPlanSchema.parse(planned.json()).prices;
  const refusal = { company: "CGC", until: expect.any(String) as unknown };
  expect(cardladder).toMatchObject({ cards: 1, cached: 0, calls: 3, refused: [{ ...refusal, cards: 1 }] });
  const listed = await server.app.inject({ url: "/api/admin/sources", headers });
  const { sources } = sourceListSchema.parse(listed.json());
  expect(sources.find(({ name }) => name === "cardladder")).toMatchObject({ state: "open", refusals: [refusal] });
  const single = await server.app.inject({
    method: "POST",
    url: "/api/cardladder-pricing",
    headers,
    payload: { cardName: "", grade: "10", gradingCompany: "CGC", certNumber: more[0] },
  });
  expect([single.statusCode, single.json()]).toMatchObject([404, { error: message }]);
  behavior.cardladder = { argumentSet: "condition", refused: [] };
  await sql`DELETE FROM server_settings WHERE name LIKE 'cardladder%'`.execute(server.db);
});

test("five failures in a row pause a source; its prices wait, and one successful probe resumes it", async () => {
  server.simulator.behavior.fail("cardladder", "server_error");
  const session = await start(await knownLines(8));
  const isAtRest = ({ status, prices }: ScanSession): boolean => status === "completed" && prices.waiting === 3;
  await followUntil(server, server.admin, session.id, (event) => isAtRest(event.session));
  const failed = server.simulator.calls.count({ endpoint: "cardladder" });
  expect(failed).toBe(5);
  server.simulator.behavior.heal();
  await letTimePass();
  const rows = await finishPrices(server, server.admin, session);
  expect(statesOf(rows).toSorted()).toEqual([
    ...Array.from({ length: 5 }, () => "failed priced"),
    ...Array.from({ length: 3 }, () => "priced priced"),
  ]);
  expect(server.errors).toEqual([]);
  expect(priceCalls()).toBeGreaterThan(failed);
});

const statesAndMessages = (rows: readonly ResultRow[]) => [
  ...new Set(rows.map(({ prices: { cardladder } }) => `${cardladder.state}: ${cardladder.message}`)),
];
async function reprice({ id }: ScanSession): Promise<void> {
  const url = `/api/scan-sessions/${id}/reprice`;
  const answer = await server.app.inject({ method: "POST", url, headers: server.admin.headers });
  expect(answer.statusCode).toBe(200);
}

test("a wall ends affected prices after a few calls; the next reprice detects that the wall is gone", async () => {
  server.simulator.behavior.fail("cardladder", "bot_wall");
  const session = await start(await knownLines(20));
  await expect.poll(() => server.simulator.calls.count({ endpoint: "cardladder" }), { timeout: 30_000 }).toBe(5);
  await letTimePass();
  const rows = await finishPrices(server, server.admin, session);
  expect(statesAndMessages(rows)).toEqual([
    expect.stringMatching(/^failed: Failed to fetch pricing: .*[^d]$/),
    expect.stringMatching(/^failed: Failed to fetch pricing: .*Not retried: earlier calls were refused$/),
  ]);
  expect(server.simulator.calls.count({ endpoint: "cardladder" })).toBe(6);
  expect(await sessionOf(server, server.admin, session.id)).toMatchObject({ status: "completed" });

  await reprice(session);
  await finishPrices(server, server.admin, session);
  expect(server.simulator.calls.count({ endpoint: "cardladder" })).toBe(7);

  server.simulator.behavior.heal();
  await reprice(session);
  expect(statesOf(await finishPrices(server, server.admin, session))).toEqual(
    Array.from({ length: 20 }, () => "priced priced"),
  );
});

test("prices wait for an outage until the patience ends, and can be asked for again", async () => {
  server.simulator.behavior.fail("cardladder", "server_error");
  const session = await start(await knownLines(8));
  await followUntil(server, server.admin, session.id, (event) => event.session.prices.waiting === 3);
  await sql`UPDATE scan_sessions SET requested_at = requested_at - interval '30 minutes'`.execute(server.db);
  await sql`UPDATE endpoints SET paused_at = paused_at - interval '30 minutes'`.execute(server.db);
  const rows = await finishPrices(server, server.admin, session);
  expect(statesAndMessages(rows).at(-1)).toMatch(/It did not recover within 30 minutes$/);
  expect(server.simulator.calls.count({ endpoint: "cardladder" })).toBe(5);

  server.simulator.behavior.heal();
  await openEndpoints(server);
  await reprice(session);
  expect(statesOf(await finishPrices(server, server.admin, session))).toEqual(
    Array.from({ length: 8 }, () => "priced priced"),
  );
});

test("after a CardsIQ call that hung, the person's cards wait and are requested alone, and colleagues' don't wait", async () => {
  const timeoutMs = 4_000;
  const own = await startScanTest(
    { PRICING_DELAY_MS: "0", REQUEST_TIMEOUT_MS: String(timeoutMs) },
    {},
    { longCallMs: 1_000 },
  );
  onTestFinished(() => own.closeAll());
  const { behavior, calls } = own.simulator;
  const [ana, ben] = [await own.addPerson(), await own.addPerson()];
  const priced = async (person: Person, count: number) => {
    const lines = newLines(count);
    await makeKnown(own, lines);
    return startScan(own, person, pricedSheet(lines));
  };
  await finishPrices(own, ben, await priced(ben, 1));
  behavior.hold("cardsiq");
  const hung = await priced(ana, 3);
  await expect.poll(() => calls.count({ endpoint: "cardsiq" })).toBe(2);
  await new Promise((resolve) => setTimeout(resolve, timeoutMs + 1_000));
  behavior.release();
  expect(statesOf(await finishPrices(own, ben, await priced(ben, 1)))).toEqual(["priced priced"]);
  const states = async () => statesOf(await rowsOf(own, ana, hung.id));
  await expect.poll(states).toEqual(["priced pending", "priced pending", "priced pending"]);
  expect(calls.count({ endpoint: "cardsiq" })).toBe(3);
  expect(statesOf(await finishPrices(own, ana, hung))).toEqual(["priced priced", "priced priced", "priced priced"]);
  expect(calls.count({ endpoint: "cardsiq" })).toBe(6);
}, 60_000);
