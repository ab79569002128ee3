import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ErrorBody } from "@slabdesk/contract/api/errors.ts";
import { DEACTIVATED_MESSAGE, type Profile } from "@slabdesk/contract/api/people.ts";
import { startTestServer, type Person, type TestServer } from "../../testing/test-server.ts";
import { BACKEND_ID, UNKNOWN_ID } from "./auth-sessions.repo.ts";
import { insertPassword } from "./passwords.repo.ts";
import { insertProfile } from "./users.repo.ts";

const AUTH_SECRET = "a-secret-that-signs-the-sessions-of-this-test";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ BACKEND_PASSWORD: "backend-password", AUTH_SECRET });
});
afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

const signIn = (payload: object, remoteAddress = "127.0.0.1") =>
  server.app.inject({ method: "POST", url: "/api/auth/sign-in/email", payload, remoteAddress });
const profile = (headers: Record<string, string>) => server.app.inject({ url: "/api/profile", headers });
const sessionsOf = (person: Person) =>
  server.db.selectFrom("auth_sessions").selectAll().where("user_id", "=", person.id).execute();
const activityOf = async (person: Person) => {
  await server.activityWritten();
  const rows = await server.db
    .selectFrom("user_activity_logs")
    .select(["activity_type", "description"])
    .where("user_id", "=", person.id)
    .orderBy("id")
    .execute();
  return rows.map((row) => `${row.activity_type}: ${row.description}`);
};
const setActive = (person: Person, isActive: boolean) =>
  server.app.inject({
    method: "PATCH",
    url: `/api/admin/users/${person.id}`,
    headers: server.admin.headers,
    payload: { isActive },
  });

describe("signing in", () => {
  test("returns token, user, cookie, and bearer header, and logs the time and the action", async () => {
    const person = await server.addPerson();
    const before = Date.now();
    const answer = await signIn({ email: person.email.toUpperCase(), password: person.password });
    expect(answer.statusCode).toBe(200);
    const { token, user } = answer.json<{ token: string; user: Profile }>();
    expect(user).toMatchObject({ id: person.id, email: person.email, role: "user", isActive: true });
    expect(Date.parse(user.lastLogin ?? "")).toBeGreaterThanOrEqual(before);
    expect(Date.parse(user.updatedAt)).toBeGreaterThanOrEqual(before);
    expect(answer.headers["set-auth-token"]).toContain(token);
    const current = await server.app.inject({
      url: "/api/auth/get-session",
      headers: { authorization: `Bearer ${token}` },
    });
    expect(current.json<{ session: object }>().session).toEqual(answer.json<{ session: object }>().session);
    const [cookie] = answer.cookies;
    expect(cookie).toMatchObject({ name: "slabdesk.session_token", httpOnly: true, sameSite: "Lax", path: "/" });
    expect(cookie?.secure).toBeUndefined();
    expect(await activityOf(person)).toEqual([
      "login: User logged in successfully",
      "login: User logged in successfully",
    ]);
  });

  test("cookie, token, and bearer header each give access", async () => {
    const { email, password } = server.admin;
    const answer = await signIn({ email, password });
    const cookie = `slabdesk.session_token=${encodeURIComponent(answer.cookies[0]?.value ?? "")}`;
    const ways: Record<string, string>[] = [
      { cookie },
      { authorization: `Bearer ${answer.json<{ token: string }>().token}` },
      { authorization: `Bearer ${String(answer.headers["set-auth-token"])}` },
    ];
    for (const headers of ways) expect((await profile(headers)).json()).toMatchObject({ email });
  });

  test.each([
    [
      "a wrong password",
      { email: "admin@example.com", password: "wrong" },
      401,
      "unauthorized",
      "Invalid email or password",
    ],
    [
      "an unknown email",
      { email: "nobody@example.com", password: "wrong" },
      401,
      "unauthorized",
      "Invalid email or password",
    ],
    ["no email", { email: "admin", password: "wrong" }, 400, "bad_request", "Invalid email"],
  ])("refuses %s", async (_name, payload, status, code, error) => {
    const answer = await signIn(payload);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ code, error });
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });

  test("names the missing fields", async () => {
    const answer = await signIn({});
    expect(answer.statusCode).toBe(400);
    expect(Object.keys(answer.json<{ fields: object }>().fields)).toEqual(["email", "password"]);
  });

  test("stores the address of the connection, whatever the client claims", async () => {
    const person = await server.addPerson();
    await server.db.deleteFrom("auth_sessions").where("user_id", "=", person.id).execute();
    await server.app.inject({
      method: "POST",
      url: "/api/auth/sign-in/email",
      headers: { "x-forwarded-for": "203.0.113.9", "x-slabdesk-address": "203.0.113.9", "user-agent": "a script" },
      payload: { email: person.email, password: person.password },
      remoteAddress: "198.51.100.7",
    });
    expect(await sessionsOf(person)).toMatchObject([{ ip_address: "198.51.100.7", user_agent: "a script" }]);
  });
});

