import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { NewScanSession, ScanSession } from "@slabdesk/contract/api/sessions.ts";
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
let ana: Person;
let ben: Person;
beforeAll(async () => {
  server = await startScanTest();
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

const fresh = { mode: "api" as const, reuseKnown: false };

type Added = NewScanSession["rows"][number];
function scanned(line: number, certNumber: string, gradingCompany = "PSA", notes = ""): Added {
  return { line, cells: [certNumber, gradingCompany, "", notes], certNumber, gradingCompany, notes };
}

function post(session: ScanSession, rows: Added[], person = ana) {
  const url = `/api/scan-sessions/${session.id}/rows`;
  return server.app.inject({ method: "POST", url, headers: person.headers, payload: { rows } });
}

async function add(session: ScanSession, ...rows: Added[]): Promise<ScanSession> {
  const answer = await post(session, rows);
  expect([answer.statusCode, answer.json()]).toEqual([200, expect.objectContaining({ id: session.id })]);
  return answer.json();
}

function remove(row: { id: string } | undefined, person = ana) {
  return server.app.inject({ method: "DELETE", url: `/api/scan-results/${row?.id}`, headers: person.headers });
}

function removeAll(session: ScanSession, rowIds: readonly string[], person = ana) {
  const url = `/api/scan-sessions/${session.id}/remove`;
  return server.app.inject({ method: "POST", url, headers: person.headers, payload: { rowIds } });
}

function edit(session: ScanSession, edit: object, person = ana) {
  const url = `/api/scan-sessions/${session.id}/rows`;
  return server.app.inject({ method: "PATCH", url, headers: person.headers, payload: edit });
}

function stop(session: ScanSession) {
  const url = `/api/scan-sessions/${session.id}/stop`;
  return server.app.inject({ method: "POST", url, headers: ana.headers });
}

const totalsOf = async (person: Person) =>
  (await server.app.inject({ url: "/api/profile", headers: person.headers })).json<object>();
const calls = (cert: string) => server.simulator.calls.count({ cert, path: GET_CERT });
const GET_CERT = "/psa-api/publicapi/cert/GetByCertNumber";

/** A session whose first card is being looked up, which one of its calls shows. */
async function startBusy(lines: [string, string][], options = {}): Promise<ScanSession> {
  const session = await startScan(server, ana, sheetOf(lines, { ...fresh, ...options }));
  await followUntil(server, ana, session.id, (event) => (event.session.counts.processing ?? 0) > 0, 0);
  return session;
}

describe("added rows", () => {
  test("run after the existing rows, judged by the same rules", async () => {
    server.simulator.behavior.hold("psa-api");
    const lines = Array.from({ length: 4 }, (_, n): [string, string] => [String(21_000_000 + n), "PSA"]);
    const session = await startBusy(lines, { acceptCompanies: true });
    const bad = { ...scanned(7, "12"), sheetCard: { grade: "10" } };
    const grown = await add(session, { ...scanned(6, "01020688", "", "box 2"), sheetCard: { grade: "10" } }, bad);
    expect(grown).toMatchObject({ status: "processing", totalCards: 6 });
    server.simulator.behavior.release();
    const rows = await finish(server, ana, session);
    expect(rows.map((row) => [row.line, row.status])).toEqual([
      ...lines.map((_, index) => [index + 2, "completed"]),
      [6, "completed"],
      [7, "error"],
    ]);
    expect(rows[4]).toMatchObject({
      gradingCompany: "PSA",
      notes: "box 2",
      mismatches: ["your sheet: PSA 10, registry: NM-MT 8"],
    });
    expect(rows[5]).toMatchObject({ outcome: "invalid_number", mismatches: [] });
    expect(server.simulator.calls.list({ path: GET_CERT }).map((call) => call.cert)).toEqual([
      ...lines.map(([certNumber]) => certNumber),
      "01020688",
    ]);
    expect(await sessionOf(server, ana, session.id)).toMatchObject({ processedCards: 6, totalCards: 6 });
  });

  test("restart an ended session, and continue a stopped one", async () => {
    const session = await startScan(server, ana, sheetOf([["21000010", "PSA"]], fresh));
    await finish(server, ana, session);
    server.simulator.behavior.hold("psa-api");
    expect(await add(session, scanned(3, "21000011"))).toMatchObject({ status: "processing", completedAt: null });
    server.simulator.behavior.release();
    await finish(server, ana, session);

    server.simulator.behavior.hold("psa-api");
    const busy = await startBusy([
      ["21000012", "PSA"],
      ["21000013", "PSA"],
    ]);
    await stop(busy);
    expect(await add(busy, scanned(4, "21000014"))).toMatchObject({ status: "processing" });
    server.simulator.behavior.release();
    expect((await finish(server, ana, busy)).map((row) => row.status)).toEqual(Array(3).fill("completed"));
    expect(["21000012", "21000013", "21000014"].map(calls)).toEqual([1, 1, 1]);
  });

  test("are filled from the cache if the session allows it", async () => {
    const person = await server.addPerson();
    await runSheet(server, ben, sheetOf([["21000020", "PSA"]]));
    server.simulator.calls.clear();
    const session = await startScan(server, person, sheetOf([["", ""]]));
    const answer = await post(session, [scanned(3, "21000020", "PSA", "mine")], person);
    expect(answer.json()).toMatchObject({ status: "completed", totalCards: 2, processedCards: 2 });
    expect((await rowsOf(server, person, session.id))[1]).toMatchObject({ source: "known", notes: "mine" });
    expect(calls("21000020")).toBe(0);
    expect(await totalsOf(person)).toMatchObject({ totalScans: 1, totalCardsProcessed: 2 });
  });

  test("share a call under way, and copy a card that the session has found", async () => {
    server.simulator.behavior.hold("psa-api");
    const session = await startBusy([["21000030", "PSA"]]);
    await add(session, scanned(3, "21000030", "PSA", "duplicate"));
    server.simulator.behavior.release();
    expect((await finish(server, ana, session)).map((row) => [row.status, row.notes])).toEqual([
      ["completed", ""],
      ["completed", "duplicate"],
    ]);
    const settled = await add(session, scanned(4, "21000030", "PSA", "later"), scanned(5, "psa 21000030"));
    expect(settled).toMatchObject({ status: "completed", processedCards: 4, totalCards: 4 });
    const rows = await rowsOf(server, ana, session.id);
    expect(rows.slice(2)).toMatchObject([
      { itemName: rows[0]?.itemName, notes: "later", source: "api" },
      { itemName: rows[0]?.itemName, notes: "" },
    ]);
    expect(calls("21000030")).toBe(1);
  });

  test("share the call of a failed row of the card that is retried or corrected", async () => {
    const cert = "99999990";
    const session = await startScan(server, ana, sheetOf([[cert, "PSA"]], fresh));
    await finish(server, ana, session);
    server.simulator.behavior.hold("psa-api");
    await add(session, scanned(3, cert));
    await followUntil(server, ana, session.id, (event) => event.session.counts.processing === 1);
    const url = `/api/scan-sessions/${session.id}/retry`;
    const payload = { outcome: "not_found" };
    const retried = await server.app.inject({ method: "POST", url, headers: ana.headers, payload });
    expect(retried.json()).toMatchObject({ counts: { processing: 2 }, processedCards: 0 });
    server.simulator.behavior.release();
    const [failed] = await finish(server, ana, session);
    expect(calls(cert)).toBe(2);

    await add(session, scanned(4, "21000035"));
    await finish(server, ana, session);
    const fixed = await server.app.inject({
      method: "PATCH",
      url: `/api/scan-results/${failed?.id}`,
      headers: ana.headers,
      payload: { certNumber: "21000035" },
    });
    expect(fixed.json()).toMatchObject({ status: "completed", certNumber: "21000035" });
    expect(await sessionOf(server, ana, session.id)).toMatchObject({ status: "completed", processedCards: 3 });
    expect(calls("21000035")).toBe(1);
  });

  test("wait with a waiting row of the card", async () => {
    const until = new Date(Date.now() + 60_000);
    await server.db
      .updateTable("endpoints")
      .set({ paused_until: until, pause_code: "blocked", pause_message: "PSA blocks us" })
      .where("name", "=", "psa-api")
      .execute();
    const waiting = await startScan(server, ana, sheetOf([["21000041", "PSA"]], fresh));
    await followUntil(server, ana, waiting.id, (event) => event.session.counts.waiting === 1);
    expect(await add(waiting, scanned(3, "21000041"))).toMatchObject({ counts: { waiting: 2 } });
    const [row] = await rowsOf(server, ana, waiting.id);
    expect((await remove(row)).json()).toMatchObject({ totalCards: 1, counts: { waiting: 1 } });
    await openEndpoints(server);
    await sql`UPDATE scan_results SET waiting_until = now() WHERE session_id = ${waiting.id}`.execute(server.db);
    expect(await finish(server, ana, waiting)).toMatchObject([{ line: 3, status: "completed" }]);
  });

  test("are added once, however often and from however many tabs they are sent", async () => {
    const session = await startScan(server, ana, sheetOf([["21000050", "PSA"]], fresh));
    const lines = [3, 4, 5, 6].map((line) => scanned(line, String(21_000_050 + line)));
    const answers = await Promise.all([
      ...lines.map((row) => post(session, [row])),
      post(session, lines),
      post(session, [...lines, ...lines]),
    ]);
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(6).fill(200));
    const rows = await finish(server, ana, session);
    expect(rows.map((row) => row.line).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6]);
    const { eventSeq: _, ...before } = await sessionOf(server, ana, session.id);
    expect(before).toMatchObject({ status: "completed", totalCards: 5, processedCards: 5, counts: { completed: 5 } });
    expect(await add(session, ...lines)).toMatchObject(before);
    expect(server.simulator.calls.list({ path: GET_CERT })).toHaveLength(5);
  });

  test("are refused with a message on another row's line, and none is lost", async () => {
    const session = await startScan(server, ana, sheetOf([["21000060", "PSA"]], fresh));
    const mixed = [
      [scanned(2, "21000061")],
      [scanned(3, "21000061"), scanned(4, "21000062"), scanned(4, "21000063")],
      [
        { ...scanned(5, "21000061"), cells: [] },
        { ...scanned(5, "21000062"), cells: [] },
      ],
    ];
    const answers = await Promise.all(mixed.map((rows) => post(session, rows)));
    expect(answers.map((answer) => answer.statusCode)).toEqual([409, 409, 409]);
    expect(await finish(server, ana, session)).toHaveLength(1);
    expect(await sessionOf(server, ana, session.id)).toMatchObject({ totalCards: 1, status: "completed" });
  });

  test("are all kept when they arrive as the session ends", async () => {
    const session = await startScan(server, ana, sheetOf([["21000070", "PSA"]], fresh));
    for (let line = 3; line < 13; line += 1) await add(session, scanned(line, String(21_000_070 + line)));
    const rows = await finish(server, ana, session);
    expect(rows.map((row) => row.status)).toEqual(Array(11).fill("completed"));
    expect(await sessionOf(server, ana, session.id)).toMatchObject({ totalCards: 11, processedCards: 11 });
  });

  test("are sent to open tabs", async () => {
    const session = await startScan(server, ana, sheetOf([["", ""]], fresh));
    const told = followUntil(
      server,
      ana,
      session.id,
      (event) => event.results.some((row) => row.line === 3 && row.status === "completed"),
      session.eventSeq,
    );
    await add(session, scanned(3, "21000090"));
    expect((await told).at(-1)?.session).toMatchObject({ totalCards: 2 });
  });

  test("are refused beyond the session's limit, and none is kept", async () => {
    const session = await startScan(server, ana, sheetOf([["", ""]]));
    await sql`UPDATE scan_sessions SET total_cards = 99999 WHERE id = ${session.id}`.execute(server.db);
    const refused = await post(session, [scanned(3, "01020688"), scanned(4, "98174651")]);
    expect([refused.statusCode, refused.json()]).toEqual([
      409,
      expect.objectContaining({ error: "A session holds at most 100000 rows. Start a new one for the rest" }),
    ]);
    expect(await rowsOf(server, ana, session.id)).toHaveLength(1);
    expect(await sessionOf(server, ana, session.id)).toMatchObject({ totalCards: 99_999, status: "completed" });
  });
});

