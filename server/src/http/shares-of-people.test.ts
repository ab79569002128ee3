import { heavyWork, imageLoads, noteRequest, requests } from "../concurrency/budgets.ts";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { getPriority } from "node:os";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { childIds, childPriorities } from "../testing/child-processes.ts";
import type { Person } from "../testing/test-server.ts";
import { finish, sheetOf, startScan, startScanTest, type ScanTest } from "../testing/scan-test.ts";
import { createSheetReader } from "../sheets/sheet-reader.ts";

/* What one person sends at the same time must not keep others from working. */

const SLOW_BODY_MS = 600;
const LONG_CALL_MS = 1_500;

let server: ScanTest;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  server = await startScanTest(
    { SHEETS_MB_PER_PERSON: "1", PHOTOS_MB_PER_PERSON: "1" },
    {},
    { slowBodyMs: SLOW_BODY_MS, longCallMs: LONG_CALL_MS },
  );
});
afterAll(() => server.closeAll());
// On a slow machine, one test can use up half of a person's budget, and then that person gets only one place at a time.
beforeEach(async () => {
  [ana, ben] = [await server.addPerson(), await server.addPerson()];
});

const SHEETS = "/api/scan-sessions";
const PLANS = "/api/scan-plans";
const PHOTOS = "/api/scan-results/1/image/front";
const IMAGE = `${PHOTOS}?width=96`;
const ask = (url: string, { headers }: Person) => server.app.inject({ url, headers });
const send = (url: string, { headers }: Person, payload: object) =>
  server.app.inject({ method: "POST", url, headers, payload });

/** Begins a request. Its body is as long as `bytes` says. */
async function begin(path: string, { headers }: Person, body: string, bytes: number) {
  const socket: Socket = connect(Number(new URL(await server.address()).port), "127.0.0.1");
  const type = path === PHOTOS ? "PUT image/png" : "POST application/json";
  const [method, contentType] = type.split(" ");
  socket.write(
    `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${headers.authorization}\r\n` +
      `content-type: ${contentType}\r\ncontent-length: ${bytes}\r\nconnection: close\r\n\r\n${body}`,
  );
  let heard = "";
  socket.on("data", (data: Buffer) => (heard += data.toString()));
  socket.on("error", (error) => (heard += error.message));
  return { socket, answer: once(socket, "close").then(() => heard) };
}

test("other requests are answered while a sheet is read that takes long", async () => {
  const body = `{"csvFilename":"x.csv","header":[],"rows":[${Array(200_000).fill("{}").join()}]}`;
  const taken = once(server.app.server, "request");
  const { socket, answer } = await begin(SHEETS, ana, body.slice(0, -1), body.length);
  const order: string[] = [];
  const sheet = answer.then((text) => order.push(text.slice(9, 12)));
  const [request] = (await taken) as [IncomingMessage];
  socket.write("}");
  await once(request, "end");
  const health = await fetch(`${await server.address()}/healthz`);
  order.push(String(health.status));
  await sheet;
  expect(order).toEqual(["200", "400"]);
});

test("rows that are added to a session are read like a sheet, in a process with a deadline", async () => {
  const hurried = await startScanTest({}, {}, { sheetDeadlineMs: 1 });
  const cells = Array.from({ length: 500 }, () => ({ line: 1, certNumber: "1", gradingCompany: "PSA", cells: [1, 2] }));
  const { headers } = await hurried.addPerson();
  const answer = await hurried.app.inject({
    method: "POST",
    url: `${SHEETS}/1/rows`,
    headers,
    payload: { rows: cells },
  });
  expect([answer.statusCode, answer.json()]).toMatchObject([413, { error: expect.stringContaining("takes too long") }]);
  await hurried.closeAll();
});

test("invalid small sheets spend the person's budget, too", async () => {
  const busy = await server.addPerson();
  const invalid = { rows: Array.from({ length: 2_000 }, () => ({})) };
  requests.spend(busy.id, 5_000);
  await vi.waitUntil(
    async () => {
      noteRequest(ben.id);
      expect((await send(PLANS, busy, invalid)).statusCode).toBe(400);
      noteRequest(ben.id);
      return requests.mustRest(busy.id);
    },
    { timeout: 60_000 },
  );
});

