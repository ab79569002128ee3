import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { amount } from "../../scripts/test-form.ts";
import { seeded } from "@slabdesk/simulator/made-up/seeded.ts";
import type { Call } from "@slabdesk/simulator/endpoints/call-log.ts";
import { startSimulator, type Simulator } from "@slabdesk/simulator/simulator.ts";
import { createTestDatabase, type TestDatabase } from "../../server/src/database/testing/test-database.ts";
import { temporaryFolder } from "../../server/src/testing/temporary-folder.ts";
import { killServersLeft, startServerProcess, type ServerProcess } from "./testing/server-process.ts";
import { ADMIN_SETTINGS, signIn, type EventSeen, type SurvivalClient } from "./testing/survival-client.ts";
import { calmSheet, type SurvivalSheet } from "./testing/survival-sheet.ts";

/*
 * Several servers on one database. Each has its own simulator, so the test knows which node looked up a card.
 */

const SIMULATOR = { latencyMs: 10, hasPlainImages: true };
/** Much more than an idle machine needs: only a hanging run reaches it. */
const TIMEOUT_MS = 600_000;

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let one: Simulator;
let two: Simulator;
let three: Simulator;

beforeAll(async () => {
  [database, folder, one, two, three] = await Promise.all([
    createTestDatabase(),
    temporaryFolder(),
    startSimulator(SIMULATOR),
    startSimulator(SIMULATOR),
    startSimulator(SIMULATOR),
  ]);
});
afterAll(async () => {
  await killServersLeft();
  await Promise.all([one.close(), two.close(), three.close(), database.end(), folder.remove()]);
});

function startNode(upstreams: Simulator, role: "all" | "web" | "worker"): ServerProcess {
  const { host, user, database: name } = database.settings;
  return startServerProcess({
    ...ADMIN_SETTINGS,
    ...upstreams.settings,
    DATABASE_URL: `postgres://${user}@${encodeURIComponent(host)}/${name}`,
    DATA_DIR: folder.path,
    CARD_DELAY_MS: String(CARD_DELAY_MS),
    PRICING_DELAY_MS: String(PRICING_DELAY_MS),
    LANE_CONCURRENCY: String(LANE_CONCURRENCY),
    REQUEST_TIMEOUT_MS: "120000",
    ROLE: role,
  });
}

/** How often the nodes requested each certificate, by the first call of a lookup. */
function lookups(...simulators: Simulator[]): Map<string, Call[]> {
  const first = simulators.flatMap(({ calls }) =>
    calls
      .list()
      .filter((call) => call.cert !== null && call.endpoint.endsWith("-api") && !call.path.includes("Images")),
  );
  return Map.groupBy(
    first.toSorted((a, b) => a.at - b.at),
    (call) => call.cert ?? "",
  );
}

