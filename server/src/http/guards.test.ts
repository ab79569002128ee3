import type { InjectOptions } from "fastify";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { rowsOf, runSheet, sheetOf, startScan, startScanTest, type ScanTest } from "../testing/scan-test.ts";
import type { Person, TestNode } from "../testing/test-server.ts";
import type { Who } from "./guards.ts";

/*
 * Who may call each route. A route that is missing here, and one that no longer exists, fails a test.
 */

/**
 * - `before password`: also people who have to choose their own password or set up two-step sign-in
 * - `own`: only the person whom it belongs to; `owner`: also administrators
 */
const ACCESSES = ["anyone", "before password", "signed in", "own", "owner", "admin"] as const;
type Access = (typeof ACCESSES)[number];
type Thing = "session" | "row" | "photo" | "auth session";
type Route = {
  access: Access;
  /** What the path's parameter names. */
  thing?: Thing;
  /** A body that is accepted, so that nothing but the guard refuses the request. */
  body?: object;
  /** A GET that changes something, which other sites may therefore not make a browser send. */
  isChange?: true;
  /** The answer to this person differs from the table. */
  instead?: [person: string, answer: string];
};

function all<T extends string>(answer: T, count: number): T[] {
  return Array<T>(count).fill(answer);
}

const anyone: Route = { access: "anyone" };
const beforePassword: Route = { access: "before password" };
const beforeTwoStep: Route = {
  access: "before password",
  instead: ["an administrator with a one-time password", "must_change_password"],
};
const signedIn: Route = { access: "signed in" };
/** A GET that changes something or makes a call. */
const change: Route = { access: "signed in", isChange: true };
const admin: Route = { access: "admin" };
/** Only for the person who owns it, and for administrators. Others learn nothing, not even that it exists. */
const ownersOf = (thing: Thing, body?: object): Route => ({ access: "owner", thing, ...(body && { body }) });

const CARD = { itemName: "Card", year: "", brand: "", cardNumber: "", grade: "", population: null };
const LINE = { line: 3, certNumber: "12345678", gradingCompany: "PSA" };

