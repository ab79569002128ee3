import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type QueueJob, changedRowsSchema } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
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
import { listFailedRows } from "./rows.repo.ts";

const REQUEST_TIMEOUT_MS = 1_000;
const MANY_ROWS = amount({ short: 200, long: 20_000 });

let server: ScanTest;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  server = await startScanTest({ REQUEST_TIMEOUT_MS: String(REQUEST_TIMEOUT_MS), RETRY_DELAYS_S: "1,0" });
  ana = await server.addPerson();
  ben = await server.addPerson();
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(async () => {
  await openEndpoints(server);
  server.simulator.behavior.heal();
  server.simulator.behavior.latencyMs = 0;
  server.simulator.calls.clear();
});

const api = { mode: "api" as const };
const CERT_PATH = "/psa-api/publicapi/cert/GetByCertNumber";
const send = (method: "POST" | "PATCH" | "GET", url: string, payload?: object, person = ana) =>
  server.app.inject({ method, url, headers: person.headers, ...(payload && { payload }) });
const of = (session: ScanSession, change: string) => `/api/scan-sessions/${session.id}/${change}`;
const numbers = (first: number, count: number) =>
  Array.from({ length: count }, (_, n): [string, string] => [String(first + n), "PSA"]);
const profile = async (person: Person) => (await send("GET", "/api/profile", undefined, person)).json<object>();

describe("a PSA card that times out", () => {
  test("is queued, then completed by its retry", async () => {
    const session = await startScan(server, ana, sheetOf([["99999973", "PSA", "4", "mine"]], api));
    const events = await followUntil(server, ana, session.id, (event) => event.session.status !== "processing");
    const states = events.flatMap((event) => event.results).map((row) => row.status);
    expect(states).toContain("queued");
    const queued = events.flatMap((event) => event.results).find((row) => row.status === "queued");
    expect(queued).toMatchObject({
      itemName: "Queued: 99999973",
      outcome: "timeout",
      error: `Request timeout after ${REQUEST_TIMEOUT_MS}ms`,
    });
    expect(await rowsOf(server, ana, session.id)).toMatchObject([
      {
        status: "completed_retry",
        outcome: "found",
        notes: "mine",
        customerPrice: "4.40",
        error: null,
        certNumber: "99999973",
      },
    ]);
    expect(server.simulator.calls.count({ endpoint: "psa-api", cert: "99999973", fault: "hang" })).toBe(1);
    expect(await sessionOf(server, ana, session.id)).toMatchObject({ processedCards: 1, status: "completed" });
  });

  test("fails if the retry times out, too", async () => {
    const [row] = await runSheet(server, ana, sheetOf([["99999991", "PSA"]], api));
    expect(row).toMatchObject({
      status: "failed",
      outcome: "timeout",
      itemName: "Error: 99999991",
      player: "Error",
      notes: `Retry failed: Request timeout after ${REQUEST_TIMEOUT_MS}ms`,
    });
    expect(server.simulator.calls.count({ cert: "99999991" })).toBe(3);
  });

  test("says so if it cannot be queued", async () => {
    await sql`
      CREATE FUNCTION refuse_retries() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.name = 'retry-psa' THEN RAISE EXCEPTION 'no room in the queue'; END IF; RETURN NEW; END $$`.execute(
      server.db,
    );
    await sql`CREATE TRIGGER refuse BEFORE INSERT ON jobs.job_common FOR EACH ROW EXECUTE FUNCTION refuse_retries()`.execute(
      server.db,
    );
    try {
      const [row] = await runSheet(server, ana, sheetOf([["99999978", "PSA"]], api));
      expect(row).toMatchObject({
        status: "error",
        outcome: "timeout",
        notes: "Timeout - Queue failed: no room in the queue",
        error: `Request timeout after ${REQUEST_TIMEOUT_MS}ms`,
      });
      expect(server.errors.splice(0).join()).toContain("Failed to queue");
    } finally {
      await sql`DROP FUNCTION refuse_retries CASCADE`.execute(server.db);
    }
  });

  test("of another company fails and can be retried", async () => {
    const session = await startScan(server, ana, sheetOf([["X9999991", "TAG"]], api));
    expect(await finish(server, ana, session)).toMatchObject([{ status: "error", outcome: "timeout" }]);
    expect((await sessionOf(server, ana, session.id)).causes).toEqual({ timeout: 1 });
  });
});