async function query<T extends pg.QueryResultRow>(text: string): Promise<T[]> {
  const client = new pg.Client(database.settings);
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

type Start = { at: number; next: number };

/**
 * Records each start that the database gives to a card of a lane, in its own milliseconds since 1970: the time of the
 * start, and the earliest time of the next one. How long a node then takes to call depends on the machine; no call may
 * come before its start.
 */
async function recordStarts(): Promise<(lane: "psa" | "cardladder") => Promise<Start[]>> {
  await query(
    `CREATE TABLE starts (lane text NOT NULL, at timestamptz NOT NULL, next timestamptz NOT NULL);
     CREATE FUNCTION keep_start() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN INSERT INTO starts VALUES (NEW.name, clock_timestamp(), NEW.next_at); RETURN NULL; END $$;
     CREATE TRIGGER keep_start AFTER UPDATE OF next_at ON lanes FOR EACH ROW EXECUTE FUNCTION keep_start()`,
  );
  return (lane) =>
    query<Start>(
      `SELECT floor(EXTRACT(EPOCH FROM at) * 1000)::float8 AS at, (EXTRACT(EPOCH FROM next) * 1000)::float8 AS next
       FROM starts WHERE lane = '${lane}' ORDER BY next`,
    );
}

/** Those that came sooner than this after the one before. */
function tooEarly(starts: readonly Start[], delayMs: number): Start[] {
  return starts.slice(1).filter(({ next }, index) => next - (starts[index]?.next ?? 0) < delayMs);
}

async function completed(client: SurvivalClient, origin: string, id: string): Promise<void> {
  await vi.waitUntil(async () => (await client.session(origin, id)).status === "completed", {
    timeout: 300_000,
    interval: 500,
  });
}

async function expectAllFound(client: SurvivalClient, origin: string, id: string, sheet: SurvivalSheet): Promise<void> {
  const rows = await client.rows(origin, id);
  expect(rows.map((row) => [row.line, row.certNumber, `${row.status}/${row.outcome}`])).toEqual(
    sheet.expected.map((row) => [row.line, row.certNumber, "completed/found"]),
  );
}

async function followToTheEnd(client: SurvivalClient, origin: string, id: string): Promise<EventSeen[]> {
  const events: EventSeen[] = [];
  const leaving = new AbortController();
  for await (const event of client.follow(origin, id, leaving.signal)) {
    events.push(event);
    if (event.session.status !== "processing") break;
  }
  leaving.abort();
  return events;
}

const certsOf = ({ expected }: SurvivalSheet): string[] => expected.map(({ certNumber }) => certNumber);

/** How often each source was asked for each certificate, as "cardladder 41000000 1": by the first call of a card. */
function pricesAsked(...simulators: Simulator[]): string[] {
  const calls = simulators.flatMap(({ calls: log }) => log.list());
  const certs = calls.flatMap(({ endpoint, path, cert, certs: batch = [] }) => {
    if (endpoint === "cardladder" && path.endsWith("buildcollectioncard")) return [`cardladder ${cert}`];
    return endpoint === "cardsiq" ? batch.map((one) => `cardsiq ${one}`) : [];
  });
  return [...Map.groupBy(certs, (cert) => cert)].map(([cert, asked]) => `${cert} ${asked.length}`).toSorted();
}

const askedOnce = ({ expected }: SurvivalSheet, source: string): string[] =>
  [...new Set(expected.map(({ certNumber }) => `${source} ${certNumber} 1`))].toSorted();

/** Expects that the session's prices are settled and each source has one quote for each certificate of the sheets. */
async function expectAllPriced(sessionId: string, ...sheets: SurvivalSheet[]): Promise<void> {
  const states = await query<{ state: string }>(
    `SELECT DISTINCT p.state FROM scan_results AS r
     CROSS JOIN unnest(ARRAY['cardladder', 'cardsiq']) AS asked (source)
     LEFT JOIN result_prices AS p ON p.result_id = r.id AND p.source = asked.source
     WHERE r.session_id = '${sessionId}'`,
  );
  expect(states.filter(({ state }) => state !== "priced" && state !== "none")).toEqual([]);
  const quotes = await query<{ quote: string }>(
    "SELECT source || ' ' || cert_number || ' ' || count(*) AS quote FROM price_quotes GROUP BY source, cert_number",
  );
  const wanted = sheets.flatMap((sheet) => [...askedOnce(sheet, "cardladder"), ...askedOnce(sheet, "cardsiq")]);
  expect(quotes.map(({ quote }) => quote).toSorted()).toEqual(wanted.toSorted());
}

const CARD_DELAY_MS = 200;
const PRICING_DELAY_MS = 300;
const LANE_CONCURRENCY = 4;

test("nodes share the work while one stops and another is killed", { timeout: TIMEOUT_MS }, async () => {
  const first = startNode(one, "all");
  await first.ready;
  expect(first.tail()).toContain("as set in ADMIN_PASSWORD");
  expect(first.tail()).not.toContain(ADMIN_SETTINGS.ADMIN_PASSWORD);
  const worker = startNode(two, "worker");
  const web = await startNode(three, "web").ready;
  const client = await signIn(web);
  const listStarts = await recordStarts();

  // A worker serves only its health routes.
  expect((await fetch(`${await worker.ready}/readyz`)).status).toBe(200);
  expect((await fetch(`${await worker.ready}/api/status`)).status).toBe(404);

  // Cards and prices keep their intervals over both nodes, and no card is requested twice.
  const rowCount = amount({ short: 12, long: 30 });
  const distance = calmSheet(rowCount, seeded("distance"), ["PSA"]);
  const { id: distanceId } = await client.upload(web, { ...distance.sheet, includePricing: true }, "distance");
  const events = await followToTheEnd(client, web, distanceId);
  await expectAllFound(client, web, distanceId, distance);
  await expectAllPriced(distanceId, distance);
  const starts = await listStarts("psa");
  expect(starts.length).toBe(rowCount);
  expect(tooEarly(starts, CARD_DELAY_MS)).toEqual([]);
  const asked = [...lookups(one, two).values()].map((calls) => calls[0]?.at ?? 0).toSorted((a, b) => a - b);
  expect(asked.filter((at, index) => at < (starts[index]?.at ?? Number.POSITIVE_INFINITY))).toEqual([]);
  expect(Math.min(lookups(one).size, lookups(two).size)).toBeGreaterThan(0);
  const priceStarts = await listStarts("cardladder");
  expect(priceStarts.length).toBe(rowCount);
  expect(tooEarly(priceStarts, PRICING_DELAY_MS)).toEqual([]);
  expect(pricesAsked(one, two)).toEqual([...askedOnce(distance, "cardladder"), ...askedOnce(distance, "cardsiq")]);
  expect(Math.min(one.calls.total("cardladder"), two.calls.total("cardladder"))).toBeGreaterThan(0);

  // A browser on a web node sees the cards that the workers look up.
  const settled = events.flatMap((event) => event.results.filter((row) => row.status === "completed"));
  expect(new Set(settled.map((row) => row.line))).toEqual(new Set(distance.expected.map((row) => row.line)));
  expect(events.filter((event) => event.session.status === "processing").length).toBeGreaterThan(2);
  expect(three.calls.list()).toEqual([]);

  // A node stops during a run, and the other one continues.
  for (const { behavior } of [one, two]) behavior.hold("psa-api");
  const restart = calmSheet(amount({ short: 8, long: 32 }), seeded("restart"), ["PSA", "PSA", "PSA", "CGC"]);
  const { id: restartId } = await client.upload(await first.ready, restart.sheet, "restart");
  await vi.waitUntil(
    async () => (await client.session(web, restartId)).processedCards === restart.expected.length / 4,
    { timeout: 60_000, interval: 250 },
  );
  expect((await client.session(web, restartId)).status).toBe("processing");
  first.signal("SIGTERM");
  one.behavior.release();
  expect(await first.ended).toBe(0);
  two.behavior.release();
  await completed(client, web, restartId);
  await expectAllFound(client, web, restartId, restart);
  const askedInAll = [...lookups(one, two)].map(([cert, calls]) => `${cert} ${calls.length}`);
  expect(askedInAll.toSorted()).toEqual(
    [distance, restart]
      .flatMap(certsOf)
      .map((cert) => `${cert} 1`)
      .toSorted(),
  );

  // The worker is killed while it waits for the prices of one sheet and the cards of another.
  two.calls.clear();
  for (const endpoint of ["cardladder", "cardsiq"] as const) two.behavior.hold(endpoint);
  const priced = calmSheet(6, seeded("killed at its prices"));
  const { id: pricedId } = await client.upload(web, { ...priced.sheet, includePricing: true }, "prices");
  await vi.waitUntil(() => two.calls.total("cardladder") > 0 && two.calls.total("cardsiq") > 0, { timeout: 60_000 });
  await vi.waitUntil(async () => (await client.session(web, pricedId)).processedCards === priced.expected.length, {
    timeout: 60_000,
    interval: 250,
  });
  for (const endpoint of ["psa-api", "cgc-api", "tag-api"] as const) two.behavior.hold(endpoint);
  const cards = calmSheet(8, seeded("killed"), ["PSA", "PSA", "PSA", "PSA", "PSA", "PSA", "CGC", "TAG"]);
  const { id: cardsId } = await client.upload(web, cards.sheet, "cards");
  const isAsked = (cert: string): boolean => lookups(two).has(cert);
  await vi.waitUntil(() => certsOf(cards).filter(isAsked).length === LANE_CONCURRENCY + 2, { timeout: 60_000 });
  const other = startNode(three, "worker");
  await other.ready;

  worker.signal("SIGKILL");
  await completed(client, web, cardsId);
  await completed(client, web, pricedId);
  await expectAllFound(client, web, cardsId, cards);
  await expectAllFound(client, web, pricedId, priced);
  const askedOfThree = [...lookups(three)].map(([cert, calls]) => `${cert} ${calls.length}`);
  expect(askedOfThree.toSorted()).toEqual(
    certsOf(cards)
      .map((cert) => `${cert} 1`)
      .toSorted(),
  );
  expect((await client.session(web, cardsId)).processedCards).toBe(cards.expected.length);
  await expectAllPriced(pricedId, distance, priced);
  expect(pricesAsked(three)).toEqual([...askedOnce(priced, "cardladder"), ...askedOnce(priced, "cardsiq")]);
  other.signal("SIGTERM");
  expect(await other.ended).toBe(0);
});
