import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import { openDatabase, openPool, type Database } from "../../database/connection.ts";
import { createTestDatabase, type TestDatabase } from "../../database/testing/test-database.ts";
import { createEndpoints } from "../../upstreams/http-endpoints.ts";
import { startLocalUpstream, type LocalUpstream, type Reply } from "../../testing/local-upstream.ts";
import { createSourceNotes } from "../../upstreams/source-notes.ts";
import type { PriceOutcome, PriceSource } from "../price-source.ts";
import recorded from "./recorded-answers.json" with { type: "json" };
import { createCardLadder } from "./source.ts";

const SIGN_IN_PATH = "/v1/accounts:signInWithPassword?key=web-key-7";
const BUILD = "/httpbuildcollectioncard";
const ESTIMATE = "/httpcardestimate";
const SALES = "/httpprofilesales";
const CERT = recorded.build.result.slabSerial;

let testDatabase: TestDatabase;
let db: Database;
let upstream: LocalUpstream;
let open: ReturnType<typeof createEndpoints>;
/** Timeout for upstreams that never answer. All others get the time that a busy machine needs. */
let hasty: ReturnType<typeof createEndpoints>;
let now: Date;

const json = (status: number, value: unknown, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
});
const html = (status: number, body: string): Reply => ({ status, headers: { "content-type": "text/html" }, body });
const result = (value: unknown): Reply => json(200, { result: value });
const error = (status: string, httpStatus = 200): Reply => json(httpStatus, { error: { message: "Sorry", status } });
const HANG: Reply = () => undefined;
const signedIn = (n: number): Reply =>
  json(200, { idToken: `id-${n}`, refreshToken: `refresh-${n}`, expiresIn: "3600" });
/** Returns the same card for every certificate, in the given grade. */
const buildOf =
  (grade: string): Reply =>
  (response, { body }) => {
    const asked: { data: { cert: string } } = JSON.parse(body);
    response.end(JSON.stringify({ result: { ...recorded.build.result, slabSerial: asked.data.cert, grade } }));
  };

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = openDatabase(openPool(testDatabase.settings, (error) => expect.unreachable(error.message)));
});
afterAll(async () => {
  await db.destroy();
  await testDatabase.end();
});
beforeEach(async () => {
  upstream = await startLocalUpstream();
  open = createEndpoints({ REQUEST_TIMEOUT_MS: 20_000 });
  hasty = createEndpoints({ REQUEST_TIMEOUT_MS: 300 });
  now = new Date("2026-11-21T12:00:00Z");
  await db.deleteFrom("server_settings").execute();
  await createSourceNotes(db, "cardladder", "live").add({ answered: { set: "condition", at: now } });
  upstream.on(SIGN_IN_PATH, signedIn(1), signedIn(2), signedIn(3));
  upstream.on(BUILD, json(200, recorded.build));
  upstream.on(ESTIMATE, json(200, recorded.estimate));
  upstream.on(SALES, result({ sales: [recorded.sale] }));
});
afterEach(async () => {
  await Promise.all([open.close(), hasty.close()]);
  await upstream.close();
});

function client({ endpoints } = open, password: string | undefined = "secret"): PriceSource {
  const settings = {
    CARDLADDER_AUTH_URL: upstream.origin,
    CARDLADDER_TOKEN_URL: upstream.origin,
    CARDLADDER_API_URL: upstream.origin,
    CARDLADDER_WEB_KEY: "web-key-7",
    CARDLADDER_EMAIL: "someone@example.com",
    CARDLADDER_PASSWORD: password,
  };
  return createCardLadder({ endpoints, settings, now: () => now, notes: createSourceNotes(db, "cardladder", "live") });
}
async function priceOf(source: PriceSource, certNumber = CERT, company: Company = "PSA"): Promise<PriceOutcome> {
  const [outcome, ...more] = await source.price([{ company, certNumber }]);
  if (outcome === undefined || more.length > 0) throw new Error("Not one outcome for one card");
  return outcome;
}
/** Forgets which argument set answered. */
const forgetNotes = (): Promise<unknown> => db.deleteFrom("server_settings").execute();
/** Answers only requests with this in their body; others get `otherwise`. */
const answersTo =
  (wanted: string, answer: unknown, otherwise: unknown): Reply =>
  (response, { body }) => {
    response.end(JSON.stringify(body.includes(wanted) ? answer : otherwise));
  };