describe("the retry queue for scripts", () => {
  const status = async (jobId: string, person = ana): Promise<QueueJob> =>
    (await send("GET", `/api/queue/status/${jobId}`, undefined, person)).json();
  const jobOf = async (certNumber: string): Promise<string> => {
    const answer = await send("POST", "/api/queue/retry-psa", { certNumber, price: 5, notes: "again", apiMode: "api" });
    expect(answer.statusCode).toBe(200);
    return answer.json<{ jobId: string }>().jobId;
  };
  async function settled(jobId: string): Promise<QueueJob> {
    const { sessions } = (await send("GET", "/api/scan-sessions?limit=1")).json<{ sessions: ScanSession[] }>();
    const [session] = sessions;
    if (!session) throw new Error("A queued card is no session");
    await finish(server, ana, session);
    return status(jobId);
  }

  test("looks a card up, adds it to the history, and reports the result", async () => {
    const jobId = await jobOf("01020688");
    expect(["queued", "completed"]).toContain((await status(jobId)).status);
    expect(await settled(jobId)).toMatchObject({
      jobId,
      status: "completed",
      error: null,
      result: {
        itemName: "1960 TOPPS #72 TIGERS TEAM",
        price: 5,
        customerPrice: "5.50",
        notes: "again",
        status: "completed_retry",
      },
    });
  });

  test("says why a card failed", async () => {
    expect(await settled(await jobOf("99999990"))).toMatchObject({
      status: "failed",
      result: null,
      error: expect.stringMatching(/^Failed to fetch PSA cert 99999990: 404 /),
    });
  });

  test("refuses an invalid number and hides other users' jobs", async () => {
    const refused = await send("POST", "/api/queue/retry-psa", { certNumber: "12" });
    expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([
      400,
      expect.stringMatching(/^Failed to queue PSA retry: /),
    ]);
    const jobId = await jobOf("01020688");
    const strange = await send("GET", `/api/queue/status/${jobId}`, undefined, ben);
    expect([strange.statusCode, strange.json<{ error: string }>().error]).toEqual([
      404,
      "Failed to get job status: there is no such job",
    ]);
    await settled(jobId);
  });
});

describe("resume", () => {
  test(`of a session of ${MANY_ROWS} rows continues it until the next stop`, { timeout: 300_000 }, async () => {
    const session = await startScan(server, ana, sheetOf(numbers(60_000_000, MANY_ROWS), api));
    await send("POST", of(session, "stop"));
    const resumed = await send("POST", of(session, "resume"));
    expect(resumed.json()).toMatchObject({ status: "processing" });
    await send("POST", of(session, "stop"));
    // The last card's calls must not count in the next test.
    await followUntil(server, ana, session.id, (event) => !event.session.counts.processing);
  });

  test("continues a stopped session; asked by two tabs at once, looks each card up once", async () => {
    server.simulator.behavior.hold("psa-api", 5);
    const session = await startScan(server, ana, sheetOf(numbers(86_000_000, 8), api));
    await followUntil(server, ana, session.id, (event) => event.session.processedCards >= 2);
    await send("POST", of(session, "stop"));
    server.simulator.behavior.release();
    const stopped = await followUntil(server, ana, session.id, (event) => !event.session.counts.processing);
    expect(stopped.at(-1)?.session.counts.pending).toBeGreaterThan(0);
    const resumed = await Promise.all([send("POST", of(session, "resume")), send("POST", of(session, "resume"))]);
    expect(resumed.map((answer) => answer.json<ScanSession>().status)).toEqual(["processing", "processing"]);
    const rows = await finish(server, ana, session);
    expect(rows.every((row) => row.status === "completed")).toBe(true);
    expect(await sessionOf(server, ana, session.id)).toMatchObject({ processedCards: 8, counts: { completed: 8 } });
    expect(server.simulator.calls.count({ path: `${CERT_PATH}/860` })).toBe(8);
    const { eventSeq: _, ...after } = await sessionOf(server, ana, session.id);
    expect((await send("POST", of(session, "resume"))).json()).toMatchObject(after);
  });

  test("during a stop loses no card and looks none up twice", async () => {
    server.simulator.behavior.latencyMs = 20;
    const cards = amount({ short: 14, long: 30 });
    const session = await startScan(server, ana, sheetOf(numbers(86_100_000, cards), api));
    for (let n = 0; n < cards / 5; n += 1) {
      await followUntil(server, ana, session.id, (event) => event.session.processedCards >= n * 4);
      await send("POST", of(session, "stop"));
      await send("POST", of(session, "resume"));
    }
    const rows = await finish(server, ana, session);
    expect(rows.map((row) => row.status)).toEqual(rows.map(() => "completed"));
    expect(server.simulator.calls.count({ path: `${CERT_PATH}/861` })).toBe(cards);
  });
});

