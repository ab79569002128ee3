import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { amount } from "../../../scripts/test-form.ts";
import { seeded } from "@slabdesk/simulator/made-up/seeded.ts";
import type { Call } from "@slabdesk/simulator/doors/call-log.ts";
import { startSimulator, type Simulator } from "@slabdesk/simulator/simulator.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing/test-database.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { killServersLeft, startServerProcess, type ServerProcess } from "./testing/server-process.ts";
import { ADMIN_SETTINGS, signIn, type EventSeen, type SurvivalClient } from "./testing/survival-client.ts";
import { calmSheet, type SurvivalSheet } from "./testing/survival-sheet.ts";

/*
 * Two servers on one database. Each asks a simulator of its own, so a test knows which node looked a card up. The tests
 * run side by side, because one of them waits until the database gives a dead node's jobs back.
 */

const SIMULATOR = { latencyMs: 10, hasPlainPictures: true };
/** Far more than a quiet machine needs: only a run that hangs reaches it. */
const TIMEOUT_MS = 600_000;

afterAll(killServersLeft);

/** A database for two nodes, and a simulator for each of them. */
type Pair = {
  one: Simulator;
  two: Simulator;
  database: TestDatabase;
  startNode(upstreams: Simulator, settings: Record<string, string>): ServerProcess;
};

