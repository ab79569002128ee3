import { formatDay } from "@slabdesk/contract/certs/dates.ts";
import { createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { ScanEvent } from "@slabdesk/contract/api/sessions.ts";
import type { Profile } from "@slabdesk/contract/api/people.ts";
import { resultsPageSchema, type ResultRow, type ResultsPage } from "@slabdesk/contract/api/results.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { amount } from "../../../../scripts/test-form.ts";
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

const activitiesOf = async (person: Person, type: string) => {
  await server.activityWritten();
  return server.db
    .selectFrom("user_activity_logs")
    .selectAll()
    .where("user_id", "=", person.id)
    .where("activity_type", "=", type as "login")
    .execute();
};

describe("a run", () => {
  test("settles every line of a mixed sheet, valid or not, in the sheet's order", async () => {
    const rows = await runSheet(
      server,
      ana,
      sheetOf([
        ["01020688", "PSA", "12.50", "box 1"],
        ["1401019289-294", " cgc ", "$40"],
        [" C1240631 ", "TAG"],
        ["", "PSA", "3", "no number"],
        ["98174651", ""],
        ["98174651", "BGS"],
        ["1.45531E+08", "PSA"],
        ["99999990", "PSA", "7", "not there"],
      ]),
    );
    expect(rows.map((row) => [row.line, row.status, row.outcome, row.certNumber, row.itemName])).toEqual([
      [2, "completed", "found", "01020688", "1960 TOPPS #72 TIGERS TEAM"],
      [3, "completed", "found", "1401019289294", "2022 VSTAR Universe #206/172 Turtwig"],
      [4, "completed", "found", "C1240631", "2008 Pokémon Diamond & Pearl Legends Awakened #37/146 Regigigas"],
      [5, "error", "invalid_row", "", "Error: N/A"],
      [6, "error", "invalid_row", "98174651", "Error: 98174651"],
      [7, "error", "invalid_row", "98174651", "Error: 98174651"],
      [8, "error", "invalid_number", "1.45531E+08", "Error: 1.45531E+08"],
      [9, "error", "not_found", "99999990", "Error: 99999990"],
    ]);
    expect(rows[0]).toMatchObject({
      price: 12.5,
      priceText: "12.50",
      customerPrice: "13.75",
      notes: "box 1",
      source: "api",
      inventoryName: "PSA NM-MT 8 1960 TOPPS #72 TIGERS TEAM",
      population: 123,
      populationHigher: 26,
      populationAsOf: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(rows[2]).toMatchObject({ population: 2, populationHigher: null });
    expect(rows[1]).toMatchObject({
      population: 39,
      populationHigher: null,
      price: 40,
      customerPrice: "44.00",
      warnings: ["Number repaired: dash removed (typed: 1401019289-294)"],
    });
    expect(rows[3]).toMatchObject({
      player: "Error",
      year: "N/A",
      population: null,
      populationAsOf: null,
      notes: "Error: Missing CertNumber or GradingCompany",
      customerPrice: "3.30",
    });
    expect(rows[5]).toMatchObject({
      notes: "Error: Unsupported grading company: BGS. Supported companies are: PSA, CGC, TAG",
    });
    expect(rows[7]).toMatchObject({
      player: "Error",
      imageUrl: "N/A",
      notes: expect.stringMatching(/^Error: Failed to fetch PSA cert 99999990: 404 /),
    });
  });

  test("looks up duplicates once and fills both rows", async () => {
    const rows = await runSheet(
      server,
      ana,
      sheetOf(
        [
          ["81000001", "PSA", "1"],
          ["'81000001", "psa", "2"],
        ],
        { reuseKnown: false },
      ),
    );
    expect(rows.map((row) => [row.status, row.price, row.itemName === rows[0]?.itemName])).toEqual([
      ["completed", 1, true],
      ["completed", 2, true],
    ]);
    expect(server.simulator.calls.count({ cert: "81000001", path: "/psa-api/publicapi/cert/GetByCertNumber" })).toBe(1);
  });

  test("fills rows from the cache without a call, and makes new calls on request", async () => {
    const [first] = await runSheet(server, ana, sheetOf([["81000002", "PSA"]]));
    expect(first?.population).not.toBeNull();
    server.simulator.calls.clear();
    const session = await startScan(server, ben, sheetOf([["81000002", "PSA", "5", "mine"]]));
    expect(session).toMatchObject({ status: "completed", processedCards: 1, counts: { completed: 1 } });
    expect(await rowsOf(server, ben, session.id)).toMatchObject([
      {
        source: "known",
        outcome: "found",
        certNumber: "81000002",
        price: 5,
        notes: "mine",
        population: first?.population,
        populationHigher: first?.populationHigher,
        populationAsOf: first?.populationAsOf,
      },
    ]);
    expect(server.simulator.calls.count({ cert: "81000002", endpoint: "psa-api" })).toBe(0);

    const [fresh] = await runSheet(server, ben, sheetOf([["81000002", "PSA"]], { reuseKnown: false }));
    expect(fresh?.source).toBe("api");
    expect(server.simulator.calls.count({ cert: "81000002", endpoint: "psa-api" })).toBeGreaterThan(0);
  });

  test("fills rows from cached cards that have no population", async () => {
    await runSheet(server, ana, sheetOf([["81000012", "PSA"]]));
    await sql`
      UPDATE cached_certs SET card = card - 'population' - 'populationHigher' - 'populationAsOf'
      WHERE cert_number = '81000012'`.execute(server.db);
    const noPopulation = { population: null, populationHigher: null, populationAsOf: null };
    const [known] = await runSheet(server, ben, sheetOf([["81000012", "PSA"]]));
    expect(known).toMatchObject({ source: "known", outcome: "found", ...noPopulation });
    const url = "/api/psa-with-fallback/81000012?forceRefresh=false";
    const single = await server.app.inject({ url, headers: ben.headers });
    expect(single.json()).toMatchObject({ certNumber: "81000012", ...noPopulation });
  });

  test("does not use a page's cached card for API mode", async () => {
    await runSheet(server, ana, sheetOf([["81000003", "PSA"]], { mode: "scraping" }));
    const [row] = await runSheet(server, ana, sheetOf([["81000003", "PSA"]], { mode: "api" }));
    expect(row?.source).toBe("api");
  });

  test("counts rows, sessions, and users' totals consistently", async () => {
    const person = await server.addPerson();
    const session = await startScan(
      server,
      person,
      sheetOf([
        ["81000004", "PSA"],
        ["81000005", "PSA"],
        ["", ""],
      ]),
    );
    await finish(server, person, session);
    expect(await sessionOf(server, person, session.id)).toMatchObject({
      status: "completed",
      totalCards: 3,
      processedCards: 3,
      counts: { completed: 2, error: 1 },
      completedAt: expect.any(String),
    });
    const profile = await server.app.inject({ url: "/api/profile", headers: person.headers });
    expect(profile.json()).toMatchObject({ totalScans: 1, totalCardsProcessed: 3 });
    expect(Date.parse(profile.json<Profile>().updatedAt)).toBeGreaterThanOrEqual(Date.parse(session.startedAt));
    expect(await activitiesOf(person, "scan_session_created")).toHaveLength(1);
    expect(await activitiesOf(person, "scan_started")).toHaveLength(1);
    expect(await activitiesOf(person, "scan_completed")).toMatchObject([
      { metadata: { sessionId: session.id, totalCards: 3, errors: 1 } },
    ]);
  });

  test("stores a failed card with its error and counts it as an error", async () => {
    const person = await server.addPerson();
    const session = await startScan(server, person, sheetOf([["99999990", "PSA", "7", "not there"]]));
    await finish(server, person, session);
    expect(await sessionOf(server, person, session.id)).toMatchObject({
      status: "completed",
      counts: { error: 1 },
      causes: { not_found: 1 },
    });
    expect(await rowsOf(server, person, session.id)).toMatchObject([
      {
        status: "error",
        outcome: "not_found",
        itemName: "Error: 99999990",
        player: "Error",
        notes: expect.stringMatching(/^Error: Failed to fetch PSA cert 99999990: 404 /),
      },
    ]);
  });

  test("names a session after its file and the day if the user typed no name", async () => {
    const session = await startScan(server, ana, sheetOf([["", ""]]));
    expect(session.sessionName).toBe(`box.csv - ${formatDay(Date.now())}`);
    expect((await startScan(server, ana, sheetOf([["", ""]], { sessionName: " Dallas " }))).sessionName).toBe("Dallas");
  });

  test("is created once if its request arrives twice", async () => {
    const sheet = sheetOf([["", ""]]);
    const [first, second] = await Promise.all([
      startScan(server, ana, sheet, { "idempotency-key": "a" }),
      startScan(server, ana, sheet, { "idempotency-key": "a" }),
    ]);
    const third = await startScan(server, ana, sheet, { "idempotency-key": "a" });
    const someoneElses = await startScan(server, ben, sheet, { "idempotency-key": "a" });
    expect(new Set([first.id, second.id, third.id])).toHaveLength(1);
    expect(someoneElses.id).not.toBe(first.id);
    const [row] = sheet.rows;
    const others = [
      { ...sheet, rows: [...sheet.rows, ...sheet.rows] },
      { ...sheet, delimiter: ";" as const },
      { ...sheet, acceptCompanies: true },
      { ...sheet, rows: row ? [{ ...row, sheetCard: { grade: "10" } }] : [] },
    ];
    for (const other of others)
      await expect(startScan(server, ana, other, { "idempotency-key": "a" })).rejects.toThrow(
        "already used for another sheet",
      );
  });

  test("does not start for a page of a different user", async () => {
    const send = (headers: Record<string, string>) =>
      server.app.inject({
        method: "POST",
        url: "/api/scan-sessions",
        headers: { ...ana.headers, ...headers },
        payload: sheetOf([["", ""]]),
      });
    const refused = await send({ "user-id": ben.id });
    expect([refused.statusCode, refused.json()]).toEqual([
      409,
      expect.objectContaining({ error: "Authentication error. Please refresh and login again." }),
    ]);
    expect((await send({ "user-id": ana.id })).statusCode).toBe(201);
  });

  test("is created once if its request first arrived at a version without the newer options", async () => {
    const { csvFilename, header, rows } = sheetOf([["", ""]]);
    const session = await startScan(server, ana, sheetOf([["", ""]]), { "idempotency-key": "of old" });
    const stored = { mode: "api-with-fallback", includePricing: false, reuseKnown: true, csvFilename, header, rows };
    const { request_hash } = await server.db
      .selectFrom("scan_sessions")
      .select("request_hash")
      .where("id", "=", session.id)
      .executeTakeFirstOrThrow();
    expect(request_hash).toBe(createHash("sha256").update(JSON.stringify(stored)).digest("hex"));
  });

  test("accepts the sheet as text/csv with the options in the query", async () => {
    const answer = await server.app.inject({
      method: "POST",
      url: "/api/scan-sessions?csvFilename=script.csv&sessionName=By+script&mode=api&reuseKnown=false&acceptCompanies=true",
      headers: { ...ana.headers, "content-type": "text/csv" },
      payload: "\ufeffCert #;Grader;Price;Year;Grade\r\n01020688;CGC;12,50;1961;NM-MT 8\r\n98174651;PSA 9\r\n",
    });
    expect(answer.statusCode).toBe(201);
    const session = answer.json();
    expect(session).toMatchObject({ csvFilename: "script.csv", sessionName: "By script", processingMode: "api" });
    expect(await finish(server, ana, session)).toMatchObject([
      {
        certNumber: "01020688",
        gradingCompany: "PSA",
        price: 12.5,
        outcome: "found",
        mismatches: ["your sheet: 1961, registry: 1960"],
        warnings: ['Price "12,50" is read as 12.5', "Company PSA taken from the number; the sheet says CGC"],
      },
      { certNumber: "98174651", mismatches: [], warnings: ['Company PSA read from "PSA 9"'] },
    ]);
    const stored = server.db.selectFrom("scan_results").where("session_id", "=", session.id).orderBy("id");
    expect(await stored.select("sheet_card").execute()).toEqual([
      { sheet_card: { year: "1961", grade: "NM-MT 8" } },
      { sheet_card: { company: "PSA 9" } },
    ]);
    const about = server.db.selectFrom("scan_sessions").where("id", "=", session.id);
    expect(await about.select(["delimiter", "accept_companies"]).execute()).toEqual([
      { delimiter: ";", accept_companies: true },
    ]);
  });

  test("accepts cert numbers as JSON numbers and refuses those that JSON can't carry exactly", async () => {
    const sheetWith = (certNumber: unknown) => ({
      csvFilename: "typed.json",
      header: ["Certification Number"],
      mode: "api",
      rows: [{ line: 2, certNumber, gradingCompany: "PSA" }],
    });
    const upload = (payload: object) =>
      server.app.inject({ method: "POST", url: "/api/scan-sessions", headers: ana.headers, payload });
    const accepted = await upload(sheetWith(98174651));
    expect(accepted.statusCode, accepted.body).toBe(201);
    expect(await finish(server, ana, accepted.json())).toMatchObject([{ certNumber: "98174651", outcome: "found" }]);
    const refused = await upload(sheetWith(2 ** 53));
    expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([
      400,
      expect.stringContaining("must be text in quotes, or a whole number that JSON can carry exactly"),
    ]);
  });

  test("keeps the rows in the order they arrive, whatever their line numbers", async () => {
    const sheet = sheetOf([
      ["", "a"],
      ["", "b"],
      ["", "c"],
    ]);
    const session = await startScan(server, ana, { ...sheet, rows: sheet.rows.toReversed() });
    expect((await rowsOf(server, ana, session.id)).map((row) => row.line)).toEqual([4, 3, 2]);
  });

  test("explains errors in a text/csv body", async () => {
    const answer = await server.app.inject({
      method: "POST",
      url: "/api/scan-sessions",
      headers: { ...ana.headers, "content-type": "text/csv" },
      payload: "a,b\n1,2\n",
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: "bad_request",
      error: expect.stringContaining("Error parsing CSV file. Please check the format."),
    });
  });
});

test("lookups and requests continue while another node's migration adds columns", async () => {
  const tables = ["auth_sessions", "user_profiles", "scan_sessions", "scan_results", "scan_counters", "endpoints"];
  const work = async (certNumber: string): Promise<void> => {
    const session = await startScan(server, ana, sheetOf([[certNumber, "PSA"]]));
    expect((await finish(server, ana, session))[0]?.outcome).toBe("found");
    const paths = ["scan-sessions", `scan-sessions/${session.id}/results`, `scan-results/search?q=${certNumber}`];
    for (const path of paths) {
      const { statusCode } = await server.app.inject({ url: `/api/${path}`, headers: ana.headers });
      expect([path, statusCode]).toEqual([path, 200]);
    }
  };
  await work("82000091");
  for (const table of tables) await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN added text`.execute(server.db);
  await work("82000092");
  for (const table of tables) await sql`ALTER TABLE ${sql.table(table)} DROP COLUMN added`.execute(server.db);
});

describe("the order of cards", () => {
  const asked = () =>
    server.simulator.calls.list({ path: "/psa-api/publicapi/cert/GetByCertNumber" }).map((call) => call.cert);

  test("is the sheet's order", async () => {
    const numbers = Array.from({ length: amount({ short: 10, long: 30 }) }, (_, n) => String(85_000_000 + n));
    await runSheet(
      server,
      ana,
      sheetOf(
        numbers.map((number) => [number, "PSA"]),
        { mode: "api" },
      ),
    );
    expect(asked()).toEqual(numbers);
  });

  test("lets another user's few cards in between many", async () => {
    server.simulator.behavior.hold("psa-api", 7);
    const many = await startScan(
      server,
      ana,
      sheetOf(
        Array.from({ length: 60 }, (_, n) => [String(85_100_000 + n), "PSA"]),
        { mode: "api" },
      ),
    );
    await followUntil(server, ana, many.id, (event) => event.session.processedCards >= 3, many.eventSeq);
    const few = await startScan(
      server,
      ben,
      sheetOf(
        [
          ["85200001", "PSA"],
          ["85200002", "PSA"],
          ["85200003", "PSA"],
        ],
        { mode: "api" },
      ),
    );
    server.simulator.behavior.release();
    await finish(server, ben, few);
    expect((await sessionOf(server, ana, many.id)).status).toBe("processing");
    await server.app.inject({ method: "POST", url: `/api/scan-sessions/${many.id}/stop`, headers: ana.headers });
  });
});

describe("a failing upstream", () => {
  test.each([
    ["99999992", "unavailable"],
    ["99999994", "blocked"],
    ["99999995", "forbidden"],
    ["99999996", "unavailable"],
    ["99999999", "unavailable"],
  ])("PSA %s is %s in API mode, never not found", async (certNumber, outcome) => {
    const [row] = await runSheet(server, ana, sheetOf([[certNumber, "PSA", "", "kept"]], { mode: "api" }));
    expect(row).toMatchObject({
      status: "error",
      outcome,
      itemName: `Error: ${certNumber}`,
      error: expect.stringContaining(`Failed to fetch PSA cert ${certNumber}: `),
    });
  });

  test("is replaced by the page in fallback mode", async () => {
    server.simulator.behavior.fail("psa-api", "server_error");
    const [row] = await runSheet(server, ana, sheetOf([["01020470", "PSA"]], { reuseKnown: false }));
    expect(row).toMatchObject({
      status: "completed",
      source: "page",
      itemName: "1956 TOPPS #113 PHIL RIZZUTO GRAY BACK",
      grade: "MINT 9",
    });
  });
});

describe("progress", () => {
  test("is streamed, and a reconnecting browser misses nothing", async () => {
    server.simulator.behavior.hold("psa-api", 3);
    const session = await startScan(
      server,
      ana,
      sheetOf(
        Array.from({ length: amount({ short: 6, long: 12 }) }, (_, n) => [String(82_000_000 + n), "PSA"]),
        { reuseKnown: false },
      ),
    );
    const first = await followUntil(server, ana, session.id, (event) => event.session.processedCards > 0);
    expect(first.at(-1)?.session.status).toBe("processing");
    const seen = first.at(-1)?.session.eventSeq ?? 0;
    server.simulator.behavior.release();
    const rest = await followUntil(server, ana, session.id, (event) => event.session.status === "completed", seen);

    const told = new Map([...first, ...rest].flatMap((event) => event.results).map((row) => [row.id, row]));
    const rows = await rowsOf(server, ana, session.id);
    expect(rows.map((row) => told.get(row.id))).toEqual(rows);
    expect(rest.every((event) => event.session.eventSeq > seen)).toBe(true);
    const numbers = rest.map((event) => event.session.eventSeq);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  });

  test("reaches every follower whole, whenever it joins", async () => {
    server.simulator.behavior.hold("psa-api");
    const lines = Array.from({ length: 12 }, (_, n): [string, string] => [String(82_500_000 + n), "PSA"]);
    const session = await startScan(server, ana, sheetOf(lines, { reuseKnown: false, mode: "api" }));
    const isOver = (event: ScanEvent): boolean => event.session.status === "completed";
    const join = (count: number, since: number) =>
      Array.from({ length: count }, async () => {
        const events = await followUntil(server, ana, session.id, isOver, since);
        return new Map(events.flatMap(({ results }) => results.map((row) => [row.line, row.status])));
      });
    const early = join(8, 0);
    await expect.poll(() => server.simulator.calls.total("psa-api")).toBeGreaterThan(0);
    server.simulator.behavior.release();
    const [first] = await followUntil(server, ana, session.id, (event) => event.session.processedCards > 3);
    const late = join(8, first?.session.eventSeq ?? 0);
    const wanted = new Map(lines.map((_, n) => [n + 2, "completed"]));
    for (const rows of await Promise.all(early)) expect(rows).toEqual(wanted);
    const changed = (await Promise.all(late)).map((rows) =>
      [...rows.values()].every((status) => status === "completed"),
    );
    expect(changed).toEqual(Array.from({ length: 8 }, () => true));
  });

  test("is available by polling, too", async () => {
    const session = await startScan(server, ana, sheetOf([["82000100", "PSA"]]));
    await finish(server, ana, session);
    const answer = await server.app.inject({
      url: `/api/scan-sessions/${session.id}/results?since=0`,
      headers: ana.headers,
    });
    expect(answer.json()).toMatchObject({
      results: [{ certNumber: "82000100", status: "completed" }],
      nextCursor: null,
    });
    const { eventSeq } = answer.json();
    const quiet = await server.app.inject({
      url: `/api/scan-sessions/${session.id}/results?since=${eventSeq}`,
      headers: ana.headers,
    });
    expect(quiet.json()).toEqual({ results: [], nextCursor: null, eventSeq });
  });

  test("pages through a large sheet without losing a row", async () => {
    const count = amount({ short: 1_600, long: 5_000 });
    const session = await startScan(server, ana, sheetOf(Array.from({ length: count }, (_, n) => [`bad ${n}`, "PSA"])));
    const lines: number[] = [];
    for (let cursor: string | null = "0"; cursor !== null;) {
      const answer = await server.app.inject({
        url: `/api/scan-sessions/${session.id}/results?limit=777&cursor=${cursor}`,
        headers: ana.headers,
      });
      const page: { results: { line: number }[]; nextCursor: string | null } = answer.json();
      lines.push(...page.results.map((row) => row.line));
      cursor = page.nextCursor;
    }
    expect(lines).toEqual(Array.from({ length: count }, (_, n) => n + 2));
  });
});

describe("stopping", () => {
  test("lets the card in flight finish and leaves the rest pending", async () => {
    server.simulator.behavior.hold("psa-api");
    const session = await startScan(
      server,
      ana,
      sheetOf(
        Array.from({ length: 6 }, (_, n) => [String(83_000_000 + n), "PSA"]),
        { reuseKnown: false, mode: "api" },
      ),
    );
    await followUntil(server, ana, session.id, (event) => event.results.some((row) => row.status === "processing"));
    const stopped = await server.app.inject({
      method: "POST",
      url: `/api/scan-sessions/${session.id}/stop`,
      headers: ana.headers,
    });
    expect(stopped.json()).toMatchObject({ status: "failed", completedAt: expect.any(String) });
    server.simulator.behavior.release();
    await followUntil(server, ana, session.id, (event) => (event.session.counts.processing ?? 0) === 0);

    const again = await server.app.inject({
      method: "POST",
      url: `/api/scan-sessions/${session.id}/stop`,
      headers: ana.headers,
    });
    expect(again.statusCode).toBe(200);
    const { counts, processedCards, status } = await sessionOf(server, ana, session.id);
    expect(status).toBe("failed");
    expect(counts.completed).toBe(processedCards);
    expect(counts.pending).toBe(6 - processedCards);
    expect(counts.pending).toBeGreaterThan(0);
    const noted = await activitiesOf(ana, "scan_stopped");
    expect(noted.filter((activity) => activity.metadata["sessionId"] === session.id)).toHaveLength(1);
  });

  test("cancels unstarted jobs, so that other sessions need not wait for them", async () => {
    server.simulator.behavior.hold("psa-api");
    const session = await startScan(
      server,
      ana,
      sheetOf(
        Array.from({ length: 300 }, (_, n) => [String(84_000_000 + n), "PSA"]),
        { mode: "api" },
      ),
    );
    await followUntil(server, ana, session.id, (event) => event.results.some((row) => row.status === "processing"));
    await server.app.inject({ method: "POST", url: `/api/scan-sessions/${session.id}/stop`, headers: ana.headers });
    const { rows } = await sql<{ state: string }>`
      SELECT state::text FROM jobs.job WHERE data->>'sessionId' = ${session.id}`.execute(server.db);
    expect(rows.length).toBeLessThan(10);
    expect(rows.map(({ state }) => state)).not.toContain("created");
    server.simulator.behavior.release();
    await followUntil(server, ana, session.id, (event) => (event.session.counts.processing ?? 0) === 0);
  });

  test("by the earlier tool's endpoint stops only one's own sessions", async () => {
    for (const endpoint of ["psa-api", "cgc-api"] as const) server.simulator.behavior.hold(endpoint);
    const own = await startScan(
      server,
      ana,
      sheetOf([
        ["83000101", "PSA"],
        ["83000102", "PSA"],
      ]),
    );
    const others = await startScan(
      server,
      ben,
      sheetOf([
        ["83000103", "CGC"],
        ["1401000000123", "CGC"],
      ]),
    );
    const stopped = await server.app.inject({ url: "/api/stop", headers: ana.headers });
    expect(stopped.json()).toEqual({ stopped: 1 });
    expect(await sessionOf(server, ana, own.id)).toMatchObject({ status: "failed" });
    expect(await sessionOf(server, ben, others.id)).not.toMatchObject({ status: "failed" });
    server.simulator.behavior.release();
    await finish(server, ben, others);
    const reset = await server.app.inject({ url: "/api/reset-stop", headers: ana.headers });
    expect(reset.json()).toEqual({ stopped: 0 });
  });
});

describe("hostile text", () => {
  test("does not affect the rows beside it: NUL, lone surrogates, emoji at the edge of our own texts", async () => {
    const lines: [string, string, string, string][] = [
      ["01020688", "PSA", `${"9".repeat(59)}😀`, "nul \0 in a note"],
      [`${"x".repeat(39)}😀`, "PSA", "", "half \ud83d"],
      ["98174651", "PSA", "1", "\u202eright to left"],
    ];
    const session = await startScan(
      server,
      ana,
      sheetOf(lines, { sessionName: `${"n".repeat(99)}😀\0`, sheetFingerprint: "one\0" }),
    );
    const rows = await finish(server, ana, session);
    expect(rows.map((row) => row.status)).toEqual(["completed", "error", "completed"]);
    expect(rows.map((row) => row.notes)).toEqual([
      "nul  in a note",
      expect.stringMatching(/^Error: /),
      "\u202eright to left",
    ]);
    const file = await server.app.inject({
      url: `/api/scan-sessions/${session.id}/export?format=session-csv`,
      headers: ana.headers,
    });
    expect(file.statusCode).toBe(200);
    for (const query of ["filter=%00", "sheetFingerprint=%00"]) {
      const list = await server.app.inject({ url: `/api/scan-sessions?${query}`, headers: ana.headers });
      expect(list.statusCode).toBe(200);
    }
  });

  test("keeps a cell that is longer than an index entry", async () => {
    const person = await server.addPerson();
    const long = Array.from({ length: 15 }, () => randomBytes(1_000).toString("hex")).join("");
    const rows = await runSheet(
      server,
      person,
      sheetOf([
        [long, "PSA"],
        ["98174651", long],
        ["98174651", "PSA"],
      ]),
    );
    expect(rows.map((row) => row.status)).toEqual(["error", "error", "completed"]);
    expect([rows[0]?.certNumber, rows[1]?.gradingCompany]).toEqual([long, long]);
  });

  test("long texts arrive in parts, each row once: pages, events, and files", async () => {
    const lines = Array.from({ length: 120 }, (_, index): [string, string, string, string] => [
      String(index),
      "BGS",
      "",
      "x".repeat(30_000),
    ]);
    const { id } = await startScan(server, ana, sheetOf(lines));
    const expected = (
      await server.db.selectFrom("scan_results").select("id").where("session_id", "=", id).orderBy("id").execute()
    ).map((row) => String(row.id));
    const read = async (query: string) => {
      const url = `/api/scan-sessions/${id}/results?limit=5000&${query}`;
      return resultsPageSchema.parse((await server.app.inject({ url, headers: ana.headers })).json());
    };
    const [paged, changed]: string[][] = [[], []];
    for (let cursor: string | null = "0"; cursor !== null;) {
      const page: ResultsPage = await read(`cursor=${cursor}`);
      expect(page.results.length).toBeLessThan(60);
      paged?.push(...page.results.map((row) => row.id));
      cursor = page.nextCursor;
    }
    for (let since = 0; ;) {
      const { results, eventSeq } = await read(`since=${since}`);
      if (results.length === 0) break;
      expect(results.length).toBeLessThan(60);
      changed?.push(...results.map((row) => row.id));
      since = eventSeq;
    }
    const url = `/api/scan-sessions/${id}/export`;
    const payload = { format: "json", rowIds: expected };
    const file = await server.app.inject({ method: "POST", url, headers: ana.headers, payload });
    const exported = file.json<{ results: ResultRow[] }>().results.map((row) => row.id);
    expect([paged, changed, exported]).toEqual([expected, expected, expected]);

    const { eventSeq } = await sessionOf(server, ana, id);
    const reviewed = await server.app.inject({
      method: "POST",
      url: `/api/scan-sessions/${id}/reviewed`,
      headers: ana.headers,
      payload: { rowIds: expected, isReviewed: true },
    });
    expect(reviewed.json<ResultsPage>().results.length).toBeLessThan(60);
    const last = (await sessionOf(server, ana, id)).eventSeq;
    const events = await followUntil(server, ana, id, ({ session }) => session.eventSeq === last, eventSeq);
    for (const { results } of events) expect(results.length).toBeLessThan(60);
    const followed = events.flatMap(({ results }) => results.map((row) => row.id));
    expect(followed).toEqual(expected);
  });

  test("a line with more than a million characters is refused with a message", async () => {
    const sheet = sheetOf([["1", "PSA"]]);
    const rows = sheet.rows.map((row) => ({ ...row, cells: Array<string>(40).fill("x".repeat(30_000)) }));
    const payload = { ...sheet, rows };
    const refused = await server.app.inject({
      method: "POST",
      url: "/api/scan-sessions",
      headers: ana.headers,
      payload,
    });
    expect([refused.statusCode, refused.json()]).toMatchObject([
      400,
      { fields: { "rows.0.cells": expect.stringMatching("1,000,000 characters. Shorten them") } },
    ]);
    const header = rows[0]?.cells;
    const headed = await server.app.inject({
      method: "POST",
      url: "/api/scan-sessions",
      headers: ana.headers,
      payload: { ...sheet, header },
    });
    expect([headed.statusCode, headed.json()]).toMatchObject([
      400,
      { fields: { header: expect.stringMatching("1,000,000 characters. Shorten them") } },
    ]);
  });

  test("a cell that is too long for a spreadsheet is refused", async () => {
    const sheet = sheetOf([["1", "PSA"]]);
    const payload = { ...sheet, rows: sheet.rows.map((row) => ({ ...row, cells: ["x".repeat(32_768)] })) };
    const url = "/api/scan-sessions";
    const refused = await server.app.inject({ method: "POST", url, headers: ana.headers, payload });
    expect([refused.statusCode, refused.json()]).toMatchObject([
      400,
      { fields: { "rows.0.cells.0": expect.any(String) } },
    ]);
  });

  test("a cell that is only compared with the grader's data is stored up to its thousandth character", async () => {
    const sheet = sheetOf([["98174651", "PSA"]]);
    const sheetCard = { name: `${"x".repeat(999)}😀`, grade: "9" };
    const [row] = await runSheet(server, ana, { ...sheet, rows: sheet.rows.map((one) => ({ ...one, sheetCard })) });
    const { sheet_card } = await server.db
      .selectFrom("scan_results")
      .select("sheet_card")
      .where("id", "=", Number(row?.id))
      .executeTakeFirstOrThrow();
    expect(sheet_card).toEqual({ name: `${"x".repeat(999)}\ufffd`, grade: "9" });
  });

  test("a line number that cannot be stored is refused with a message", async () => {
    const sheet = sheetOf([["98174651", "PSA"]]);
    const payload = { ...sheet, rows: sheet.rows.map((row) => ({ ...row, line: 2 ** 40 })) };
    const answer = await server.app.inject({
      method: "POST",
      url: "/api/scan-sessions",
      headers: ana.headers,
      payload,
    });
    expect(answer.statusCode).toBe(400);
  });
});

describe("access to sessions", () => {
  test("hides other users' sessions, rows, files, and images, except from administrators", async () => {
    const session = await startScan(server, ana, sheetOf([["01020688", "PSA"]]));
    const [row] = await finish(server, ana, session);
    const addresses = [
      `/api/scan-sessions/${session.id}`,
      `/api/scan-sessions/${session.id}/results`,
      `/api/scan-sessions/${session.id}/events`,
      `/api/scan-sessions/${session.id}/export`,
      `/api/scan-results/${row?.id}/image/front`,
    ];
    for (const url of addresses) {
      const answer = await server.app.inject({ url, headers: ben.headers });
      expect([url, answer.statusCode, answer.json().code]).toEqual([url, 404, "no_such_thing"]);
    }
    const changes = [
      { method: "POST" as const, url: `/api/scan-sessions/${session.id}/stop` },
      { method: "PATCH" as const, url: `/api/scan-results/${row?.id}/images`, payload: { swap: true } },
    ];
    for (const change of changes)
      expect((await server.app.inject({ ...change, headers: ben.headers })).statusCode).toBe(404);
    expect(
      (await server.app.inject({ url: `/api/scan-sessions/${session.id}`, headers: server.admin.headers })).statusCode,
    ).toBe(200);
    const bens = await server.app.inject({ url: "/api/scan-sessions?limit=200", headers: ben.headers });
    expect(bens.json<{ sessions: { id: string }[] }>().sessions.some(({ id }) => id === session.id)).toBe(false);
  });

  test.each(["nonsense", "00000000-0000-0000-0000-000000000000", "1'--"])(
    "a session named %s does not exist",
    async (id) => {
      const answer = await server.app.inject({
        url: `/api/scan-sessions/${encodeURIComponent(id)}`,
        headers: ana.headers,
      });
      expect(answer.statusCode).toBe(404);
    },
  );
});

describe("the list of sessions", () => {
  test("filters by name or file, sorts, and pages", async () => {
    const person = await server.addPerson();
    for (const [sessionName, csvFilename, size] of [
      ["Alpha", "x_1.csv", 2],
      ["beta 100%", "y.csv", 1],
      ["Gamma", "alpha.csv", 3],
    ] as const) {
      await startScan(
        server,
        person,
        sheetOf(
          Array.from({ length: size }, () => ["", ""] as [string, string]),
          { sessionName, csvFilename },
        ),
      );
    }
    const names = async (query: string) => {
      const answer = await server.app.inject({ url: `/api/scan-sessions?${query}`, headers: person.headers });
      return answer.json<{ sessions: { sessionName: string }[] }>().sessions.map((session) => session.sessionName);
    };
    expect(await names("")).toEqual(["Gamma", "beta 100%", "Alpha"]);
    expect(await names("order=asc")).toEqual(["Alpha", "beta 100%", "Gamma"]);
    expect(await names("filter=ALPHA")).toEqual(["Gamma", "Alpha"]);
    expect(await names("filter=100%25")).toEqual(["beta 100%"]);
    expect(await names("filter=_1")).toEqual(["Alpha"]);
    expect(await names("sort=cards&order=desc")).toEqual(["Gamma", "Alpha", "beta 100%"]);
    expect(await names("sort=name&order=asc&limit=2")).toEqual(["Alpha", "beta 100%"]);
    expect(await names("sort=name&order=asc&limit=2&cursor=2")).toEqual(["Gamma"]);
  });
});

describe("swapping images", () => {
  test("exchanges front and back, stores it, notifies open tables, and is refused if there is nothing to swap", async () => {
    const session = await startScan(
      server,
      ana,
      sheetOf([
        ["98174651", "PSA"],
        ["99999990", "PSA"],
      ]),
    );
    const [row, missing] = await finish(server, ana, session);
    const before = await sessionOf(server, ana, session.id);
    const swap = (id: string | undefined) =>
      server.app.inject({
        method: "PATCH",
        url: `/api/scan-results/${id}/images`,
        headers: ana.headers,
        payload: { swap: true },
      });
    const swapped = await swap(row?.id);
    expect(swapped.json()).toMatchObject({ imageUrl: row?.imageUrlBack, imageUrlBack: row?.imageUrl });
    expect((await rowsOf(server, ana, session.id))[0]).toMatchObject({ imageUrl: row?.imageUrlBack });
    const [event] = await followUntil(server, ana, session.id, (each) => each.results.length > 0, before.eventSeq);
    expect(event?.results).toMatchObject([{ id: row?.id, imageUrl: row?.imageUrlBack }]);
    expect((await swap(missing?.id)).statusCode).toBe(409);
    expect(await activitiesOf(ana, "image_swap")).toHaveLength(1);
  });
});
