import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHOSEN_PASSWORD_MESSAGES, type OneTimePassword, type Profile } from "@slabdesk/contract/api/people.ts";
import type { ErrorBody } from "@slabdesk/contract/api/errors.ts";
import type { DatabaseTransaction } from "../../database/connection.ts";
import { startTestServer, type Person, type TestNode, type TestServer } from "../../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ BACKEND_PASSWORD: "backend-password" });
});
afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

type Headers = Person["headers"];

const signIn = (email: string, password: string, remoteAddress = "127.0.0.1", on: Pick<TestNode, "app"> = server) =>
  on.app.inject({ method: "POST", url: "/api/auth/sign-in/email", payload: { email, password }, remoteAddress });
const change = (headers: Headers, payload: object, remoteAddress = "127.0.0.1") =>
  server.app.inject({ method: "POST", url: "/api/account/password", headers, payload, remoteAddress });
const reset = (id: string, as: Person = server.admin) =>
  server.app.inject({ method: "POST", url: `/api/admin/users/${id}/password`, headers: as.headers });
const statusOf = async (headers: Headers, url = "/api/profile") =>
  (await server.app.inject({ url, headers })).statusCode;
const authSessionsOf = ({ id }: Person) =>
  server.db.selectFrom("auth_sessions").select("id").where("user_id", "=", id).execute();
const untilTwoSignIns = (person: Person) =>
  expect.poll(() => authSessionsOf(person), { timeout: 20_000 }).toHaveLength(2);
/** Sign-ins of this user during `work`, at most two at once, whose results are checked afterwards. */
const whileNobodyIsJudged = (person: Person, work: (trx: DatabaseTransaction) => Promise<void>) =>
  server.db.transaction().execute(async (trx) => {
    await trx.selectFrom("user_profiles").select("id").where("id", "=", person.id).forNoKeyUpdate().execute();
    await work(trx);
  });
const notedFor = async (person: Person, type: "password_changed" | "password_reset" | "login_failed") => {
  await server.activityWritten();
  return server.db
    .selectFrom("user_activity_logs")
    .select(["description", "metadata"])
    .where("user_id", "=", person.id)
    .where("activity_type", "=", type)
    .execute();
};

const failedCheck = ({ email }: Person, address: string, reason: string) => ({
  description: `Failed a check of the password or a code while signed in, from ${address}`,
  metadata: { account: email, address, reason },
});

/** A user whose password an administrator has just reset. */
async function addResetPerson(): Promise<{ person: Person; oneTime: string }> {
  const person = await server.addPerson();
  const answer = await reset(person.id);
  expect(answer.statusCode).toBe(201);
  return { person, oneTime: answer.json<OneTimePassword>().password };
}