const ROUTES: Record<string, Route> = {
  "GET /healthz": anyone,
  "GET /readyz": anyone,
  "GET /api/status": anyone,
  "GET /api/openapi.json": anyone,
  "POST /api/auth/sign-in/email": anyone,
  "POST /api/auth/sign-out": anyone,
  "POST /api/auth/login": anyone,
  "GET /api/auth/get-session": { access: "anyone", instead: ["a deactivated user", "deactivated"] },
  "GET /api/auth/verify": beforePassword,
  "GET /api/profile": beforePassword,
  "POST /api/account/password": beforePassword,
  "POST /api/account/two-step": beforeTwoStep,
  "POST /api/account/two-step/confirm": beforeTwoStep,
  "POST /api/account/two-step/turn-off": beforeTwoStep,
  "GET /api/account/auth-sessions": signedIn,
  "DELETE /api/account/auth-sessions": signedIn,
  "DELETE /api/account/auth-sessions/{authSessionId}": { access: "own", thing: "auth session" },
  "GET /api/table-view": signedIn,
  "PUT /api/table-view": signedIn,
  "POST /api/activity": signedIn,

  "GET /api/scan-sessions": signedIn,
  "POST /api/scan-sessions": signedIn,
  "POST /api/scan-plans": signedIn,
  "GET /api/scan-sessions/{id}": ownersOf("session"),
  "PATCH /api/scan-sessions/{id}": ownersOf("session", { sessionName: "Mine" }),
  "DELETE /api/scan-sessions/{id}": admin,
  "GET /api/scan-sessions/{id}/results": ownersOf("session"),
  "GET /api/scan-sessions/{id}/events": ownersOf("session"),
  "GET /api/scan-sessions/{id}/lookup-history": ownersOf("session"),
  "GET /api/scan-sessions/{id}/export": ownersOf("session"),
  "POST /api/scan-sessions/{id}/export": ownersOf("session", { rowIds: ["1"] }),
  "POST /api/scan-sessions/{id}/reprice": ownersOf("session"),
  "POST /api/scan-sessions/{id}/stop": ownersOf("session"),
  "POST /api/scan-sessions/{id}/resume": ownersOf("session"),
  "POST /api/scan-sessions/{id}/retry": ownersOf("session"),
  "POST /api/scan-sessions/{id}/waiting": ownersOf("session", { mode: "scraping" }),
  "POST /api/scan-sessions/{id}/companies": ownersOf("session"),
  "POST /api/scan-sessions/{id}/rows": ownersOf("session", { rows: [LINE] }),
  "PATCH /api/scan-sessions/{id}/rows": ownersOf("session", { rowIds: ["1"], notes: "x" }),
  "POST /api/scan-sessions/{id}/remove": ownersOf("session", { rowIds: ["1"] }),
  "POST /api/scan-sessions/{id}/reviewed": ownersOf("session", { rowIds: ["1"], isReviewed: true }),
  "GET /api/stop": change,
  "GET /api/reset-stop": change,

  "GET /api/scan-results/search": signedIn,
  "PATCH /api/scan-results/{id}": ownersOf("row", { certNumber: "12345678" }),
  "DELETE /api/scan-results/{id}": ownersOf("row"),
  "POST /api/scan-results/{id}/pricing": ownersOf("row"),
  "GET /api/scan-results/{id}/sales": ownersOf("row"),
  "GET /api/scan-results/{id}/provenance": ownersOf("row"),
  "PUT /api/scan-results/{id}/entry": ownersOf("row", CARD),
  "DELETE /api/scan-results/{id}/entry": ownersOf("row"),
  "GET /api/scan-results/{id}/image/{side}": ownersOf("row"),
  "PUT /api/scan-results/{id}/image/{side}": ownersOf("row"),
  "DELETE /api/scan-results/{id}/image/{side}": ownersOf("row"),
  "PATCH /api/scan-results/{id}/images": ownersOf("row", { swap: true }),
  "GET /api/photos/{id}": ownersOf("photo"),
  "POST /api/queue/retry-psa": signedIn,
  "GET /api/queue/status/{jobId}": ownersOf("row"),

  "GET /api/psa/{cert}": change,
  "GET /api/psa-api/{cert}": change,
  "GET /api/psa-with-fallback/{cert}": change,
  "GET /api/cgc/{cert}": change,
  "GET /api/cgc-api/{cert}": change,
  "GET /api/cgc-with-fallback/{cert}": change,
  "GET /api/tag/{cert}": change,
  "GET /api/tag-api/{cert}": change,
  "GET /api/tag-with-fallback/{cert}": change,
  "POST /api/cardladder-pricing": signedIn,
  "POST /api/cardsiq-pricing": signedIn,

  "GET /api/admin/users": admin,
  "POST /api/admin/users": admin,
  "GET /api/admin/users/new": admin,
  "PATCH /api/admin/users/{id}": admin,
  "POST /api/admin/users/{id}/password": admin,
  "DELETE /api/admin/users/{id}/two-step": admin,
  "GET /api/admin/users/{id}/auth-sessions": admin,
  "DELETE /api/admin/users/{id}/auth-sessions": admin,
  "DELETE /api/admin/users/{id}/auth-sessions/{authSessionId}": admin,
  "GET /api/admin/activity": admin,
  "GET /api/admin/activity/export": admin,
  "GET /api/admin/stats": admin,
  "GET /api/admin/charts": admin,
  "GET /api/admin/sessions": admin,
  "GET /api/admin/sources": admin,
  "POST /api/admin/sources/{name}/pause": admin,
  "POST /api/admin/sources/{name}/open": admin,
  "POST /api/admin/sources/{name}/test": admin,
  "PUT /api/admin/sources/{name}/credentials": admin,
  "DELETE /api/admin/sources/{name}/credentials": admin,
  "GET /api/psa-quota-status": admin,
  "POST /api/reset-quota-cache": admin,
};

