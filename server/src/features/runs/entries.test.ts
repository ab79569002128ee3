import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { provenanceSchema } from "@slabdesk/contract/api/provenance.ts";
import { type EntryCard, resultRowSchema, type ResultRow } from "@slabdesk/contract/api/results.ts";
import type { Person } from "../../testing/test-server.ts";
import {
  finish,
  followUntil,
  openEndpoints,
  rowsOf,
  runSheet,
  sessionOf,
  sheetOf,
  startScan,
  startScanTest,
  type ScanTest,
} from "../../testing/scan-test.ts";

let server: ScanTest;
let kim: Person;
let ben: Person;
beforeAll(async () => {
  server = await startScanTest();
  [kim, ben] = [await server.addPerson(), await server.addPerson()];
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(async () => {
  await openEndpoints(server);
  server.simulator.behavior.heal();
  server.simulator.calls.clear();
});

const GRIFFEY: EntryCard = {
  itemName: "Ken Griffey Jr.",
  year: "1999-00",
  brand: "Upper Deck",
  cardNumber: "1",
  grade: "GEM MINT 10",
  population: 12,
};
/** The first person that the server adds. */
const BY = "Person 1";
const EMPTY: EntryCard = { itemName: "", year: "", brand: "", cardNumber: "", grade: "", population: null };

type Method = "GET" | "POST" | "PUT" | "DELETE";
const send = (method: Method, url: string, payload?: object, person = kim, headers: Record<string, string> = {}) =>
  server.app.inject({ method, url, headers: { ...person.headers, ...headers }, ...(payload && { payload }) });
const putEntry = (row: ResultRow, card: object = GRIFFEY, person = kim) =>
  send("PUT", `/api/scan-results/${row.id}/entry`, card, person);
const removeEntry = (row: ResultRow, person = kim) =>
  send("DELETE", `/api/scan-results/${row.id}/entry`, undefined, person);
async function enter(row: ResultRow, card: Partial<EntryCard> = {}, person = kim): Promise<ResultRow> {
  const answer = await putEntry(row, { ...GRIFFEY, ...card }, person);
  expect(answer.statusCode, answer.body).toBe(200);
  return resultRowSchema.parse(answer.json());
}
const attemptsOf = async ({ id }: ResultRow, person = kim) =>
  provenanceSchema.parse((await send("GET", `/api/scan-results/${id}/provenance`, undefined, person)).json()).lookUps;
const lookUpAgain = async (row: ResultRow): Promise<ResultRow> => {
  const answer = await send("POST", `/api/scan-sessions/${row.sessionId}/retry`, { rowId: row.id });
  expect(answer.statusCode, answer.body).toBe(200);
  const rows = await finish(server, kim, answer.json());
  return rows.find(({ id }) => id === row.id) ?? expect.unreachable("the row is gone");
};

async function sheetBytesOf(row: ResultRow): Promise<number> {
  const session = server.db.selectFrom("scan_sessions").select("sheet_bytes").where("id", "=", row.sessionId);
  return (await session.executeTakeFirstOrThrow()).sheet_bytes;
}

/** Runs a sheet at a wall and returns its failed rows. */
async function walled(certNumbers: string[], options = {}): Promise<ResultRow[]> {
  server.simulator.behavior.fail("tag-api", "refused");
  const lines = certNumbers.map((cert): [string, string, string, string] => [cert, "TAG", "", "mine"]);
  const rows = await runSheet(server, kim, sheetOf(lines, { mode: "api", ...options }));
  expect(rows.map(({ outcome }) => outcome)).toEqual(certNumbers.map(() => "forbidden"));
  return rows;
}
const first = ([row]: ResultRow[]): ResultRow => row ?? expect.unreachable("the sheet has a row");

describe("a card entered by hand", () => {
  test("finds the row and the session's other row of the card, is priced and exported, and can be changed", async () => {
    const [row, same] = await walled(["C1240631", "C1240631"], { includePricing: true });
    if (!row || !same) return expect.unreachable("the sheet has two rows");
    const entered = await enter(row, { itemName: "  Ken   Griffey Jr. " });
    const by = { by: BY, at: expect.any(String) as string };
    expect(entered).toMatchObject({
      status: "completed",
      outcome: "found",
      source: "hand",
      entry: { ...by, card: GRIFFEY },
      itemName: "Ken Griffey Jr.",
      year: "1999-00",
      brand: "Upper Deck",
      cardNumber: "#1",
      grade: "GEM MINT 10",
      player: "N/A",
      population: 12,
      populationHigher: null,
      populationAsOf: entered.entry?.at,
      certUrl: "https://my.taggrading.com/card/C1240631",
      inventoryName: "TAG GEM MINT 10 Ken Griffey Jr.",
      error: null,
      notes: expect.stringMatching(/^mine · Entered by hand by .+ on [A-Z][a-z]{2} \d{1,2}, \d{4}$/),
      imageFlags: ["no_image"],
    });
    await followUntil(server, kim, row.sessionId, ({ session: { prices } }) => prices.pending === 0);
    const rows = await rowsOf(server, kim, row.sessionId);
    expect(rows.map(({ source, pricing }) => [source, pricing !== null])).toEqual([
      ["hand", true],
      ["hand", true],
    ]);
    expect(await sessionOf(server, kim, row.sessionId)).toMatchObject({ status: "completed", processedCards: 2 });
    expect((await attemptsOf(row)).at(-1)).toMatchObject({ kind: "entered", ...by });
    const file = await send("GET", `/api/scan-sessions/${row.sessionId}/export?format=csv`);
    expect(file.body).toContain("Ken Griffey Jr.");
    expect(file.body).toContain("Entered by hand by");
    const own = await send("GET", `/api/scan-sessions/${row.sessionId}/export?format=original`);
    expect(own.body).toContain(`Found, entered by hand by ${entered.entry?.by}`);
    const found = await send("GET", "/api/scan-results/search?q=griffey");
    expect(found.json().results[0]).toMatchObject({ source: "hand", entry: by });

    expect(await enter(same, { ...EMPTY, itemName: "Griffey" })).toMatchObject({
      itemName: "Griffey",
      year: "N/A",
      population: null,
      populationAsOf: null,
    });
    const changed = await rowsOf(server, kim, row.sessionId);
    expect(changed.map(({ itemName }) => itemName)).toEqual(["Griffey", "Griffey"]);
  });

  test("changes 2,500 rows of the card in events of at most 2,000 rows, as its lookup, prices, and removal do", async () => {
    const certNumbers = Array.from({ length: 2_500 }, () => "C7240699");
    const row = first(await walled(certNumbers, { includePricing: true }));
    const rowsPerEvent = async (): Promise<number[]> => {
      const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM scan_results
        WHERE session_id = ${row.sessionId} GROUP BY event_seq ORDER BY event_seq`.execute(server.db);
      return rows.map(({ count }) => count);
    };
    // Each of the card's three jobs settles up to 1,000 rows, alone or together with others.
    const expectSmallEvents = async (): Promise<void> => {
      const counts = await rowsPerEvent();
      expect(counts.reduce((sum, count) => sum + count)).toBe(2_500);
      expect(Math.max(...counts)).toBeLessThanOrEqual(2_000);
    };
    await expectSmallEvents();
    await enter(row);
    expect(await rowsPerEvent()).toEqual([2_000, 500]);
    await followUntil(server, kim, row.sessionId, ({ session: { prices } }) => prices.pending === 0);
    await expectSmallEvents();
    expect((await removeEntry(row)).statusCode).toBe(200);
    expect(await rowsPerEvent()).toEqual([2_000, 500]);
  });

  test("counts toward the quota of sheets in each row, until it is removed", async () => {
    const row = first(await walled(["C7240700", "C7240700"]));
    const before = await sheetBytesOf(row);
    await enter(row, { itemName: "x".repeat(300) });
    expect((await sheetBytesOf(row)) - before).toBeGreaterThan(2 * 3 * 300);
    await enter(row, { itemName: "Griffey" });
    expect((await sheetBytesOf(row)) - before).toBeLessThan(2 * 3 * 500);
    expect((await removeEntry(row)).statusCode).toBe(200);
    expect(await sheetBytesOf(row)).toBe(before);
  });

  test("counts toward the quota of sheets in rows that are added later", async () => {
    const row = first(await walled(["C7240702"]));
    const before = await sheetBytesOf(row);
    await enter(row, { itemName: "x".repeat(300) });
    const entered = await sheetBytesOf(row);
    const again = { line: 9, cells: [], certNumber: "C7240702", gradingCompany: "TAG" };
    const added = await send("POST", `/api/scan-sessions/${row.sessionId}/rows`, { rows: [again] });
    expect(added.json()).toMatchObject({ counts: { completed: 2 } });
    const grown = (await sheetBytesOf(row)) - entered;
    expect((await removeEntry(row)).statusCode).toBe(200);
    const left = (await sheetBytesOf(row)) - before;
    expect(left).toBeGreaterThan(0);
    expect(grown - left).toBeGreaterThan(3 * 300);
  });

  test("is cached, visibly, until the grader answers", async () => {
    const row = first(await walled(["L3302729"]));
    const entered = await enter(row);
    const colleagues = first(await runSheet(server, ben, sheetOf([["L3302729", "TAG"]], { mode: "api" })));
    expect(colleagues).toMatchObject({
      source: "known",
      itemName: "Ken Griffey Jr.",
      entry: { by: BY, at: entered.entry?.at },
      notes: expect.stringContaining(`Entered by hand by ${BY}`),
    });
    expect(await attemptsOf(colleagues, ben)).toEqual([
      expect.objectContaining({ kind: "cached", source: "hand", by: BY }),
    ]);
    const single = await send("GET", "/api/tag-api/L3302729?forceRefresh=false", undefined, ben);
    expect(single.json()).toMatchObject({ source: "hand", itemName: "Ken Griffey Jr." });
    expect([
      (await putEntry(colleagues, GRIFFEY, ben)).statusCode,
      (await removeEntry(colleagues, ben)).statusCode,
    ]).toEqual([409, 409]);

    server.simulator.behavior.heal();
    await openEndpoints(server);
    server.simulator.calls.clear();
    const asked = sheetOf([["L3302729", "TAG"]], { mode: "api", reuseKnown: false });
    expect(first(await runSheet(server, ben, asked))).toMatchObject({ source: "api", entry: null });
    expect(server.simulator.calls.total("tag-api")).toBeGreaterThan(0);
  });

  test("is looked up again only by itself, keeps what was typed if that fails, and gives way to a real answer", async () => {
    const row = first(await walled(["C1240631"], { reuseKnown: false }));
    const photo = await sharp({ create: { width: 60, height: 90, channels: 3, background: "#aa3311" } })
      .jpeg()
      .toBuffer();
    await enter(row);
    const image = `/api/scan-results/${row.id}/image/front`;
    const { imageUrl } = resultRowSchema.parse(
      (await send("PUT", image, photo, kim, { "content-type": "image/jpeg" })).json(),
    );
    server.simulator.calls.clear();
    await send("POST", `/api/scan-sessions/${row.sessionId}/retry`);
    expect(server.simulator.calls.total("tag-api")).toBe(0);

    const failed = await lookUpAgain(row);
    expect(failed).toMatchObject({ status: "error", outcome: "forbidden", source: null, entry: { card: GRIFFEY } });
    expect(await enter(failed)).toMatchObject({ source: "hand", imageUrl });

    server.simulator.behavior.heal();
    await openEndpoints(server);
    expect(await lookUpAgain(row)).toMatchObject({
      outcome: "found",
      source: "api",
      entry: null,
      grade: "7 NEAR MINT",
    });
    expect((await putEntry(row)).json()).toMatchObject({ code: "conflict" });
  });

  test("can be removed, which restores the failure", async () => {
    const row = first(await walled(["H2468135"], { includePricing: true }));
    await enter(row);
    const removed = await removeEntry(row);
    expect(removed.json()).toMatchObject({
      status: "error",
      outcome: "forbidden",
      source: null,
      entry: null,
      itemName: "Error: H2468135",
      error: row.error,
      notes: row.notes,
      pricing: null,
      population: null,
    });
    expect((await sessionOf(server, kim, row.sessionId)).prices).toMatchObject({ pending: 0, waiting: 0 });
    expect((await attemptsOf(row)).at(-1)).toMatchObject({ kind: "entry_removed" });
    expect((await removeEntry(row)).statusCode).toBe(409);
    const again = first(await runSheet(server, ben, sheetOf([["H2468135", "TAG"]], { mode: "api" })));
    expect(again).toMatchObject({ outcome: "forbidden" });
  });

  test("settles a waiting row and completes its session", async () => {
    server.simulator.behavior.psaDailyQuota = 0;
    const session = await startScan(server, kim, sheetOf([["41000001", "PSA"]], { mode: "api" }));
    await followUntil(server, kim, session.id, ({ session: { counts } }) => counts.waiting === 1);
    expect(await enter(first(await rowsOf(server, kim, session.id)))).toMatchObject({
      source: "hand",
      waitingUntil: null,
    });
    expect(await sessionOf(server, kim, session.id)).toMatchObject({
      status: "completed",
      processedCards: 1,
      waits: [],
    });
    expect((await removeEntry(first(await rowsOf(server, kim, session.id)))).json()).toMatchObject({
      status: "error",
      outcome: "quota_exhausted",
    });
    server.simulator.behavior.psaDailyQuota = null;
  });

  test("names a card that the grader's page showed without a name, and keeps its images", async () => {
    const row = first(
      await runSheet(server, kim, sheetOf([["L3302729", "TAG"]], { mode: "scraping", reuseKnown: false })),
    );
    expect(row).toMatchObject({ source: "page", itemName: "N/A" });
    const { imageUrl, imageUrlBack } = row;
    const named = { source: "hand", itemName: "Ken Griffey Jr.", imageUrl, imageUrlBack };
    expect(await enter(row)).toMatchObject(named);
    const nameless = await lookUpAgain(row);
    expect(nameless).toMatchObject({ source: "page", itemName: "N/A", entry: { card: GRIFFEY } });
    await enter(nameless);
    expect((await removeEntry(row)).json()).toMatchObject({ status: "error", outcome: "unavailable", entry: null });
  });

  test("is refused for other people's rows, found rows and invalid numbers, and without a name", async () => {
    const row = first(await walled(["K1357913"]));
    expect((await putEntry(row, GRIFFEY, ben)).statusCode).toBe(404);
    expect((await removeEntry(row, ben)).statusCode).toBe(404);
    for (const card of [
      { ...GRIFFEY, itemName: "  " },
      { ...GRIFFEY, itemName: "\u200B" },
      { ...GRIFFEY, itemName: "x".repeat(301) },
      { ...GRIFFEY, year: "99" },
      { ...GRIFFEY, population: 1.5 },
    ])
      expect((await putEntry(row, card)).statusCode).toBe(400);
    const mixed = await runSheet(
      server,
      kim,
      sheetOf([
        ["98174651", "PSA"],
        ["1.02E+06", "PSA"],
      ]),
    );
    for (const other of mixed) expect((await putEntry(other)).statusCode).toBe(409);
    expect((await putEntry(row, GRIFFEY, server.admin)).json()).toMatchObject({ source: "hand" });
  });
});