describe("a stop", () => {
  test("lets a retry under way finish, and keeps its result", async () => {
    server.simulator.behavior.fail("psa-api", "hang");
    const session = await startScan(server, ana, sheetOf(numbers(86_200_000, 1), api));
    await followUntil(server, ana, session.id, (event) => event.session.counts.queued === 1);
    server.simulator.behavior.heal();
    server.simulator.behavior.hold("psa-api");
    await vi.waitUntil(() => server.simulator.calls.total("psa-api") === 2, { timeout: 30_000 });
    await send("POST", of(session, "stop"));
    server.simulator.behavior.release();
    await followUntil(server, ana, session.id, (event) => event.session.counts.completed_retry === 1);
    expect(await sessionOf(server, ana, session.id)).toMatchObject({ status: "failed", processedCards: 1 });
    await send("POST", of(session, "resume"));
    expect((await sessionOf(server, ana, session.id)).status).toBe("completed");
    expect(server.simulator.calls.count({ path: CERT_PATH })).toBe(2);
  });

  test("keeps a dead worker's row, also if the resume comes while its job restarts", async () => {
    const session = await startScan(server, ana, sheetOf([["87000001", "PSA"]], { ...api, reuseKnown: false }));
    await finish(server, ana, session);
    // The state after a kill and a stop: claimed by a job that will be delivered again.
    const jobId = "11111111-1111-4111-8111-111111111111";
    await sql`UPDATE scan_sessions SET status = 'failed', processed_cards = 0 WHERE id = ${session.id}`.execute(
      server.db,
    );
    await sql`
      UPDATE scan_results SET status = 'processing', claimed_at = now(), job_id = ${jobId}
      WHERE session_id = ${session.id}`.execute(server.db);
    await server.db.transaction().execute(async (trx) => {
      await sql`SELECT FROM scan_sessions WHERE id = ${session.id} FOR UPDATE`.execute(trx);
      await sql`
        INSERT INTO jobs.job (id, name, data)
        VALUES (${jobId}::uuid, 'lookup-psa', ${JSON.stringify({ sessionId: session.id })}::jsonb)`.execute(server.db);
      const isHeldUp = async (): Promise<boolean> => {
        const { rows } = await sql`
          SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE '%scan_sessions%'`.execute(
          server.db,
        );
        return rows.length > 0;
      };
      await vi.waitUntil(isHeldUp, { timeout: 60_000 });
      await sql`UPDATE scan_sessions SET status = 'processing' WHERE id = ${session.id}`.execute(trx);
    });
    expect(await finish(server, ana, session)).toMatchObject([{ status: "completed" }]);
  });
});