const callsTo = (path: string): number => upstream.seen.filter((call) => call.path === path).length;
function conditionsAsked(): unknown[] {
  return upstream.seen
    .filter(({ path }) => path === ESTIMATE)
    .map(({ body }) => {
      const asked: { data: { condition: unknown } } = JSON.parse(body);
      return asked.data.condition;
    })
    .filter((condition) => condition !== undefined);
}
const later = (minutes: number): void => {
  now = new Date(now.getTime() + minutes * 60_000);
};

test("is off without credentials and makes no call", async () => {
  const source = client(open, "");
  expect(source.isOn()).toBe(false);
  expect(await priceOf(source)).toMatchObject({
    code: "not_configured",
    message: expect.stringMatching(/^CardLadder/) as unknown,
  });
  expect(upstream.seen).toEqual([]);
});

test("the recorded answers give the exact result", async () => {
  expect(await priceOf(client())).toEqual({
    code: "found",
    estimateCents: 1_560_000,
    lastSaleCents: 1_560_000,
    lastSaleAt: "2026-04-29T03:59:01.000Z",
    confidence: 5,
    requiresReview: false,
    month: { count: 12, averageCents: 1_635_983 },
    sales: [{ soldAt: "2026-03-11T00:33:00.000Z", cents: 12_000, platform: "eBay" }],
    isCut: false,
  });
  expect(upstream.seen.slice(1).map(({ path, headers, body }) => [path, headers.authorization, body])).toEqual([
    [BUILD, "Bearer id-1", JSON.stringify({ data: { cert: CERT, grader: "psa" } })],
    [
      ESTIMATE,
      "Bearer id-1",
      JSON.stringify({
        data: {
          profileId: "psa-1813135",
          gradingCompany: "psa",
          condition: "g8",
          description: "2019 Pokemon Sm Black Star Promo #SM162 Pikachu-Holo Promo-Tm.up Sngl.pk.blst.",
        },
      }),
    ],
    [
      SALES,
      "Bearer id-1",
      JSON.stringify({ data: { cert: CERT, grader: "psa", limit: 200, sort: "date", direction: "desc" } }),
    ],
  ]);
});

test("the recorded quota error, with status 200, waits an hour", async () => {
  upstream.on(BUILD, json(200, recorded.quota));
  expect(await priceOf(client())).toEqual({
    code: "quota_exhausted",
    message: "CardLadder's daily limit is used up",
    until: new Date("2026-11-21T13:00:00Z"),
    limit: null,
  });
});

describe("every function answered with", () => {
  const answers: [string, Reply, string][] = [
    ["RESOURCE_EXHAUSTED", error("RESOURCE_EXHAUSTED"), "quota_exhausted"],
    ["PERMISSION_DENIED", error("PERMISSION_DENIED"), "forbidden"],
    ["PERMISSION_DENIED with 403", error("PERMISSION_DENIED", 403), "forbidden"],
    ["UNAUTHENTICATED", error("UNAUTHENTICATED"), "forbidden"],
    ["401", json(401, {}), "forbidden"],
    ["INVALID_ARGUMENT", error("INVALID_ARGUMENT"), "unavailable"],
    ["INTERNAL with 500", error("INTERNAL", 500), "unavailable"],
    ["DEADLINE_EXCEEDED", error("DEADLINE_EXCEEDED", 504), "timeout"],
    ["an error without a status", json(200, { error: {} }), "unavailable"],
    ["an error that is a text", json(200, { error: "RESOURCE_EXHAUSTED" }), "unavailable"],
    ["403 with a page", html(403, "<html>"), "blocked"],
    ["a challenge", html(200, "<html><head><title>Just a moment...</title></head></html>"), "blocked"],
    ["404 with a page", html(404, "<html>Page not found"), "unavailable"],
    ["404 without a body", { status: 404 }, "unavailable"],
    ["500", json(500, {}), "unavailable"],
    ["a list", json(200, []), "unavailable"],
    ["null", json(200, null), "unavailable"],
    ["an empty object", json(200, {}), "unavailable"],
    ["a result that is a text", result("15600"), "unavailable"],
    ["torn JSON", { body: '{"result":{"profileId":"psa-18' }, "unavailable"],
    ["a web page", html(200, "<!DOCTYPE html><p>Hi"), "unavailable"],
    ["a redirect to another host", { status: 302, headers: { location: "http://localhost:1/" } }, "unavailable"],
    ["more than 1 MB", { body: JSON.stringify(recorded.estimate).padEnd(1_000_001) }, "unavailable"],
    ["a broken connection", (response) => response.socket?.resetAndDestroy(), "unavailable"],
    ["nothing", HANG, "timeout"],
  ];
  const places = [BUILD, ESTIMATE, SALES].flatMap((path) => answers.map((answer) => [path, ...answer] as const));
  test.each(places)("%s %s", async (path, _what, reply, code) => {
    upstream.on(path, reply);
    const outcome = await priceOf(client(reply === HANG ? hasty : open));
    expect(outcome).toMatchObject({
      code,
      message: expect.stringMatching(/CardLadder|^Request timeout after/) as unknown,
    });
  });
});

