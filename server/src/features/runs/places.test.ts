import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeKnown, pausePrices, pricedLines, pricedSheet } from "../../testing/price-test.ts";
import { listSessionsIn } from "../prices/row-prices.repo.ts";
import { listDueWaits } from "./waits.repo.ts";
import {
  openEndpoints,
  rowsOf,
  runSheet,
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
  // The place of TAG's lane must not change while a test reads the places of jobs, so it is written only now.
  server = await startScanTest({}, {}, { placesMs: 3_600_000 });
  await runSheet(server, await server.addPerson(), sheetOf(tagLines(1)));
  await server.db.updateTable("lanes").set({ place: 0 }).execute();
});
afterAll(async () => {
  server.simulator.behavior.release();
  await server.closeAll();
});
beforeEach(async () => {
  [ana, ben] = [await server.addPerson(), await server.addPerson()];
  for (const endpoint of ["psa-api", "tag-api"] as const) server.simulator.behavior.hold(endpoint);
});

let next = 1_000_000;
const tagLines = (count: number) => Array.from({ length: count }, (): [string, string] => [`X${(next += 1)}`, "TAG"]);
const send = (method: "POST" | "PATCH", url: string, payload: object) =>
  server.app.inject({ method, url, headers: ana.headers, payload });

/** The places of a person's open jobs in a queue. */
async function placesOf({ id }: Person, queue: string): Promise<number[]> {
  const { rows } = await sql<{ place: number }>`
    SELECT -j.priority AS place FROM jobs.job AS j JOIN scan_sessions AS s ON s.id = (j.data->>'sessionId')::uuid
    WHERE j.name = ${queue} AND j.state < 'completed' AND s.user_id = ${id} ORDER BY place`.execute(server.db);
  return rows.map(({ place }) => place);
}

test("many small sessions of a person delay others no more than a large one does", async () => {
  for (const line of tagLines(6)) await startScan(server, ana, sheetOf([line]));
  await startScan(server, ben, sheetOf(tagLines(3)));
  expect(await placesOf(ana, "lookup-tag")).toEqual([0, 0, 1, 2, 3, 4]);
  expect(await placesOf(ben, "lookup-tag")).toEqual([0, 1, 2]);
});

test("a card in 2,001 rows gets three jobs, and three more after a stop", async () => {
  const rows = Array.from({ length: 2_001 }, (): [string, string] => ["82000009", "PSA"]);
  const session = await startScan(server, ben, sheetOf(rows));
  const jobsOf = async () => {
    const jobs = await sql<{ rows: number }>`
      SELECT count(*)::int AS rows FROM scan_results WHERE session_id = ${session.id} GROUP BY job_id
      ORDER BY rows DESC`.execute(server.db);
    return jobs.rows.map(({ rows }) => rows);
  };
  expect(await jobsOf()).toEqual([1_000, 1_000, 1]);
  const change = (what: string) =>
    server.app.inject({ method: "POST", url: `/api/scan-sessions/${session.id}/${what}`, headers: ben.headers });
  expect((await change("stop")).statusCode).toBe(200);
  await server.db.updateTable("scan_results").set({ job_id: null }).where("session_id", "=", session.id).execute();
  expect((await change("resume")).statusCode).toBe(200);
  expect(await jobsOf()).toEqual([1_000, 1_000, 1]);
});

test("added rows of a card join its job only up to 1,000 rows", async () => {
  const line: [string, string] = ["82000010", "PSA"];
  const session = await startScan(server, ana, sheetOf(Array.from({ length: 999 }, () => line)));
  const rows = Array.from({ length: 3 }, (_, n) => ({
    line: 2_000 + n,
    cells: [],
    certNumber: line[0],
    gradingCompany: line[1],
  }));
  expect((await send("POST", `/api/scan-sessions/${session.id}/rows`, { rows })).statusCode).toBe(200);
  const jobs = await sql<{ rows: number }>`
    SELECT count(*)::int AS rows FROM scan_results WHERE session_id = ${session.id} GROUP BY job_id
    ORDER BY rows DESC`.execute(server.db);
  expect(jobs.rows).toEqual([{ rows: 1_000 }, { rows: 2 }]);
});

test("a small session does not wait for its owner's large one", async () => {
  await startScan(server, ana, sheetOf(tagLines(20)));
  await startScan(server, ana, sheetOf(tagLines(2)));
  expect((await placesOf(ana, "lookup-tag")).slice(0, 4)).toEqual([0, 0, 1, 1]);
});