describe("retry by cause", () => {
  const sheet = sheetOf(
    [
      ["99999972", "PSA", "1", "kept"],
      ["99999972", "PSA"],
      ["1401000000500", "CGC"],
      ["99999990", "PSA"],
      ["12", "PSA"],
      ["99999995", "PSA"],
    ],
    api,
  );

  test("looks up again what a retry may help, once however often it is requested, and nothing else", async () => {
    const person = await server.addPerson();
    const session = await startScan(server, person, sheet);
    await finish(server, person, session);
    const before = await sessionOf(server, person, session.id);
    expect(before).toMatchObject({
      status: "completed",
      counts: { completed: 1, error: 5 },
      causes: { unavailable: 2, not_found: 1, invalid_number: 1, forbidden: 1 },
    });
    server.simulator.calls.clear();
    const asked = await Promise.all([1, 2].map(() => send("POST", of(session, "retry"), undefined, person)));
    expect(asked.map((answer) => answer.statusCode)).toEqual([200, 200]);
    const rows = await finish(server, person, session);
    expect(rows.map((row) => row.status)).toEqual(["completed", "completed", "completed", "error", "error", "error"]);
    expect(rows[0]).toMatchObject({ notes: "kept", price: 1, error: null });
    expect(server.simulator.calls.list({ endpoint: "psa-api" }).map((call) => call.cert)).toEqual([
      "99999972",
      "99999972",
      "99999995",
    ]);
    expect(server.simulator.calls.total("cgc-api")).toBe(0);
    expect(await sessionOf(server, person, session.id)).toMatchObject({
      status: "completed",
      processedCards: 6,
      counts: { completed: 3, error: 3 },
    });
    expect(await profile(person)).toMatchObject({ totalScans: 1, totalCardsProcessed: 6 });
  });

  test("covers one outcome or one row, also one that is not an outage", async () => {
    const session = await startScan(server, ana, sheet);
    const rows = await finish(server, ana, session);
    server.simulator.calls.clear();
    await send("POST", of(session, "retry"), { outcome: "not_found" });
    await finish(server, ana, session);
    expect(server.simulator.calls.list({ endpoint: "psa-api" }).map((call) => call.cert)).toEqual(["99999990"]);
    server.simulator.calls.clear();
    await send("POST", of(session, "retry"), { rowId: rows[5]?.id });
    await finish(server, ana, session);
    expect(server.simulator.calls.list({ endpoint: "psa-api" }).map((call) => call.cert)).toEqual(["99999995"]);
    const { eventSeq: _, ...before } = await sessionOf(server, ana, session.id);
    expect((await send("POST", of(session, "retry"), { rowId: rows[4]?.id })).json()).toMatchObject(before);
    const rowIds = [rows[2]?.id];
    for (const both of [
      { outcome: "not_found", rowIds },
      { outcome: "not_found", rowId: rowIds[0] },
      { rowId: rowIds[0], rowIds },
    ]) {
      const answer = await send("POST", of(session, "retry"), both);
      expect([answer.statusCode, answer.body]).toEqual([
        400,
        expect.stringContaining("takes only one of outcome, rowId, and rowIds"),
      ]);
    }
    expect(await sessionOf(server, ana, session.id)).toMatchObject(before);
  });

  test("of named rows covers the failed ones of this session only", async () => {
    server.simulator.behavior.fail("psa-api", "server_error");
    const session = await startScan(server, ana, sheetOf([...numbers(86_300_000, 3), ["12", "PSA"]], api));
    const rows = await finish(server, ana, session);
    const other = await runSheet(server, ana, sheetOf(numbers(86_300_003, 1), api));
    const rowIds = [rows[1], rows[2], rows[3], other[0]].map((row) => row?.id ?? "");
    server.simulator.behavior.heal();
    server.simulator.calls.clear();
    // The maximum number of rows, and one that belongs to nobody.
    const many = Array.from({ length: 99_996 }, (_, n) => String(900_000_000_000_000 - n));
    expect((await send("POST", of(session, "retry"), { rowIds: [...many, ...rowIds] })).statusCode).toBe(200);
    const again = await finish(server, ana, session);
    expect(again.map((row) => row.status)).toEqual(["error", "completed", "completed", "error"]);
    expect(server.simulator.calls.count({ path: CERT_PATH })).toBe(2);
    const { eventSeq: _, ...before } = await sessionOf(server, ana, session.id);
    expect((await send("POST", of(session, "retry"), { rowIds: many })).json()).toMatchObject(before);
  });

  test("of a stopped session looks up the failed rows alone; a resume looks up the rest", async () => {
    server.simulator.behavior.hold("psa-api", 4);
    const lines: [string, string][] = [["99999995", "PSA"], ...numbers(86_400_000, 7)];
    const session = await startScan(server, ana, sheetOf(lines, { ...api, reuseKnown: false }));
    await followUntil(server, ana, session.id, (event) => event.session.processedCards >= 2);
    await send("POST", of(session, "stop"));
    server.simulator.behavior.release();
    const stopped = (
      await followUntil(
        server,
        ana,
        session.id,
        ({ session: { status, counts } }) => status === "failed" && !counts.processing,
      )
    ).at(-1)?.session;
    const { pending = 0, error = 0 } = stopped?.counts ?? {};
    expect(pending).toBeGreaterThan(0);
    expect(error).toBe(1);
    const callsOf = () => server.simulator.calls.list({ path: CERT_PATH }).map((call) => call.cert);
    server.simulator.calls.clear();
    server.simulator.behavior.hold("psa-api");
    const retried = await Promise.all([1, 2].map(() => send("POST", of(session, "retry"))));
    server.simulator.behavior.release();
    expect(retried.map((answer) => answer.json<ScanSession>())).toMatchObject(
      [1, 2].map(() => ({ status: "processing", isPartial: true, completedAt: null })),
    );
    await finish(server, ana, session);
    expect(await sessionOf(server, ana, session.id)).toMatchObject({
      status: "failed",
      isPartial: false,
      counts: { pending, error: 1, completed: 7 - pending },
    });
    expect(callsOf()).toEqual(["99999995"]);

    await send("POST", of(session, "resume"));
    await finish(server, ana, session);
    expect(await sessionOf(server, ana, session.id)).toMatchObject({
      status: "completed",
      counts: { error: 1, completed: 7 },
    });
    expect(callsOf()).toHaveLength(1 + pending);
  });

  test("leaves the end of the first run as it was", async () => {
    const session = await startScan(server, ana, sheetOf([["99999995", "PSA"]], api));
    await finish(server, ana, session);
    const { completedAt } = await sessionOf(server, ana, session.id);
    expect((await send("POST", of(session, "retry"))).json()).toMatchObject({ completedAt: null });
    await finish(server, ana, session);
    expect(await sessionOf(server, ana, session.id)).toMatchObject({ status: "completed", completedAt });
  });

  test("is for the session's owner only", async () => {
    const session = await startScan(server, ana, sheetOf([["12", "PSA"]]));
    const [row] = await rowsOf(server, ana, session.id);
    const answers = await Promise.all([
      send("POST", of(session, "resume"), undefined, ben),
      send("POST", of(session, "retry"), undefined, ben),
      send("POST", of(session, "reviewed"), { rowIds: ["1"], isReviewed: true }, ben),
      send("POST", of(session, "waiting"), { mode: "scraping" }, ben),
      send("POST", of(session, "companies"), { rowIds: [row?.id], company: "TAG" }, ben),
      send("POST", of(session, "remove"), { rowIds: [row?.id] }, ben),
      send("PATCH", `/api/scan-results/${row?.id}`, { certNumber: "01020688" }, ben),
    ]);
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(7).fill(404));
  });
});

