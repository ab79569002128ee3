import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { seeded } from "@slabdesk/simulator/made-up/seeded.ts";
import type { Call } from "@slabdesk/simulator/doors/call-log.ts";
import { startSimulator, type Simulator } from "@slabdesk/simulator/simulator.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing/test-database.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { killServersLeft, startServerProcess, type ServerProcess } from "./testing/server-process.ts";
import { ADMIN_SETTINGS, signIn, type EventSeen, type SurvivalClient } from "./testing/survival-client.ts";
import { calmSheet, type SurvivalSheet } from "./testing/survival-sheet.ts";

/*
 * Two servers on one database. Each asks a simulator of its own, which is how a test knows who looked a card up.
 */

const SIMULATOR = { latencyMs: 10, hasPlainPictures: true };

let database: TestDatabase;
let folder: { path: string; remove: () => Promise<void> };
let one: Simulator;
let two: Simulator;

beforeEach(async () => {
  database = await createTestDatabase();
  folder = await temporaryFolder();
  [one, two] = await Promise.all([startSimulator(SIMULATOR), startSimulator(SIMULATOR)]);
});
afterEach(async () => {
  await killServersLeft();
  await Promise.all([one.close(), two.close(), database.drop(), folder.remove()]);
});

function startNode(upstreams: Simulator, settings: Record<string, string>): ServerProcess {
  const { host, user, database: name } = database.settings;
  return startServerProcess({
    ...ADMIN_SETTINGS,
    ...upstreams.settings,
    DATABASE_URL: `postgres://${user}@${encodeURIComponent(host)}/${name}`,
    DATA_DIR: folder.path,
    ...settings,
  });
}

