import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { finishPrices, makeKnown, pricedLines, pricedSheet, statesOf } from "../../testing/price-test.ts";
import { finish, sessionOf, sheetOf, startScan, startScanTest, type ScanTest } from "../../testing/scan-test.ts";

/* Lanes with a delay of at least a second, as by default: a run's next card waits for the lane in advance. */

let server: ScanTest;
beforeAll(async () => {
  // If workers waited for their next poll, the tests would not finish.
  server = await startScanTest({ CARD_DELAY_MS: "1000", PRICING_DELAY_MS: "1000" }, {}, { jobsMs: 3_600_000 });
});
afterAll(async () => {
  await server.closeAll();
});
afterEach(() => {
  server.simulator.behavior.release();
});

const tagLines = (first: number, count: number) =>
  Array.from({ length: count }, (_, n): [string, string] => [`X${first + n}`, "TAG"]);

test("workers fetch the next job when the last one has ended", async () => {
  const ana = await server.addPerson();
  const lines = pricedLines(33_000_000, 3);
  await makeKnown(server, lines);
  const priced = await startScan(server, ana, pricedSheet(lines));
  const looked = await startScan(server, ana, sheetOf(tagLines(5_000_000, 4), { mode: "api" }));
  expect(statesOf(await finishPrices(server, ana, priced))).toEqual(lines.map(() => "priced priced"));
  expect(await finish(server, ana, looked)).toHaveLength(4);
}, 60_000);

test("a person who stops and resumes a session doesn't delay others", async () => {
  const [ana, ben] = [await server.addPerson(), await server.addPerson()];
  const session = await startScan(server, ben, sheetOf(tagLines(6_000_000, 4), { mode: "api" }));
  const { id } = await startScan(server, ana, sheetOf(tagLines(7_000_000, 2), { mode: "api" }));
  let turns = 0;
  while ((await sessionOf(server, ben, session.id)).status === "processing") {
    for (const change of ["stop", "resume"])
      await server.app.inject({ method: "POST", url: `/api/scan-sessions/${id}/${change}`, headers: ana.headers });
    turns += 1;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  expect(turns).toBeGreaterThan(0);
  expect(await sessionOf(server, ben, session.id)).toMatchObject({ status: "completed", processedCards: 4 });
}, 60_000);

test("a person with single lookups and the owners of runs take turns", async () => {
  const { behavior, calls } = server.simulator;
  const [single, ...owners] = [await server.addPerson(), await server.addPerson(), await server.addPerson()];
  const asked = () => [...new Set(calls.list({ endpoint: "cgc-api" }).flatMap(({ cert }) => cert ?? []))];
  behavior.hold("cgc-api");
  const numbers = Array.from({ length: 5 }, (_, n) => String(1_401_000_000_201 + n));
  const singles = numbers.map((number) =>
    server.app.inject({ url: `/api/cgc-api/${number}`, headers: single.headers }),
  );
  await expect.poll(asked, { timeout: 20_000 }).toHaveLength(1);
  for (const [n, owner] of owners.entries()) {
    const lines = [0, 1].map((line): [string, string] => [String(1_401_000_000_301 + n * 100 + line), "CGC"]);
    await startScan(server, owner, sheetOf(lines, { mode: "api" }));
  }
  const fetched = sql`SELECT FROM jobs.job WHERE name = 'lookup-cgc' AND state = 'active'`;
  // The hundreds: 2 for single lookups, 3 and 4 for the runs.
  const turns = () => asked().map((number) => number.slice(-3, -2));
  for (const count of [2, 3, 4, 5, 6]) {
    await expect.poll(async () => (await fetched.execute(server.db)).rows.length, { timeout: 20_000 }).toBe(2);
    behavior.hold("cgc-api");
    await expect.poll(asked, { timeout: 20_000 }).toHaveLength(count);
  }
  const [first, ...others] = turns();
  expect([first, others.slice(0, 3).toSorted(), others.slice(2, 5).toSorted()]).toEqual([
    "2",
    ["2", "3", "4"],
    ["2", "3", "4"],
  ]);
  behavior.release("cgc-api");
  await Promise.all(singles);
}, 60_000);

test("four people whose cards took long leave the lane and its workers to others", async () => {
  const own = await startScanTest({ CARD_DELAY_MS: "1000" }, {}, { longCallMs: 1_000 });
  onTestFinished(() => own.closeAll());
  const [ben, ...slow] = await Promise.all(Array.from({ length: 5 }, () => own.addPerson()));
  if (!ben) throw new Error("No person was added");
  const { behavior, calls } = own.simulator;
  const asked = () => [...new Set(calls.list({ endpoint: "tag-api" }).flatMap(({ cert }) => cert ?? []))];
  const lookUp = (number: string) => own.app.inject({ url: `/api/tag-api/${number}`, headers: ben.headers });
  expect((await lookUp("X8000001")).statusCode).toBe(200);
  behavior.hold("tag-api");
  for (const [n, person] of slow.entries())
    await startScan(own, person, sheetOf(tagLines(8_100_001 + n * 100_000, 4), { mode: "api" }));
  for (let cards = 1; cards <= 2 * slow.length; cards += 1) {
    await expect.poll(asked, { timeout: 20_000 }).toHaveLength(1 + cards);
    // Everyone's second card takes long.
    await new Promise((resolve) => setTimeout(resolve, cards > slow.length ? 7_000 : 2_200));
    behavior.release();
    if (cards < 2 * slow.length) behavior.hold("tag-api");
  }
  const before = asked().length;
  const session = await startScan(own, ben, sheetOf(tagLines(8_000_002, 3), { mode: "api" }));
  await finish(own, ben, session);
  // The others have eight cards left, two each, and look up at most one each meanwhile.
  expect(asked().slice(before).length).toBeLessThanOrEqual(3 + 4);
}, 120_000);