describe("a removed row", () => {
  test("of an ended session is deleted and no longer counted", async () => {
    const person = await server.addPerson();
    const session = await startScan(
      server,
      person,
      sheetOf(
        [
          ["21000100", "PSA"],
          ["", ""],
        ],
        fresh,
      ),
    );
    const [row, other] = await finish(server, person, session);
    const taken = await Promise.all([remove(row, person), remove(row, person)]);
    expect(taken.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 404]);
    expect((await remove(row, person)).statusCode).toBe(404);
    expect(await sessionOf(server, person, session.id)).toMatchObject({
      status: "completed",
      totalCards: 1,
      processedCards: 1,
      counts: { error: 1 },
    });
    expect(await totalsOf(person)).toMatchObject({ totalCardsProcessed: 1 });
    expect((await remove(other, person)).json()).toMatchObject({ status: "completed", totalCards: 0, counts: {} });
    expect(await rowsOf(server, person, session.id)).toEqual([]);
  });

  test("costs no call before its turn; the last one ends the session, and open tabs are notified", async () => {
    server.simulator.behavior.hold("psa-api");
    const session = await startBusy([
      ["21000110", "PSA"],
      ["21000111", "PSA"],
    ]);
    const told = followUntil(server, ana, session.id, (event) => event.session.totalCards === 1, session.eventSeq);
    const [, last] = await rowsOf(server, ana, session.id);
    const foreign = await rowsOf(server, ana, (await startScan(server, ana, sheetOf([["", ""]]))).id);
    const removed = await removeAll(session, [last?.id ?? "", ...foreign.map(({ id }) => id), "900000000000000"]);
    expect(removed.json()).toMatchObject({ status: "processing", totalCards: 1 });
    expect((await told).at(-1)?.session.totalCards).toBe(1);
    expect(await rowsOf(server, ana, foreign[0]?.sessionId ?? "")).toHaveLength(1);
    server.simulator.behavior.release();
    expect(await finish(server, ana, session)).toMatchObject([{ certNumber: "21000110", status: "completed" }]);
    expect(calls("21000111")).toBe(0);
    const { rows } = await sql`
      SELECT 1 FROM jobs.job
      WHERE name = 'lookup-psa' AND data->>'sessionId' = ${session.id} AND state < 'active'`.execute(server.db);
    expect(rows).toEqual([]);
    // Its end is logged, like that of every sheet.
    const { is_growing } = await server.db
      .selectFrom("scan_sessions")
      .select("is_growing")
      .where("id", "=", session.id)
      .executeTakeFirstOrThrow();
    expect(is_growing).toBe(false);
  });

  test("whose lookup is under way leaves the others, and its card is cached", async () => {
    server.simulator.behavior.hold("psa-api");
    const session = await startBusy([
      ["21000120", "PSA"],
      ["21000121", "PSA"],
      ["21000120", "PSA"],
    ]);
    const [first] = await rowsOf(server, ana, session.id);
    expect(first?.status).toBe("processing");
    expect((await remove(first)).json()).toMatchObject({ status: "processing", totalCards: 2 });
    server.simulator.behavior.release();
    const rows = await finish(server, ana, session);
    expect(rows.map((row) => [row.certNumber, row.status])).toEqual([
      ["21000121", "completed"],
      ["21000120", "completed"],
    ]);

    server.simulator.behavior.hold("psa-api");
    const single = await startBusy([["21000122", "PSA"]]);
    expect((await remove((await rowsOf(server, ana, single.id))[0])).json()).toMatchObject({
      status: "completed",
      totalCards: 0,
      processedCards: 0,
    });
    server.simulator.behavior.release();
    await runSheet(server, ana, sheetOf([["21000123", "PSA"]], fresh));
    expect(await sessionOf(server, ana, single.id)).toMatchObject({ status: "completed", processedCards: 0 });
    const [known] = await runSheet(server, ana, sheetOf([["21000122", "PSA"]]));
    expect(known?.source).toBe("known");
  });

  test("of a stopped session leaves it stopped", async () => {
    server.simulator.behavior.hold("psa-api");
    const session = await startBusy([
      ["21000140", "PSA"],
      ["21000141", "PSA"],
    ]);
    await stop(session);
    server.simulator.behavior.release();
    await followUntil(server, ana, session.id, (event) => !event.session.counts.processing);
    for (const row of await rowsOf(server, ana, session.id)) await remove(row);
    expect(await sessionOf(server, ana, session.id)).toMatchObject({ status: "failed", totalCards: 0 });
  });
});

