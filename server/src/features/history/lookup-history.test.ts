import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sessionLookupHistorySchema, type PlanLookupHistory } from "@slabdesk/contract/api/lookup-history.ts";
import { scanPlanSchema } from "@slabdesk/contract/api/plans.ts";
import type { CardsiqPricing, PriceSourceName, Pricing } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { searchAnswerSchema, type SearchAnswer } from "@slabdesk/contract/api/search.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { provenanceSchema, type Provenance } from "@slabdesk/contract/api/provenance.ts";
import { rowsOf, sheetOf, startScan, startScanTest, type ScanTest } from "../../testing/scan-test.ts";
import type { Person } from "../../testing/test-server.ts";
import { numberOf } from "../../database/statements.ts";
import { listCardHistories } from "./lookup-history.repo.ts";

/* Ana looks cards up in Dallas, Ben privately, then Ana in Plano, on different days. Each leaves a session open. */

const ANAS = "61000001";
const BENS = "61000002";
const BOTHS = "61000003";
const OPEN = "61000004";
const STOPPED = "61000005";
const NOBODYS = "61000006";
const NOT_FOUND = "61000007";
const PRICED_BY_CARDSIQ = "61000008";
const SECRET = "Ben's secret box";
const DAY = {
  dallas: "2026-05-03T10:00:00.000Z",
  secret: "2026-06-01T10:00:00.000Z",
  plano: "2026-07-01T10:00:00.000Z",
};

let server: ScanTest;
let ana: Person;
let ben: Person;
let dallas: ScanSession;
let plano: ScanSession;
let secret: ScanSession;
let running: ScanSession;
let stopped: ScanSession;
/** Text that would reveal Ben's sessions and rows; no response to Ana may contain it. */
let secrets: string[];

beforeAll(async () => {
  // Nothing is looked up: cached certs fill their rows, the others stay open.
  server = await startScanTest({ ROLE: "web" });
  [ana, ben] = [await server.addPerson(), await server.addPerson()];
  for (const certNumber of [ANAS, BENS, BOTHS, PRICED_BY_CARDSIQ]) await know(certNumber);
  dallas = await lookUp(ana, "Dallas show", DAY.dallas, [ANAS, BOTHS, ANAS, NOT_FOUND, PRICED_BY_CARDSIQ, "12"]);
  secret = await lookUp(ben, SECRET, DAY.secret, [BENS, BOTHS]);
  plano = await lookUp(ana, "Plano show", DAY.plano, [BOTHS]);
  running = await startScan(server, ben, sheetOf([[OPEN, "PSA"]], { sessionName: `${SECRET} 2` }));
  stopped = await startScan(server, ben, sheetOf([[STOPPED, "PSA"]], { sessionName: `${SECRET} 3` }));
  await server.app.inject({ method: "POST", url: `/api/scan-sessions/${stopped.id}/stop`, headers: ben.headers });
  // Dallas was priced at 410, then at 430. Later quotes are 455, and no price for the other card.
  await price(ANAS, dallas, { source: "cardladder", first: cardladder(410), newest: cardladder(430) });
  await price(PRICED_BY_CARDSIQ, dallas, { source: "cardladder", newest: cardladder(null) });
  await price(PRICED_BY_CARDSIQ, dallas, { source: "cardsiq", newest: cardsiq(50) });
  await quote("cardladder", ANAS, cardladder(430), "2026-05-04");
  await quote("cardladder", ANAS, cardladder(455), "2026-06-04");
  await quote("cardsiq", ANAS, cardsiq(999), "2026-07-04");
  await quote("cardsiq", PRICED_BY_CARDSIQ, cardsiq(55), "2026-06-04");
  await quote("cardsiq", PRICED_BY_CARDSIQ, null, "2026-07-04");
  const rows = await Promise.all([secret, running, stopped].map(({ id }) => rowsOf(server, ben, id)));
  const ids = [ben.id, secret.id, running.id, stopped.id, ...rows.flat().map(({ id }) => `"${id}"`)];
  secrets = [SECRET, ben.email, ...ids];
});
afterAll(async () => {
  await server.closeAll();
});