describe("reviewed rows", () => {
  test("are stored, sent to open tables, and need review again on request or after another lookup", async () => {
    const session = await startScan(
      server,
      ana,
      sheetOf(
        [
          ["99999990", "PSA"],
          ["12", "PSA"],
        ],
        api,
      ),
    );
    const rows = await finish(server, ana, session);
    const other = await runSheet(server, ana, sheetOf([["12", "PSA"]]));
    const { eventSeq } = await sessionOf(server, ana, session.id);
    const rowIds = [...rows, ...other].map((row) => row.id);
    const mark = async (ids: string[], isReviewed: boolean) =>
      changedRowsSchema.parse((await send("POST", of(session, "reviewed"), { rowIds: ids, isReviewed })).json())
        .results;

    const reviewed = await mark(rowIds.toReversed(), true);
    expect(reviewed).toEqual(rows.map((row) => ({ ...row, reviewedAt: expect.stringMatching(/^20/) })));
    expect(await mark(rowIds, true)).toEqual([]);
    const told = await followUntil(server, ana, session.id, (event) => event.results.length === 2, eventSeq);
    expect(told.at(-1)?.results).toEqual(reviewed);
    expect(await rowsOf(server, ana, other[0]?.sessionId ?? "")).toEqual(other);

    expect(await mark(rowIds.slice(1, 2), false)).toEqual([rows[1]]);
    await send("POST", of(session, "retry"), { outcome: "not_found" });
    const again = await finish(server, ana, session);
    expect(again.map((row) => row.reviewedAt)).toEqual([null, null]);
  });
});