/** The guards' refusals. `admitted` is any other answer, `hidden` the one for things that don't exist. */
const EXPECTED: [person: string, join: () => Promise<Caller>, ...answers: string[]][] = [
  ["nobody", nobody, "admitted", ...all("unauthorized", 5)],
  ["someone whose auth session has ended", signedOut, "admitted", ...all("unauthorized", 5)],
  ["a deactivated user", deactivated, "admitted", ...all("deactivated", 5)],
  [
    "an administrator with a one-time password",
    withOneTimePassword,
    "admitted",
    "admitted",
    ...all("must_change_password", 4),
  ],
  [
    "an administrator without the required second step",
    withoutSecondStep,
    "admitted",
    "admitted",
    ...all("must_set_up_two_step", 4),
  ],
  ["another user", anotherUser, "admitted", "admitted", "admitted", "hidden", "hidden", "not_allowed"],
  ["the owner", theOwner, "admitted", "admitted", "admitted", "admitted", "admitted", "not_allowed"],
  ["an administrator", anAdministrator, "admitted", "admitted", "admitted", "hidden", "admitted", "admitted"],
  ["the backend service", theBackend, "admitted", "admitted", "admitted", "hidden", "admitted", "admitted"],
];

const GUARDS_CODES = [
  "unauthorized",
  "deactivated",
  "must_change_password",
  "must_set_up_two_step",
  "not_allowed",
  "cross_site",
];
const BACKEND_PASSWORD = "a-long-backend-password";
const NO_UUID = "00000000-0000-4000-8000-000000000000";
const NO_ROW = "999999999";

let server: ScanTest;
let owner: Person;
let photo: Buffer;
beforeAll(async () => {
  server = await startScanTest({ BACKEND_PASSWORD });
  owner = await server.addPerson();
  // From now on, sheets with this card complete at once.
  await runSheet(server, owner, sheetOf([["9999999950", "CGC"]], { mode: "api" }));
  photo = await sharp({ create: { width: 40, height: 60, channels: 3, background: "red" } })
    .png()
    .toBuffer();
});
afterAll(() => server.closeAll());

/** Whether a route serves files: the documentation page or the built web app. */
const isFile = (name: string) => /^\w+ (?:\/api\/docs(?:\/|$)|\/\*?$)/.test(name);

function ownRoutes(): { name: string; who: Who | null }[] {
  return server.app.whoMayCall().filter(({ name }) => !isFile(name));
}

const routes = () =>
  ownRoutes()
    .filter(({ name }) => !name.startsWith("HEAD "))
    .map(({ name, who }) => ({ name: name.replaceAll(/:(\w+)/g, "{$1}"), who }));

/** The path's parameters of something that exists and belongs to the owner, or that doesn't exist. */
type Ids = Record<Thing, string>;
const NO_IDS: Ids = { session: NO_UUID, row: NO_ROW, photo: NO_UUID, "auth session": NO_UUID };

/** Makes a session of the owner's with one found card that has a photo, and another place where the owner is signed in. */
async function makeThings(thing: Thing | undefined): Promise<Ids> {
  if (thing === undefined) return NO_IDS;
  if (thing === "auth session") {
    const { id } = await server.signIn(owner);
    const { id: authSessionId } = await server.db
      .selectFrom("auth_sessions")
      .select("id")
      .where("user_id", "=", id)
      .orderBy("created_at", "desc")
      .executeTakeFirstOrThrow();
    return { ...NO_IDS, "auth session": authSessionId };
  }
  const session = await startScan(server, owner, sheetOf([["9999999950", "CGC"]], { mode: "api" }));
  const row = String((await rowsOf(server, owner, session.id))[0]?.id);
  if (thing !== "photo") return { ...NO_IDS, session: session.id, row };
  const answer = await server.app.inject({
    method: "PUT",
    url: `/api/scan-results/${row}/image/front`,
    headers: { ...owner.headers, "content-type": "image/png" },
    payload: photo,
  });
  return { ...NO_IDS, session: session.id, row, photo: answer.json<ResultRow>().imageUrl?.split("/").at(-1) ?? "" };
}