describe("the session", () => {
  test("is returned by get-session and verify, and ends with sign-out", async () => {
    const person = await server.addPerson();
    const { headers } = person;
    const session = await server.app.inject({ url: "/api/auth/get-session", headers });
    expect(session.json()).toMatchObject({ session: { userId: person.id }, user: { email: person.email } });
    expect(session.body).not.toContain(headers.authorization.slice("Bearer ".length));
    const verified = await server.app.inject({ url: "/api/auth/verify", headers });
    expect(verified.json()).toMatchObject({ valid: true, user: { email: person.email } });

    const out = await server.app.inject({ method: "POST", url: "/api/auth/sign-out", headers });
    expect(out.json()).toEqual({ success: true });
    expect(out.cookies.find((cookie) => cookie.name === "slabdesk.session_token")).toMatchObject({
      value: "",
      maxAge: 0,
    });
    expect(await sessionsOf(person)).toEqual([]);
    expect((await profile(headers)).statusCode).toBe(401);
    expect((await server.app.inject({ url: "/api/auth/get-session", headers })).json()).toBeNull();
    expect(await activityOf(person)).toContain("logout: User logged out");
  });

  test("is empty without credentials", async () => {
    const answer = await server.app.inject("/api/auth/get-session");
    expect([answer.statusCode, answer.body]).toEqual([200, "null"]);
  });

  test.each(["Bearer nonsense", "Bearer a.b", "Basic YWRtaW46YWRtaW4=", "Bearer %E0%A4%A.x"])(
    "is refused for %s",
    async (authorization) => {
      const answer = await profile({ authorization });
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([401, "unauthorized"]);
    },
  );

  test("is refused for a cookie with a wrong signature", async () => {
    const answer = await signIn({ email: server.admin.email, password: server.admin.password });
    const [token] = (answer.cookies[0]?.value ?? "").split(".");
    const forged = await profile({ cookie: `slabdesk.session_token=${token}.${"A".repeat(43)}%3D` });
    expect(forged.statusCode).toBe(401);
  });

  test("ends when it expires", async () => {
    const person = await server.addPerson();
    await server.db
      .updateTable("auth_sessions")
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where("user_id", "=", person.id)
      .execute();
    expect((await profile(person.headers)).statusCode).toBe(401);
    expect(await sessionsOf(person)).toEqual([]);
  });
});