test("rows that are corrected one at a time queue behind each other", async () => {
  const session = await startScan(server, ana, sheetOf(tagLines(4).map((): [string, string] => ["?", "TAG"])));
  for (const { id } of await rowsOf(server, ana, session.id)) {
    const [line] = tagLines(1);
    expect((await send("PATCH", `/api/scan-results/${id}`, { certNumber: line?.[0] })).statusCode).toBe(200);
  }
  expect(await placesOf(ana, "lookup-tag")).toEqual([0, 1, 2, 3]);
});

test("cards of PSA's retry queue take turns between people", async () => {
  for (let n = 0; n < 4; n += 1)
    await send("POST", "/api/queue/retry-psa", { certNumber: String(72_000_000 + n), apiMode: "api" });
  expect(await placesOf(ana, "retry-psa")).toEqual([0, 0, 1, 2]);
});

test("price jobs queue behind their owner's others, whatever the lines of the sheet", async () => {
  await openEndpoints(server);
  await pausePrices(server, ["cardladder", "cardsiq"], 3_600);
  const lines = pricedLines(30_000_000, 10);
  await makeKnown(server, lines);
  const onLineTwo = (count: number) => {
    const sheet = pricedSheet(lines.splice(0, count));
    return { ...sheet, rows: sheet.rows.map((row) => ({ ...row, line: 2 })) };
  };
  for (const count of [4, 1, 1, 1]) await startScan(server, ana, onLineTwo(count));
  // The largest session doesn't count. The others count the prices of both sources.
  expect(await placesOf(ana, "price-cardsiq")).toEqual([0, 0, 1, 2, 2, 3, 4]);
});

/** The owners of these sessions, without the sessions of other tests. */
async function ownersOf(sessionIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string; user_id: string }>`
    SELECT id, user_id FROM scan_sessions WHERE user_id = ANY(${[ana.id, ben.id]})`.execute(server.db);
  return sessionIds.flatMap((sessionId) => rows.find(({ id }) => id === sessionId)?.user_id ?? []);
}

test("after a pause, the owners of waiting sessions take turns", async () => {
  for (const person of [ana, ana, ana, ben]) await startScan(server, person, sheetOf(tagLines(1)));
  const trx = await server.db.startTransaction().execute();
  await sql`
    UPDATE scan_results SET status = 'waiting', waiting_until = now() - interval '1 hour'
    WHERE user_id = ANY(${[ana.id, ben.id]})`.execute(trx);
  const orders = new Set<string>();
  for (let n = 0; n < 60; n += 1) {
    const owners = await ownersOf((await listDueWaits(trx)).map(({ sessionId }) => sessionId));
    orders.add(owners.map((id) => (id === ana.id ? "ana" : "ben")).join());
  }
  await trx.rollback().execute();
  // At random, so that one person's bad card isn't the probe each time.
  expect(orders).toEqual(new Set(["ana,ben,ana,ana", "ben,ana,ana,ana"]));
});

test("after a pause, the owners of waiting prices take turns", async () => {
  await openEndpoints(server);
  await pausePrices(server, ["cardladder", "cardsiq"], 3_600);
  const lines = pricedLines(31_000_000, 23);
  await makeKnown(server, lines);
  for (const [person, count] of [
    [ana, 20],
    [ana, 1],
    [ana, 1],
    [ben, 1],
  ] as const)
    await startScan(server, person, pricedSheet(lines.splice(0, count)));
  await expect.poll(() => listSessionsIn(server.db, "cardsiq", "pending")).toEqual([]);
  const sessions = await listSessionsIn(server.db, "cardsiq", "waiting");
  expect((await ownersOf(sessions)).slice(0, 2).toSorted()).toEqual([ana.id, ben.id].toSorted());
});

test("a person's single lookups take turns with other people's runs", async () => {
  const { behavior, calls } = server.simulator;
  const asked = () => new Set(calls.list({ endpoint: "cgc-api" }).flatMap(({ cert }) => cert ?? []));
  const untilAsked = (count: number) => expect.poll(() => asked().size, { timeout: 20_000 }).toBe(count);
  behavior.hold("cgc-api");
  const numbers = ["1401000000101", "1401000000102", "1401000000103", "1401000000104", "1401000000105"];
  const singles = numbers.map((number) => server.app.inject({ url: `/api/cgc-api/${number}`, headers: ana.headers }));
  await untilAsked(1);
  await startScan(server, ben, sheetOf([["1401000000106", "CGC"]], { mode: "api" }));
  const fetched = sql`SELECT FROM jobs.job WHERE name = 'lookup-cgc' AND state = 'active'`;
  await expect.poll(async () => (await fetched.execute(server.db)).rows, { timeout: 20_000 }).toHaveLength(1);
  for (const count of [2, 3, 4, 5]) {
    behavior.hold("cgc-api");
    await untilAsked(count);
  }
  expect(asked()).toContain("1401000000106");
  behavior.release("cgc-api");
  await Promise.all(singles);
});