const aPrice = { lastSalePrice: null, confidence: null, fetchedAt: DAY.dallas };
const cardladder = (cardladderEstimate: number | null): Pricing => ({
  ...aPrice,
  cardladderEstimate,
  averagePrice: 1,
  medianPrice: 1,
  priceTrend: null,
  salesCount: null,
  salesVelocity: { thirtyDay: null },
  priceRange: { low: null, high: null },
  sampleSize: null,
  newestSaleAt: null,
  sparkline: [],
});
const cardsiq = (estimatedValue: number): CardsiqPricing => ({ ...aPrice, estimatedValue, requiresReview: false });

async function know(certNumber: string): Promise<void> {
  const card = { itemName: "1999 POKEMON", player: "N/A", brand: "N/A" };
  await sql`
    INSERT INTO cached_certs (grading_company, cert_number, card, source, notes)
    VALUES ('PSA', ${certNumber}, ${JSON.stringify(card)}, 'api', '')`.execute(server.db);
}

/** Stores a sheet and ends it on a given day; certs that are not cached were not found. */
async function lookUp(person: Person, sessionName: string, at: string, certs: string[]): Promise<ScanSession> {
  const session = await startScan(
    server,
    person,
    sheetOf(
      certs.map((cert) => [cert, "PSA"]),
      { sessionName },
    ),
  );
  await sql`
    UPDATE scan_results SET processed_at = ${at}::timestamptz, outcome = COALESCE(outcome, 'not_found'),
      status = CASE WHEN outcome = 'found' THEN 'completed' ELSE 'error' END
    WHERE session_id = ${session.id}`.execute(server.db);
  await sql`
    UPDATE scan_sessions SET status = 'completed', processed_cards = total_cards WHERE id = ${session.id}`.execute(
    server.db,
  );
  return session;
}

/** Prices the rows of a card in a session from quotes that are older than all others. */
async function price(
  certNumber: string,
  { id }: ScanSession,
  { source, first, newest }: { source: PriceSourceName; first?: object; newest: object },
): Promise<void> {
  const firstId = first ? await quote(source, certNumber, first, "2026-05-01") : null;
  const newestId = await quote(source, certNumber, newest, "2026-05-02");
  await sql`
    INSERT INTO result_prices (result_id, source, state, quote_id, first_quote_id)
    SELECT id, ${source}, 'priced', ${newestId}::bigint, ${firstId}::bigint FROM scan_results
    WHERE session_id = ${id} AND cert_number = ${certNumber}`.execute(server.db);
}