describe("an auth session", () => {
  const ageOf = (person: Person, ages: { created: string; seen: string }) =>
    server.db
      .updateTable("auth_sessions")
      .set({
        created_at: sql<Date>`now() - ${ages.created}::interval`,
        updated_at: sql<Date>`now() - ${ages.seen}::interval`,
        expires_at: sql<Date>`now() + interval '1 minute'`,
      })
      .where("user_id", "=", person.id)
      .execute();
  const hoursLeft = async (person: Person) => {
    const [session] = await sessionsOf(person);
    return ((session?.expires_at.getTime() ?? 0) - (session?.updated_at.getTime() ?? 0)) / 3_600_000;
  };

  test("is stored without its token and without the secret, if that comes from the environment", async () => {
    const person = await server.addPerson();
    const [session] = await sessionsOf(person);
    expect(person.headers.authorization).not.toContain(session?.token_hash);
    expect((await profile({ authorization: `Bearer ${session?.token_hash}` })).statusCode).toBe(401);
    const secrets = server.db.selectFrom("server_settings").select("value").where("name", "=", "auth_secret");
    expect(await secrets.execute()).toEqual([]);
  });

  test("ends 12 hours after its last use, and 30 days after its start", async () => {
    const person = await server.addPerson();
    expect(await hoursLeft(person)).toBe(12);
    await ageOf(person, { created: "29 days", seen: "2 minutes" });
    expect(await server.app.resolveViewer(person.headers, false)).toMatchObject({ kind: "viewer" });
    expect(await hoursLeft(person)).toBeCloseTo(0.05);
    expect((await profile(person.headers)).statusCode).toBe(200);
    expect(await hoursLeft(person)).toBe(12);
    await ageOf(person, { created: "29 days 20 hours", seen: "2 minutes" });
    expect((await profile(person.headers)).statusCode).toBe(200);
    expect(await hoursLeft(person)).toBeCloseTo(4);
    await ageOf(person, { created: "30 days", seen: "0 minutes" });
    expect((await profile(person.headers)).statusCode).toBe(401);
    expect(await sessionsOf(person)).toEqual([]);
  });

  test("ends when the settings say so", async () => {
    const person = await server.addPerson();
    const node = await server.anotherNode({ SESSION_IDLE_HOURS: "2", SESSION_MAX_DAYS: "1" });
    for (const [created, hours] of [
      ["0 hours", 2],
      ["23 hours", 1],
    ] as const) {
      await ageOf(person, { created, seen: "2 minutes" });
      expect((await node.app.inject({ url: "/api/profile", headers: person.headers })).statusCode).toBe(200);
      expect(await hoursLeft(person)).toBeCloseTo(hours);
    }
  });

  test("ends when its browser signs in again, but not when a script does", async () => {
    const [person, colleague] = [await server.addPerson(), await server.addPerson()];
    const signInWith = async ({ email, password }: Person, headers: Record<string, string>) => {
      const url = "/api/auth/sign-in/email";
      const answer = await server.app.inject({ method: "POST", url, headers, payload: { email, password } });
      return { cookie: `slabdesk.session_token=${encodeURIComponent(answer.cookies[0]?.value ?? "")}` };
    };
    const first = await signInWith(person, person.headers);
    const second = await signInWith(colleague, first);
    expect((await profile(first)).statusCode).toBe(401);
    for (const headers of [person.headers, second]) expect((await profile(headers)).statusCode).toBe(200);
  });

  test("ends when its user has 20 newer ones", async () => {
    const person = await server.addPerson();
    const second = await server.signIn(person);
    for (let newer = 0; newer < 19; newer += 1) await server.signIn(person);
    expect(await sessionsOf(person)).toHaveLength(20);
    expect((await profile(person.headers)).statusCode).toBe(401);
    expect((await profile(second.headers)).statusCode).toBe(200);
  });
});

describe("a deactivated account", () => {
  test("is signed out everywhere at once and cannot sign in", async () => {
    const person = await server.addPerson();
    const elsewhere = await server.signIn(person);
    expect((await setActive(person, false)).statusCode).toBe(200);
    for (const { headers } of [person, elsewhere]) expect((await profile(headers)).statusCode).toBe(401);
    const answer = await signIn({ email: person.email, password: person.password });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: "deactivated", error: DEACTIVATED_MESSAGE });
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect(await sessionsOf(person)).toEqual([]);

    await setActive(person, true);
    expect((await signIn({ email: person.email, password: person.password })).statusCode).toBe(200);
  });

  test("is not revealed to strangers", async () => {
    const person = await server.addPerson();
    await setActive(person, false);
    expect((await signIn({ email: person.email, password: "wrong" })).statusCode).toBe(401);
  });

  test.each(["/api/profile", "/api/auth/get-session"])(
    "with a remaining auth session is refused by %s, and the session ends",
    async (url) => {
      const person = await server.addPerson();
      await server.db.updateTable("user_profiles").set({ is_active: false }).where("id", "=", person.id).execute();
      const answer = await server.app.inject({ url, headers: person.headers });
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toMatchObject({ code: "deactivated", error: DEACTIVATED_MESSAGE });
      expect(await sessionsOf(person)).toEqual([]);
    },
  );
});

