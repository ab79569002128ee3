import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { startTestServer, type Person, type TestServer } from "../testing/test-server.ts";
import type { Who } from "./guards.ts";

let server: TestServer;
let user: Person;
beforeAll(async () => {
  server = await startTestServer();
  user = await server.addPerson();
});
afterAll(async () => {
  await server.close();
});

/** All other routes require sign-in, and those under /api/admin require an administrator. */
const FOR_ANYONE = [
  "GET /api/auth/get-session",
  "GET /api/openapi.json",
  "GET /api/status",
  "GET /healthz",
  "GET /readyz",
  "POST /api/auth/login",
  "POST /api/auth/sign-in/email",
  "POST /api/auth/sign-out",
];
const FOR_ADMINS_OUTSIDE_ADMIN = [
  "DELETE /api/scan-sessions/:id",
  "GET /api/psa-quota-status",
  "POST /api/reset-quota-cache",
];

/** The routes for people with a one-time password, besides the public ones. */
const BEFORE_AN_OWN_PASSWORD = [
  "GET /api/auth/verify",
  "GET /api/profile",
  "POST /api/account/password",
  "POST /api/account/two-step",
  "POST /api/account/two-step/confirm",
  "POST /api/account/two-step/turn-off",
];

/** Whether a route serves files: the documentation page or the built web app. */
const isFile = (name: string) => /^\w+ (?:\/api\/docs(?:\/|$)|\/\*?$)/.test(name);

function ownRoutes(): { name: string; who: Who | null }[] {
  return server.app.whoMayCall().filter(({ name }) => !isFile(name));
}

const routes = () => ownRoutes().filter(({ name }) => !name.startsWith("HEAD "));

const callable = (name: string) => {
  const [method = "GET", path = ""] = name.split(" ");
  const url = path.replaceAll(/:\w+/g, "1");
  return { method: method as "GET" | "POST" | "PATCH" | "DELETE" | "PUT", url };
};

describe("guards", () => {
  test("anyone: these routes and no others", () => {
    const open = routes().filter(({ who }) => who === "anyone");
    expect(open.map(({ name }) => name).sort()).toEqual(FOR_ANYONE);
  });

  test("administrators: everything under /api/admin, deleting, and the quota", () => {
    const expected = routes().filter(
      ({ name }) => name.includes(" /api/admin/") || FOR_ADMINS_OUTSIDE_ADMIN.includes(name),
    );
    const closed = routes().filter(({ who }) => who === "admin");
    expect(closed.map(({ name }) => name).sort()).toEqual(expected.map(({ name }) => name).sort());
    expect(closed.length).toBeGreaterThan(0);
  });

  test("a HEAD has the guard of its GET", () => {
    for (const { name, who } of ownRoutes().filter(({ name }) => name.startsWith("HEAD "))) {
      expect(routes()).toContainEqual({ name: name.replace("HEAD", "GET"), who });
    }
  });

  test("guarded routes refuse missing and expired credentials", async () => {
    for (const { name } of routes().filter(({ who }) => who !== "anyone")) {
      for (const headers of [{}, { authorization: "Bearer dead" }, { cookie: "slabdesk.session_token=dead.dead" }]) {
        const answer = await server.app.inject({ ...callable(name), headers });
        expect([name, answer.statusCode]).toEqual([name, 401]);
        expect(errorBodySchema.parse(answer.json()).code).toBe("unauthorized");
      }
    }
  });

  test("routes for administrators refuse users", async () => {
    for (const { name } of routes().filter(({ who }) => who === "admin")) {
      const answer = await server.app.inject({ ...callable(name), headers: user.headers });
      expect([name, answer.statusCode]).toEqual([name, 403]);
      expect(errorBodySchema.parse(answer.json()).code).toBe("not_allowed");
    }
  });

  test("all guarded routes refuse a deactivated user's remaining session", async () => {
    const guarded = routes().filter(({ who }) => who !== "anyone");
    const { headers } = await server.signIn(user);
    const sessions = await server.db.selectFrom("auth_sessions").selectAll().where("user_id", "=", user.id).execute();
    await server.db.updateTable("user_profiles").set({ is_active: false }).where("id", "=", user.id).execute();
    for (const { name } of guarded) {
      // The first request ends all sessions.
      await server.db.deleteFrom("auth_sessions").where("user_id", "=", user.id).execute();
      await server.db.insertInto("auth_sessions").values(sessions).execute();
      const answer = await server.app.inject({ ...callable(name), headers });
      expect([name, answer.statusCode]).toEqual([name, 403]);
      expect(errorBodySchema.parse(answer.json()).code).toBe("deactivated");
    }
  });

  test("a one-time password gives access only to the routes for setting a password", async () => {
    const { id, email } = await server.addPerson("admin");
    const given = await server.app.inject({
      method: "POST",
      url: `/api/admin/users/${id}/password`,
      headers: server.admin.headers,
    });
    const { headers } = await server.signIn({ email, password: given.json<{ password: string }>().password });
    const passed: string[] = [];
    for (const { name } of routes().filter(({ who }) => who !== "anyone")) {
      const answer = await server.app.inject({ ...callable(name), headers });
      if (answer.statusCode !== 403) passed.push(name);
      else expect([name, errorBodySchema.parse(answer.json()).code]).toEqual([name, "must_change_password"]);
    }
    expect(passed.sort()).toEqual(BEFORE_AN_OWN_PASSWORD);
  });

  test("better-auth's own routes do not exist", async () => {
    const paths = [
      "sign-up/email",
      "admin/create-user",
      "admin/list-users",
      "update-user",
      "change-password",
      "list-sessions",
      "ok",
    ];
    for (const path of paths) {
      for (const method of ["GET", "POST"] as const) {
        const answer = await server.app.inject({ method, url: `/api/auth/${path}`, headers: server.admin.headers });
        expect([path, answer.statusCode]).toEqual([path, 404]);
      }
    }
  });
});

describe("the OpenAPI document", () => {
  type Operation = { responses: Record<string, object>; security: object[]; summary: string };
  const document = async () =>
    (await server.app.inject("/api/openapi.json")).json<{
      openapi: string;
      paths: Record<string, Record<string, Operation>>;
    }>();

  test("describes every route and its input", async () => {
    const { openapi, paths } = await document();
    expect(openapi).toBe("3.1.0");
    for (const { name, who } of routes()) {
      const [method = "", path = ""] = name.toLowerCase().split(" ");
      const documented = Object.entries(paths).find(
        ([key]) => key.toLowerCase() === path.replaceAll(/:(\w+)/g, "{$1}"),
      );
      const operation = documented?.[1][method];
      expect(operation?.summary, name).toBeTruthy();
      expect(operation?.security.length === 0, name).toBe(who === "anyone");
    }
  });

  test("lists the error body for every route under /api that can fail", async () => {
    const { paths } = await document();
    const silent = Object.entries(paths)
      .filter(([path]) => path.startsWith("/api/") && path !== "/api/openapi.json")
      .flatMap(([path, operations]) =>
        Object.entries(operations)
          .filter(([, { responses }]) => !JSON.stringify(responses["4XX"]).includes("#/components/schemas/Error"))
          .map(([method]) => `${method} ${path}`),
      );
    expect(silent).toEqual([]);
  });
});