test.each([
  ["its Retry-After", { "retry-after": "90" }, "2026-11-21T12:01:30.000Z"],
  ["a minute without one", {}, "2026-11-21T12:01:00.000Z"],
])("429 waits for %s", async (_what, headers, until) => {
  upstream.on(SALES, json(429, { error: { status: "RESOURCE_EXHAUSTED" } }, headers));
  expect(await priceOf(client())).toMatchObject({ code: "quota_exhausted", until: new Date(until), limit: null });
});

test("a failure keeps its cause without the token that the answer repeats", async () => {
  upstream.on(BUILD, json(500, { authorization: "Bearer id-1", reason: "broken" }));
  const outcome = await priceOf(client());
  const cause = "cause" in outcome && outcome.cause instanceof Error ? outcome.cause.message : "";
  expect(cause).toMatch(/^HTTP 500: .*broken/);
  expect(cause).not.toContain("id-1");
});

test.each([
  ["401", json(401, {})],
  ["UNAUTHENTICATED in a 200", error("UNAUTHENTICATED")],
])("a token refused with %s is replaced once", async (_how, reply) => {
  upstream.on(ESTIMATE, reply, json(200, recorded.estimate));
  expect(await priceOf(client())).toMatchObject({ code: "found" });
  expect(upstream.seen.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    [SIGN_IN_PATH, undefined],
    [BUILD, "Bearer id-1"],
    [ESTIMATE, "Bearer id-1"],
    [SIGN_IN_PATH, undefined],
    [ESTIMATE, "Bearer id-2"],
    [SALES, "Bearer id-2"],
  ]);
});

test("a bad login is forbidden, with a message, and no function is called", async () => {
  upstream.on(SIGN_IN_PATH, json(400, { error: { message: "INVALID_LOGIN_CREDENTIALS" } }));
  expect(await priceOf(client())).toMatchObject({
    code: "forbidden",
    message: "CardLadder rejected our sign-in (INVALID_LOGIN_CREDENTIALS)",
  });
  expect(upstream.seen.map(({ path }) => path)).toEqual([SIGN_IN_PATH]);
});

