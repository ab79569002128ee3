import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { pricedLines, pricedSheet } from "../../testing/price-test.ts";
import {
  finish,
  followUntil,
  isForImageFile,
  openEndpoints,
  rowsOf,
  sessionOf,
  sheetOf,
  startScan,
  startScanTest,
  type ScanTest,
} from "../../testing/scan-test.ts";
import { SOON_IMAGES, type Person } from "../../testing/test-server.ts";
import { createSessionsService, type StreamedRow } from "./sessions.service.ts";

/** One card hangs until the timeout. Every other call has enough time on a slow machine, too. */
const SETTINGS = { PRICING_DELAY_MS: "0", REQUEST_TIMEOUT_MS: "5000", RETRY_DELAYS_S: "60" };

let server: ScanTest;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  server = await startScanTest(SETTINGS, {}, SOON_IMAGES);
  ana = await server.addPerson();
  ben = await server.addPerson();
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(async () => {
  await openEndpoints(server);
  server.simulator.behavior.heal();
  server.simulator.calls.clear();
});

const remove = (id: string, person: Pick<Person, "headers"> = server.admin) =>
  server.app.inject({ method: "DELETE", url: `/api/scan-sessions/${id}`, headers: person.headers });
const get = (url: string, person = ana) => server.app.inject({ url, headers: person.headers });
const countOf = async (
  table: "scan_results" | "search_chunks" | "scan_counters" | "photos" | "cached_certs" | "price_quotes",
) =>
  (
    await server.db
      .selectFrom(table)
      .select(sql<number>`count(*)`.as("count"))
      .executeTakeFirstOrThrow()
  ).count;

/** The unfinished jobs of a session. */
async function openJobs(sessionId: string): Promise<{ name: string; state: string }[]> {
  const { rows } = await sql<{ name: string; state: string }>`
    SELECT name, state::text FROM jobs.job WHERE data->>'sessionId' = ${sessionId} AND state < 'completed'`.execute(
    server.db,
  );
  return rows;
}

