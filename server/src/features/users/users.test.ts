import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NEW_USER_MESSAGES, type Profile } from "@slabdesk/contract/api/people.ts";
import { startTestServer, type Person, type TestServer } from "../../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

const create = (payload: object, on: TestServer = server) =>
  on.app.inject({ method: "POST", url: "/api/admin/users", headers: on.admin.headers, payload });
const change = (id: string, payload: object, as: Person = server.admin) =>
  server.app.inject({ method: "PATCH", url: `/api/admin/users/${id}`, headers: as.headers, payload });
const notedOf = async (type: "user_created" | "user_status_changed" | "user_role_changed", userId: string) => {
  await server.activityWritten();
  return server.db
    .selectFrom("user_activity_logs")
    .select(["user_id", "description", "metadata"])
    .where("activity_type", "=", type)
    .where((where) => where(where.ref("metadata", "->>").key("userId"), "=", userId))
    .orderBy("id")
    .execute();
};
const firstPassword = async (on: TestServer): Promise<unknown> => {
  const answer = await on.app.inject({ url: "/api/admin/users/new", headers: on.admin.headers });
  expect(answer.headers["cache-control"]).toBe("no-store");
  return answer.json();
};
const newUser = { email: "new@example.com", password: "secret", fullName: "New Person" };

describe("adding a user", () => {
  test("returns the profile, allows the sign-in, and is logged", async () => {
    const answer = await create({ ...newUser, email: " José@Shop.test " });
    expect(answer.statusCode).toBe(201);
    const user = answer.json<Profile>();
    expect(user).toMatchObject({
      email: "josé@shop.test",
      fullName: "New Person",
      role: "user",
      isActive: true,
      lastLogin: null,
      mustChangePassword: false,
    });
    await expect(server.signIn({ email: "José@shop.test", password: "secret" })).resolves.toMatchObject({
      id: user.id,
    });
    await server.activityWritten();
    expect(await notedOf("user_created", user.id)).toEqual([
      {
        user_id: server.admin.id,
        description: "Created user josé@shop.test",
        metadata: { userId: user.id, email: "josé@shop.test", role: "user" },
      },
    ]);
  });

  test("makes the user choose a password at the first sign-in if asked to", async () => {
    const answer = await create({ ...newUser, email: "chooser@example.com", mustChangePassword: true });
    expect(answer.json()).toMatchObject({ mustChangePassword: true });
    const { headers } = await server.signIn({ email: "chooser@example.com", password: newUser.password });
    const payload = { newPassword: "a password of my own" };
    expect((await server.app.inject({ url: "/api/scan-sessions", headers })).json()).toMatchObject({
      code: "must_change_password",
    });
    const chosen = await server.app.inject({ method: "POST", url: "/api/account/password", headers, payload });
    expect(chosen.json()).toMatchObject({ mustChangePassword: false });
  });

  test.each([
    ["no email", { ...newUser, email: "  " }, NEW_USER_MESSAGES.required],
    ["no full name", { ...newUser, fullName: "" }, NEW_USER_MESSAGES.required],
    ["no password and no default", { ...newUser, password: "" }, NEW_USER_MESSAGES.required],
    ["nothing", {}, NEW_USER_MESSAGES.required],
    [
      "a bad email and a short password",
      { ...newUser, email: "new@example", password: "short" },
      NEW_USER_MESSAGES.email,
    ],
    ["a short password", { ...newUser, password: "short" }, NEW_USER_MESSAGES.password],
    [
      "a password of blanks, which nobody could type in",
      { ...newUser, password: "       " },
      NEW_USER_MESSAGES.required,
    ],
  ])("refuses %s with the specified text", async (_name, payload, error) => {
    const answer = await create(payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: "bad_request", error });
  });

  test("refuses an email in use, also in concurrent requests", async () => {
    const answers = await Promise.all([1, 2].map(() => create({ ...newUser, email: "twice@example.com" })));
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([201, 409]));
    const again = await create({ ...newUser, email: "TWICE@example.com" });
    expect(again.json()).toMatchObject({
      code: "conflict",
      error: "Auth error: A user with this email already exists",
    });
  });

  test.each([
    ["user_profiles", "Profile error: The profile could not be stored. Please try again"],
    ["auth_accounts", "Auth error: The password could not be stored. Please try again"],
  ])("names the part that cannot be stored, and stores neither, if %s fails", async (table, error) => {
    await sql`
      CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'refused by the test'; END $$`.execute(server.db);
    await sql`
      CREATE TRIGGER refuse BEFORE INSERT ON ${sql.table(table)} FOR EACH ROW EXECUTE FUNCTION refuse()`.execute(
      server.db,
    );
    const user = { ...newUser, email: "refused@example.com" };
    const answer = await create(user);
    await sql`DROP TRIGGER refuse ON ${sql.table(table)}`.execute(server.db);
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([500, error]);
    const kept = server.db.selectFrom("user_profiles").select("id").where("email", "=", user.email);
    expect(await kept.execute()).toEqual([]);
  });

  test("uses the default password if none is given and one is configured", async () => {
    const other = await startTestServer({ DEFAULT_USER_PASSWORD: "shared-default" });
    try {
      expect(await firstPassword(other)).toEqual({ password: "shared-default", isDefault: true });
      expect((await create({ ...newUser, password: "" }, other)).statusCode).toBe(201);
      await expect(other.signIn({ email: newUser.email, password: "shared-default" })).resolves.toBeDefined();
    } finally {
      await other.close();
    }
  });
});