test.each([
  ["takes longer than its deadline", { deadlineMs: 1 }, "takes too long"],
  ["needs more memory than its process has", { deadlineMs: 60_000, memoryMb: 60 }, "too much memory"],
])("a sheet that %s is refused with what to do", async (_what, options, message) => {
  const reader = createSheetReader(options);
  // In a thread, one large allocation in JSON.parse would end the whole server.
  const bytes = Buffer.from(`{"rows":[${Array(2_000_000).fill("{}").join()},[${Array(3_000_000).fill(0).join()}]]}`);
  const upload = { bytes, isCsv: false, query: {}, wanted: "plan" } as const;
  await expect(reader.read("ana", upload, new AbortController().signal)).rejects.toMatchObject({
    status: 413,
    message: expect.stringMatching(`${message}.*Split it`),
  });
  reader.close();
});

test.runIf(process.platform === "linux")("sheets are read with a lower priority than requests", async () => {
  const reader = createSheetReader({ deadlineMs: 60_000 });
  const bytes = Buffer.from(`{"rows":[${Array(5_000).fill("{}").join()}]}`);
  const upload = { bytes, isCsv: false, query: {}, wanted: "plan" } as const;
  await expect(reader.read("ana", upload, new AbortController().signal)).rejects.toMatchObject({ status: 400 });
  expect(new Set(await childPriorities("sheet-process"))).toEqual(new Set([getPriority() + 10]));
  reader.close();
});

test.runIf(process.platform === "linux")(
  "sheets up to 100 kB, up to 1 MB, and above have their own processes",
  async () => {
    const others = new Set(await childIds("sheet-process"));
    const processes = async () => (await childIds("sheet-process")).filter((id) => !others.has(id));
    const reader = createSheetReader({ deadlineMs: 60_000 });
    const read = (size: number) => {
      const bytes = Buffer.alloc(size, "x");
      const upload = { bytes, isCsv: false, query: {}, wanted: "plan" } as const;
      return expect(reader.read("ana", upload, new AbortController().signal)).rejects.toMatchObject({ status: 400 });
    };
    await read(20_000);
    expect(await processes()).toHaveLength(1);
    await read(200_000);
    const ofSmall = await processes();
    expect(ofSmall).toHaveLength(2);
    await read(4_300_000);
    await expect.poll(processes).toEqual(ofSmall);
    for (const size of [20_000, 200_000]) await read(size);
    expect(await processes()).toEqual(ofSmall);
    reader.close();
  },
);

test("on a slow server, storing a sheet is charged by its bytes and its rows", async () => {
  const person = await server.addPerson();
  const realNow = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => 1_000 * realNow());
  const spend = vi.spyOn(heavyWork, "spend");
  const payload = `CertNumber\n${"12345678901\n".repeat(700)}`;
  const headers = { ...person.headers, "content-type": "text/csv" };
  const answer = await server.app.inject({ method: "POST", url: SHEETS, headers, payload });
  expect(answer.statusCode).toBe(201);
  const most = 200 + (payload.length / 1_000 + 700) / 20;
  await expect.poll(() => spend.mock.calls.map(([, ms]) => ms)).toContain(most);
  vi.restoreAllMocks();
});

test.each([
  { what: "small", bytes: 20_000, mustRest: false },
  { what: "large", bytes: 1_100_000, mustRest: true },
])("on a slow server, reading a $what sheet uses up the budget: $mustRest", async ({ what, bytes, mustRest }) => {
  const reader = createSheetReader({ deadlineMs: 60_000 });
  let now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const person = `reader of a ${what} sheet`;
  noteRequest(ben.id);
  const upload = { bytes: Buffer.alloc(bytes, "x"), isCsv: false, query: {}, wanted: "plan" } as const;
  const reading = reader.read(person, upload, new AbortController().signal);
  await pause(1);
  now += 60_000;
  noteRequest(ben.id);
  await expect(reading).rejects.toMatchObject({ status: 400 });
  expect(heavyWork.mustRest(person)).toBe(mustRest);
  vi.restoreAllMocks();
  reader.close();
});

