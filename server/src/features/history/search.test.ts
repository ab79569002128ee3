import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { searchAnswerSchema, type SearchAnswer } from "@slabdesk/contract/api/search.ts";
import { sheetOf, startScan, startScanTest, type ScanTest } from "../../testing/scan-test.ts";
import type { Person } from "../../testing/test-server.ts";
import { indexAll } from "./search.service.ts";

let server: ScanTest;
beforeAll(async () => {
  // Nothing is looked up: cached certs fill their rows, the others stay as typed.
  server = await startScanTest({ ROLE: "web" });
});
afterAll(async () => {
  await server.closeAll();
});

type Names = { itemName?: string; player?: string; brand?: string };
type Line = [certNumber: string, gradingCompany: string, names?: Names];

/** Stores a sheet; cards with names are cached. */
async function store(person: Person, sessionName: string, lines: readonly Line[]): Promise<void> {
  const known = { itemName: "N/A", player: "N/A", brand: "N/A" };
  for (const [certNumber, company, names] of lines) {
    if (names)
      await sql`
        INSERT INTO cached_certs (grading_company, cert_number, card, source, notes)
        VALUES (${company}, ${certNumber}, ${JSON.stringify({ ...known, ...names })}, 'api', '')`.execute(server.db);
  }
  const sheet = sheetOf(lines.map(([certNumber, company]) => [certNumber, company]));
  await startScan(server, person, { ...sheet, sessionName });
}

/** Stores this many rows of a unique card: one from a sheet, the others as copies of it. */
async function storeMany(person: Person, count: number, company = "TAG"): Promise<void> {
  await store(person, "many", [["Z7654321", company]]);
  await sql`
    WITH session AS (
      UPDATE scan_sessions SET total_cards = ${count}
      WHERE user_id = ${person.id} AND session_name = 'many' AND total_cards = 1 RETURNING id
    )
    INSERT INTO scan_results (session_id, user_id, line, cells, status, cert_number, grading_company, price_text,
      customer_price, sheet_notes, notes, warnings, event_seq)
    SELECT r.session_id, r.user_id, r.line + n, r.cells, r.status, r.cert_number, r.grading_company, r.price_text,
      r.customer_price, r.sheet_notes, r.notes, r.warnings, r.event_seq
    FROM scan_results AS r JOIN session ON session.id = r.session_id, generate_series(1, ${count - 1}::int) AS n`.execute(
    server.db,
  );
}

function ask(person: Person, query: string) {
  return server.app.inject({ url: `/api/scan-results/search?${query}`, headers: person.headers });
}

async function search(person: Person, text: string): Promise<SearchAnswer> {
  const answer = await ask(person, new URLSearchParams({ q: text }).toString());
  expect([text, answer.statusCode]).toEqual([text, 200]);
  return searchAnswerSchema.parse(answer.json());
}

const certsOf = ({ results }: SearchAnswer): string[] => results.map((row) => row.certNumber);

const POKEMON: Line = ["41000001", "PSA", { itemName: "1999 POKÉMON BASE #4", player: "Mewtu Ärger", brand: "WOTC" }];
const WOOL: Line = ["41000002", "PSA", { itemName: "100% WOOL", player: "A_B", brand: "BACK\\SLASH" }];
const PLAIN: Line = ["41000003", "PSA", { itemName: "100 WOOLS", player: "AXB", brand: "BACKSLASH  ピカチュウ" }];
const CGC: Line = ["4200000004", "CGC"];
const TYPED: Line = ["41-ODD", "Sgc?"];