test("the form suggests a new password each time if no default is configured", async () => {
  const passwords = [await firstPassword(server), await firstPassword(server)];
  expect(passwords).toEqual(
    [1, 2].map(() => ({ password: expect.stringMatching(/^(?:[a-z2-9]{5}-){3}[a-z2-9]{5}$/), isDefault: false })),
  );
  expect(passwords[0]).not.toEqual(passwords[1]);
});

describe("the list of users", () => {
  test("is paged, oldest first", async () => {
    await server.addPerson();
    await server.addPerson();
    const list = async (query: string) =>
      (await server.app.inject({ url: `/api/admin/users${query}`, headers: server.admin.headers })).json<{
        users: Profile[];
        nextCursor: string | null;
      }>();
    const all = await list("");
    expect(all.users[0]).toMatchObject({ id: server.admin.id });
    expect(all.nextCursor).toBeNull();
    const first = await list("?limit=2");
    const second = await list(`?limit=2&cursor=${first.nextCursor}`);
    expect([...first.users, ...second.users]).toEqual(all.users.slice(0, 4));
  });
});

describe("changing a user", () => {
  test("is logged, and impossible for oneself and unknown users", async () => {
    const person = await server.addPerson();
    expect((await change(person.id, { isActive: false })).json()).toMatchObject({ id: person.id, isActive: false });
    expect((await change(person.id, { isActive: false })).json()).toMatchObject({ id: person.id, isActive: false });
    expect((await change(person.id, { isActive: true })).json()).toMatchObject({ isActive: true });
    expect((await change(server.admin.id, { isActive: false })).json()).toMatchObject({ code: "bad_request" });
    expect((await change("nobody", { isActive: false })).json()).toMatchObject({ code: "no_such_thing" });
    const { email } = person;
    expect(await notedOf("user_status_changed", person.id)).toEqual([
      {
        user_id: server.admin.id,
        description: `Deactivated user ${email}`,
        metadata: { userId: person.id, isActive: false },
      },
      {
        user_id: server.admin.id,
        description: `Activated user ${email}`,
        metadata: { userId: person.id, isActive: true },
      },
    ]);
  });

  test("grants and revokes an administrator's rights at once, in existing auth sessions", async () => {
    const person = await server.addPerson();
    const listUsers = async () =>
      (await server.app.inject({ url: "/api/admin/users", headers: person.headers })).statusCode;
    expect(await listUsers()).toBe(403);
    expect((await change(person.id, { role: "admin" })).json()).toMatchObject({ role: "admin" });
    expect(await listUsers()).toBe(200);
    expect((await change(server.admin.id, { role: "user" })).json()).toMatchObject({ code: "bad_request" });
    expect((await change(person.id, { role: "user" })).json()).toMatchObject({ role: "user" });
    expect((await change(person.id, { role: "user", isActive: true })).statusCode).toBe(200);
    expect(await listUsers()).toBe(403);
    expect((await change(server.admin.id, { role: "user" }, person)).json()).toMatchObject({ code: "not_allowed" });
    const { email } = person;
    expect(await notedOf("user_role_changed", person.id)).toEqual([
      {
        user_id: server.admin.id,
        description: `Made ${email} an administrator`,
        metadata: { userId: person.id, role: "admin" },
      },
      { user_id: server.admin.id, description: `Made ${email} a user`, metadata: { userId: person.id, role: "user" } },
    ]);
  });

  test.each([{}, { role: "owner" }, { isActive: "yes" }])("refuses %o", async (payload) => {
    const person = await server.addPerson();
    expect((await change(person.id, payload)).json()).toMatchObject({ code: "bad_request" });
  });

  test("never removes the last administrator, even in concurrent requests", async () => {
    const admins = await Promise.all(Array.from({ length: 4 }, () => server.addPerson("admin")));
    const ids = admins.map(({ id }) => id);
    const deeds = admins.flatMap((one) =>
      admins.filter((other) => other !== one).map((other, at) => ({ one, other, how: at % 2 })),
    );
    const answers = await Promise.all(
      deeds.map(({ one, other, how }) => change(other.id, how ? { isActive: false } : { role: "user" }, one)),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status !== 200).every((status) => status === 401 || status === 403)).toBe(true);
    const left = await server.db
      .selectFrom("user_profiles")
      .select("id")
      .where("id", "in", ids)
      .where("role", "=", "admin")
      .where("is_active", "=", true)
      .execute();
    expect(left).toHaveLength(1);
    expect(statuses).toContain(403);
  });
});

