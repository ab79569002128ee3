import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OwnProfile, TwoStepSetup } from "@slabdesk/contract/api/people.ts";
import { startTestServer, type Person, type TestServer } from "../../testing/test-server.ts";
import { totpOf } from "@slabdesk/simulator/testing/totp.ts";

const BACKEND_PASSWORD = "a-long-backend-password";
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ BACKEND_PASSWORD });
});
afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

const post = (
  url: string,
  payload: object,
  { headers }: Pick<Person, "headers"> | { headers: object } = { headers: {} },
) => server.app.inject({ method: "POST", url, payload, headers: { ...headers } });
type Response = ReturnType<typeof post>;
const TURN_OFF = "/api/account/two-step/turn-off";
const LOCK_WAITERS = sql`
  SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

async function storedOf({ id }: Person): Promise<{ hasTwoStep: boolean; authSessions: number }> {
  const users = server.db.selectFrom("user_profiles").select("two_factor_enabled").where("id", "=", id);
  const sessions = server.db.selectFrom("auth_sessions").select("id").where("user_id", "=", id);
  const { two_factor_enabled: hasTwoStep } = await users.executeTakeFirstOrThrow();
  return { hasTwoStep, authSessions: (await sessions.execute()).length };
}

const signIn = ({ email, password }: Person, code?: string) =>
  post("/api/auth/sign-in/email", { email, password, code });
const profileOf = async ({ headers }: { headers: Record<string, string> }, on: Pick<TestServer, "app"> = server) =>
  (await on.app.inject({ url: "/api/profile", headers })).json<OwnProfile>();

const keyOf = ({ uri }: TwoStepSetup) => new URL(uri).searchParams.get("secret") ?? "";

/** Turns two-step sign-in on. Returns the setup and the person with the new auth session. */
async function setUp(person: Person): Promise<{ setup: TwoStepSetup; code: string; person: Person }> {
  const begun = await post("/api/account/two-step", { password: person.password }, person);
  expect([begun.statusCode, begun.headers["cache-control"]]).toEqual([200, "no-store"]);
  const setup = begun.json<TwoStepSetup>();
  const code = totpOf(keyOf(setup));
  const confirmed = await post("/api/account/two-step/confirm", { code }, person);
  expect(confirmed.statusCode).toBe(200);
  const authorization = `Bearer ${String(confirmed.headers["set-auth-token"])}`;
  return { setup, code, person: { ...person, headers: { authorization } } };
}

test("is set up with the password and a first code; until then, a password is enough", async () => {
  const person = await server.addPerson();
  const wrong = await post("/api/account/two-step", { password: "wrong" }, person);
  expect(wrong.json()).toMatchObject({ code: "bad_request", fields: { password: "The password is wrong" } });
  const early = await post("/api/account/two-step/confirm", { code: "000000" }, person);
  expect(early.json()).toMatchObject({ code: "conflict" });

  const setup = (await post("/api/account/two-step", { password: person.password }, person)).json<TwoStepSetup>();
  expect(setup.uri).toContain(`otpauth://totp/Slabdesk:${encodeURIComponent(person.email)}?secret=`);
  expect(new Set(setup.recoveryCodes).size).toBe(10);
  for (const code of setup.recoveryCodes) expect(code).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/);
  const mistyped = await post("/api/account/two-step/confirm", { code: "12345" }, person);
  expect(mistyped.json()).toMatchObject({ code: "bad_request", fields: { code: expect.any(String) } });
  expect((await signIn(person)).statusCode).toBe(200);

  const on = await setUp(person);
  expect(await profileOf(on.person)).toMatchObject({ hasTwoStep: true });
  // The earlier setup was replaced.
  expect((await signIn(person, totpOf(keyOf(setup)))).statusCode).toBe(401);
  const again = await post("/api/account/two-step", { password: person.password }, on.person);
  expect(again.json()).toMatchObject({ code: "conflict" });
  // The answer tells nothing about the code.
  for (const code of ["12345", totpOf(keyOf(on.setup))])
    expect((await post("/api/account/two-step/confirm", { code }, on.person)).json()).toMatchObject({
      error: "Two-step sign-in is already on",
    });
});