async function withPair(work: (pair: Pair) => Promise<void>): Promise<void> {
  const [database, folder, one, two] = await Promise.all([
    createTestDatabase(),
    temporaryFolder(),
    startSimulator(SIMULATOR),
    startSimulator(SIMULATOR),
  ]);
  const { host, user, database: name } = database.settings;
  const started: ServerProcess[] = [];
  const startNode: Pair["startNode"] = (upstreams, settings) => {
    const node = startServerProcess({
      ...ADMIN_SETTINGS,
      ...upstreams.settings,
      DATABASE_URL: `postgres://${user}@${encodeURIComponent(host)}/${name}`,
      DATA_DIR: folder.path,
      ...settings,
    });
    started.push(node);
    return node;
  };
  try {
    await work({ one, two, database, startNode });
  } finally {
    for (const node of started) node.signal("SIGKILL");
    await Promise.all(started.map((node) => node.ended));
    await Promise.all([one.close(), two.close(), database.drop(), folder.remove()]);
  }
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

async function query<T extends pg.QueryResultRow>({ settings }: TestDatabase, text: string): Promise<T[]> {
  const client = new pg.Client(settings);
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

type Start = { at: number; next: number };

/**
 * Records each start that the database gives to a card of a lane, by its own clock in milliseconds since 1970: when it
 * gave the start, and from when on it gives the next one. How long a node then takes to call is up to the machine; that
 * no call comes before its start is up to us.
 */
async function recordStarts(database: TestDatabase): Promise<(lane: "psa" | "cardladder") => Promise<Start[]>> {
  await query(
    database,
    `CREATE TABLE starts (lane text NOT NULL, at timestamptz NOT NULL, next timestamptz NOT NULL);
     CREATE FUNCTION keep_start() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN INSERT INTO starts VALUES (NEW.name, clock_timestamp(), NEW.next_at); RETURN NULL; END $$;
     CREATE TRIGGER keep_start AFTER UPDATE OF next_at ON lanes FOR EACH ROW EXECUTE FUNCTION keep_start()`,
  );
  return (lane) =>
    query<Start>(
      database,
      `SELECT floor(EXTRACT(EPOCH FROM at) * 1000)::float8 AS at, (EXTRACT(EPOCH FROM next) * 1000)::float8 AS next
       FROM starts WHERE lane = '${lane}' ORDER BY next`,
    );
}

/** Those that came less than so long after the one before. */
function tooEarly(starts: readonly Start[], delayMs: number): Start[] {
  return starts.slice(1).filter(({ next }, index) => next - (starts[index]?.next ?? 0) < delayMs);
}

async function completed(client: SurvivalClient, origin: string, id: string): Promise<void> {
  await vi.waitUntil(async () => (await client.session(origin, id)).status === "completed", {
    timeout: 300_000,
    interval: 150,
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
  const certs = calls.flatMap(({ door, path, cert, certs: batch = [] }) => {
    if (door === "cardladder" && path.endsWith("buildcollectioncard")) return [`cardladder ${cert}`];
    return door === "cardsiq" ? batch.map((one) => `cardsiq ${one}`) : [];
  });
  return [...Map.groupBy(certs, (cert) => cert)].map(([cert, asked]) => `${cert} ${asked.length}`).toSorted();
}

const askedOnce = ({ expected }: SurvivalSheet, source: string): string[] =>
  [...new Set(expected.map(({ certNumber }) => `${source} ${certNumber} 1`))].toSorted();

/** Every row's price has come to its end, and every certificate's quote is there once for each source. */
async function expectAllPriced(database: TestDatabase, sessionId: string, sheet: SurvivalSheet): Promise<void> {
  const states = await query<{ state: string }>(
    database,
    `SELECT DISTINCT unnest(ARRAY[cardladder_state, cardsiq_state]) AS state FROM scan_results
     WHERE session_id = '${sessionId}'`,
  );
  expect(states.filter(({ state }) => state !== "priced" && state !== "none")).toEqual([]);
  const quotes = await query<{ quote: string }>(
    database,
    "SELECT source || ' ' || cert_number || ' ' || count(*) AS quote FROM price_quotes GROUP BY source, cert_number",
  );
  const wanted = [...askedOnce(sheet, "cardladder"), ...askedOnce(sheet, "cardsiq")];
  expect(quotes.map(({ quote }) => quote).toSorted()).toEqual(wanted);
}

const CARD_DELAY_MS = 200;
const PRICING_DELAY_MS = 300;
const ROWS = amount({ short: 12, long: 30 });
/** So many settled rows are the middle of a run. */
const MIDDLE = amount({ short: 2, long: 5 });
/** Most cards share a lane, so that the run lasts long enough to be caught in its middle. */
const MOSTLY_PSA = ["PSA", "PSA", "PSA", "CGC", "TAG"] as const;

test.concurrent("two nodes share the work, also while they are restarted in turn", { timeout: TIMEOUT_MS }, () =>
  withPair(async ({ one, two, database, startNode }) => {
    const settings = {
      CARD_DELAY_MS: String(CARD_DELAY_MS),
      PRICING_DELAY_MS: String(PRICING_DELAY_MS),
      LANE_CONCURRENCY: "4",
    };
    const first = startNode(one, settings);
    const second = startNode(two, settings);
    const client = await signIn(await first.ready);
    const listStarts = await recordStarts(database);

    // Cards and prices keep their distance over both nodes, and no card is asked for twice.
    const distance = calmSheet(ROWS, seeded("distance"), ["PSA"]);
    const priced = await client.upload(await first.ready, { ...distance.sheet, includePricing: true }, "distance");
    await completed(client, await second.ready, priced.id);
    await expectAllFound(client, await second.ready, priced.id, distance);
    await expectAllPriced(database, priced.id, distance);
    const starts = await listStarts("psa");
    expect(starts.length).toBe(ROWS);
    expect(tooEarly(starts, CARD_DELAY_MS)).toEqual([]);
    const asked = [...lookups(one, two).values()].map((calls) => calls[0]?.at ?? 0).toSorted((a, b) => a - b);
    expect(asked.filter((at, index) => at < (starts[index]?.at ?? Number.POSITIVE_INFINITY))).toEqual([]);
    expect(Math.min(lookups(one).size, lookups(two).size)).toBeGreaterThan(0);
    const priceStarts = await listStarts("cardladder");
    expect(priceStarts.length).toBe(ROWS);
    expect(tooEarly(priceStarts, PRICING_DELAY_MS)).toEqual([]);
    expect(pricesAsked(one, two)).toEqual([...askedOnce(distance, "cardladder"), ...askedOnce(distance, "cardsiq")]);
    expect(Math.min(one.calls.total("cardladder"), two.calls.total("cardladder"))).toBeGreaterThan(0);

    // A rolling restart: each node leaves in the middle of a run, while the other works on.
    const runs: { id: string; sheet: SurvivalSheet }[] = [];
    const leaveInMidRun = async (leaving: ServerProcess, name: string): Promise<void> => {
      const origin = await second.ready;
      const sheet = calmSheet(ROWS, seeded(name), MOSTLY_PSA);
      const { id } = await client.upload(origin, sheet.sheet, name);
      runs.push({ id, sheet });
      await vi.waitUntil(async () => (await client.session(origin, id)).processedCards >= MIDDLE, { timeout: 60_000 });
      expect((await client.session(origin, id)).status).toBe("processing");
      leaving.signal("SIGTERM");
      expect(await leaving.ended).toBe(0);
    };
    await leaveInMidRun(first, "first restart");
    const worker = await startNode(one, { ...settings, ROLE: "worker" }).ready;
    await leaveInMidRun(second, "second restart");
    const web = await startNode(two, { ...settings, ROLE: "web" }).ready;
    for (const { id, sheet } of runs) {
      await completed(client, web, id);
      await expectAllFound(client, web, id, sheet);
    }
    const certs = new Set([distance, ...runs.map(({ sheet }) => sheet)].flatMap(certsOf));
    const askedInAll = [...lookups(one, two)].map(([cert, calls]) => `${cert} ${calls.length}`);
    expect(askedInAll.toSorted()).toEqual([...certs].map((cert) => `${cert} 1`).toSorted());

    // A browser on one node sees the cards that the other works on.
    const sheet = calmSheet(ROWS, seeded("browser"), MOSTLY_PSA);
    const { id } = await client.upload(web, sheet.sheet, "browser");
    const events = await followToTheEnd(client, web, id);
    const settled = events.flatMap((event) => event.results.filter((row) => row.status === "completed"));
    expect(new Set(settled.map((row) => row.line))).toEqual(new Set(sheet.expected.map((row) => row.line)));
    expect(events.filter((event) => event.session.status === "processing").length).toBeGreaterThan(2);
    await expectAllFound(client, web, id, sheet);
    const seenBy = (simulator: Simulator): number =>
      certsOf(sheet).filter((cert) => lookups(simulator).has(cert)).length;
    expect([seenBy(one), seenBy(two)]).toEqual([ROWS, 0]);
    expect((await fetch(`${worker}/api/status`)).status).toBe(404);
  }),
);

test.concurrent("the other node takes up the cards and prices of one that is killed", { timeout: TIMEOUT_MS }, () =>
  withPair(async ({ one, two, database, startNode }) => {
    const settings = { CARD_DELAY_MS: "20", PRICING_DELAY_MS: "20", REQUEST_TIMEOUT_MS: "120000" };
    for (const door of ["cardladder", "cardsiq"] as const) one.behavior.fail(door, "hang");
    const doomed = startNode(one, settings);
    const origin = await doomed.ready;
    const client = await signIn(origin);

    // It dies while it waits for prices of one sheet ...
    const priced = calmSheet(8, seeded("killed at its prices"));
    const { id: pricedId } = await client.upload(origin, { ...priced.sheet, includePricing: true }, "prices");
    await vi.waitUntil(() => one.calls.total("cardladder") === 1 && one.calls.total("cardsiq") === 1, {
      timeout: 60_000,
    });
    await vi.waitUntil(async () => (await client.session(origin, pricedId)).processedCards === 8, { timeout: 60_000 });

    // ... and for cards of another.
    for (const door of ["psa-api", "cgc-api", "tag-api"] as const) one.behavior.fail(door, "hang");
    const sheet = calmSheet(12, seeded("killed"), ["PSA", "CGC", "TAG"]);
    const { id } = await client.upload(origin, sheet.sheet, "cards");
    const isAsked = (cert: string): boolean => lookups(one).has(cert);
    await vi.waitUntil(() => certsOf(sheet).filter(isAsked).length === 3, { timeout: 60_000 });
    const other = await startNode(two, settings).ready;

    doomed.signal("SIGKILL");
    await Promise.all([completed(client, other, id), completed(client, other, pricedId)]);
    await expectAllFound(client, other, id, sheet);
    await expectAllFound(client, other, pricedId, priced);
    const askedOfTwo = [...lookups(two)].map(([cert, calls]) => `${cert} ${calls.length}`);
    expect(askedOfTwo.toSorted()).toEqual(
      certsOf(sheet)
        .map((cert) => `${cert} 1`)
        .toSorted(),
    );
    expect((await client.session(other, id)).processedCards).toBe(12);
    await expectAllPriced(database, pricedId, priced);
    expect(pricesAsked(two)).toEqual([...askedOnce(priced, "cardladder"), ...askedOnce(priced, "cardsiq")]);
  }),
);