test("the backend service can't remove the last human administrator", async () => {
  const own = await startTestServer({ BACKEND_PASSWORD: "a-long-backend-password" });
  try {
    const payload = { password: "a-long-backend-password" };
    const login = await own.app.inject({ method: "POST", url: "/api/auth/login", payload });
    const headers = { authorization: `Bearer ${login.json<{ token: string }>().token}` };
    const patch = async ({ id }: Person, wanted: object) =>
      (await own.app.inject({ method: "PATCH", url: `/api/admin/users/${id}`, headers, payload: wanted })).statusCode;
    const user = await own.addPerson();
    expect(await patch(own.admin, { role: "user" })).toBe(409);
    expect(await patch(own.admin, { isActive: false })).toBe(409);
    expect(await patch(user, { isActive: false })).toBe(200);
    expect(await patch(user, { isActive: true, role: "admin" })).toBe(200);
    expect(await patch(own.admin, { role: "user" })).toBe(200);
    expect(await patch(user, { isActive: false })).toBe(409);
  } finally {
    await own.close();
  }
});

test("table settings are stored per person", async () => {
  const [ana, ben] = [await server.addPerson(), await server.addPerson()];
  const view = '{"sort":[{"id":"grade","isDescending":true}],"widths":{"grade":120.5}}';
  const keep = (payload: object) =>
    server.app.inject({ method: "PUT", url: "/api/table-view", headers: ana.headers, payload });
  const keptBy = async (person: Person): Promise<unknown> =>
    (await server.app.inject({ url: "/api/table-view", headers: person.headers })).json();
  expect(await keptBy(ana)).toEqual({ view: null });
  expect((await keep({ view })).json()).toEqual({ view });
  expect(await keptBy(ana)).toEqual({ view });
  expect(await keptBy(ben)).toEqual({ view: null });
  for (const refused of [{ view: ["a"] }, { view: "x".repeat(20_001) }, {}])
    expect((await keep(refused)).json<{ code: string }>().code).toBe("bad_request");
  expect(await keptBy(ana)).toEqual({ view });
  expect((await keep({ view: null })).json()).toEqual({ view: null });
  expect(await keptBy(ana)).toEqual({ view: null });
});