test("ends the user's other auth sessions when it is turned on, because they gave no code", async () => {
  const person = await server.addPerson();
  const thief = await server.signIn(person);
  const before = (await post("/api/account/two-step/confirm", { code: "12345" }, person)).statusCode;
  expect([before, (await storedOf(person)).authSessions]).toEqual([409, 2]);
  const { person: owner } = await setUp(person);
  expect((await storedOf(person)).authSessions).toBe(1);
  expect(await profileOf(thief)).toMatchObject({ code: "unauthorized" });
  expect(await profileOf(owner)).toMatchObject({ hasTwoStep: true });
});

test("a password without a code ends none of the user's auth sessions", async () => {
  const { person } = await setUp(await server.addPerson());
  await sql`
    INSERT INTO auth_sessions (id, user_id, token_hash, expires_at)
    SELECT gen_random_uuid(), ${person.id}, gen_random_uuid(), now() + interval '1 hour'
    FROM generate_series(1, 19)`.execute(server.db);
  expect((await signIn(person)).json()).toMatchObject({ code: "two_step_required" });
  expect(await storedOf(person)).toEqual({ hasTwoStep: true, authSessions: 20 });
});

test("a sign-in without a code that began before it was turned on gets no auth session", async () => {
  const person = await server.addPerson();
  // Two-step sign-in is turned on in a transaction that has not ended yet when the password is checked.
  const trx = await server.db.startTransaction().execute();
  await sql`UPDATE user_profiles SET two_factor_enabled = true WHERE id = ${person.id}`.execute(trx);
  const signingIn = signIn(person);
  await expect.poll(async () => (await LOCK_WAITERS.execute(server.db)).rows.length).toBe(1);
  await trx.commit().execute();
  expect((await signingIn).json()).toMatchObject({ code: "two_step_required" });
  expect((await storedOf(person)).authSessions).toBe(1);
});

test("after a new AUTH_SECRET, a sign-in says what to do until an administrator turns it off", async () => {
  const secret = "a-secret-of-more-than-32-characters";
  const own = await startTestServer({ AUTH_SECRET: secret });
  try {
    const person = await own.addPerson();
    const at = (
      on: Pick<TestServer, "app">,
      url: string,
      payload: object,
      { headers = {} }: { headers?: object } = {},
    ) => on.app.inject({ method: "POST", url, payload, headers: { ...headers } });
    const setup = (await at(own, "/api/account/two-step", { password: person.password }, person)).json<TwoStepSetup>();
    const confirm = { code: totpOf(keyOf(setup)) };
    expect((await at(own, "/api/account/two-step/confirm", confirm, person)).statusCode).toBe(200);

    const after = await own.anotherNode({ AUTH_SECRET: `another-${secret}` });
    const { email, password } = person;
    for (const code of [totpOf(keyOf(setup)), setup.recoveryCodes[0]]) {
      const answer = await at(after, "/api/auth/sign-in/email", { email, password, code });
      expect(answer.json()).toMatchObject({ code: "not_configured", error: expect.stringContaining("AUTH_SECRET") });
    }
  } finally {
    await own.close();
  }
});

test("wrong codes of the setup count like wrong passwords", async () => {
  const person = await server.addPerson();
  const setup = (await post("/api/account/two-step", { password: person.password }, person)).json<TwoStepSetup>();
  const confirm = (code: string) => post("/api/account/two-step/confirm", { code }, person);
  for (let tries = 0; tries < 10; tries += 1) expect((await confirm("12345")).statusCode).toBe(400);
  expect((await confirm(totpOf(keyOf(setup)))).statusCode).toBe(429);
});

