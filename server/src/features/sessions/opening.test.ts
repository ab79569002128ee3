import { afterAll, beforeAll, expect, test } from "vitest";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { sheetOf, startScan, startScanTest, type ScanTest } from "../../testing/scan-test.ts";
import type { Person } from "../../testing/test-server.ts";

let server: ScanTest;
let owner: Person;
let session: ScanSession;
beforeAll(async () => {
  server = await startScanTest();
  owner = await server.addPerson();
  session = await startScan(server, owner, sheetOf([["82000001", "PSA"]]));
});
afterAll(() => server.closeAll());

const PATHS = ["results", "results?since=0", "results?cursor=1", "events"];

/** Calls the session's route. A stream is left after its headers. */
async function read({ headers }: Person, path: string): Promise<void> {
  const url = `/api/scan-sessions/${session.id}/${path}`;
  const answer = await server.app.inject({ url, headers, payloadAsStream: true });
  expect(answer.statusCode).toBe(200);
  answer.stream().destroy();
}

async function openingsOf({ id }: Person): Promise<number> {
  await server.activityWritten();
  const entries = server.db.selectFrom("user_activity_logs").select("id").where("user_id", "=", id);
  return (await entries.where("activity_type", "in", ["session_opened", "rows_searched"]).execute()).length;
}

test.each(PATHS)("an administrator who reads another user's %s is logged, once an hour", async (path) => {
  const boss = await server.addPerson("admin");
  await read(boss, path);
  expect(await openingsOf(boss)).toBe(1);
  for (const other of PATHS) await read(boss, other);
  expect(await openingsOf(boss)).toBe(1);
});

test("an administrator who reads or changes another user's row is logged", async () => {
  const rows = await server.db.selectFrom("scan_results").select("id").where("session_id", "=", session.id).execute();
  const rowId = String(rows[0]?.id);
  const reading = await server.addPerson("admin");
  const { statusCode } = await server.app.inject({
    url: `/api/scan-results/${rowId}/provenance`,
    headers: reading.headers,
  });
  const changing = await server.addPerson("admin");
  const changed = await server.app.inject({
    method: "POST",
    url: `/api/scan-sessions/${session.id}/reviewed`,
    payload: { rowIds: [rowId], isReviewed: true },
    headers: changing.headers,
  });
  expect([statusCode, changed.statusCode]).toEqual([200, 200]);
  expect([await openingsOf(reading), await openingsOf(changing)]).toEqual([1, 1]);
});

test("an administrator who searches everyone's rows, or reads another user's photo, is logged, once an hour", async () => {
  const [searching, looking] = [await server.addPerson("admin"), await server.addPerson("admin")];
  const ask = async (person: Person, url: string): Promise<number> =>
    (await server.app.inject({ url, headers: person.headers })).statusCode;
  for (const q of ["8200", "8201"]) expect(await ask(searching, `/api/scan-results/search?q=${q}`)).toBe(200);
  expect(await ask(owner, "/api/scan-results/search?q=8200")).toBe(200);
  const row = await server.db.selectFrom("scan_results").select("id").executeTakeFirstOrThrow();
  const photo = await server.db
    .insertInto("photos")
    .values({ result_id: row.id, bytes: Buffer.from("photo"), replaced_url: null })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (const person of [looking, looking, owner]) expect(await ask(person, `/api/photos/${photo.id}`)).toBe(200);
  expect(await Promise.all([searching, looking, owner].map(openingsOf))).toEqual([1, 1, 0]);
});

test("the owner is not logged", async () => {
  for (const path of PATHS) await read(owner, path);
  expect(await openingsOf(owner)).toBe(0);
});