describe("changing one's own password", () => {
  test("requires the current one, and signs out everywhere but here", async () => {
    const person = await server.addPerson();
    const elsewhere = await server.signIn(person);
    const answer = await change(person.headers, { currentPassword: person.password, newPassword: "another-one" });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id: person.id, mustChangePassword: false });
    expect([await statusOf(person.headers), await statusOf(elsewhere.headers)]).toEqual([200, 401]);
    expect((await signIn(person.email, person.password)).statusCode).toBe(401);
    expect((await signIn(person.email, "another-one")).statusCode).toBe(200);
    expect(await notedFor(person, "password_changed")).toEqual([{ description: "Changed password", metadata: {} }]);
  });

  test.each([
    ["a wrong current one", "wrong", "another-one", "currentPassword", "The current password is wrong"],
    ["none", "", "another-one", "currentPassword", "The current password is wrong"],
    ["a short new one", null, "nine char", "newPassword", CHOSEN_PASSWORD_MESSAGES.short],
    ["a common new one", null, "Password123", "newPassword", CHOSEN_PASSWORD_MESSAGES.common],
    ["the same again", null, null, "newPassword", "The new password is the same as the current one"],
  ])("is refused with %s", async (_name, current, wanted, field, message) => {
    const person = await server.addPerson();
    const elsewhere = await server.signIn(person);
    const answer = await change(person.headers, {
      currentPassword: current ?? person.password,
      newPassword: wanted ?? person.password,
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: "bad_request", error: message, fields: { [field]: message } });
    expect(await statusOf(elsewhere.headers)).toBe(200);
    expect((await signIn(person.email, person.password)).statusCode).toBe(200);
    expect(await notedFor(person, "password_changed")).toEqual([]);
    const isWrong = field === "currentPassword";
    expect(await notedFor(person, "login_failed")).toEqual(isWrong ? [failedCheck(person, "127.0.0.1", message)] : []);
  });

  test("has its own limit on guesses, which other people's wrong passwords don't use up", async () => {
    const person = await server.addPerson();
    for (let tries = 0; tries < 10; tries += 1)
      expect((await signIn(person.email, "wrong", "198.51.100.1")).statusCode).toBe(401);
    expect((await signIn(person.email, person.password, "198.51.100.1")).statusCode).toBe(429);
    const guess = () =>
      change(person.headers, { currentPassword: "wrong", newPassword: "another-one" }, "198.51.100.1");
    for (let tries = 0; tries < 10; tries += 1) expect((await guess()).statusCode).toBe(400);
    const slowed = await guess();
    expect(slowed.json()).toMatchObject({ code: "too_many_requests" });
    expect(Number(slowed.headers["retry-after"])).toBeGreaterThan(0);
    const right = { currentPassword: person.password, newPassword: "another-one" };
    for (let tries = 0; tries < 3; tries += 1)
      expect((await change(person.headers, right, "198.51.100.2")).statusCode).toBe(429);
    // Refusals are logged once a minute for each network. The first network's was the sign-in.
    const reason = "Too many wrong passwords. Please wait a minute and try again";
    const refusals = (await notedFor(person, "login_failed")).filter(({ metadata }) => metadata["reason"] === reason);
    expect(refusals.slice(1)).toEqual([failedCheck(person, "198.51.100.2", reason)]);
    expect(refusals[0]?.metadata).toMatchObject({ address: "198.51.100.1" });
  });

  test("succeeds for one of two concurrent requests", async () => {
    const person = await server.addPerson();
    const second = await server.signIn(person);
    const answers = await Promise.all(
      [person, second].map(({ headers }, at) =>
        change(headers, { currentPassword: person.password, newPassword: `another-one-${at}` }),
      ),
    );
    const won = answers.findIndex(({ statusCode }) => statusCode === 200);
    // The other one was too late: for its sign-in, the current password, or the change itself.
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect([400, 401, 409]).toContain(answers[1 - won]?.statusCode);
    expect((await signIn(person.email, `another-one-${won}`)).statusCode).toBe(200);
    expect((await signIn(person.email, `another-one-${1 - won}`)).statusCode).toBe(401);
  });
});

