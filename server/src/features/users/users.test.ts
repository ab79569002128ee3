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
const change = (id: string, isActive: boolean, as: Person = server.admin) =>
  server.app.inject({ method: "PATCH", url: `/api/admin/users/${id}`, headers: as.headers, payload: { isActive } });
const newUser = { email: "new@example.com", password: "secret", fullName: "New Person" };

describe("adding a user", () => {
  test("answers the profile, lets them sign in, and is noted", async () => {
    const answer = await create({ ...newUser, email: " New@Example.com " });
    expect(answer.statusCode).toBe(201);
    const user = answer.json<Profile>();
    expect(user).toMatchObject({
      email: "new@example.com",
      fullName: "New Person",
      role: "user",
      isActive: true,
      lastLogin: null,
    });
    await expect(server.signIn({ email: "new@example.com", password: "secret" })).resolves.toMatchObject({
      id: user.id,
    });
    const noted = await server.db
      .selectFrom("user_activity_logs")
      .select(["user_id", "metadata"])
      .where("activity_type", "=", "user_created")
      .execute();
    expect(noted).toContainEqual({
      user_id: server.admin.id,
      metadata: { userId: user.id, email: "new@example.com", role: "user" },
    });
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
  ])("refuses %s with SPEC's words", async (_name, payload, error) => {
    const answer = await create(payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: "bad_request", error });
  });

  test("refuses an email that is taken, also when both come at once", async () => {
    const answers = await Promise.all([1, 2].map(() => create({ ...newUser, email: "twice@example.com" })));
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([201, 409]));
    const again = await create({ ...newUser, email: "TWICE@example.com" });
    expect(again.json()).toMatchObject({ code: "conflict" });
  });

  test("gives the default password when none is given and one is set", async () => {
    const other = await startTestServer({ DEFAULT_USER_PASSWORD: "shared-default" });
    try {
      expect((await create({ ...newUser, password: "" }, other)).statusCode).toBe(201);
      await expect(other.signIn({ email: newUser.email, password: "shared-default" })).resolves.toBeDefined();
    } finally {
      await other.close();
    }
  });
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

describe("activating and deactivating", () => {
  test("is noted, never for oneself, never for nobody", async () => {
    const person = await server.addPerson();
    expect((await change(person.id, false)).json()).toMatchObject({ id: person.id, isActive: false });
    expect((await change(person.id, true)).json()).toMatchObject({ isActive: true });
    expect((await change(server.admin.id, false)).json()).toMatchObject({ code: "bad_request" });
    expect((await change("nobody", false)).json()).toMatchObject({ code: "no_such_thing" });
    const noted = await server.db
      .selectFrom("user_activity_logs")
      .select(["user_id", "metadata"])
      .where("activity_type", "=", "user_status_changed")
      .orderBy("id")
      .execute();
    expect(noted.slice(-2)).toEqual([
      { user_id: server.admin.id, metadata: { userId: person.id, isActive: false } },
      { user_id: server.admin.id, metadata: { userId: person.id, isActive: true } },
    ]);
  });

  test("two administrators cannot shut out each other", async () => {
    const [one, two] = [await server.addPerson("admin"), await server.addPerson("admin")];
    const answers = await Promise.all([change(two.id, false, one), change(one.id, false, two)]);
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
    const active = await server.db
      .selectFrom("user_profiles")
      .select("id")
      .where("id", "in", [one.id, two.id])
      .where("is_active", "=", true)
      .execute();
    expect(active).toHaveLength(1);
  });
});

test("how somebody arranged the table is kept for them alone", async () => {
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