test("a sign-in needs a code of the app or an unused recovery code", async () => {
  const { setup, code: confirming, person } = await setUp(await server.addPerson());
  const [recovery = ""] = setup.recoveryCodes;
  const without = await signIn(person);
  expect([without.statusCode, without.headers["set-cookie"]]).toEqual([401, undefined]);
  expect(without.json()).toMatchObject({ code: "two_step_required", fields: { code: expect.any(String) } });
  expect((await signIn({ ...person, password: "wrong" }, totpOf(keyOf(setup)))).json()).toMatchObject({
    code: "unauthorized",
  });
  for (const code of ["12345", "abcde-fghij"])
    expect((await signIn(person, code)).json()).toMatchObject({ code: "two_step_required" });

  expect((await signIn(person, confirming)).json()).toMatchObject({ code: "two_step_required" });
  const totp = totpOf(keyOf(setup), 1);
  const entered = await signIn(person, ` ${totp.slice(0, 3)} ${totp.slice(3)}`);
  expect(entered.json()).toMatchObject({ user: { email: person.email, hasTwoStep: true } });
  expect(String(entered.headers["set-cookie"])).toContain("slabdesk.session_token=");
  const { token } = entered.json<{ token: string }>();
  expect(await profileOf({ headers: { authorization: `Bearer ${token}` } })).toMatchObject({ email: person.email });

  // A code that someone has read over the shoulder.
  expect((await signIn(person, totp)).json()).toMatchObject({ code: "two_step_required" });

  expect((await signIn(person, recovery.toUpperCase())).statusCode).toBe(200);
  expect((await signIn(person, recovery)).json()).toMatchObject({ code: "two_step_required" });
});

test("sign-ins without a code are logged once a minute, and wrong codes each time", async () => {
  const { person } = await setUp(await server.addPerson());
  for (let tries = 0; tries < 3; tries += 1) await signIn(person);
  for (let tries = 0; tries < 2; tries += 1) await signIn(person, "12345");
  await server.activityWritten();
  const logged = await server.db
    .selectFrom("user_activity_logs")
    .select("metadata")
    .where("user_id", "=", person.id)
    .where("activity_type", "=", "login_failed")
    .orderBy("id")
    .execute();
  const [needed, ...wrong] = logged.map(({ metadata }) => metadata["reason"]);
  expect(needed).toBe("Enter the code from your authenticator app, or a recovery code");
  expect(wrong).toEqual([expect.stringContaining("wrong"), expect.stringContaining("wrong")]);
});

test("ten wrong codes in a row end in a wait, from any address", async () => {
  const { setup, person } = await setUp(await server.addPerson());
  const payload = { email: person.email, password: person.password };
  const enter = (code: string, remoteAddress: string) =>
    server.app.inject({
      method: "POST",
      url: "/api/auth/sign-in/email",
      payload: { ...payload, code },
      remoteAddress,
    });
  for (let host = 1; host <= 10; host += 1)
    expect((await enter("12345", `198.51.100.${host}`)).json()).toMatchObject({ code: "two_step_required" });
  const waiting = await enter(totpOf(keyOf(setup)), "198.51.100.11");
  expect([waiting.statusCode, waiting.json()]).toMatchObject([429, { error: expect.stringContaining("15 minutes") }]);
});

test("is turned off with the password, or by an administrator, who is logged", async () => {
  const first = await setUp(await server.addPerson());
  const wrong = await post("/api/account/two-step/turn-off", { password: "wrong" }, first.person);
  expect(wrong.json()).toMatchObject({ fields: { password: "The password is wrong" } });
  const off = await post("/api/account/two-step/turn-off", { password: first.person.password }, first.person);
  expect(off.statusCode).toBe(200);
  expect((await signIn(first.person)).json()).toMatchObject({ user: { hasTwoStep: false } });

  const { person } = await setUp(await server.signIn(first.person));
  const reset = ({ id }: Person) =>
    server.app.inject({ method: "DELETE", url: `/api/admin/users/${id}/two-step`, headers: server.admin.headers });
  expect((await reset(server.admin)).json()).toMatchObject({ code: "bad_request" });
  expect((await reset(person)).json()).toMatchObject({ email: person.email, hasTwoStep: false });
  expect((await signIn(person)).statusCode).toBe(200);
  await server.activityWritten();
  const logged = await server.db
    .selectFrom("user_activity_logs")
    .select(["user_id", "description"])
    .where("activity_type", "=", "two_step_changed")
    .where((where) => where(where.ref("metadata", "->>").key("userId"), "=", person.id))
    .orderBy("id")
    .execute();
  expect(logged).toEqual([
    { user_id: person.id, description: "Turned on two-step sign-in" },
    { user_id: person.id, description: "Turned off two-step sign-in" },
    { user_id: person.id, description: "Turned on two-step sign-in" },
    { user_id: server.admin.id, description: `Turned off the two-step sign-in of ${person.email}` },
  ]);
});