test("a row in the retry queue shares its job with an added row of its card, and is not retried after its removal", async () => {
  // Only this test waits for a timeout. A short one would also end the calls that other tests hold.
  const hasty = await startScanTest({ REQUEST_TIMEOUT_MS: "300", RETRY_DELAYS_S: "60" });
  try {
    const { admin } = hasty;
    hasty.simulator.behavior.fail("psa-api", "hang");
    const session = await startScan(hasty, admin, sheetOf([["21000040", "PSA"]], fresh));
    await followUntil(hasty, admin, session.id, (event) => event.session.counts.queued === 1);
    const [row] = await rowsOf(hasty, admin, session.id);
    const payload = { rows: [scanned(3, "21000040")] };
    const url = `/api/scan-sessions/${session.id}/rows`;
    const added = await hasty.app.inject({ method: "POST", url, headers: admin.headers, payload });
    expect([added.statusCode, added.json()]).toEqual([200, expect.objectContaining({ counts: { queued: 2 } })]);
    const [, duplicate] = await rowsOf(hasty, admin, session.id);
    expect(duplicate).toMatchObject({ itemName: "Queued: 21000040" });
    const removeHere = (id: string | undefined) =>
      hasty.app.inject({ method: "DELETE", url: `/api/scan-results/${id}`, headers: admin.headers });
    await removeHere(duplicate?.id);
    expect((await removeHere(row?.id)).json()).toMatchObject({ status: "completed", totalCards: 0 });
    const { rows } = await sql`
      SELECT FROM jobs.job WHERE name = 'retry-psa' AND data->>'sessionId' = ${session.id}`.execute(hasty.db);
    expect(rows).toEqual([]);
  } finally {
    await hasty.closeAll();
  }
});