describe("wrong passwords", () => {
  const wrong = (person: Person, address: string) => signIn({ email: person.email, password: "wrong" }, address);
  const right = (person: Person, address: string) =>
    signIn({ email: person.email, password: person.password }, address);

  test("are limited to ten per account and address", async () => {
    const [victim, colleague] = [await server.addPerson(), await server.addPerson()];
    for (let tries = 0; tries < 10; tries += 1) expect((await wrong(victim, "198.51.100.1")).statusCode).toBe(401);
    const slowed = await right(victim, "198.51.100.1");
    expect(slowed.statusCode).toBe(429);
    expect(slowed.json()).toMatchObject({ code: "too_many_requests" });
    expect(Number(slowed.headers["retry-after"])).toBeGreaterThan(0);
    expect(Number(slowed.headers["retry-after"])).toBeLessThanOrEqual(60);
    expect((await right(victim, "198.51.100.2")).statusCode).toBe(200);
    expect((await right(colleague, "198.51.100.1")).statusCode).toBe(200);
  });

  test("are logged with account and address, and refusals once", async () => {
    const person = await server.addPerson();
    for (let tries = 0; tries < 13; tries += 1) await wrong(person, "198.51.100.8");
    await signIn({ email: "stranger@example.com", password: "wrong" }, "198.51.100.9");
    await server.activityWritten();
    const logged = await server.db
      .selectFrom("user_activity_logs")
      .select(["user_id", "description", "metadata"])
      .where("activity_type", "=", "login_failed")
      .where("user_id", "in", [person.id, UNKNOWN_ID])
      .where(sql`metadata->>'address'`, "in", ["198.51.100.8", "198.51.100.9"])
      .orderBy("id")
      .execute();
    const address = "198.51.100.8";
    const failed = {
      user_id: person.id,
      description: `Failed to sign in as ${person.email} from ${address}`,
      metadata: { account: person.email, address, reason: "Invalid email or password" },
    };
    const refused = { ...failed.metadata, reason: "Too many wrong passwords. Please wait a minute and try again" };
    expect(logged).toEqual([
      ...Array.from({ length: 10 }, () => failed),
      { ...failed, metadata: refused },
      {
        user_id: UNKNOWN_ID,
        description: "Failed to sign in as stranger@example.com from 198.51.100.9",
        metadata: { account: "stranger@example.com", address: "198.51.100.9", reason: "Invalid email or password" },
      },
    ]);
  });

  test("for any number of invented accounts are logged up to the network's limit, and refusals once", async () => {
    for (let n = 0; n < 110; n += 1)
      await signIn({ email: `nobody${n}@example.com`, password: "wrong" }, "198.51.100.44");
    await server.activityWritten();
    const { count } = await server.db
      .selectFrom("user_activity_logs")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where(sql`metadata->>'address'`, "=", "198.51.100.44")
      .executeTakeFirstOrThrow();
    expect(count).toBe(101);
  });

  test("from the same office don't block a known browser, which has its own limit", async () => {
    const address = "198.51.100.45";
    const [ana, ben] = [await server.addPerson(), await server.addPerson()];
    const browserOf = async (person: Person): Promise<string> => {
      const cookies = [(await right(person, address)).headers["set-cookie"]].flat();
      const known = cookies.find((cookie) => cookie?.startsWith("slabdesk.known_browser="));
      expect(known).toMatch(/; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
      return known?.split(";")[0] ?? "";
    };
    const browsers = { ana: await browserOf(ana), other: await browserOf(ana), ben: await browserOf(ben) };
    const from = (cookie: string, password: string) =>
      server.app.inject({
        method: "POST",
        url: "/api/auth/sign-in/email",
        payload: { email: ana.email, password },
        headers: { cookie },
        remoteAddress: address,
      });
    for (let tries = 0; tries < 10; tries += 1) expect((await wrong(ana, address)).statusCode).toBe(401);
    for (const cookie of [browsers.ben, `${browsers.ana}x`, "slabdesk.known_browser="])
      expect((await from(cookie, ana.password)).statusCode).toBe(429);
    expect((await from(browsers.ana, ana.password)).statusCode).toBe(200);
    for (let tries = 0; tries < 10; tries += 1) expect((await from(browsers.ana, "wrong")).statusCode).toBe(401);
    expect((await from(browsers.ana, ana.password)).statusCode).toBe(429);
    // Not even wrong passwords in a browser that she shared with others block her own.
    expect((await from(browsers.other, ana.password)).statusCode).toBe(200);
  });

  test("from a known browser count toward its network after the password has changed", async () => {
    const address = "198.51.100.46";
    const ana = await server.addPerson();
    const cookies = [(await right(ana, address)).headers["set-cookie"]].flat();
    const cookie = cookies.find((one) => one?.startsWith("slabdesk.known_browser="))?.split(";")[0];
    const attempt = () =>
      server.app.inject({
        method: "POST",
        url: "/api/auth/sign-in/email",
        payload: { email: ana.email, password: "wrong" },
        headers: { cookie },
        remoteAddress: address,
      });
    const url = `/api/admin/users/${ana.id}/password`;
    const reset = await server.app.inject({ method: "POST", url, headers: server.admin.headers });
    expect(reset.statusCode).toBe(201);
    for (let tries = 0; tries < 10; tries += 1) expect((await wrong(ana, address)).statusCode).toBe(401);
    expect((await attempt()).statusCode).toBe(429);
  });

  test("are limited in a burst, too, in any spelling of the email", async () => {
    const victim = await server.addPerson();
    const spellings = [victim.email, victim.email.toUpperCase(), ` ${victim.email}`];
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, at) => signIn({ email: spellings[at % 3], password: "wrong" }, "198.51.100.3")),
    );
    expect(answers.filter((answer) => answer.statusCode === 401)).toHaveLength(10);
    expect(answers.filter((answer) => answer.statusCode === 429)).toHaveLength(15);
  });

  test("from many addresses delay the next try of each, but not of the person's own address", async () => {
    const victim = await server.addPerson();
    for (let host = 1; host <= 21; host += 1) expect((await wrong(victim, `203.0.113.${host}`)).statusCode).toBe(401);
    expect((await right(victim, "203.0.113.21")).statusCode).toBe(429);
    expect((await right(victim, "127.0.0.1")).statusCode).toBe(200);
  });

  test("do not include correct ones, which never count", async () => {
    const person = await server.addPerson();
    const answers = await Promise.all(Array.from({ length: 15 }, () => right(person, "198.51.100.4")));
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]));
    expect((await wrong(person, "198.51.100.4")).statusCode).toBe(401);
  });

  test("are limited whatever X-Forwarded-For says", async () => {
    const victim = await server.addPerson();
    const payload = { email: victim.email, password: "wrong" };
    const statuses: number[] = [];
    for (let tries = 0; tries < 11; tries += 1) {
      const headers = { "x-forwarded-for": `203.0.113.${tries}` };
      const answer = await server.app.inject({
        method: "POST",
        url: "/api/auth/sign-in/email",
        headers,
        payload,
        remoteAddress: "198.51.100.5",
      });
      statuses.push(answer.statusCode);
    }
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("many sign-ins at once", () => {
  test("from one office in one minute all succeed", async () => {
    const { id, password } = await server.addPerson();
    const { password: passwordHash } = await server.db
      .selectFrom("auth_accounts")
      .select("password")
      .where("user_id", "=", id)
      .executeTakeFirstOrThrow();
    const emails = Array.from({ length: 50 }, (_, at) => `colleague${at}@example.com`);
    await server.db.transaction().execute(async (trx) => {
      for (const email of emails) {
        const colleague = await insertProfile(trx, {
          email,
          fullName: "A Colleague",
          role: "user",
          oneTimeUntil: null,
        });
        await insertPassword(trx, colleague?.id ?? expect.unreachable("the email is free"), passwordHash ?? "");
      }
    });
    const answers = await Promise.all(emails.map((email) => signIn({ email, password }, "198.51.100.10")));
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]));
  });

  test("from one network are refused with Retry-After beyond the queue; other networks are not", async () => {
    const burst = Array.from({ length: 160 }, (_, at) =>
      signIn({ email: `burst${at}@example.com`, password: "wrong" }, "198.51.100.30"),
    );
    expect((await signIn({ email: "burst@example.com", password: "wrong" }, "198.51.100.31")).statusCode).toBe(401);
    const answers = await Promise.all(burst);
    const refused = answers.find((answer) => answer.json<ErrorBody>().error.startsWith("Too many people"));
    expect([refused?.statusCode, refused?.headers["retry-after"], refused?.json()]).toMatchObject([
      429,
      "1",
      { code: "too_many_requests", error: "Too many people are signing in right now. Please try again" },
    ]);
  });
});