describe("a card", () => {
  test.each([
    ["whose build is null", result(null)],
    ["without a profile", result({ grade: "g8" })],
    ["with an empty profile", result({ profileId: " ", grade: "g8" })],
    ["that build says is not there", error("NOT_FOUND", 404)],
  ])("%s is not found, and nothing else is requested", async (_what, reply) => {
    upstream.on(BUILD, reply);
    expect(await priceOf(client())).toMatchObject({
      code: "not_found",
      message: expect.stringContaining(CERT) as unknown,
    });
    expect(callsTo(ESTIMATE) + callsTo(SALES)).toBe(0);
  });

  test("of another certificate is never used", async () => {
    upstream.on(BUILD, result({ ...recorded.build.result, slabSerial: `0${CERT}` }));
    expect(await priceOf(client())).toMatchObject({ code: "unavailable" });
    expect(callsTo(ESTIMATE)).toBe(0);
  });

  test("whose serial has lost its leading zero is used", async () => {
    upstream.on(BUILD, result({ ...recorded.build.result, slabSerial: "1020471" }));
    expect(await priceOf(client(), "01020471")).toMatchObject({ code: "found" });
  });

  test("with an incomplete list of sales says so", async () => {
    const sales = Array.from({ length: 200 }, () => ({ date: "2026-03-11", price: 5 }));
    upstream.on(SALES, result({ sales }));
    expect(await priceOf(client())).toMatchObject({ code: "found", isCut: true });
  });

  const NO_VALUE = { estimatedValue: null, oneMonthData: { velocity: 0, averagePrice: 0 } };
  test.each<[string, Reply, Reply, string]>([
    ["whose estimate has other fields", result({ value: 5 }), result({ sales: [] }), "unavailable"],
    ["whose sales go by another name", result(null), result({ items: [] }), "unavailable"],
    ["whose sales have other dates", result(null), result({ sales: [{ date: "3/11/2026", price: 5 }] }), "unavailable"],
    ["without estimate and sales", result(null), result({ sales: [] }), "not_found"],
    ["with nothing in both", result(NO_VALUE), result({ sales: null }), "not_found"],
    ["with nothing in both results", result({}), result(null), "not_found"],
    ["that neither function finds", error("NOT_FOUND"), error("NOT_FOUND", 404), "not_found"],
    ["with sales of nothing only", result(null), result({ sales: [{ date: "2026-03-11", price: 0 }] }), "not_found"],
    ["with an estimate only", json(200, recorded.estimate), result({ sales: [] }), "found"],
    ["with a last sale only", result({ lastSalePrice: 5 }), result({ sales: [] }), "found"],
    ["with sales only", result(null), result({ sales: [{ date: "2026-03-11", price: "5" }] }), "found"],
  ])("%s", async (_what, estimate, sales, code) => {
    upstream.on(ESTIMATE, estimate);
    upstream.on(SALES, sales);
    expect(await priceOf(client())).toMatchObject({ code });
  });

  test("in a partly wrong format keeps the readable parts", async () => {
    upstream.on(
      ESTIMATE,
      result({
        estimatedValue: "133.50",
        lastSalePrice: "none",
        lastSaleDate: 5,
        confidence: 9,
        oneMonthData: { velocity: "3", averagePrice: 0 },
      }),
    );
    upstream.on(SALES, result({ sales: ["x", { date: "2026-03-11", price: "5" }] }));
    expect(await priceOf(client())).toEqual({
      code: "found",
      estimateCents: 13_350,
      lastSaleCents: null,
      lastSaleAt: null,
      confidence: null,
      requiresReview: false,
      month: { count: 3, averageCents: null },
      sales: [{ soldAt: "2026-03-11T00:00:00.000Z", cents: 500, platform: null }],
      isCut: false,
    });
  });

  test("without a grade has sales but no estimate", async () => {
    upstream.on(BUILD, result({ ...recorded.build.result, grade: null }));
    expect(await priceOf(client())).toMatchObject({ code: "found", estimateCents: null, sales: [{ cents: 12_000 }] });
    expect(callsTo(ESTIMATE)).toBe(0);
  });
});

describe("forty copies of a card", () => {
  const copies = Array.from({ length: 40 }, (_none, at) => String(70_000_000 + at));

  test("need one estimate in ten minutes, another for each grade, and each its list of sales", async () => {
    upstream.on(BUILD, buildOf("g8"));
    const source = client();
    const outcomes = await Promise.all(copies.map((cert) => priceOf(source, cert)));
    expect(outcomes.map(({ code }) => code)).toEqual(copies.map(() => "found"));
    expect([callsTo(BUILD), callsTo(ESTIMATE), callsTo(SALES)]).toEqual([40, 1, 40]);
    later(9);
    await priceOf(source);
    expect([callsTo(ESTIMATE), callsTo(SALES)]).toEqual([1, 41]);
    upstream.on(BUILD, buildOf("g9"));
    await priceOf(source);
    expect([callsTo(ESTIMATE), callsTo(SALES)]).toEqual([2, 42]);
    later(2);
    upstream.on(BUILD, buildOf("g8"));
    await priceOf(source);
    expect([callsTo(ESTIMATE), callsTo(SALES)]).toEqual([3, 43]);
  });

  test("do not cache a failure, and keep the estimate before it", async () => {
    upstream.on(SALES, json(500, {}), result({ sales: [] }));
    const source = client();
    expect([(await priceOf(source)).code, (await priceOf(source)).code]).toEqual(["unavailable", "found"]);
    expect([callsTo(ESTIMATE), callsTo(SALES)]).toEqual([1, 2]);
  });

  test("are cached up to 300 cards", async () => {
    const source = client();
    const ask = async (n: number): Promise<void> => {
      upstream.on(BUILD, result({ profileId: `psa-${n}`, grade: "g8" }));
      await priceOf(source);
    };
    for (let n = 0; n <= 300; n += 1) await ask(n);
    expect(callsTo(ESTIMATE)).toBe(301);
    await ask(300);
    expect(callsTo(ESTIMATE)).toBe(301);
    await ask(0);
    expect(callsTo(ESTIMATE)).toBe(302);
  });
});