type Answer = { status: number; code: string | null; message: string | null; headers: object };

/** Calls a route. A stream is left after its headers. */
async function call(
  name: string,
  ids: Ids,
  headers: Record<string, string>,
  { app }: Pick<TestNode, "app"> = server,
): Promise<Answer> {
  const [method = "", path = ""] = name.split(" ");
  const { thing, body } = routeOf(name);
  const url = path.replaceAll(/\{(\w+)\}/g, (_all, parameter: string) => {
    if (parameter === "side") return "front";
    return (thing ? ids[thing] : undefined) ?? "1";
  });
  const request: InjectOptions = { method, url, headers, payloadAsStream: true };
  if (name === "PUT /api/scan-results/{id}/image/{side}") {
    Object.assign(request, { payload: photo, headers: { ...headers, "content-type": "image/png" } });
  } else if (body) request.payload = body;
  const answer = await app.inject(request);
  const stream = answer.stream();
  const { statusCode: status } = answer;
  const isStream = String(answer.headers["content-type"]).startsWith("text/event-stream");
  const text = isStream ? "" : Buffer.concat(await stream.toArray()).toString();
  if (status < 400) {
    stream.destroy();
    return { status, code: null, message: null, headers: answer.headers };
  }
  const { code, error: message } = errorBodySchema.parse(JSON.parse(text));
  return { status, code, message, headers: answer.headers };
}

/** Signing out comes last. */
const NAMES = Object.keys(ROUTES).toSorted((a, b) => Number(a.endsWith("/sign-out")) - Number(b.endsWith("/sign-out")));

const routeOf = (name: string): Route => ROUTES[name] ?? anyone;

function kindOf({ status, code, message }: Answer, hidden: string | null | undefined): string | null {
  if (code === "no_such_thing" && message === hidden) return "hidden";
  if (code !== null && GUARDS_CODES.includes(code)) return code;
  return status < 500 ? "admitted" : message;
}

/** How a person calls the server. `before` runs before each call. */
type Caller = { headers: Record<string, string>; node?: Pick<TestNode, "app">; before?: () => Promise<unknown> };

async function nobody(): Promise<Caller> {
  return { headers: {} };
}

async function signedOut(): Promise<Caller> {
  return { headers: { authorization: "Bearer dead", cookie: "slabdesk.session_token=dead.dead" } };
}

async function deactivated(): Promise<Caller> {
  const { id, headers } = await server.addPerson();
  const sessions = await server.db.selectFrom("auth_sessions").selectAll().where("user_id", "=", id).execute();
  await server.db.updateTable("user_profiles").set({ is_active: false }).where("id", "=", id).execute();
  // The first request ends all sessions.
  const before = async () => {
    await server.db.deleteFrom("auth_sessions").where("user_id", "=", id).execute();
    await server.db.insertInto("auth_sessions").values(sessions).execute();
  };
  return { headers, before };
}

async function withOneTimePassword(): Promise<Caller> {
  const { id, email } = await server.addPerson("admin");
  const { headers } = server.admin;
  const given = await server.app.inject({ method: "POST", url: `/api/admin/users/${id}/password`, headers });
  return server.signIn({ email, password: given.json<{ password: string }>().password });
}

async function withoutSecondStep(): Promise<Caller> {
  const { headers } = await server.addPerson("admin");
  return { headers, node: await server.anotherNode({ ADMIN_TWO_STEP: "required" }) };
}

async function anotherUser(): Promise<Caller> {
  return server.addPerson();
}

async function theOwner(): Promise<Caller> {
  return owner;
}

async function anAdministrator(): Promise<Caller> {
  return server.addPerson("admin");
}

async function theBackend(): Promise<Caller> {
  const payload = { password: BACKEND_PASSWORD };
  const answer = await server.app.inject({ method: "POST", url: "/api/auth/login", payload });
  return { headers: { authorization: `Bearer ${answer.json<{ token: string }>().token}` } };
}