describe("the backend login", () => {
  const login = (password: string, remoteAddress: string) =>
    server.app.inject({ method: "POST", url: "/api/auth/login", payload: { password }, remoteAddress });

  test("returns a bearer token of the backend service, which is an administrator but no user", async () => {
    const answer = await login("backend-password", "198.51.100.20");
    const headers = { authorization: `Bearer ${answer.json<{ token: string }>().token}` };
    const service = { id: BACKEND_ID, fullName: "Backend service", role: "admin" };
    expect((await profile(headers)).json()).toMatchObject(service);
    const users = await server.app.inject({ url: "/api/admin/users", headers });
    expect(users.body).toContain(server.admin.id);
    expect(users.body).not.toContain(BACKEND_ID);
    expect(users.body).not.toContain(UNKNOWN_ID);
    const patch = { method: "PATCH", url: `/api/admin/users/${BACKEND_ID}`, payload: { isActive: false } } as const;
    expect((await server.app.inject({ ...patch, headers: server.admin.headers })).statusCode).toBe(404);
    const url = "/api/account/password";
    const payload = { currentPassword: "backend-password", newPassword: "another-password" };
    expect((await server.app.inject({ method: "POST", url, headers, payload })).statusCode).toBe(403);
    await server.activityWritten();
    const logged = await server.db
      .selectFrom("user_activity_logs")
      .select(["activity_type", "description", "metadata"])
      .where("user_id", "=", BACKEND_ID)
      .execute();
    const metadata = { address: "198.51.100.20" };
    expect(logged).toEqual([{ activity_type: "login", description: "Signed in with the backend password", metadata }]);
  });

  test("limits wrong passwords by address, and logs them", async () => {
    for (let tries = 0; tries < 10; tries += 1) expect((await login("wrong", "198.51.100.6")).statusCode).toBe(401);
    expect((await login("backend-password", "198.51.100.6")).statusCode).toBe(429);
    expect((await login("backend-password", "198.51.100.7")).statusCode).toBe(200);
    await server.activityWritten();
    const logged = server.db
      .selectFrom("user_activity_logs")
      .select(sql`metadata->>'account'`.as("account"))
      .where("activity_type", "=", "login_failed")
      .where(sql`metadata->>'address'`, "=", "198.51.100.6");
    expect(await logged.execute()).toEqual(Array.from({ length: 11 }, () => ({ account: "backend" })));
  });
});

