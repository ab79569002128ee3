import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { finish, sheetOf, startScan, startScanTest, type ScanTest } from "../../testing/scan-test.ts";
import type { Person, TestNode } from "../../testing/test-server.ts";

/*
 * The streams' own check every minute is off in these tests, so only the notification can end a stream.
 */

let server: ScanTest;
let nodes: TestNode[];
beforeAll(async () => {
  server = await startScanTest();
  nodes = [server, await server.anotherNode()];
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** An open stream of the session on each node; `ended` resolves when all have ended. */
async function followOnAll(person: Person, session: ScanSession): Promise<{ ended: Promise<void> }> {
  const streams = await Promise.all(
    nodes.map(async (node) => {
      const url = `${await node.address()}/api/scan-sessions/${session.id}/events`;
      const { body } = await fetch(url, { headers: person.headers });
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      // The initial state has arrived: from here on only a notification triggers a check.
      while (!text.includes("event: scan")) text += (await reader?.read())?.value ?? "";
      return reader;
    }),
  );
  const ended = Promise.all(
    streams.map(async (reader) => {
      let isOver = reader === undefined;
      while (!isOver) isOver = (await reader?.read())?.done ?? true;
    }),
  );
  return { ended: ended.then(() => undefined) };
}

const askAsAdmin = (method: "PATCH" | "POST" | "DELETE", url: string, payload?: object) =>
  server.app.inject({ method, url, headers: server.admin.headers, ...(payload && { payload }) });
const startedBy = (person: Person) => startScan(server, person, sheetOf([["82000001", "PSA"]]));

test.each([
  ["deactivated", async ({ id }: Person) => askAsAdmin("PATCH", `/api/admin/users/${id}`, { isActive: false })],
  [
    "signed out by an administrator",
    async ({ id }: Person) => askAsAdmin("DELETE", `/api/admin/users/${id}/auth-sessions`),
  ],
  ["given a one-time password", async ({ id }: Person) => askAsAdmin("POST", `/api/admin/users/${id}/password`)],
])("the streams of a user who is %s end at once on every node", async (_name, deed) => {
  const person = await server.addPerson();
  const streams = await followOnAll(person, await startedBy(person));
  expect((await deed(person)).statusCode).toBeLessThan(300);
  await streams.ended;
  const again = await fetch(`${await server.address()}/api/scan-sessions`, { headers: person.headers });
  expect(again.status).toBe(401);
});

test("a sign-out ends that device's streams at once on every node, as does turning two-step sign-in off", async () => {
  const person = await server.addPerson();
  const second = await server.signIn(person);
  const session = await startedBy(person);
  const post = (url: string, { headers }: Person, payload: object) =>
    server.app.inject({ method: "POST", url, headers, payload });
  const signedOut = await followOnAll(person, session);
  expect((await post("/api/auth/sign-out", person, {})).statusCode).toBe(200);
  await signedOut.ended;
  const replaced = await followOnAll(second, session);
  const { password } = second;
  expect((await post("/api/account/two-step/turn-off", second, { password })).statusCode).toBe(200);
  await replaced.ended;
});

test("the streams of a demoted administrator end, since they may show other users' sessions", async () => {
  const [owner, boss] = [await server.addPerson(), await server.addPerson("admin")];
  const session = await startedBy(owner);
  const streams = await followOnAll(boss, session);
  await askAsAdmin("PATCH", `/api/admin/users/${boss.id}`, { role: "user" });
  await streams.ended;
  const again = await server.app.inject({ url: `/api/scan-sessions/${session.id}`, headers: boss.headers });
  expect(again.statusCode).toBe(404);
});

test("a missed sign-out is found when the notification connection is back", async () => {
  const person = await server.addPerson();
  const streams = await followOnAll(person, await startedBy(person));
  await server.db.deleteFrom("auth_sessions").where("user_id", "=", person.id).execute();
  await sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'slabdesk-events' AND datname = current_database()`.execute(server.db);
  await streams.ended;
});

test("another user's sign-out ends no stream, and one's other devices may be signed out", async () => {
  const [person, colleague] = [await server.addPerson(), await server.addPerson()];
  const second = await server.signIn(person);
  const session = await startedBy(person);
  const [gone, stays] = [await followOnAll(second, session), await followOnAll(person, session)];
  let isOver = false;
  void stays.ended.then(() => (isOver = true));
  await askAsAdmin("PATCH", `/api/admin/users/${colleague.id}`, { isActive: false });
  await server.app.inject({ method: "DELETE", url: "/api/account/auth-sessions", headers: person.headers });
  await gone.ended;
  expect(isOver).toBe(false);
  await askAsAdmin("PATCH", `/api/admin/users/${person.id}`, { isActive: false });
  await stays.ended;
});

test("the run of a signed-out user continues to its end", async () => {
  const person = await server.addPerson();
  const holding = await server.db.startTransaction().execute();
  await sql`LOCK TABLE lanes IN EXCLUSIVE MODE`.execute(holding);
  const cards = Array.from({ length: 4 }, (_, at): [string, string] => [String(82_000_010 + at), "PSA"]);
  const session = await startScan(server, person, sheetOf(cards));
  const streams = await followOnAll(person, session);
  await askAsAdmin("PATCH", `/api/admin/users/${person.id}`, { isActive: false });
  await streams.ended;
  await holding.commit().execute();
  const rows = await finish(server, server.admin, session);
  expect(rows.map(({ status }) => status)).toEqual(Array(4).fill("completed"));
});