describe("a deleted session", () => {
  test("loses its rows, photos, and counters, and leaves cached certs and the users' totals", async () => {
    const session = await startScan(server, ana, pricedSheet([...pricedLines(61_000_000, 2), ["12", "PSA"]]));
    const [row] = await finish(server, ana, session);
    await server.db
      .insertInto("photos")
      .values({ result_id: Number(row?.id), bytes: Buffer.from("photo"), replaced_url: null })
      .execute();
    await server.db
      .insertInto("search_chunks")
      .values({ session_id: session.id, user_id: ana.id, chunk: 1, ids: [], text: "text" })
      .execute();
    const profile = async () => (await get("/api/profile")).json<object>();
    const before = {
      profile: await profile(),
      known: await countOf("cached_certs"),
      quotes: await countOf("price_quotes"),
    };
    expect(before.profile).toMatchObject({ totalScans: 1, totalCardsProcessed: 3 });
    expect([before.known, before.quotes]).toEqual([2, 4]);

    expect((await remove(session.id, ana)).statusCode).toBe(403);
    const answer = await remove(session.id);
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, deletedResults: 3 }]);

    for (const table of ["scan_results", "search_chunks", "scan_counters", "photos"] as const)
      expect([table, await countOf(table)]).toEqual([table, 0]);
    expect({
      profile: await profile(),
      known: await countOf("cached_certs"),
      quotes: await countOf("price_quotes"),
    }).toEqual(before);
    for (const what of ["", "/results", "/results?since=0", "/events", "/export"])
      expect([what, (await get(`/api/scan-sessions/${session.id}${what}`)).statusCode]).toEqual([what, 404]);
    for (const id of [session.id, "61b4a1ee-0000-4000-8000-000000000000", "none"])
      expect([(await remove(id)).statusCode, (await remove(id)).json<{ code: string }>().code]).toEqual([
        404,
        "no_such_thing",
      ]);

    const noted = () =>
      server.db.selectFrom("user_activity_logs").selectAll().where("activity_type", "=", "session_deleted").execute();
    await expect.poll(noted, { timeout: 30_000 }).toMatchObject([
      {
        user_id: server.admin.id,
        description: `Deleted session ${session.sessionName}`,
        metadata: {
          sessionId: session.id,
          sessionName: session.sessionName,
          ownerId: ana.id,
          owner: ana.email,
          totalCards: 3,
          processedCards: 3,
          deletedResults: 3,
        },
      },
    ]);
  });

  test("during its run, ends only its own stream and jobs", async () => {
    // Cards of both wait for CGC, one of Ana's is in PSA's retry queue, one is in flight, and prices are requested.
    await sql`
      UPDATE endpoints SET paused_until = now() + interval '1 hour', pause_code = 'unavailable', pause_message = 'closed'
      WHERE name LIKE 'cgc-%'`.execute(server.db);
    // One card hangs, Ben's three and two of Ana's are found; the rest is in flight.
    server.simulator.behavior.hold("psa-api", 11);
    server.simulator.behavior.hold("cardladder");
    const doomedLines = pricedLines(62_000_000, 24);
    const doomed = await startScan(
      server,
      ana,
      pricedSheet([["99999991", "PSA"], ["4076154006", "CGC"], ...doomedLines], { reuseKnown: false }),
    );
    const others = await startScan(
      server,
      ben,
      pricedSheet([["4076154007", "CGC"], ...pricedLines(63_000_000, 3)], { reuseKnown: false }),
    );
    await followUntil(
      server,
      ana,
      doomed.id,
      ({ session: { counts, prices } }) =>
        (counts.queued ?? 0) > 0 && (counts.waiting ?? 0) > 0 && (counts.completed ?? 0) > 1 && prices.pending > 0,
    );
    const ended = followUntil(server, ana, doomed.id, () => false);
    const inHand = followUntil(server, ana, doomed.id, ({ results }) =>
      results.some((row) => row.status === "processing"),
    );
    await inHand;
    expect((await openJobs(doomed.id)).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["lookup-psa", "retry-psa"]),
    );

    const answer = await remove(doomed.id);
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, deletedResults: 26 }]);
    const asked = server.simulator.calls.list().length;
    server.simulator.behavior.release();
    expect((await ended).length).toBeGreaterThan(0);
    expect((await get(`/api/scan-sessions/${doomed.id}/events`)).statusCode).toBe(404);

    await openEndpoints(server);
    await sql`UPDATE scan_results SET waiting_until = now() WHERE status = 'waiting'`.execute(server.db);
    const rows = await finish(server, ben, others);
    expect(rows.map((row) => row.status)).toEqual(Array(4).fill("completed"));
    await expect.poll(() => openJobs(doomed.id), { timeout: 30_000 }).toEqual([]);
    const certs = new Set([...doomedLines.map(([cert]) => cert), "4076154006", "99999991"]);
    const later = server.simulator.calls
      .list()
      .slice(asked)
      .filter((call) => !isForImageFile(call));
    // The card in flight, and those whose prices were, may have been requested already.
    const askedLater = later.filter(({ cert, certs: batch }) =>
      [cert, ...(batch ?? [])].some((one) => one && certs.has(one)),
    );
    expect(askedLater.length).toBeLessThanOrEqual(4);
    expect(await sessionOf(server, ben, others.id)).toMatchObject({ status: "completed", processedCards: 4 });
    const counters = await server.db.selectFrom("scan_counters").select("session_id").distinct().execute();
    expect(counters).toEqual([{ session_id: others.id }]);
    expect(server.errors).toEqual([]);
  });

  test("leaves no truncated file: running exports break off", async () => {
    const lines = Array.from({ length: 1_001 }, (_, n): [string, string] => [`bad ${n}`, "PSA"]);
    const session = await startScan(server, ana, sheetOf(lines));
    const scans = createSessionsService({ db: server.db, activity: { log: async () => {} } });
    const viewer = { id: ana.id, role: "user" } as const;
    const authorized = await scans.authorize(viewer, session.id);
    const ids = (await rowsOf(server, ana, session.id)).map(({ id }) => Number(id));
    const readOn = async (pages: AsyncGenerator<StreamedRow[]>): Promise<number> => {
      let count = 0;
      for await (const rows of pages) count += rows.length;
      return count;
    };
    expect(await readOn(scans.streamRows(viewer, authorized, null))).toBe(1_001);
    expect(await readOn(scans.streamRows(viewer, authorized, ids))).toBe(1_001);

    const [whole, chosen] = [scans.streamRows(viewer, authorized, null), scans.streamRows(viewer, authorized, ids)];
    const begun = await Promise.all([whole.next(), chosen.next()]);
    expect(begun.map(({ done }) => done)).toEqual([false, false]);
    expect((await remove(session.id)).statusCode).toBe(200);
    for (const broken of [whole, chosen]) await expect(readOn(broken)).rejects.toMatchObject({ status: 404 });
  });

  test("fetches no images of cards that are gone", async () => {
    const comparison = {
      company: "PSA",
      certNumber: "64000001",
      front: "https://a.test/1.jpg",
      back: "https://a.test/2.jpg",
    };
    await sql`
      INSERT INTO jobs.job (name, data) VALUES ('compare-images', ${JSON.stringify(comparison)}::jsonb)`.execute(
      server.db,
    );
    const states = async () => {
      const { rows } = await sql`
        SELECT state::text FROM jobs.job WHERE name = 'compare-images' AND data->>'certNumber' = ${comparison.certNumber}`.execute(
        server.db,
      );
      return rows;
    };
    await expect.poll(states, { timeout: 30_000 }).toEqual([{ state: "completed" }]);
    expect(server.errors).toEqual([]);
  });
});