test("a new backend password ends the backend service's auth sessions at the next start, a new AUTH_SECRET all", async () => {
  const own = await startTestServer({ BACKEND_PASSWORD: "backend-password", AUTH_SECRET });
  try {
    const payload = { password: "backend-password" };
    expect((await own.app.inject({ method: "POST", url: "/api/auth/login", payload })).statusCode).toBe(200);
    const owners = async () => {
      const sessions = await own.db.selectFrom("auth_sessions").select("user_id").orderBy("user_id").execute();
      return sessions.map(({ user_id }) => user_id);
    };
    const both = [own.admin.id, BACKEND_ID].toSorted();
    await own.anotherNode();
    await own.anotherNode({ ROLE: "worker", BACKEND_PASSWORD: "unused-by-workers" });
    expect((await owners()).toSorted()).toEqual(both);
    await own.anotherNode({ BACKEND_PASSWORD: "another-backend-password" });
    expect(await owners()).toEqual([own.admin.id]);
    await own.anotherNode({ AUTH_SECRET: `another-${AUTH_SECRET}` });
    expect(await owners()).toEqual([]);
  } finally {
    await own.close();
  }
});

test("a sign-in succeeds although its time cannot be stored, and logs the failure", async () => {
  const own = await startTestServer();
  try {
    await sql`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused by the test'; END $$`.execute(
      own.db,
    );
    await sql`
      CREATE TRIGGER refuse BEFORE UPDATE OF last_login ON user_profiles FOR EACH ROW EXECUTE FUNCTION refuse()`.execute(
      own.db,
    );
    const { email } = await own.signIn(own.admin);
    expect(email).toBe(own.admin.email);
    expect(own.errors.join("")).toContain("Failed to store the time of the last login");
  } finally {
    await own.close();
  }
});