test("four people's bodies that stop arriving are ended, and leave room for colleagues meanwhile", async () => {
  const senders = [ana, ...(await Promise.all([1, 2, 3].map(() => server.addPerson())))];
  const unfinished = await Promise.all(
    senders.flatMap((person) => [
      ...Array.from({ length: 3 }, () => begin(PLANS, person, "{", 9_000_000)),
      ...Array.from({ length: 20 }, () => begin(PHOTOS, person, "x", 12_000_000)),
    ]),
  );
  const rows = [{ line: 1, certNumber: "12345678", gradingCompany: "PSA" }];
  const plan = await send(PLANS, ben, { rows, unknown: "x".repeat(5_000_000) });
  const photo = await server.app.inject({
    method: "PUT",
    url: PHOTOS,
    headers: { ...ben.headers, "content-type": "image/png" },
    payload: Buffer.from("x"),
  });
  expect([plan.statusCode, photo.statusCode]).toEqual([200, 404]);
  const heard = await Promise.all(unfinished.map(({ answer }) => answer));
  const refused = heard.filter((text) => text.startsWith("HTTP/1.1 429"));
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]).toMatch(/retry-after: 5\r\n[^]*"Your other photos are still uploading/);
  const ended = heard.filter((text) => text.startsWith("HTTP/1.1 408"));
  expect(ended).toHaveLength(unfinished.length - refused.length);
  expect(ended[0]).toMatch(/connection: close\r\n[^]*arrived too slowly/);
  expect(server.errors).toEqual([]);
});

test("large sheets and photos of a person that wait leave room for a colleague's", async () => {
  const session = await startScan(server, ana, sheetOf([["9999999950", "CGC"]], { mode: "api" }));
  const [row] = await finish(server, ana, session);
  const sheet = {
    csvFilename: "x.csv",
    header: [],
    rows: [{ line: 1, certNumber: "12345678", gradingCompany: "PSA" }],
  };
  const large = { ...sheet, unknown: "x".repeat(5_000_000) };
  const photo = await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const put = (url: string, { headers }: Person) =>
    server.app.inject({ method: "PUT", url, headers: { ...headers, "content-type": "image/png" }, payload: photo });
  const blocked = async () => {
    const { rows } = await sql`
      SELECT DISTINCT relation FROM pg_locks
      WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(
      server.db,
    );
    return rows.length;
  };
  const waiting = await server.db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE scan_counters, photos`.execute(trx);
    const sent = [
      ...Array.from({ length: 3 }, () => send(SHEETS, ana, large)),
      ...Array.from({ length: 10 }, () => put(`/api/scan-results/${row?.id}/image/front`, ana)),
    ];
    await expect.poll(blocked).toBe(2);
    const bens = [await send(PLANS, ben, large), await put(PHOTOS, ben)];
    expect(bens.map(({ statusCode }) => statusCode)).toEqual([200, 404]);
    return sent;
  });
  const statuses = (await Promise.all(waiting)).map(({ statusCode }) => statusCode);
  expect(statuses.slice(0, 1)).toEqual([201]);
  // On a slow machine, Ben's plan can take longer than the 30 s that Ana's other requests wait.
  expect(statuses.filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
});

test("a request that is refused before its body is read does no harm", async () => {
  const headers = { ...ana.headers, "content-type": "text/plain" };
  const refused = await server.app.inject({ method: "PUT", url: PHOTOS, headers, payload: "x".repeat(100_000) });
  expect(refused.statusCode).toBe(415);
  // Longer than the slowest body may take.
  await new Promise((resolve) => setTimeout(resolve, 2 * SLOW_BODY_MS));
  expect((await ask("/healthz", ana)).statusCode).toBe(200);
});

test.each(["results?limit=5000", "lookup-history"])(
  "large pages (%s) are read for a person a few at a time",
  async (path) => {
    const session = await startScan(server, ana, sheetOf([["9999999950", "CGC"]], { mode: "api" }));
    const page = `/api/scan-sessions/${session.id}/${path}`;
    const answers = await Promise.all(Array.from({ length: 150 }, () => ask(page, ana)));
    const refused = answers.map(({ statusCode }) => statusCode).filter((status) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(33);
    expect(refused.filter((status) => status !== 429 && status !== 503)).toEqual([]);
  },
);

test("a person's requests that the database answers slowly leave connections for colleagues'", async () => {
  const waiting = await server.db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE scan_counters`.execute(trx);
    const asked = Array.from({ length: 20 }, () => ask(SHEETS, ana));
    expect((await ask("/api/profile", ben)).statusCode).toBe(200);
    return asked;
  });
  const answers = await Promise.all(waiting);
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
});

test("slow requests for a person's own photos leave database connections for colleagues", async () => {
  const waiting = await server.db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE photos`.execute(trx);
    const asked = Array.from({ length: 60 }, () => ask(`/api/photos/${randomUUID()}`, ana));
    expect((await ask("/api/profile", ben)).statusCode).toBe(200);
    return asked;
  });
  const answers = await Promise.all(waiting);
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([404]));
});