async function quote(source: PriceSourceName, certNumber: string, value: object | null, at: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO price_quotes (source, grading_company, cert_number, price, message, fetched_at)
    VALUES (${source}, 'PSA', ${certNumber}, ${value && JSON.stringify(value)}::jsonb, '', ${at})
    RETURNING id`.execute(server.db);
  return rows[0]?.id ?? 0;
}

async function get(person: Person, url: string): Promise<unknown> {
  const answer = await server.app.inject({ url, headers: person.headers });
  expect([url, answer.statusCode]).toEqual([url, 200]);
  if (person === ana) for (const text of secrets) expect(answer.body).not.toContain(text);
  return answer.json();
}

async function plan(person: Person, certs: string[]): Promise<PlanLookupHistory> {
  const payload = { mode: "api", rows: sheetOf(certs.map((cert) => [cert, "PSA"])).rows };
  const answer = await server.app.inject({ method: "POST", url: "/api/scan-plans", headers: person.headers, payload });
  if (person === ana) for (const text of secrets) expect(answer.body).not.toContain(text);
  return scanPlanSchema.parse(answer.json()).lookupHistory;
}

async function lookupHistoryOf(person: Person, { id }: ScanSession, limit = 2) {
  const lines = new Map((await rowsOf(server, person, id)).map((row) => [row.id, row.line]));
  const found = [];
  let cursor: string | null = "0";
  while (cursor !== null) {
    const url: string = `/api/scan-sessions/${id}/lookup-history?cursor=${cursor}&limit=${limit}`;
    const page = sessionLookupHistorySchema.parse(await get(person, url));
    found.push(...page.rows.map(({ id: rowId, ...lookupHistory }) => ({ line: lines.get(rowId), ...lookupHistory })));
    cursor = page.nextCursor;
  }
  return found;
}

const search = async (person: Person, q: string): Promise<SearchAnswer> =>
  searchAnswerSchema.parse(await get(person, `/api/scan-results/search?${new URLSearchParams({ q }).toString()}`));

const reasonOf = async (person: Person, row: ResultRow | undefined): Promise<Provenance> =>
  provenanceSchema.parse(await get(person, `/api/scan-results/${row?.id}/provenance`));

const UNPRICED = { source: null, valueThen: null, valueNow: null };
const inDallas = () => ({ sessionId: dallas.id, sessionName: "Dallas show", at: DAY.dallas });
const inPlano = () => ({ sessionId: plano.id, sessionName: "Plano show", line: 2, at: DAY.plano, ...UNPRICED });
const inSecret = () => ({ sessionId: secret.id, sessionName: SECRET, at: DAY.secret, ...UNPRICED });
/** For a colleague's lookup the response has the day, not the time. */
const noonOf = (at: string): string => `${at.slice(0, 10)}T12:00:00.000Z`;
const BY_BEN = { by: "Person 2", at: noonOf(DAY.secret) };
const NOTHING = { own: null, colleague: null, isTwiceOpen: false };

describe("lookup history in the plan", () => {
  const sheet = [NOBODYS, BENS, ANAS, OPEN, ANAS, "12", BOTHS, NOT_FOUND, STOPPED, PRICED_BY_CARDSIQ];

  test("lists one's own in full, a colleague's by name and day, and all cards of open sessions", async () => {
    const { cards, ...counts } = await plan(ana, sheet);
    expect(counts).toEqual({ total: 6, own: 3, colleagues: 2, twiceOpen: 2 });
    const priced = { source: "cardladder", valueThen: 410, valueNow: 455 };
    const cardsiq = { source: "cardsiq", valueThen: 50, valueNow: null };
    const of = (line: number, certNumber: string) => ({ ...NOTHING, line, gradingCompany: "PSA", certNumber });
    const resultId = expect.stringMatching(/^\d+$/);
    expect(cards).toEqual([
      { ...of(3, BENS), colleague: BY_BEN },
      { ...of(4, ANAS), own: { resultId, ...inDallas(), line: 4, ...priced } },
      { ...of(5, OPEN), isTwiceOpen: true },
      { ...of(8, BOTHS), own: { resultId, ...inPlano() }, colleague: BY_BEN },
      { ...of(10, STOPPED), isTwiceOpen: true },
      { ...of(11, PRICED_BY_CARDSIQ), own: { resultId, ...inDallas(), line: 6, ...cardsiq } },
    ]);
  });

  test("shows administrators everything, with the owner", async () => {
    const { cards, ...counts } = await plan(server.admin, sheet);
    expect(counts).toEqual({ total: 6, own: 0, colleagues: 4, twiceOpen: 2 });
    expect(cards).toMatchObject([
      { certNumber: BENS, own: { ...inSecret(), owner: "Person 2" }, colleague: null },
      { certNumber: ANAS, own: { ...inDallas(), valueThen: 410, valueNow: 455, owner: "Person 1" }, colleague: null },
      { certNumber: OPEN, ...NOTHING, isTwiceOpen: true },
      { certNumber: BOTHS, own: { ...inPlano(), owner: "Person 1" }, colleague: null },
      { certNumber: STOPPED, ...NOTHING, isTwiceOpen: true },
      { certNumber: PRICED_BY_CARDSIQ, own: { ...inDallas(), owner: "Person 1" }, colleague: null },
    ]);
  });

  test("counts all and lists the first hundred", async () => {
    const certs = Array.from({ length: 120 }, (_, n) => String(62_000_000 + n));
    await Promise.all(certs.map(know));
    await lookUp(ana, "many", DAY.dallas, certs);
    const lookupHistory = await plan(ana, certs);
    expect({ ...lookupHistory, cards: lookupHistory.cards.map(({ line }) => line) }).toEqual({
      total: 120,
      own: 120,
      colleagues: 0,
      twiceOpen: 0,
      cards: Array.from({ length: 100 }, (_, n) => n + 2),
    });
  });

  test("reads only the sessions of the cards' rows, even if someone has stopped thousands", async () => {
    await sql`
      INSERT INTO scan_sessions
      SELECT (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'idempotency_key', null))).*
      FROM scan_sessions AS s, generate_series(1, 2000) WHERE s.id = ${stopped.id}`.execute(server.db);
    await sql`ANALYZE scan_sessions`.execute(server.db);
    const asked = sheet.map((certNumber) => ({ company: "PSA", certNumber }));
    const read = await server.db.transaction().execute(async (trx) => {
      const countRead = () => numberOf(trx)`
        SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'scan_sessions'`;
      const before = await countRead();
      expect((await listCardHistories(trx, { id: ana.id, role: "user" }, asked, 100)).counts.twiceOpen).toBe(2);
      return (await countRead()) - before;
    });
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(100);
  });
});

describe("lookup history of a session's rows", () => {
  test("lists other sessions only, page by page, without invalid and not-found rows", async () => {
    expect(await lookupHistoryOf(ana, dallas)).toMatchObject([
      { line: 3, own: inPlano(), colleague: BY_BEN, isTwiceOpen: false },
    ]);
    expect(await lookupHistoryOf(ana, plano)).toMatchObject([
      { line: 2, own: { ...inDallas(), line: 3 }, colleague: BY_BEN },
    ]);
    expect(await lookupHistoryOf(ben, secret)).toEqual([
      { line: 3, ...NOTHING, colleague: { by: "Person 1", at: noonOf(DAY.plano) } },
    ]);
    expect(await lookupHistoryOf(ben, running)).toEqual([]);
  });

  test("names the owners for an administrator, and shows nothing to strangers", async () => {
    expect(await lookupHistoryOf(server.admin, dallas)).toMatchObject([
      { line: 3, own: { ...inPlano(), owner: "Person 1" }, colleague: null },
    ]);
    const url = `/api/scan-sessions/${dallas.id}/lookup-history`;
    expect((await server.app.inject({ url, headers: ben.headers })).statusCode).toBe(404);
    expect((await server.app.inject({ url })).statusCode).toBe(401);
  });

  test("flags a certificate in two open sessions in both, on each row, until one of them ends", async () => {
    const duplicate = await startScan(
      server,
      ana,
      sheetOf([
        [OPEN, "PSA"],
        [NOBODYS, "PSA"],
        [OPEN, "PSA"],
      ]),
    );
    const flag = { ...NOTHING, isTwiceOpen: true };
    expect(await lookupHistoryOf(ana, duplicate)).toEqual([
      { line: 2, ...flag },
      { line: 4, ...flag },
    ]);
    expect(await lookupHistoryOf(ben, running)).toEqual([{ line: 2, ...flag }]);
    await sql`UPDATE scan_sessions SET status = 'completed' WHERE id = ${duplicate.id}`.execute(server.db);
    expect(await lookupHistoryOf(ben, running)).toEqual([]);
  });
});

test("lists each lookup of a row, newest first, and each colleague once", async () => {
  const again = await lookUp(ben, `${SECRET} again`, "2026-08-01T10:00:00.000Z", [BOTHS]);
  const [, row] = await rowsOf(server, ana, dallas.id);
  expect((await reasonOf(ana, row)).lookupHistory).toMatchObject({
    own: [inPlano()],
    colleagues: [{ by: "Person 2", at: "2026-08-01T12:00:00.000Z" }],
    isTwiceOpen: false,
  });
  expect((await reasonOf(server.admin, row)).lookupHistory).toMatchObject({
    own: [{ sessionId: again.id, owner: "Person 2" }, inPlano(), { ...inSecret(), owner: "Person 2" }],
    colleagues: [],
  });
  await server.app.inject({ method: "DELETE", url: `/api/scan-sessions/${again.id}`, headers: server.admin.headers });
  const [invalid] = (await rowsOf(server, ana, dallas.id)).slice(-1);
  expect((await reasonOf(ana, invalid)).lookupHistory).toEqual({ own: [], colleagues: [], isTwiceOpen: false });
});

describe("lookup history in search", () => {
  test("shows what a row's card was worth then and is now", async () => {
    const { results } = await search(ana, "6100000");
    expect(new Map(results.map((row) => [row.certNumber, row.values]))).toEqual(
      new Map([
        [ANAS, { source: "cardladder", valueThen: 410, valueNow: 455 }],
        [PRICED_BY_CARDSIQ, { source: "cardsiq", valueThen: 50, valueNow: null }],
        ...[BOTHS, NOT_FOUND, OPEN, NOBODYS].map((cert): [string, object] => [cert, UNPRICED]),
      ]),
    );
  });

  const bensCard = [{ gradingCompany: "PSA", certNumber: BENS, ...BY_BEN }];
  test.each([
    [BENS, bensCard],
    [`PSA ${BENS}`, bensCard],
    [`psa-${BENS}`, bensCard],
    [`CGC ${BENS}`, []],
    [BENS.slice(1), []],
    [ANAS, []],
    [OPEN, []],
    [NOBODYS, []],
    ["pokemon", []],
  ])("%s, looked up elsewhere", async (text, elsewhere) => {
    expect((await search(ana, text)).elsewhere).toEqual(elsewhere);
  });

  test("lists each colleague once, at most ten; an administrator finds their rows instead", async () => {
    const cert = "63000001";
    await know(cert);
    await lookUp(ben, SECRET, DAY.secret, [cert]);
    await sql`
      WITH person AS (
        INSERT INTO user_profiles (id, email, full_name)
        SELECT 'colleague ' || n, n || '@example.com', 'Colleague ' || n FROM generate_series(10, 20) AS n RETURNING id
      ), session AS (
        INSERT INTO scan_sessions (user_id, session_name, csv_filename, header, total_cards, processing_mode,
          include_pricing, reuse_known, status, event_seq)
        SELECT p.id, session_name, csv_filename, header, total_cards, processing_mode, include_pricing, reuse_known, status, 1
        FROM scan_sessions, person AS p WHERE scan_sessions.id = ${secret.id} RETURNING id, user_id
      )
      INSERT INTO scan_results (session_id, user_id, line, cells, sheet_notes, status, outcome, event_seq, cert_number,
        grading_company, price_text, customer_price, notes, processed_at)
      SELECT session.id, session.user_id, n, '[]', '', 'completed', 'found', 1, ${cert}, 'PSA', '', '', '',
        ('2026-07-' || right(session.user_id, 2))::timestamptz - make_interval(days => 3 - n)
      FROM session, generate_series(2, 3) AS n`.execute(server.db);
    const { elsewhere } = await search(ana, cert);
    const told = Array.from({ length: 10 }, (_, n) => ({
      by: `Colleague ${20 - n}`,
      at: `2026-07-${20 - n}T12:00:00.000Z`,
    }));
    expect(elsewhere).toEqual(told.map((one) => ({ gradingCompany: "PSA", certNumber: cert, ...one })));
    const all = await search(server.admin, cert);
    expect([all.elsewhere, all.results.length]).toEqual([[], 23]);
  });
});

test("reads only the newest 100 rows of a card", async () => {
  const certNumber = "64000001";
  await know(certNumber);
  await lookUp(ben, "once", DAY.secret, [certNumber]);
  expect(await plan(ana, [certNumber])).toMatchObject({ own: 0, colleagues: 1 });
  await lookUp(
    ana,
    "repeated",
    DAY.plano,
    Array.from({ length: 100 }, () => certNumber),
  );
  expect(await plan(ana, [certNumber])).toMatchObject({ own: 1, colleagues: 0 });
});