describe("search", () => {
  let ana: Person;
  let collector: Person;
  let archivist: Person;
  beforeAll(async () => {
    [ana, collector, archivist] = [await server.addPerson(), await server.addPerson(), await server.addPerson()];
    await store(ana, "Dallas show", [POKEMON, WOOL, PLAIN, CGC, TYPED]);
    // The same, now cached, behind enough newer rows that the search reads chunks and changed rows.
    for (const person of [archivist, collector]) {
      await store(
        person,
        "Dallas show",
        [POKEMON, WOOL, PLAIN, CGC, TYPED].map(([certNumber, company]) => [certNumber, company]),
      );
      await storeMany(person, 10_000);
      if (person === archivist) await indexAll(server.db);
    }
  });

  const cases: [text: string, found: Line[]][] = [
    ["41000001", [POKEMON]],
    ["1000001", [POKEMON]],
    ["00000", [CGC, PLAIN, WOOL, POKEMON]],
    ["pokémon", [POKEMON]],
    ["POKÉMON base", [POKEMON]],
    ["pokemon", []],
    ["TU ÄRG", [POKEMON]],
    ["tu ärg", [POKEMON]],
    ["wotc", [POKEMON]],
    ["  wotc\t", [POKEMON]],
    ["cgc", [CGC]],
    ["sgc?", [TYPED]],
    ["41-odd", [TYPED]],
    ["100%", [WOOL]],
    ["0% wool", [WOOL]],
    ["%wool", []],
    ["%", [WOOL]],
    ["a_b", [WOOL]],
    ["_", [WOOL]],
    ["back\\slash", [WOOL]],
    ["\\", [WOOL]],
    ["backslash", [PLAIN]],
    ["backslash ピ", []],
    ["ピカチュウ", [PLAIN]],
    ["wool 100", []],
    ["#4", [POKEMON]],
    ["wo\0tc", [POKEMON]],
    ["wotc'; --", []],
    // As printed on the slab, or with its company before it.
    ["PSA 41000001", [POKEMON]],
    ["cgc4200000-004", [CGC]],
    // No match crosses the border between the number and the company.
    ["0001PSA", []],
    ["0001\u001fPSA", []],
    ["x".repeat(200), []],
  ];

  test.each(cases)("%j among few rows", async (text, found) => {
    expect(certsOf(await search(ana, text))).toEqual(found.map(([certNumber]) => certNumber));
  });

  test.each(cases)("%j among many rows", async (text, found) => {
    expect(certsOf(await search(collector, text))).toEqual(found.map(([certNumber]) => certNumber));
  });

  test.each(cases)("%j among many indexed rows", async (text, found) => {
    expect(certsOf(await search(archivist, text))).toEqual(found.map(([certNumber]) => certNumber));
  });

  test("returns rows with the current session name", async () => {
    await sql`UPDATE scan_sessions SET session_name = 'Plano show' WHERE user_id = ${ana.id}`.execute(server.db);
    const { results, newestOnly } = await search(ana, "wool");
    expect(newestOnly).toBeNull();
    expect(results).toMatchObject([
      { certNumber: "41000003", line: 4, status: "completed", sessionName: "Plano show" },
      { certNumber: "41000002", line: 3, itemName: "100% WOOL", player: "A_B", sessionName: "Plano show" },
    ]);
  });
});

describe("the scope of a search", () => {
  test("is one's own rows; for an administrator everyone's, with the owner", async () => {
    const [ben, eve] = [await server.addPerson(), await server.addPerson()];
    await store(ben, "Ben's", [["43000001", "PSA", { player: "Shared Somebody" }]]);
    await store(eve, "Eve's", [["43000002", "PSA", { player: "Shared Somebody" }]]);
    for (const text of ["shared somebody", "43"]) {
      const own = await search(ben, text);
      expect(own.results.map((row) => [row.certNumber, row.sessionName])).toEqual([["43000001", "Ben's"]]);
      expect(own.results[0]).not.toHaveProperty("owner");
    }
    // Behind enough rows of others that an administrator's search reads changed rows, then chunks.
    await storeMany(eve, 1_000);
    for (const index of [null, indexAll]) {
      await index?.(server.db);
      expect((await search(server.admin, "shared somebody")).results).toMatchObject([
        { certNumber: "43000002", sessionName: "Eve's", owner: { email: eve.email } },
        { certNumber: "43000001", sessionName: "Ben's", owner: { email: ben.email } },
      ]);
    }
  });
});

describe("the limit of a search", () => {
  test("is the newest 50; without three letters in a row, of the newest 20,000 rows, with a note", async () => {
    const person = await server.addPerson();
    const lines = Array.from({ length: 60 }, (_, n): Line => [String(45_000_000 + n), "PSA"]);
    await store(person, "sixty", lines);
    const newest = lines.map(([certNumber]) => certNumber).toReversed();
    const answered = async (text: string) => {
      const { results, newestOnly } = await search(person, text);
      return { certs: results.map((row) => row.certNumber), newestOnly };
    };
    expect(await answered("4500")).toEqual({ certs: newest.slice(0, 50), newestOnly: null });
    await storeMany(person, 19_940);
    expect(await answered("4500")).toEqual({ certs: newest.slice(0, 50), newestOnly: null });
    expect(await answered("45")).toEqual({ certs: newest.slice(0, 50), newestOnly: null });
    expect(await answered("@@")).toEqual({ certs: [], newestOnly: null });
    // The sheet's earlier rows are now out of range, except for the newest 49.
    await store(
      person,
      "new",
      Array.from({ length: 11 }, (): Line => ["4600000001", "CGC"]),
    );
    expect(await answered("45")).toEqual({ certs: newest.slice(0, 49), newestOnly: 20_000 });
    expect(await answered("450")).toEqual({ certs: newest.slice(0, 50), newestOnly: null });
    // A full response has the newest ones.
    expect((await answered("Z7")).certs).toHaveLength(50);
    expect((await answered("Z7")).newestOnly).toBeNull();
  });

  test("also depends on the size of the rows: of rows with a million characters, two are returned", async () => {
    const person = await server.addPerson();
    await storeMany(person, 4);
    await sql`UPDATE scan_results SET notes = repeat('x', 1000000) WHERE user_id = ${person.id}`.execute(server.db);
    expect((await search(person, "Z7654321")).results.map(({ line }) => line)).toEqual([5, 4]);
  });

  test("keeps a name longer than an index entry, and finds it by its first 640 characters", async () => {
    const person = await server.addPerson();
    const letters = Array.from({ length: 3_000 }, (_, n) =>
      String.fromCodePoint(0x2_0000 + ((n * n * 7_919) % 40_000)),
    );
    await store(person, "long", [["47000001", "PSA", { player: letters.join("") }]]);
    const { results } = await search(person, letters.slice(500, 550).join(""));
    expect(results.map((row) => row.player)).toEqual([letters.join("")]);
    expect(certsOf(await search(person, letters.slice(700, 750).join("")))).toEqual([]);
  });
});