/** Counts the queries like this pattern that wait for a lock. */
async function countBlocked(pattern: string): Promise<number> {
  const { rows } = await sql`
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
      AND query LIKE ${pattern}`.execute(server.db);
  return rows.length;
}

test("slow lookups of cached cards leave database connections for colleagues", async () => {
  const cached = "/api/cgc-api/9999999950?forceRefresh=false";
  expect((await ask(cached, ana)).statusCode).toBe(200);
  const waiting = await server.db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE cached_certs`.execute(trx);
    const asked = Array.from({ length: 60 }, () => ask(cached, ana));
    await vi.waitUntil(async () => (await countBlocked("%FROM cached_certs%")) >= 4, { timeout: 20_000 });
    for (let n = 0; n < 50; n += 1) expect((await ask("/api/profile", ben)).statusCode).toBe(200);
    expect(await countBlocked("%FROM cached_certs%")).toBe(4);
    return asked;
  });
  const answers = await Promise.all(waiting);
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
});

test("one person's prices by name search the cached cards one at a time", async () => {
  const payload = { cardName: "PIKACHU", grade: "10", gradingCompany: "PSA" };
  const price = () =>
    server.app.inject({ method: "POST", url: "/api/cardladder-pricing", headers: ana.headers, payload });
  const waiting = await server.db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE cached_certs`.execute(trx);
    const asked = Array.from({ length: 10 }, price);
    await vi.waitUntil(async () => (await countBlocked("%FROM cached_certs%")) >= 1, { timeout: 20_000 });
    for (let n = 0; n < 50; n += 1) expect((await ask("/api/profile", ben)).statusCode).toBe(200);
    expect(await countBlocked("%FROM cached_certs%")).toBe(1);
    return asked;
  });
  const answers = await Promise.all(waiting);
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([404]));
});