async function cookieOf({ email, password }: Person): Promise<string> {
  const answer = await server.app.inject({
    method: "POST",
    url: "/api/auth/sign-in/email",
    payload: { email, password },
  });
  return answer.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join("; ");
}

/** What others might change of the owner's. */
async function belongings(): Promise<object[]> {
  const { db } = server;
  const sessions = db.selectFrom("scan_sessions").select(["id", "session_name", "offer_rule", "total_cards"]);
  const rows = db
    .selectFrom("scan_results")
    .select(["id", "cert_number", "entry", "reviewed_at", "front_image_url", "back_image_url"]);
  return [
    await sessions.where("user_id", "=", owner.id).orderBy("id").execute(),
    await rows.where("user_id", "=", owner.id).orderBy("id").execute(),
    await db.selectFrom("auth_sessions").select("id").where("user_id", "=", owner.id).orderBy("id").execute(),
    await db.selectFrom("photos").select("id").orderBy("id").execute(),
  ];
}

describe("guards", () => {
  beforeEach(async () => {
    owner = await server.signIn(owner);
  });

  test("the table names every documented route, and the document every route", async () => {
    const { paths } = (await server.app.inject("/api/openapi.json")).json<{ paths: Record<string, object> }>();
    const documented = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.sort()).toEqual(Object.keys(ROUTES).sort());
    expect(
      routes()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(documented);
  });

  test.each(EXPECTED)("every route treats %s as the table says", async (person, join, ...answers) => {
    const { headers, node, before } = await join();
    const things = new Map<Thing | undefined, Ids>();
    const wrong: string[] = [];
    for (const name of NAMES) {
      const { access, thing, instead } = routeOf(name);
      const wanted = instead?.[0] === person ? instead[1] : answers[ACCESSES.indexOf(access)];
      const isRefused = wanted !== "admitted";
      const ids = things.get(thing) ?? (await makeThings(thing));
      things.set(thing, ids);
      const state = isRefused && (await belongings());
      await before?.();
      const answer = await call(name, ids, headers, node);
      // Event streams send their headers themselves.
      expect(answer.headers, name).toHaveProperty("permissions-policy");
      const hidden = thing && (await call(name, NO_IDS, headers, node)).message;
      const got = kindOf(answer, hidden);
      if (got !== wanted) wrong.push(`${name}: ${got} (${answer.status} ${answer.message}) instead of ${wanted}`);
      if (state) expect(await belongings(), name).toEqual(state);
      else if (name.startsWith("DELETE ")) things.delete(thing);
    }
    expect(wrong).toEqual([]);
  });

  test.each([
    ["a browser on another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    ["a browser on another site over plain http", { origin: "http://evil.example", referer: "http://evil.example/" }],
    ["a browser on a neighboring site", { "sec-fetch-site": "same-site" }],
  ])("%s changes nothing and cannot read anything", async (_who, headers) => {
    const cookie = await cookieOf(owner);
    const { "auth session": authSession } = await makeThings("auth session");
    const ids = { ...(await makeThings("photo")), "auth session": authSession };
    const state = await belongings();
    for (const name of NAMES) {
      const answer = await call(name, ids, { ...headers, cookie });
      const isChange = !name.startsWith("GET ") || routeOf(name).isChange;
      expect([name, answer.code === "cross_site"]).toEqual([name, isChange ?? false]);
      expect(Object.keys(answer.headers).filter((header) => header.startsWith("access-control-"))).toEqual([]);
      expect(answer.headers).toMatchObject({ "cross-origin-resource-policy": "same-origin" });
    }
    expect(await belongings()).toEqual(state);
  });

  test("a HEAD has the guard of its GET", () => {
    for (const { name, who } of ownRoutes().filter(({ name }) => name.startsWith("HEAD "))) {
      expect(ownRoutes()).toContainEqual({ name: name.replace("HEAD", "GET"), who });
      // It would never be answered.
      expect(name).not.toContain("/events");
    }
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
      const documented = Object.entries(paths).find(([key]) => key.toLowerCase() === path);
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