/** How often the nodes asked for each certificate, by the first call of a look-up. */
function lookups(...simulators: Simulator[]): Map<string, Call[]> {
  const first = simulators.flatMap(({ calls }) =>
    calls.list().filter((call) => call.cert !== null && call.door.endsWith("-api") && !call.path.includes("Images")),
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
 * Keeps each start that the database gives to a card of a lane, by its own clock in milliseconds since 1970: when
 * it gave it, and from when on it will give the next. How long a node takes from there to its call is the machine's
 * affair; that it never calls before its start is ours.
 */
async function recordStarts(lane: "psa" | "cardladder"): Promise<() => Promise<Start[]>> {
  await query(`
    CREATE TABLE starts (at timestamptz NOT NULL, next timestamptz NOT NULL);
    CREATE FUNCTION keep_start() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO starts VALUES (clock_timestamp(), NEW.next_at); RETURN NULL; END $$;
    CREATE TRIGGER keep_start AFTER UPDATE OF next_at ON lanes
      FOR EACH ROW WHEN (NEW.name = '${lane}') EXECUTE FUNCTION keep_start()`);
  const list = `SELECT floor(EXTRACT(EPOCH FROM at) * 1000)::float8 AS at,
    (EXTRACT(EPOCH FROM next) * 1000)::float8 AS next FROM starts ORDER BY next`;
  return () => query<Start>(list);
}

/** Those that came less than so long after the one before. */
function tooEarly(starts: readonly Start[], delayMs: number): Start[] {
  return starts.slice(1).filter(({ next }, index) => next - (starts[index]?.next ?? 0) < delayMs);
}

async function completed(client: SurvivalClient, origin: string, id: string, withinMs: number): Promise<void> {
  await vi.waitUntil(async () => (await client.session(origin, id)).status === "completed", {
    timeout: withinMs,
    interval: 50,
  });
}

async function expectAllFound(client: SurvivalClient, origin: string, id: string, sheet: SurvivalSheet): Promise<void> {
  const rows = await client.rows(origin, id);
  expect(rows.map((row) => [row.line, row.certNumber, `${row.status}/${row.outcome}`])).toEqual(
    sheet.expected.map((row) => [row.line, row.certNumber, "completed/found"]),
  );
}

test("cards keep their distance over both nodes", { timeout: 60_000 }, async () => {
  const delayMs = 200;
  const settings = { CARD_DELAY_MS: String(delayMs), LANE_CONCURRENCY: "4" };
  const origins = await Promise.all([startNode(one, settings).ready, startNode(two, settings).ready]);
  const listStarts = await recordStarts("psa");
  const client = await signIn(origins[0]);
  const sheet = calmSheet(30, seeded("distance"), ["PSA"]);
  const { id } = await client.upload(origins[0], sheet.sheet, "distance");
  await completed(client, origins[1], id, 40_000);
  await expectAllFound(client, origins[1], id, sheet);

  const starts = await listStarts();
  expect(starts.length).toBe(30);
  expect(tooEarly(starts, delayMs)).toEqual([]);
  const asked = [...lookups(one, two).values()].map((calls) => calls[0]?.at ?? 0).toSorted((a, b) => a - b);
  expect(asked.filter((at, index) => at < (starts[index]?.at ?? Number.POSITIVE_INFINITY))).toEqual([]);
  expect(Math.min(lookups(one).size, lookups(two).size)).toBeGreaterThan(0);
});

test("a browser on one node sees the cards that the other works on", { timeout: 60_000 }, async () => {
  const settings = { CARD_DELAY_MS: "50" };
  const web = await startNode(one, { ...settings, ROLE: "web" }).ready;
  const worker = await startNode(two, { ...settings, ROLE: "worker" }).ready;
  const client = await signIn(web);
  const sheet = calmSheet(30, seeded("browser"));
  const { id } = await client.upload(web, sheet.sheet, "browser");
  const events: EventSeen[] = [];
  const leaving = new AbortController();
  for await (const event of client.follow(web, id, leaving.signal)) {
    events.push(event);
    if (event.session.status !== "processing") break;
  }
  leaving.abort();

  const settled = events.flatMap((event) => event.results.filter((row) => row.status === "completed"));
  expect(new Set(settled.map((row) => row.line))).toEqual(new Set(sheet.expected.map((row) => row.line)));
  expect(events.filter((event) => event.session.status === "processing").length).toBeGreaterThan(2);
  await expectAllFound(client, web, id, sheet);
  expect([lookups(one).size, lookups(two).size]).toEqual([0, 30]);
  expect((await fetch(`${worker}/api/status`)).status).toBe(404);
});

test("cards of a node that is killed are taken up by the other within 30 s", { timeout: 90_000 }, async () => {
  const settings = { CARD_DELAY_MS: "20", REQUEST_TIMEOUT_MS: "60000" };
  for (const door of ["psa-api", "cgc-api", "tag-api"] as const) one.behavior.fail(door, "hang");
  const doomed = startNode(one, settings);
  const client = await signIn(await doomed.ready);
  const sheet = calmSheet(12, seeded("killed"), ["PSA", "CGC", "TAG"]);
  const { id } = await client.upload(await doomed.ready, sheet.sheet, "killed");
  await vi.waitUntil(() => lookups(one).size === 3, { timeout: 20_000 });
  const other = await startNode(two, settings).ready;

  doomed.signal("SIGKILL");
  await completed(client, other, id, 30_000);
  await expectAllFound(client, other, id, sheet);
  expect([...lookups(two).values()].map((calls) => calls.length)).toEqual(sheet.expected.map(() => 1));
  expect((await client.session(other, id)).processedCards).toBe(12);
});

test("a rolling restart loses nothing and looks nothing up twice", { timeout: 90_000 }, async () => {
  const settings = { CARD_DELAY_MS: "150" };
  let nodes = [startNode(one, settings), startNode(two, settings)] as const;
  const client = await signIn(await nodes[0].ready);
  const runs: { id: string; sheet: SurvivalSheet }[] = [];
  for (const round of ["first", "second"]) {
    const [leaving, staying] = nodes;
    const origin = await staying.ready;
    const sheet = calmSheet(30, seeded(round));
    const { id } = await client.upload(origin, sheet.sheet, round);
    runs.push({ id, sheet });
    await vi.waitUntil(async () => (await client.session(origin, id)).processedCards >= 5, { timeout: 20_000 });
    expect((await client.session(origin, id)).status).toBe("processing");
    leaving.signal("SIGTERM");
    expect(await leaving.ended).toBe(0);
    const next = startNode(round === "first" ? one : two, settings);
    await next.ready;
    nodes = [staying, next];
  }
  const origin = await nodes[1].ready;
  for (const { id, sheet } of runs) {
    await completed(client, origin, id, 40_000);
    await expectAllFound(client, origin, id, sheet);
  }
  const asked = [...lookups(one, two)].map(([cert, calls]) => `${cert} ${calls.length}`);
  const certs = new Set(runs.flatMap(({ sheet }) => sheet.expected.map((row) => row.certNumber)));
  expect(asked.toSorted()).toEqual([...certs].map((cert) => `${cert} 1`).toSorted());
});

/** How often each source was asked for each certificate, as "cardladder 41000000 1": by the first call of a card. */
function pricesAsked(...simulators: Simulator[]): string[] {
  const calls = simulators.flatMap(({ calls: log }) => log.list());
  const certs = calls.flatMap(({ door, path, cert, certs: batch = [] }) => {
    if (door === "cardladder" && path.endsWith("buildcollectioncard")) return [`cardladder ${cert}`];
    return door === "cardsiq" ? batch.map((one) => `cardsiq ${one}`) : [];
  });
  return [...Map.groupBy(certs, (cert) => cert)].map(([cert, asked]) => `${cert} ${asked.length}`).toSorted();
}

const askedOnce = ({ expected }: SurvivalSheet, source: string): string[] =>
  [...new Set(expected.map(({ certNumber }) => `${source} ${certNumber} 1`))].toSorted();

/** Every row's price has come to its end, and every certificate's quote is there once for each source. */
async function expectAllPriced(sheet: SurvivalSheet): Promise<void> {
  const states = await query<{ state: string }>(`
    SELECT DISTINCT unnest(ARRAY[cardladder_state, cardsiq_state]) AS state FROM scan_results`);
  expect(states.filter(({ state }) => state !== "priced" && state !== "none")).toEqual([]);
  const quotes = await query<{ quote: string }>(`
    SELECT source || ' ' || cert_number || ' ' || count(*) AS quote FROM price_quotes GROUP BY source, cert_number`);
  const wanted = [...askedOnce(sheet, "cardladder"), ...askedOnce(sheet, "cardsiq")];
  expect(quotes.map(({ quote }) => quote).toSorted()).toEqual(wanted);
}

test("prices keep their distance over both nodes, and no card is asked for twice", { timeout: 60_000 }, async () => {
  const delayMs = 150;
  const settings = { CARD_DELAY_MS: "0", PRICING_DELAY_MS: String(delayMs), LANE_CONCURRENCY: "cardladder=4" };
  const origins = await Promise.all([startNode(one, settings).ready, startNode(two, settings).ready]);
  const listStarts = await recordStarts("cardladder");
  const client = await signIn(origins[0]);
  const sheet = calmSheet(16, seeded("price distance"), ["PSA"]);
  const { id } = await client.upload(origins[0], { ...sheet.sheet, includePricing: true }, "price distance");
  await completed(client, origins[1], id, 40_000);
  await expectAllFound(client, origins[1], id, sheet);
  await expectAllPriced(sheet);

  const starts = await listStarts();
  expect(starts.length).toBe(16);
  expect(tooEarly(starts, delayMs)).toEqual([]);
  expect(pricesAsked(one, two)).toEqual([...askedOnce(sheet, "cardladder"), ...askedOnce(sheet, "cardsiq")]);
  expect(Math.min(one.calls.total("cardladder"), two.calls.total("cardladder"))).toBeGreaterThan(0);
});

test("prices of a node that is killed are taken up by the other within 30 s", { timeout: 90_000 }, async () => {
  const settings = { CARD_DELAY_MS: "0", PRICING_DELAY_MS: "20", REQUEST_TIMEOUT_MS: "60000" };
  for (const door of ["cardladder", "cardsiq"] as const) one.behavior.fail(door, "hang");
  const doomed = startNode(one, settings);
  const client = await signIn(await doomed.ready);
  const sheet = calmSheet(8, seeded("killed at its prices"));
  const { id } = await client.upload(await doomed.ready, { ...sheet.sheet, includePricing: true }, "killed");
  await vi.waitUntil(() => one.calls.total("cardladder") === 1 && one.calls.total("cardsiq") === 1, {
    timeout: 20_000,
  });
  const other = await startNode(two, settings).ready;

  doomed.signal("SIGKILL");
  await completed(client, other, id, 30_000);
  await expectAllFound(client, other, id, sheet);
  await expectAllPriced(sheet);
  expect(pricesAsked(two)).toEqual([...askedOnce(sheet, "cardladder"), ...askedOnce(sheet, "cardsiq")]);
});