describe("edited rows", () => {
  test("take a cost and notes beside the note of their lookup, before and after it, and keep the sheet", async () => {
    server.simulator.behavior.hold("psa-api");
    const sheet = sheetOf(
      [
        ["21000050", "PSA", "about 5", "box 2"],
        ["21000051", "PSA"],
        ["12", "PSA", "", "scratched"],
      ],
      fresh,
    );
    const session = await startScan(server, ana, sheet);
    const ids = (await rowsOf(server, ana, session.id)).map(({ id }) => id);
    const typed = { cost: "1.234,50 €", notes: " box 3 " };
    expect((await edit(session, { rowIds: ids.slice(0, 2), ...typed })).statusCode).toBe(200);
    server.simulator.behavior.release();
    const [first, second, third] = await finish(server, ana, session);
    const warnings = ['Price "1.234,50 €" is read as 1234.5 dollars'];
    const shown = { price: 1234.5, customerPrice: "1357.95", sheetNotes: "box 3", notes: "box 3", warnings };
    expect([first, second]).toMatchObject([shown, shown]);
    expect(third).toMatchObject({ price: null, sheetNotes: "scratched", notes: expect.stringMatching(/^Error: /) });

    await sql`UPDATE scan_results SET notes = sheet_notes || ' · read from the page' WHERE id = ${ids[0]}`.execute(
      server.db,
    );
    const before = await sessionOf(server, ana, session.id);
    const changed = await edit(session, { rowIds: ids, cost: null, notes: "" });
    const cleared = { price: null, priceText: "", customerPrice: "0.00", sheetNotes: "", warnings: [] };
    expect(changed.json()).toMatchObject({ results: [{ notes: "read from the page", ...cleared }, cleared, cleared] });
    expect(changed.json()).toMatchObject({ results: [{}, {}, { notes: third?.notes }] });
    const isAll = (event: { results: object[] }) => event.results.length === 3;
    await followUntil(server, ana, session.id, isAll, before.eventSeq);
    expect((await edit(session, { rowIds: ids, cost: "", notes: "" })).json()).toEqual({ results: [] });

    const { cells } = (
      await server.app.inject({ url: `/api/scan-results/${ids[0]}/provenance`, headers: ana.headers })
    ).json<{ cells: string[] }>();
    expect(cells).toEqual(["21000050", "PSA", "about 5", "box 2"]);
  });

  test("take an offer, which replaces the rule's in exports, and lose it again", async () => {
    const session = await startScan(
      server,
      ana,
      sheetOf(
        [["21000050"], ["21000051"]].map(([cert = ""]) => [cert, "PSA"]),
        fresh,
      ),
    );
    const [first, second] = await finish(server, ana, session);
    const headerOf = async (): Promise<string> =>
      (
        await server.app.inject({
          url: `/api/scan-sessions/${session.id}/export?format=original`,
          headers: ana.headers,
        })
      ).body.split("\n", 1)[0] ?? "";
    expect(await headerOf()).not.toContain("Buy Offer");
    const before = await sessionOf(server, ana, session.id);
    const changed = await edit(session, { rowIds: [first?.id], offer: " $1,250.005 " });
    expect(changed.json()).toMatchObject({ results: [{ ownOffer: 1250.01, price: null }] });
    const isFirst = (event: { results: { id: string }[] }) => event.results.some(({ id }) => id === first?.id);
    await followUntil(server, ana, session.id, isFirst, before.eventSeq);
    expect((await rowsOf(server, ana, session.id)).map(({ ownOffer }) => ownOffer)).toEqual([1250.01, null]);
    expect(await headerOf()).toContain("Buy Offer");
    expect((await edit(session, { rowIds: [first?.id], offer: 1250.01 })).json()).toEqual({ results: [] });
    const both = await edit(session, { rowIds: [first?.id, second?.id], offer: "0", cost: 5 });
    expect(both.json()).toMatchObject({
      results: [
        { ownOffer: 0, price: 5 },
        { ownOffer: 0, price: 5 },
      ],
    });
    expect((await edit(session, { rowIds: [first?.id, second?.id], offer: "" })).json()).toMatchObject({
      results: [{ ownOffer: null }, { ownOffer: null }],
    });
    expect(await headerOf()).not.toContain("Buy Offer");
  });

  test("reject invalid or overlong costs and offers, and other users' edits", async () => {
    const [session, other] = [
      await startScan(server, ana, sheetOf([["", ""]])),
      await startScan(server, ana, sheetOf([["", ""]])),
    ];
    const [row] = await rowsOf(server, ana, session.id);
    const rowIds = [row?.id];
    const refused = await edit(session, { rowIds, cost: "ten" });
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      expect.objectContaining({ error: '"ten" is not an amount. Type the cost in dollars, for example 120.00' }),
    ]);
    for (const bad of [
      {},
      { notes: "x".repeat(2_001) },
      { cost: "1".repeat(201) },
      { cost: 1e12 },
      { offer: -1 },
      { offer: "x" },
    ])
      expect((await edit(session, { rowIds, ...bad })).statusCode, Object.keys(bad).join()).toBe(400);
    expect((await edit(session, { rowIds, notes: "mine now" }, ben)).statusCode).toBe(404);
    expect((await edit(other, { rowIds, notes: "of another session" })).json()).toEqual({ results: [] });
    expect(await rowsOf(server, ana, session.id)).toEqual([row]);
  });
});

describe("another user's session", () => {
  test("accepts no rows and removes none; an administrator's additions belong to its owner", async () => {
    const session = await startScan(server, ana, sheetOf([["", ""]]));
    const [row] = await rowsOf(server, ana, session.id);
    expect((await post(session, [scanned(3, "")], ben)).statusCode).toBe(404);
    expect((await remove(row, ben)).statusCode).toBe(404);
    expect(await rowsOf(server, ana, session.id)).toEqual([row]);

    expect((await post(session, [scanned(3, "")], server.admin)).statusCode).toBe(200);
    const [, added] = await rowsOf(server, ana, session.id);
    expect((await remove(added, ana)).statusCode).toBe(200);
    expect((await remove(row, server.admin)).json()).toMatchObject({ totalCards: 0 });
  });
});