test("images wider than the largest thumbnail take the places of full-size images", async () => {
  const waiting = await server.db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE scan_results`.execute(trx);
    const photo = "/api/scan-results/999999/image/front";
    const asked = ["", "?width=1537", "?width=4000"].map((width) => ask(photo + width, ana));
    await vi.waitUntil(async () => (await countBlocked("%SELECT r.*, (%FROM scan_results%")) >= 2, { timeout: 20_000 });
    expect((await ask("/api/profile", ben)).statusCode).toBe(200);
    expect(await countBlocked("%SELECT r.*, (%FROM scan_results%")).toBe(2);
    return asked;
  });
  const answers = await Promise.all(waiting);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
});

test("one problem of a hundred thousand ids is reported", async () => {
  const session = await startScan(server, ana, sheetOf([["9999999950", "CGC"]], { mode: "api" }));
  for (const id of ["x", 1]) {
    const body = { rowIds: Array(100_000).fill(id) };
    const refused = await send(`/api/scan-sessions/${session.id}/remove`, ana, body);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      400,
      { fields: { rowIds: "must be ids of 1 to 100,000 rows: up to 15 digits each" } },
    ]);
  }
});

test("of the problems of a body, the first twenty are reported", async () => {
  const session = await startScan(server, ana, sheetOf([["9999999950", "CGC"]], { mode: "api" }));
  const rows = Array.from({ length: 100 }, () => ({}));
  const refused = await send(`/api/scan-sessions/${session.id}/rows`, ana, { rows });
  expect([refused.statusCode, Object.keys(refused.json<{ fields: object }>().fields)]).toMatchObject([
    400,
    { length: 20 },
  ]);
});

test("single lookups that hang leave room for colleagues'", async () => {
  server.simulator.behavior.hold("psa-api");
  const hanging = Array.from({ length: 21 }, (_, index) => ask(`/api/psa-api/${71_000_000 + index}`, ana));
  const refused = await Promise.race(hanging);
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "60"]);
  expect((await ask("/api/cgc-api/9999999950", ben)).statusCode).toBe(200);
  server.simulator.behavior.release();
  const statuses = (await Promise.all(hanging)).map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

test("after a lookup that hung, a person's next one at this grader waits, and colleagues' don't", async () => {
  const lookUp = (person: Person, certNumber: number) => ask(`/api/psa-api/${certNumber}`, person);
  expect((await lookUp(ben, 71_000_031)).statusCode).toBe(200);
  server.simulator.behavior.hold("psa-api");
  const hanging = lookUp(ana, 71_000_032);
  await pause(2 * LONG_CALL_MS);
  server.simulator.behavior.release();
  expect((await hanging).statusCode).toBe(200);
  const waiting = lookUp(ana, 71_000_033);
  expect((await lookUp(ben, 71_000_034)).statusCode).toBe(200);
  expect((await ask("/api/cgc-api/9999999950", ana)).statusCode).toBe(200);
  expect(await Promise.race([waiting, pause(LONG_CALL_MS, "waits")])).toBe("waits");
  expect((await waiting).statusCode).toBe(200);
});

test("four people's single lookups that hang at one grader don't delay those at another", async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => server.addPerson()));
  server.simulator.behavior.hold("tag-api");
  const hanging = people.flatMap((person, who) =>
    Array.from({ length: 5 }, (_, n) => ask(`/api/tag-api/X84000${who}${n}`, person)),
  );
  await pause(LONG_CALL_MS);
  expect((await ask("/api/cgc-api/9999999950?forceRefresh=true", ben)).statusCode).toBe(200);
  server.simulator.behavior.release();
  const statuses = (await Promise.all(hanging)).map(({ statusCode }) => statusCode);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test("four people's exports that wait for images leave room for colleagues', and the seventh of a person is refused", async () => {
  const sessionOf = async (person: Person) => {
    const session = await startScan(server, person, sheetOf([["9999999950", "CGC"]], { mode: "api" }));
    const rowIds = (await finish(server, person, session)).map(({ id }) => id);
    return { url: `/api/scan-sessions/${session.id}/export`, rowIds };
  };
  const others = await Promise.all([1, 2, 3].map(() => server.addPerson()));
  const [anas, bens] = [await sessionOf(ana), await sessionOf(ben)];
  const ofOthers = await Promise.all(others.map(async (person) => ({ person, ...(await sessionOf(person)) })));
  server.simulator.behavior.hold("cgc-images");
  const waitingOfOthers = ofOthers.flatMap(({ person, url }) =>
    [1, 2].map(() => ask(`${url}?format=images.zip`, person)),
  );
  const waiting = [
    ...Array.from({ length: 4 }, () => ask(`${anas.url}?format=images.zip`, ana)),
    ...Array.from({ length: 3 }, () => send(anas.url, ana, { format: "images.zip", rowIds: anas.rowIds })),
  ];
  const refused = await Promise.race(waiting);
  expect([refused.statusCode, refused.json()]).toMatchObject([429, { error: expect.stringMatching("other exports") }]);
  expect((await ask(`${bens.url}?format=csv`, ben)).statusCode).toBe(200);
  server.simulator.behavior.release();
  const statuses = (await Promise.all(waiting)).map(({ statusCode }) => statusCode);
  await Promise.all(waitingOfOthers);
  expect(statuses.filter((status) => status === 200)).toHaveLength(6);
  expect((await ask(`${anas.url}?format=csv`, ana)).statusCode).toBe(200);
});

test("a person who has stored as much as one may gets an answer that says what to do", async () => {
  const session = await startScan(server, ben, sheetOf([["9999999950", "CGC"]], { mode: "api" }));
  const [row] = await finish(server, ben, session);
  const notes = "x".repeat(30_000);
  const rows = Array.from({ length: 20 }, (_, index) => ({
    line: index + 9,
    certNumber: "1",
    gradingCompany: "PSA",
    notes,
  }));
  const sheet = { csvFilename: "large.csv", header: [], rows };
  const added = `/api/scan-sessions/${session.id}/rows`;
  const card = { certNumber: "71000001", notes };
  const statuses = [
    await send(SHEETS, ben, sheet),
    await send(SHEETS, ben, sheet),
    await send(SHEETS, ben, { ...sheet, rows: rows.slice(0, 1), header: Array<string>(20).fill(notes) }),
    await send(SHEETS, ben, { ...sheet, rows: sheetOf(Array.from({ length: 400 }, () => ["1", "PSA"])).rows }),
    await send(added, ben, { rows }),
  ];
  expect(statuses.map(({ statusCode }) => statusCode)).toEqual([201, 409, 409, 409, 409]);
  expect(statuses[1]?.json()).toMatchObject({ error: expect.stringMatching(/1 MB, the most per person. Ask/) });

  const queued = new Set<number>();
  for (let n = 0; n < 10; n += 1) queued.add((await send("/api/queue/retry-psa", ben, card)).statusCode);
  expect(queued).toEqual(new Set([200, 409]));

  const stored = server.db.selectFrom("scan_sessions").select("sheet_bytes").where("user_id", "=", ben.id);
  const sizes = (await stored.execute()).map(({ sheet_bytes }) => sheet_bytes);
  // The estimate for a session without its rows.
  expect(Math.min(...sizes)).toBeGreaterThan(5_000);

  const photoOf = async (width: number) => {
    const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const photo = sharp({ create: { width, height: width, channels: 3, background: "red", noise } });
    const headers = { ...ben.headers, "content-type": "image/png" };
    const url = `/api/scan-results/${row?.id}/image/front`;
    return server.app.inject({ method: "PUT", url, headers, payload: await photo.png().toBuffer() });
  };
  const [small, large] = [await photoOf(100), await photoOf(1_600)];
  expect([small.statusCode, large.statusCode, large.json()]).toMatchObject([200, 409, { code: "conflict" }]);
});

test("images, exports, small sheets, and event streams of a person who has used up the budget wait while others send requests", async () => {
  const busy = await server.addPerson();
  const sheet = sheetOf([["9999999951", "CGC"]], { mode: "api" });
  const { id } = await startScan(server, busy, sheet);
  const events = `${await server.address()}${SHEETS}/${id}/events`;
  const readEvent = async (): Promise<string> => {
    const reader = (await fetch(events, { headers: busy.headers })).body?.getReader();
    await reader?.read();
    await reader?.read();
    await reader?.cancel();
    return "read";
  };
  const plan = async (): Promise<string> => (await send(PLANS, busy, { rows: sheet.rows })).statusMessage;
  const image = async (): Promise<number> => (await ask(IMAGE, busy)).statusCode;
  const file = async (): Promise<number> => (await ask(`${SHEETS}/${id}/export?format=csv`, busy)).statusCode;
  expect([await plan(), await readEvent(), await image(), await file()]).toEqual(["OK", "read", 404, 200]);
  noteRequest(ben.id);
  for (const budget of [requests, imageLoads]) budget.spend(busy.id, 60_000);
  // On a slow machine, the other request may be too long ago, and then nothing waits.
  for (const work of [plan, readEvent, image, file])
    await vi.waitUntil(
      async () => {
        await ask(SHEETS, ben);
        return (await Promise.race<unknown>([work(), pause(150, "waits")])) === "waits";
      },
      { timeout: 60_000 },
    );
});

test("an export of a person who has used up the budget for heavy work rests before its rows", async () => {
  const { id } = await startScan(server, ana, sheetOf([["9999999952", "CGC"]], { mode: "api" }));
  const file = `${await server.address()}${SHEETS}/${id}/export?format=csv`;
  /** Reads the file until it contains the row. */
  const readRow = async (): Promise<string> => {
    let text = "";
    const { body } = await fetch(file, { headers: { ...ana.headers, "accept-encoding": "identity" } });
    for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      if (text.includes("9999999952")) break;
    }
    return "read";
  };
  expect(await readRow()).toBe("read");
  heavyWork.spend(ana.id, 60_000);
  // On a slow machine, the other request may be too long ago, and then nothing waits.
  await vi.waitUntil(
    async () => {
      await ask(SHEETS, ben);
      return (await Promise.race([readRow(), pause(200, "waits")])) === "waits";
    },
    { timeout: 60_000 },
  );
});