describe("a half grade", () => {
  /** Answers one notation of half grades, and returns `otherwise` for the other. */
  const answersOnly =
    (form: string, otherwise: unknown): Reply =>
    (response, { body }) => {
      const isAnswered = body.includes(`"condition":"g9${form}5"`) || body.includes(`"condition":"g8${form}5"`);
      response.end(JSON.stringify(isAnswered ? recorded.estimate : otherwise));
    };
  const silences: [string, unknown][] = [
    ["null", { result: null }],
    ["no value", { result: { estimatedValue: null } }],
    ["NOT_FOUND", { error: { status: "NOT_FOUND" } }],
    ["INVALID_ARGUMENT", { error: { status: "INVALID_ARGUMENT" } }],
  ];

  test.each(silences)(
    "is requested in the other form if the first gives %s, and the form is remembered",
    async (_what, silence) => {
      upstream.on(BUILD, result({ profileId: "psa-1", grade: "g9.5" }), result({ profileId: "psa-2", grade: "g8.5" }));
      upstream.on(ESTIMATE, answersOnly("_", silence));
      const source = client();
      expect(await priceOf(source)).toMatchObject({ code: "found", estimateCents: 1_560_000 });
      expect(await priceOf(source)).toMatchObject({ code: "found", estimateCents: 1_560_000 });
      expect(conditionsAsked()).toEqual(["g9.5", "g9_5", "g8_5"]);
    },
  );

  test.each(["g9.5", "g9_5"])("is requested as build wrote it, %s, if that works", async (grade) => {
    upstream.on(BUILD, result({ profileId: "psa-1", grade }));
    await priceOf(client());
    expect(conditionsAsked()).toEqual([grade]);
  });

  test("without a value in both forms keeps the first answer, and learns nothing", async () => {
    upstream.on(BUILD, result({ profileId: "psa-1", grade: "g9_5" }), result({ profileId: "psa-2", grade: "g9.5" }));
    upstream.on(ESTIMATE, result({ lastSalePrice: 5 }), result(null));
    const source = client();
    expect(await priceOf(source)).toMatchObject({ code: "found", estimateCents: null, lastSaleCents: 500 });
    await priceOf(source);
    expect(conditionsAsked()).toEqual(["g9_5", "g9.5", "g9.5", "g9_5"]);
  });

  test("fails if the first form fails for another reason", async () => {
    upstream.on(BUILD, result({ profileId: "psa-1", grade: "g9.5" }));
    upstream.on(ESTIMATE, json(200, recorded.quota));
    expect(await priceOf(client())).toMatchObject({ code: "quota_exhausted" });
    expect(conditionsAsked()).toEqual(["g9.5"]);
  });

  test("without a value in one form and refused in the other has no estimate", async () => {
    upstream.on(BUILD, result({ profileId: "psa-1", grade: "g9.5" }));
    upstream.on(ESTIMATE, result(null), error("INVALID_ARGUMENT"));
    expect(await priceOf(client())).toMatchObject({ code: "found", estimateCents: null, sales: [{ cents: 12_000 }] });
    expect(conditionsAsked()).toEqual(["g9.5", "g9_5"]);
  });

  test("refused in both forms is unavailable", async () => {
    upstream.on(BUILD, result({ profileId: "psa-1", grade: "g9.5" }));
    upstream.on(ESTIMATE, error("INVALID_ARGUMENT"));
    expect(await priceOf(client())).toMatchObject({ code: "unavailable" });
  });
});

const REFUSED = { error: { status: "INVALID_ARGUMENT" } };

