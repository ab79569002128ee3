import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ErrorBody } from "@slabdesk/contract/api/errors.ts";
import { authSessionListSchema, type AuthSessionEntry } from "@slabdesk/contract/api/people.ts";
import type { Database } from "../../database/connection.ts";
import { startTestServer, type Person, type TestServer } from "../../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

const ask = (url: string, { headers }: Pick<Person, "headers">, method: "GET" | "DELETE" = "GET") =>
  server.app.inject({ method, url, headers });
const listed = async (url: string, person: Pick<Person, "headers">, method: "GET" | "DELETE" = "GET") => {
  const answer = await ask(url, person, method);
  expect([url, answer.statusCode]).toEqual([url, 200]);
  return authSessionListSchema.parse(answer.json()).authSessions;
};
const idOf = (authSessions: AuthSessionEntry[]): string => {
  const current = authSessions.find(({ isCurrent }) => isCurrent);
  expect(authSessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
  return current?.id ?? "";
};
const isSignedIn = async (person: Person) => (await ask("/api/profile", person)).statusCode === 200;
const notedBy = async (person: Person) => {
  await server.activityWritten();
  return server.db
    .selectFrom("user_activity_logs")
    .select(["description", "metadata"])
    .where("user_id", "=", person.id)
    .where("activity_type", "=", "auth_sessions_ended")
    .orderBy("id", "desc")
    .execute();
};
const OWN = "/api/account/auth-sessions";
const of = ({ id }: Person) => `/api/admin/users/${id}/auth-sessions`;

describe("the list of signed-in devices", () => {
  test("has address, browser, and times, and no secret", async () => {
    const person = await server.addPerson();
    await server.app.inject({
      method: "POST",
      url: "/api/auth/sign-in/email",
      headers: { "user-agent": "A browser", "x-forwarded-for": "203.0.113.9" },
      payload: { email: person.email, password: person.password },
      remoteAddress: "198.51.100.7",
    });
    const answer = await ask(OWN, person);
    const { authSessions } = authSessionListSchema.parse(answer.json());
    expect(authSessions).toHaveLength(2);
    const there = authSessions.find(({ isCurrent }) => !isCurrent);
    expect(there).toMatchObject({ address: "198.51.100.7", userAgent: "A browser" });
    expect(Date.parse(there?.expiresAt ?? "")).toBeGreaterThan(Date.now());
    const tokens = await server.db
      .selectFrom("auth_sessions")
      .select("token_hash")
      .where("user_id", "=", person.id)
      .execute();
    for (const { token_hash } of tokens) expect(answer.body).not.toContain(token_hash);
    expect(await listed(of(person), server.admin)).toEqual(
      authSessions.map((entry) => ({ ...entry, isCurrent: false })),
    );
  });

  test("is visible to its user and administrators only", async () => {
    const [person, colleague] = [await server.addPerson(), await server.addPerson()];
    expect((await ask(of(person), colleague)).statusCode).toBe(403);
    const id = idOf(await listed(OWN, person));
    expect((await ask(`${OWN}/${id}`, colleague, "DELETE")).json()).toMatchObject({ code: "no_such_thing" });
    expect((await ask(`${of(colleague)}/${id}`, server.admin, "DELETE")).json<ErrorBody>().code).toBe("no_such_thing");
    for (const nobody of ["nobody", "%00"])
      expect((await ask(`/api/admin/users/${nobody}/auth-sessions`, server.admin)).statusCode).toBe(404);
    expect(await isSignedIn(person)).toBe(true);
  });

  test("omits expired ones", async () => {
    const person = await server.addPerson();
    await server.signIn(person);
    const id = idOf(await listed(OWN, person));
    await server.db
      .updateTable("auth_sessions")
      .set({ expires_at: sql<Date>`now()` })
      .where("user_id", "=", person.id)
      .where("id", "<>", id)
      .execute();
    expect(await listed(OWN, person)).toMatchObject([{ id, isCurrent: true }]);
  });

  test("says when each was last used, to the minute", async () => {
    const person = await server.addPerson();
    const seen = async () => {
      const [entry] = await listed(of(person), server.admin);
      return Date.parse(entry?.lastSeenAt ?? "");
    };
    const setSeen = (age: string) =>
      server.db
        .updateTable("auth_sessions")
        .set({ updated_at: sql<Date>`date_trunc('milliseconds', now() - ${age}::interval)` })
        .where("user_id", "=", person.id)
        .execute();
    await setSeen("59 seconds");
    const before = await seen();
    expect(await isSignedIn(person)).toBe(true);
    expect(await seen()).toBe(before);
    await setSeen("1 hour");
    const started = Date.now();
    expect(await isSignedIn(person)).toBe(true);
    expect(await seen()).toBeGreaterThanOrEqual(started - 1);
  });
});

describe("expired ones are deleted", () => {
  const expireAll = (db: Database, { id }: Person) =>
    db
      .updateTable("auth_sessions")
      .set({ expires_at: sql<Date>`now()` })
      .where("user_id", "=", id)
      .execute();
  const expectDeleted = (db: Database, { id }: Person) =>
    expect
      .poll(() => db.selectFrom("auth_sessions").select("id").where("user_id", "=", id).execute(), { timeout: 20_000 })
      .toEqual([]);

  test("when a node starts", async () => {
    const person = await server.addPerson();
    await expireAll(server.db, person);
    await server.anotherNode();
    await expectDeleted(server.db, person);
  });

  test("and again after each interval", async () => {
    const own = await startTestServer({}, { expiredAuthSessionsMs: 50 });
    const person = await own.addPerson();
    await expireAll(own.db, person);
    await expectDeleted(own.db, person);
    await own.signIn(person);
    await expireAll(own.db, person);
    // Of a sign-in that ended before the second step.
    await sql`
      INSERT INTO auth_verifications (id, identifier, value, expires_at) VALUES ('1', '2fa-1', ${person.id}, now())
    `.execute(own.db);
    await expectDeleted(own.db, person);
    const steps = async () => (await sql`SELECT FROM auth_verifications`.execute(own.db)).rows;
    await expect.poll(steps, { timeout: 20_000 }).toEqual([]);
    await own.close();
  });
});

describe("signing out devices", () => {
  test("ends one's own: one, then all but this one", async () => {
    const person = await server.addPerson();
    const [second, third] = [await server.signIn(person), await server.signIn(person)];
    const id = idOf(await listed(OWN, second));
    expect(await listed(`${OWN}/${id}`, person, "DELETE")).toHaveLength(2);
    expect([await isSignedIn(second), await isSignedIn(third)]).toEqual([false, true]);
    expect((await ask(`${OWN}/${id}`, person, "DELETE")).json()).toMatchObject({ code: "no_such_thing" });
    const left = await listed(OWN, person, "DELETE");
    expect(left).toMatchObject([{ isCurrent: true }]);
    expect(await isSignedIn(third)).toBe(false);
    expect(await listed(OWN, person, "DELETE")).toEqual(left);
    expect((await ask(`${OWN}/${idOf(left)}`, person, "DELETE")).json()).toMatchObject({ code: "bad_request" });
    expect(await isSignedIn(person)).toBe(true);
    expect(await notedBy(person)).toEqual([
      { description: "Signed out a device of their own", metadata: { userId: person.id, count: 1 } },
      { description: "Signed out a device of their own", metadata: { userId: person.id, count: 1 } },
    ]);
  });

  test("ends anyone's for an administrator, who stays signed in", async () => {
    const person = await server.addPerson();
    const second = await server.signIn(person);
    const third = await server.signIn(person);
    const id = idOf(await listed(OWN, third));
    expect(await listed(`${of(person)}/${id}`, server.admin, "DELETE")).toHaveLength(2);
    expect(await isSignedIn(third)).toBe(false);
    expect(await listed(of(person), server.admin, "DELETE")).toEqual([]);
    expect([await isSignedIn(person), await isSignedIn(second)]).toEqual([false, false]);
    expect(await notedBy(server.admin)).toEqual([
      { description: `Signed out 2 devices of ${person.email}`, metadata: { userId: person.id, count: 2 } },
      { description: `Signed out a device of ${person.email}`, metadata: { userId: person.id, count: 1 } },
    ]);

    const boss = await server.addPerson("admin");
    const elsewhere = await server.signIn(boss);
    expect(await listed(of(boss), boss, "DELETE")).toMatchObject([{ isCurrent: true }]);
    expect([await isSignedIn(boss), await isSignedIn(elsewhere)]).toEqual([true, false]);
  });
});