describe("an invalid number", () => {
  test("is corrected in place and looked up once; the line as typed is kept", async () => {
    const session = await startScan(server, ana, sheetOf([["1.02E+06", "PSA", "3", "box 1"]], api));
    const [row] = await rowsOf(server, ana, session.id);
    const change = { certNumber: "'01020688" };
    server.simulator.behavior.hold("psa-api");
    const answers = await Promise.all([1, 2].map(() => send("PATCH", `/api/scan-results/${row?.id}`, change)));
    server.simulator.behavior.release();
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200]);
    expect(await finish(server, ana, session)).toMatchObject([
      {
        line: 2,
        status: "completed",
        certNumber: "01020688",
        itemName: "1960 TOPPS #72 TIGERS TEAM",
        price: 3,
        notes: "box 1",
        warnings: [expect.stringMatching(/^Number repaired: /), "Number changed by hand (in the sheet: 1.02E+06)"],
      },
    ]);
    expect(server.simulator.calls.count({ path: CERT_PATH })).toBeLessThanOrEqual(1);
    const cells = await server.db
      .selectFrom("scan_results")
      .select("cells")
      .where("id", "=", Number(row?.id))
      .execute();
    expect(cells).toEqual([{ cells: ["1.02E+06", "PSA", "3", "box 1"] }]);
    expect(await sessionOf(server, ana, session.id)).toMatchObject({ status: "completed", processedCards: 1 });
  });

  test("keeps the note on how its company was read, unless another company is chosen", async () => {
    const sheet = sheetOf(
      [
        ["1.02E+06", "PSA"],
        ["1.40E+12", "PSA"],
      ],
      api,
    );
    const rows = sheet.rows.map((row) => ({ ...row, sheetCard: { company: "PSA 10" } }));
    const session = await startScan(server, ana, { ...sheet, rows });
    const [first, second] = await rowsOf(server, ana, session.id);
    expect(first?.warnings).toEqual(['Company PSA read from "PSA 10"']);
    await send("PATCH", `/api/scan-results/${first?.id}`, { certNumber: "01020688" });
    await send("PATCH", `/api/scan-results/${second?.id}`, { certNumber: "1401019289294", gradingCompany: "CGC" });
    expect(await finish(server, ana, session)).toMatchObject([
      { warnings: ['Company PSA read from "PSA 10"', expect.stringContaining("Number changed by hand")] },
      { gradingCompany: "CGC", warnings: [expect.stringContaining("Number changed by hand")] },
    ]);
  });

  test("that is still invalid gets a message, and nothing changes", async () => {
    const session = await startScan(
      server,
      ana,
      sheetOf([
        ["12", "PSA"],
        ["98174651", "BGS"],
      ]),
    );
    const [number, company] = await rowsOf(server, ana, session.id);
    const refused = await send("PATCH", `/api/scan-results/${number?.id}`, { certNumber: "34" });
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([400, "invalid_number"]);
    const missing = await send("PATCH", `/api/scan-results/${company?.id}`, { certNumber: "98174651" });
    expect(missing.json()).toMatchObject({ code: "invalid_row", error: expect.stringContaining("BGS") });
    expect(await rowsOf(server, ana, session.id)).toEqual([number, company]);
    await send("PATCH", `/api/scan-results/${company?.id}`, { certNumber: "98174651", gradingCompany: "psa" });
    await followUntil(server, ana, session.id, (event) => event.session.counts.completed === 1);
  });

  test("in a stopped session waits for its resume", async () => {
    server.simulator.behavior.hold("psa-api");
    const session = await startScan(server, ana, sheetOf([["12", "PSA"], ...numbers(88_000_000, 4)], api));
    await send("POST", of(session, "stop"));
    const [row] = await rowsOf(server, ana, session.id);
    const changed = await send("PATCH", `/api/scan-results/${row?.id}`, { certNumber: "01020688" });
    expect(changed.json()).toMatchObject({ status: "pending", certNumber: "01020688" });
    server.simulator.behavior.release();
    const stopped = await followUntil(server, ana, session.id, (event) => !event.session.counts.processing);
    expect(stopped.at(-1)?.session).toMatchObject({ status: "failed", counts: { pending: expect.any(Number) } });
    await send("POST", of(session, "resume"));
    expect((await finish(server, ana, session)).every((each) => each.status === "completed")).toBe(true);
    expect(await sessionOf(server, ana, session.id)).toMatchObject({ processedCards: 5 });
  });

  test("updates the company, too, in a session that takes companies from numbers", async () => {
    const session = await startScan(server, ana, sheetOf([["12", ""]], { ...api, acceptCompanies: true }));
    const [row] = await rowsOf(server, ana, session.id);
    const named = { certNumber: "01020688", gradingCompany: "TAG" };
    expect((await send("PATCH", `/api/scan-results/${row?.id}`, named)).statusCode).toBe(400);
    await send("PATCH", `/api/scan-results/${row?.id}`, { certNumber: "01020688" });
    expect(await finish(server, ana, session)).toMatchObject([{ status: "completed", gradingCompany: "PSA" }]);
  });

  test("of all rows with a suggested company are looked up together, each card once", async () => {
    const lines: [string, string][] = [
      ["01020688", ""],
      ["01020688", "PSA"],
      ["C1240631", "CGC"],
      ["12", "PSA"],
      ["hello", ""],
    ];
    const session = await startScan(server, ana, sheetOf(lines, api));
    await finish(server, ana, session);
    const path = `/api/scan-sessions/${session.id}/companies`;
    expect((await send("POST", path)).statusCode).toBe(200);
    const rows = await finish(server, ana, session);
    expect(rows.map(({ status, gradingCompany, warnings }) => [status, gradingCompany, warnings])).toEqual([
      ["completed", "PSA", ["Company PSA taken from the number; the sheet names none"]],
      ["completed", "PSA", []],
      ["completed", "TAG", ["Company TAG taken from the number; the sheet says CGC"]],
      ["error", "PSA", []],
      ["error", "", []],
    ]);
    expect(await sessionOf(server, ana, session.id)).toMatchObject({ status: "completed", processedCards: 5 });
    expect((await send("POST", path)).json()).toMatchObject({ status: "completed" });
  });

  test("of a large sheet is changed a few hundred rows at a time", async () => {
    const lines = Array.from({ length: 601 }, (_, n): [string, string] => [`0102${1000 + n}`, ""]);
    const session = await startScan(server, ana, sheetOf(lines, api));
    const pages: number[] = [];
    await server.db.transaction().execute(async (trx) => {
      const locked = { trx, sessionId: session.id, userId: ana.id, eventSeq: 1 };
      for await (const page of listFailedRows(locked, { rowIds: null, outcomes: null })) pages.push(page.length);
    });
    expect(pages).toEqual([500, 101]);
    expect((await send("POST", of(session, "companies"))).statusCode).toBe(200);
    const rows = await rowsOf(server, ana, session.id);
    expect(new Set(rows.map((row) => row.gradingCompany))).toEqual(new Set(["PSA"]));
    await send("POST", of(session, "stop"));
  });

  test("of chosen rows is looked up at a chosen company that it can be of", async () => {
    const lines: [string, string][] = [
      ["01020688", ""],
      ["01005453", "CGC"],
      ["hello", ""],
      ["98174651", ""],
    ];
    const session = await startScan(server, ana, sheetOf(lines, api));
    const rows = await finish(server, ana, session);
    const path = of(session, "companies");
    const rowIds = rows.slice(0, 3).map((row) => row.id);
    expect((await send("POST", path, { company: "PSA" })).body).toContain("needs rowIds with company");
    expect((await send("POST", path, { rowIds, company: "BGS" })).statusCode).toBe(400);
    expect((await send("POST", path, { rowIds, company: "PSA" })).statusCode).toBe(200);
    expect((await finish(server, ana, session)).map((row) => [row.outcome, row.gradingCompany, row.warnings])).toEqual([
      ["found", "PSA", ["Company changed by hand (in the sheet: none)"]],
      ["found", "PSA", ["Company changed by hand (in the sheet: CGC)"]],
      ["invalid_row", "", []],
      ["invalid_row", "", []],
    ]);
  });

  test("corrected to one in the sheet is looked up once for both rows", async () => {
    server.simulator.behavior.hold("psa-api");
    const lines = [...numbers(89_000_000, 3), ["12", "PSA"] as [string, string]];
    const session = await startScan(server, ana, sheetOf(lines, { ...api, reuseKnown: false }));
    const row = (await rowsOf(server, ana, session.id)).at(-1);
    await send("PATCH", `/api/scan-results/${row?.id}`, { certNumber: "89000002" });
    server.simulator.behavior.release();
    const rows = await finish(server, ana, session);
    expect(rows.map((each) => each.status)).toEqual(rows.map(() => "completed"));
    expect(server.simulator.calls.count({ path: "/psa-api/publicapi/cert/GetByCertNumber/89000002" })).toBe(1);
  });

  test("of a row that did not fail cannot be corrected", async () => {
    const session = await startScan(server, ana, sheetOf([["01020688", "PSA"]]));
    const [row] = await finish(server, ana, session);
    const refused = await send("PATCH", `/api/scan-results/${row?.id}`, { certNumber: "98174651" });
    expect(refused.statusCode).toBe(409);
    expect(await rowsOf(server, ana, session.id)).toEqual([row]);
  });
});