describe("an estimate with the second argument set", () => {
  const bodiesOf = (path: string): unknown[] =>
    upstream.seen.filter((call) => call.path === path).map(({ body }): unknown => JSON.parse(body));

  test.each<[string, unknown]>([
    ["refused", REFUSED],
    ["null", { result: null }],
    ["without a value", { result: { estimatedValue: null } }],
  ])("is requested once if the first is %s, and the set is remembered across restarts", async (_what, silence) => {
    await forgetNotes();
    upstream.on(BUILD, buildOf("g8"));
    upstream.on(ESTIMATE, answersTo('"grade":"g8"', recorded.estimate, silence));
    expect(await priceOf(client())).toMatchObject({ code: "found", estimateCents: 1_560_000 });
    expect([callsTo(BUILD), callsTo(ESTIMATE), callsTo(SALES)]).toEqual([2, 2, 1]);
    upstream.seen.length = 0;
    expect(await priceOf(client())).toMatchObject({ code: "found", estimateCents: 1_560_000 });
    expect([bodiesOf(BUILD), bodiesOf(ESTIMATE)]).toEqual([
      [{ data: { cert: CERT, grader: "psa", useTaxonomy: true } }],
      [
        {
          data: { profileId: "psa-1813135", grader: "psa", grade: "g8", qualifierType: null, autographGrade: null },
        },
      ],
    ]);
  });

  test("is tried if build refuses the first set", async () => {
    await forgetNotes();
    upstream.on(BUILD, answersTo("useTaxonomy", recorded.build, REFUSED));
    expect(await priceOf(client())).toMatchObject({ code: "found", estimateCents: 1_560_000 });
  });

  test("is not requested for a card without a value if the first is known to work, until a day later", async () => {
    upstream.on(ESTIMATE, result(null));
    const source = client();
    await priceOf(source);
    expect(callsTo(ESTIMATE)).toBe(1);
    later(24 * 60);
    expect(await priceOf(source)).toMatchObject({ code: "found", estimateCents: null });
    expect(callsTo(ESTIMATE)).toBe(3);
  });

  test("in a later format is tried when the known one is refused", async () => {
    upstream.on(ESTIMATE, answersTo('"grade":"g8"', recorded.estimate, REFUSED));
    expect(await priceOf(client())).toMatchObject({ code: "found", estimateCents: 1_560_000 });
  });
});

describe("a company that build refuses", () => {
  const companyRefused = {
    code: "not_found",
    message: expect.stringMatching(/^CardLadder refuses CGC cards/) as unknown,
    isRefused: true,
  };
  const cardRefused = (cert: string): object => ({
    code: "not_found",
    message: `CardLadder refuses CGC ${cert}`,
    isRefused: true,
  });
  const [FIRST, SECOND, THIRD] = ["6016747096", "6016747097", "6016747098"] as const;

  test("for three cards is not requested for a day, even after a restart, and other companies are not affected", async () => {
    upstream.on(BUILD, answersTo('"grader":"psa"', recorded.build, REFUSED));
    for (const cert of [FIRST, SECOND, SECOND])
      expect(await priceOf(client(), cert, "CGC")).toMatchObject(cardRefused(cert));
    expect(await client().refusals()).toEqual([]);
    expect(await priceOf(client(), THIRD, "CGC")).toMatchObject(companyRefused);
    const asked = callsTo(BUILD);
    const restarted = client();
    for (const cert of ["6016747099", "6016747100"])
      expect(await priceOf(restarted, cert, "CGC")).toMatchObject(companyRefused);
    expect(callsTo(BUILD)).toBe(asked);
    expect(await restarted.refusals()).toEqual([{ company: "CGC", until: new Date("2026-11-22T12:00:00Z") }]);
    expect(await priceOf(restarted)).toMatchObject({ code: "found" });
    later(24 * 60);
    expect(await restarted.refusals()).toEqual([]);
    await priceOf(restarted, THIRD, "CGC");
    expect(callsTo(BUILD)).toBeGreaterThan(asked + 1);
  });

  test("for some cards is still requested within a day of an accepted card", async () => {
    upstream.on(BUILD, answersTo(CERT, recorded.build, REFUSED));
    const source = client();
    await priceOf(source, FIRST, "CGC");
    await priceOf(source, SECOND, "CGC");
    expect(await priceOf(source, CERT, "CGC")).toMatchObject({ code: "found" });
    for (const cert of [THIRD, FIRST, SECOND])
      expect(await priceOf(source, cert, "CGC")).toMatchObject(cardRefused(cert));
    expect(await source.refusals()).toEqual([]);
    later(24 * 60);
    await priceOf(source, FIRST, "CGC");
    await priceOf(source, SECOND, "CGC");
    expect(await priceOf(source, THIRD, "CGC")).toMatchObject(companyRefused);
  });

  test("is not assumed from unknown cards or refused estimates", async () => {
    upstream.on(BUILD, result(null), result(null), result(null), json(200, recorded.build));
    upstream.on(ESTIMATE, error("INVALID_ARGUMENT"));
    const source = client();
    for (const cert of [FIRST, SECOND, THIRD])
      expect(await priceOf(source, cert, "CGC")).toMatchObject({ code: "not_found" });
    for (let n = 0; n < 4; n += 1) await priceOf(source, CERT, "CGC");
    expect(await source.refusals()).toEqual([]);
  });
});