describe("a one-time password", () => {
  test("is shown once, ends all auth sessions and the old password, and is not in the log", async () => {
    const person = await server.addPerson();
    const before = Date.now();
    const answer = await reset(person.id);
    expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([201, "no-store"]);
    const { password, until } = answer.json<OneTimePassword>();
    expect(password).toMatch(/^(?:[a-z2-9]{5}-){3}[a-z2-9]{5}$/);
    const week = 7 * 24 * 60 * 60 * 1000;
    expect(Date.parse(until)).toBeGreaterThanOrEqual(before + week);
    expect(Date.parse(until)).toBeLessThanOrEqual(Date.now() + week);
    expect(await statusOf(person.headers)).toBe(401);
    expect((await signIn(person.email, person.password)).statusCode).toBe(401);
    const noted = await notedFor(server.admin, "password_reset");
    expect(noted).toContainEqual({
      description: `Gave ${person.email} a one-time password`,
      metadata: { userId: person.id },
    });
    expect(JSON.stringify(noted)).not.toContain(password);
  });

  test("allows only choosing a new password, which restores full access", async () => {
    const { person, oneTime } = await addResetPerson();
    const entry = await signIn(person.email, oneTime);
    const { token, user } = entry.json<{ token: string; user: Profile }>();
    expect(user.mustChangePassword).toBe(true);
    const headers = { authorization: `Bearer ${token}` };
    const closed = await server.app.inject({ url: "/api/scan-sessions", headers });
    expect([closed.statusCode, closed.json<ErrorBody>().code]).toEqual([403, "must_change_password"]);
    const again = await change(headers, { newPassword: oneTime });
    expect(again.json()).toMatchObject({ fields: { newPassword: expect.any(String) } });
    const chosen = await change(headers, { newPassword: "my-very-own" });
    expect([chosen.statusCode, chosen.json<Profile>().mustChangePassword]).toEqual([200, false]);
    expect(await statusOf(headers, "/api/scan-sessions")).toBe(200);
    const row = await server.db
      .selectFrom("user_profiles")
      .select(["one_time_password", "one_time_until"])
      .where("id", "=", person.id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ one_time_password: null, one_time_until: null });
    expect((await signIn(person.email, oneTime)).statusCode).toBe(401);
    expect((await signIn(person.email, "my-very-own")).json()).toMatchObject({ user: { mustChangePassword: false } });
  });

  test("works for one of many concurrent sign-ins and never again; a used one does not count as wrong", async () => {
    const { person, oneTime } = await addResetPerson();
    let attempts: ReturnType<typeof signIn>[] = [];
    await whileNobodyIsJudged(person, async () => {
      // From several addresses, because requests from one address wait for each other.
      attempts = [1, 2, 3, 4].map((at) => signIn(person.email, oneTime, `198.51.100.${20 + at}`));
      await untilTwoSignIns(person);
    });
    const answers = await Promise.all(attempts);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    for (let tries = 0; tries < 10; tries += 1)
      expect((await signIn(person.email, oneTime, "198.51.100.3")).statusCode).toBe(401);
    const refused = await signIn(person.email, oneTime, "198.51.100.3");
    expect([refused.statusCode, refused.json<ErrorBody>().error]).toEqual([
      401,
      "This one-time password has already been used. Please ask an administrator for a new one",
    ]);
    expect(refused.headers["set-cookie"]).toBeUndefined();
    expect(await authSessionsOf(person)).toHaveLength(1);
  });

  test("is replaced once, also by concurrent requests", async () => {
    const { person, oneTime } = await addResetPerson();
    const { headers } = await server.signIn({ email: person.email, password: oneTime });
    const wanted = ["my-very-own-1", "my-very-own-2", "my-very-own-3"];
    const answers = await Promise.all(wanted.map((newPassword) => change(headers, { newPassword })));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(await Promise.all(wanted.map(async (one) => (await signIn(person.email, one)).statusCode))).toEqual(
      answers.map(({ statusCode }) => (statusCode === 200 ? 200 : 401)),
    );
  });

  test("expires after a week, and a new one replaces it", async () => {
    const { person, oneTime } = await addResetPerson();
    await server.db
      .updateTable("user_profiles")
      .set({ one_time_until: sql<Date>`now()` })
      .where("id", "=", person.id)
      .execute();
    const late = await signIn(person.email, oneTime);
    expect([late.statusCode, late.json<ErrorBody>().error]).toEqual([
      401,
      "This one-time password has expired. Please ask an administrator for a new one",
    ]);
    const { password } = (await reset(person.id)).json<OneTimePassword>();
    expect((await signIn(person.email, oneTime)).json()).toMatchObject({ error: "Invalid email or password" });
    expect((await signIn(person.email, password)).statusCode).toBe(200);
  });

  test("ends the auth session of the previous one", async () => {
    const { person, oneTime } = await addResetPerson();
    const { headers } = await server.signIn({ email: person.email, password: oneTime });
    await reset(person.id);
    expect((await change(headers, { newPassword: "my-very-own" })).statusCode).toBe(401);
  });

  test("cannot be set for oneself or an unknown user", async () => {
    expect((await reset(server.admin.id)).json()).toMatchObject({ code: "bad_request" });
    expect((await reset("nobody")).json()).toMatchObject({ code: "no_such_thing" });
  });

  test("rejects an old password that is checked at the same moment", async () => {
    const person = await server.addPerson();
    let answer: ReturnType<typeof signIn> | undefined;
    await whileNobodyIsJudged(person, async (trx) => {
      answer = signIn(person.email, person.password);
      await untilTwoSignIns(person);
      await trx.updateTable("auth_accounts").set({ password: "new:new" }).where("user_id", "=", person.id).execute();
    });
    expect((await answer)?.json()).toMatchObject({ code: "unauthorized", error: "Invalid email or password" });
    expect(await authSessionsOf(person)).toHaveLength(1);
  });
});

test("failed sign-ins are still counted after a restart, per account", async () => {
  const [victim, colleague] = [await server.addPerson(), await server.addPerson()];
  for (let tries = 0; tries < 10; tries += 1)
    expect((await signIn(victim.email, "wrong", "198.51.100.4")).statusCode).toBe(401);
  const fresh = await server.anotherNode();
  expect((await signIn(victim.email, victim.password, "198.51.100.4", fresh)).statusCode).toBe(429);
  expect((await signIn(victim.email, victim.password, "198.51.100.5", fresh)).statusCode).toBe(200);
  expect((await signIn(colleague.email, colleague.password, "198.51.100.4", fresh)).statusCode).toBe(200);
});

test("an administrator with a one-time password is not signed in by the backend password", async () => {
  const second = await server.addPerson("admin");
  await reset(server.admin.id, second);
  const login = await server.app.inject({
    method: "POST",
    url: "/api/auth/login",
    payload: { password: "backend-password" },
  });
  const headers = { authorization: `Bearer ${login.json<{ token: string }>().token}` };
  const viewer = (await server.app.inject({ url: "/api/profile", headers })).json<Profile>();
  expect(viewer.id).not.toBe(server.admin.id);
  expect(viewer).toMatchObject({ role: "admin", mustChangePassword: false });
});