test("changes the account that the guard admitted, however better-auth reads the headers", async () => {
  const [person, { person: other }] = [await server.addPerson(), await setUp(await server.addPerson())];
  const cookies = (await signIn(person)).cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
  // better-auth trims the token; the guard finds none and reads the cookie.
  const headers = { cookie: cookies.join("; "), authorization: `${other.headers.authorization}\u00A0` };
  expect(await profileOf({ headers })).toMatchObject({ email: person.email });
  expect((await post(TURN_OFF, { password: other.password }, { headers })).statusCode).toBe(400);
  expect((await post("/api/auth/sign-out", {}, { headers })).statusCode).toBe(200);
  expect(await profileOf(other)).toMatchObject({ email: other.email, hasTwoStep: true });
});

describe("an auth session that is ended during its request", () => {
  type Ending = readonly [name: string, method: "POST" | "DELETE", path: string];
  const BY_ADMIN: Ending = ["an administrator", "DELETE", "auth-sessions"];
  const ENDINGS: Ending[] = [["a one-time password", "POST", "password"], BY_ADMIN];

  /** Ends a person's sessions while `request` waits for the person's lock behind it. Returns the request's response. */
  async function endDuring({ id }: Person, [, method, path]: Ending, request: () => Response) {
    const holding = await server.db.startTransaction().execute();
    await sql`SELECT id FROM user_profiles WHERE id = ${id} FOR NO KEY UPDATE`.execute(holding);
    // Other statements, such as the activity log's, don't wait for this lock.
    const waiting = async (count: number) =>
      expect
        .poll(async () => (await sql`${LOCK_WAITERS}`.execute(server.db)).rows.length, { timeout: 20_000 })
        .toBeGreaterThanOrEqual(count);
    const url = `/api/admin/users/${id}/${path}`;
    const ended = server.app.inject({ method, url, headers: server.admin.headers });
    await waiting(1);
    const answer = request();
    await waiting(2);
    await holding.commit().execute();
    expect((await ended).statusCode).toBeLessThan(300);
    return answer;
  }

  test.each(ENDINGS)("by %s stays ended, and two-step sign-in stays as it was", async (...ending) => {
    const { person } = await setUp(await server.addPerson());
    const off = await endDuring(person, ending, () => post(TURN_OFF, { password: person.password }, person));
    expect([off.statusCode, off.headers["set-auth-token"]]).toEqual([401, undefined]);
    expect(await storedOf(person)).toEqual({ hasTwoStep: true, authSessions: 0 });

    const other = await server.addPerson();
    const begun = await post("/api/account/two-step", { password: other.password }, other);
    const code = totpOf(keyOf(begun.json<TwoStepSetup>()));
    const on = await endDuring(other, ending, () => post("/api/account/two-step/confirm", { code }, other));
    expect([on.statusCode, on.headers["set-auth-token"]]).toEqual([401, undefined]);
    expect(await storedOf(other)).toEqual({ hasTwoStep: false, authSessions: 0 });
  });

  test("changes no password", async () => {
    const person = await server.addPerson();
    const wanted = { currentPassword: person.password, newPassword: "another-password" };
    const change = () => post("/api/account/password", wanted, person);
    expect((await endDuring(person, BY_ADMIN, change)).statusCode).toBe(401);
    expect((await signIn(person)).statusCode).toBe(200);
  });
});

test("a required second step blocks everything else", async () => {
  const required = await server.anotherNode({ ADMIN_TWO_STEP: "required" });
  const sessions = async ({ headers }: Pick<Person, "headers">) =>
    (await required.app.inject({ url: "/api/scan-sessions", headers })).json<{ code?: string }>();
  expect(await sessions(await server.addPerson())).not.toHaveProperty("code");
  expect(await sessions(server.admin)).toMatchObject({ code: "must_set_up_two_step" });
  expect(await profileOf(server.admin, required)).toMatchObject({ mustSetUpTwoStep: true });

  const { person } = await setUp(await server.signIn(server.admin));
  expect(await profileOf(person, required)).toMatchObject({ mustSetUpTwoStep: false });
  expect(await sessions(person)).not.toHaveProperty("code");

  // Scripts sign in without a second step.
  const { token } = (await post("/api/auth/login", { password: BACKEND_PASSWORD })).json<{ token: string }>();
  expect(await sessions({ headers: { authorization: `Bearer ${token}` } })).not.toHaveProperty("code");
});