describe("the index of a search", () => {
  const FAR = 10_000;

  test("has the texts that changed since, and no longer finds the earlier ones", async () => {
    const person = await server.addPerson();
    await store(person, "old", [
      ["48000001", "PSA", { player: "First Name" }],
      ["48000002", "PSA"],
    ]);
    await storeMany(person, FAR);
    await indexAll(server.db);
    await sql`
      WITH session AS (
        UPDATE scan_sessions SET event_seq = event_seq + 1 WHERE user_id = ${person.id} AND session_name = 'old'
        RETURNING id, event_seq
      )
      UPDATE scan_results AS r SET player_character = 'Second Name', event_seq = session.event_seq FROM session
      WHERE r.session_id = session.id AND cert_number = '48000001'`.execute(server.db);
    for (const index of [null, indexAll]) {
      await index?.(server.db);
      expect(certsOf(await search(person, "second name"))).toEqual(["48000001"]);
      expect(certsOf(await search(person, "first name"))).toEqual([]);
      expect(certsOf(await search(person, "4800000"))).toEqual(["48000002", "48000001"]);
    }
  });

  test("finds the newest 50 of more chunks with the text", async () => {
    const person = await server.addPerson();
    const lines = Array.from({ length: 20_000 }, (_, n): Line => [String(51_000_000 + n), "PSA"]);
    await store(person, "large", lines);
    await storeMany(person, FAR);
    await indexAll(server.db);
    const matching = lines.map(([certNumber]) => certNumber).filter((certNumber) => certNumber.includes("777"));
    expect(certsOf(await search(person, "777"))).toEqual(matching.toReversed());
    const newest = lines.map(([certNumber]) => certNumber).toReversed();
    expect(certsOf(await search(person, "510"))).toEqual(newest.slice(0, 50));
  });

  test("forgets deleted sessions, and writes only what changed", async () => {
    const person = await server.addPerson();
    await store(person, "deleted", [["49000001", "PSA"]]);
    await store(person, "kept", [["49000002", "PSA"]]);
    const chunks = async () => {
      const { rows } = await sql<{ version: string; text: string }>`
        SELECT xmin::text AS version, text FROM search_chunks WHERE user_id = ${person.id} ORDER BY text`.execute(
        server.db,
      );
      return rows;
    };
    await indexAll(server.db);
    const [deleted, kept] = await chunks();
    expect([deleted?.text, kept?.text]).toEqual([
      expect.stringContaining("49000001"),
      expect.stringContaining("49000002"),
    ]);
    await sql`DELETE FROM scan_sessions WHERE user_id = ${person.id} AND session_name = 'deleted'`.execute(server.db);
    await sql`UPDATE scan_sessions SET event_seq = event_seq + 1 WHERE user_id = ${person.id}`.execute(server.db);
    await sql`UPDATE scan_results SET event_seq = event_seq + 1 WHERE user_id = ${person.id}`.execute(server.db);
    await indexAll(server.db);
    expect(await chunks()).toEqual([kept]);
  });

  test("is written while the session changes, without missing a change", async () => {
    const person = await server.addPerson();
    await store(person, "changing", [["50000001", "PSA"]]);
    await storeMany(person, FAR);
    const waiting = async () => {
      const { rows } = await sql`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(
        server.db,
      );
      return rows.length;
    };
    let indexing: Promise<void> | undefined;
    await server.db.transaction().execute(async (trx) => {
      await sql`
        WITH session AS (
          UPDATE scan_sessions SET event_seq = event_seq + 1 WHERE user_id = ${person.id} AND session_name = 'changing'
          RETURNING id, event_seq
        )
        UPDATE scan_results AS r SET player_character = 'Late Comer', event_seq = session.event_seq FROM session
        WHERE r.session_id = session.id`.execute(trx);
      indexing = indexAll(server.db);
      await expect.poll(waiting).toBe(1);
      // Another node skips the session.
      await indexAll(server.db);
    });
    await indexing;
    expect(certsOf(await search(person, "late comer"))).toEqual(["50000001"]);
    await indexAll(server.db);
    expect(certsOf(await search(person, "late comer"))).toEqual(["50000001"]);
  });
});

test.each(["", "q=", "q=%20%09", "q=%00", "q=%1F", `q=${"x".repeat(201)}`, "q=a&q=b"])(
  "refuses %s with a message",
  async (query) => {
    const answer = await ask(server.admin, query);
    expect(answer.statusCode).toBe(400);
    expect(errorBodySchema.parse(answer.json())).toMatchObject({
      code: "bad_request",
      fields: { q: expect.stringMatching(/./) },
    });
  },
);
