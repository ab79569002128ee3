import fc from "fast-check";
import { anyText } from "@slabdesk/contract/sheet/any-text.test-data.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Endpoint } from "../../upstreams/endpoint.ts";
import { createEndpoints } from "../../upstreams/http-endpoints.ts";
import { startLocalUpstream, type LocalUpstream, type Reply } from "../../testing/local-upstream.ts";
import type { Outcome } from "../grader.ts";
import { createCgcApi } from "./api.ts";
import { createCgcLogin } from "./login.ts";

const CERT = "6016747097";
const LOGIN_PATH = "/auth/login/CGC";
const LOOKUP_PATH = `/cards/certifications/v3/lookup/${CERT}?include=pop,images`;
const V2_PATH = `/cards/certifications/v2/lookup/${CERT}`;
const LOOKUP = {
  certNumber: CERT,
  grade: { displayGrade: "9" },
  collectible: {
    collectibleType: "Card",
    collectibleSubtype: "TCG",
    cardName: "Persian",
    cardNumber: "075/064",
    cardYear: "2024",
    game: "Pokémon",
    setName: "Night Wanderer",
    makerName: null,
    language: "Japanese",
    variant1: "Art Rare",
    variant2: "Holo",
  },
  images: { frontUrl: "https://ccg.test/OBV.jpg", rearUrl: "https://ccg.test/REV.jpg" },
};

let upstream: LocalUpstream;
let open: ReturnType<typeof createEndpoints>;
/** Timeout for upstreams that never answer. All others get the time that a busy machine needs. */
let hasty: ReturnType<typeof createEndpoints>;
let now: Date;

beforeEach(async () => {
  upstream = await startLocalUpstream();
  open = createEndpoints({ REQUEST_TIMEOUT_MS: 20_000 });
  hasty = createEndpoints({ REQUEST_TIMEOUT_MS: 300 });
  now = new Date("2026-11-21T12:00:00Z");
  upstream.on(LOGIN_PATH, { body: "token-1" });
});
afterEach(async () => {
  await Promise.all([open.close(), hasty.close()]);
  await upstream.close();
});

const json = (status: number, value: unknown, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
});
const html = (status: number, body: string): Reply => ({ status, headers: { "content-type": "text/html" }, body });

const HANG: Reply = () => undefined;

function client(
  username: string | undefined = "dealer",
  { endpoints } = open,
): (certNumber: string) => Promise<Outcome> {
  const settings = { CGC_API_URL: upstream.origin, CGC_API_USERNAME: username, CGC_API_PASSWORD: "secret" };
  const parts = { endpoint: endpoints["cgc-api"], settings, now: () => now };
  return createCgcApi({ ...parts, login: createCgcLogin(parts) });
}
const seenTokens = (): (string | undefined)[] =>
  upstream.seen.filter(({ path }) => path === LOOKUP_PATH).map(({ headers }) => headers.authorization);
const loginCount = (): number => upstream.seen.filter(({ path }) => path === LOGIN_PATH).length;

async function cardOf(lookup: unknown) {
  upstream.on(LOOKUP_PATH, json(200, lookup));
  const outcome = await client()(CERT);
  if (outcome.code !== "found") throw new Error(`Not found but ${outcome.code}: ${outcome.message}`);
  return outcome.card;
}

test("makes no call without credentials", async () => {
  expect(await client("")(CERT)).toEqual({
    code: "not_configured",
    message: expect.stringContaining("CGC API credentials not configured") as unknown,
  });
  expect(upstream.seen).toEqual([]);
});

test("signs in with JSON, then looks up with the token and the exact query", async () => {
  expect(await cardOf(LOOKUP)).toMatchObject({
    player: "Persian",
    variety: "Art Rare Holo",
    imageUrl: "https://ccg.test/OBV.jpg",
    imageUrlBack: "https://ccg.test/REV.jpg",
  });
  expect(upstream.seen.map(({ method, path, body, headers }) => [method, path, body, headers.authorization])).toEqual([
    ["POST", LOGIN_PATH, '{"Username":"dealer","Password":"secret"}', undefined],
    ["GET", LOOKUP_PATH, "", "Bearer token-1"],
  ]);
});

test.each([
  ["plain", "a.b-c_d"],
  ["with white space", " a.b-c_d\r\n"],
  ["as a JSON string", '"a.b-c_d"'],
  ["in single quotes", "'a.b-c_d'"],
  ["in an object", '{"authToken":"a.b-c_d"}'],
])("accepts a token %s", async (_how, body) => {
  upstream.on(LOGIN_PATH, { body });
  await cardOf(LOOKUP);
  expect(seenTokens()).toEqual(["Bearer a.b-c_d"]);
});

test("concurrent cards share one sign-in, later ones its token", async () => {
  upstream.on(LOOKUP_PATH, json(200, LOOKUP));
  const lookUp = client();
  await Promise.all([lookUp(CERT), lookUp(CERT), lookUp(CERT)]);
  await lookUp(CERT);
  expect(loginCount()).toBe(1);
});

const jwt = (claims: object): string => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.sig`;
const lifetimes: [string, string, number, number][] = [
  [
    "a token is renewed a minute before it says that it expires",
    jwt({ exp: Date.parse("2026-11-21T13:00:00Z") / 1000 }),
    58,
    60,
  ],
  ["one that does not say is kept 30 days less an hour", "opaque", (30 * 24 - 1) * 60 - 1, (30 * 24 - 1) * 60 + 1],
  ["so is a JWT without an expiry", jwt({ sub: "dealer" }), (30 * 24 - 1) * 60 - 1, (30 * 24 - 1) * 60 + 1],
];
test.each(lifetimes)("%s", async (_what, token, stillGoodMinutes, expiredMinutes) => {
  upstream.on(LOGIN_PATH, { body: token });
  upstream.on(LOOKUP_PATH, json(200, LOOKUP));
  const lookUp = client();
  const start = now.getTime();
  const after = async (minutes: number): Promise<number> => {
    now = new Date(start + minutes * 60_000);
    await lookUp(CERT);
    return loginCount();
  };
  expect([await after(0), await after(stillGoodMinutes), await after(expiredMinutes)]).toEqual([1, 1, 2]);
});

test("a refused token is replaced once, then the credentials count as refused", async () => {
  upstream.on(LOGIN_PATH, { body: "token-1" }, { body: "token-2" }, { body: "token-3" });
  upstream.on(LOOKUP_PATH, json(200, LOOKUP), json(401, {}), json(200, LOOKUP), json(401, {}));
  const lookUp = client();
  const codes = [(await lookUp(CERT)).code, (await lookUp(CERT)).code, (await lookUp(CERT)).code];
  expect(codes).toEqual(["found", "found", "forbidden"]);
  expect(seenTokens()).toEqual(
    ["token-1", "token-1", "token-2", "token-2", "token-3"].map((token) => `Bearer ${token}`),
  );
});

const CHALLENGE = "<html><head><title>Just a moment...</title></head></html>";

const logins: [string, Reply, string][] = [
  ["400", json(400, {}), "forbidden"],
  ["401", json(401, {}), "forbidden"],
  ["403", json(403, {}), "forbidden"],
  ["403 with a page", html(403, "<html>"), "blocked"],
  ["a challenge", html(503, CHALLENGE), "blocked"],
  ["404", json(404, {}), "unavailable"],
  ["500", json(500, {}), "unavailable"],
  ["429", json(429, {}, { "retry-after": "30" }), "quota_exhausted"],
  ["an empty token", { body: "" }, "unavailable"],
  ["a web page", html(200, "<!DOCTYPE html><p>Hi"), "unavailable"],
  ["another object", json(200, { token: 5 }), "unavailable"],
  ["nothing", HANG, "timeout"],
];
test.each(logins)("a sign-in answered with %s", async (_what, reply, code) => {
  upstream.on(LOGIN_PATH, reply, { body: "token-1" });
  upstream.on(LOOKUP_PATH, json(200, LOOKUP));
  const lookUp = client("dealer", reply === HANG ? hasty : open);
  expect(await lookUp(CERT)).toMatchObject({
    code,
    message: expect.stringMatching(/CGC|^Request timeout after \d+ms$/) as unknown,
  });
  expect(seenTokens()).toEqual([]);
  expect(await lookUp(CERT)).toMatchObject({ code: "found" });
});

const lookups: [string, Reply, string][] = [
  ["404", json(404, { title: "Not Found" }), "not_found"],
  ["404 without a body", { status: 404 }, "not_found"],
  ["404 with a web page", html(404, "<html>"), "unavailable"],
  ["403", json(403, { title: "Forbidden or wrong company scope" }), "forbidden"],
  ["403 with a page", html(403, CHALLENGE), "blocked"],
  ["200 with a challenge", html(200, CHALLENGE), "blocked"],
  ["500", json(500, {}), "unavailable"],
  ["400", json(400, {}), "unavailable"],
  ["null", json(200, null), "unavailable"],
  ["an empty object", json(200, {}), "unavailable"],
  ["a record without its number", json(200, { ...LOOKUP, certNumber: undefined }), "unavailable"],
  ["a record without its card", json(200, { ...LOOKUP, collectible: null }), "unavailable"],
  ["another certificate", json(200, { ...LOOKUP, certNumber: "6016747098" }), "unavailable"],
  ["torn JSON", { body: '{"certNumber":"60' }, "unavailable"],
  ["a web page", html(200, "<!DOCTYPE html><p>Hi"), "unavailable"],
  ["a redirect to another host", { status: 302, headers: { location: "http://localhost:1/" } }, "unavailable"],
  ["more than 1 MB", { body: JSON.stringify(LOOKUP).padEnd(1_000_001) }, "unavailable"],
  ["a broken connection", (response) => response.socket?.resetAndDestroy(), "unavailable"],
  ["nothing", HANG, "timeout"],
];
test.each(lookups)("a lookup answered with %s", async (_what, reply, code) => {
  upstream.on(LOOKUP_PATH, reply);
  upstream.on(V2_PATH, reply);
  expect(await client("dealer", reply === HANG ? hasty : open)(CERT)).toMatchObject({
    code,
    message: expect.stringMatching(/CGC|^Request timeout after \d+ms$/) as unknown,
  });
});

const MISSING = json(404, { title: "Not Found" });
test.each([
  ["a number that only v2 has", MISSING, json(200, LOOKUP), "found"],
  ["a server without v3", html(404, "<html>"), json(200, LOOKUP), "found"],
  ["an unknown number", MISSING, MISSING, "not_found"],
  ["an unknown number at a server without v2", MISSING, html(404, "<html>"), "not_found"],
  ["an unknown number at a server without v3", html(404, "<html>"), MISSING, "not_found"],
  ["v2 out of order", MISSING, json(500, {}), "unavailable"],
  ["v2 over its limit", MISSING, json(429, {}), "quota_exhausted"],
] as const)("asks v2 after a 404 of v3: %s", async (_what, newer, older, code) => {
  upstream.on(LOOKUP_PATH, newer);
  upstream.on(V2_PATH, older);
  expect(await client()(CERT)).toMatchObject({ code });
  expect(upstream.seen.map(({ path }) => path)).toEqual([LOGIN_PATH, LOOKUP_PATH, V2_PATH]);
});

test("a token that v2 refuses is replaced, too", async () => {
  upstream.on(LOGIN_PATH, { body: "token-1" }, { body: "token-2" });
  upstream.on(LOOKUP_PATH, MISSING);
  upstream.on(V2_PATH, json(401, {}), json(200, LOOKUP));
  expect(await client()(CERT)).toMatchObject({ code: "found" });
});

test.each([
  ["at the sign-in", LOGIN_PATH],
  ["at the lookup", LOOKUP_PATH],
])("a wrong company scope %s says what to do", async (_where, path) => {
  upstream.on(path, json(403, { title: "Forbidden or wrong company scope" }));
  expect(await client()(CERT)).toMatchObject({
    code: "forbidden",
    message: "This CGC login may not read CGC cards (403). Ask CGC to give the account access to company CGC",
  });
});

test.each([
  ["its Retry-After", { "retry-after": "90" }, "2026-11-21T12:01:30.000Z"],
  ["a minute without one", {}, "2026-11-21T12:01:00.000Z"],
])("429 waits for %s", async (_what, headers, until) => {
  upstream.on(LOOKUP_PATH, json(429, {}, headers));
  expect(await client()(CERT)).toEqual({
    code: "quota_exhausted",
    message: expect.stringMatching(/CGC|^Request timeout after \d+ms$/) as unknown,
    until: new Date(until),
    limit: null,
  });
});

const card = LOOKUP.collectible;
const noPopulation = { population: null, populationHigher: null, populationAsOf: null };
const populationAsOf = "2026-11-21T12:00:00.000Z";
const shapes: [string, unknown, object][] = [
  ["no population", LOOKUP, noPopulation],
  ["a population of 0", { ...LOOKUP, population: { populationAtGrade: 0 } }, { population: 0, populationAsOf }],
  [
    "a population report",
    { ...LOOKUP, populationReport: { sameGrade: 687, higherGrades: "2,577", totalGraded: 4000 } },
    { population: 687, populationHigher: 2577, populationAsOf },
  ],
  ["populations by grade", { ...LOOKUP, population: { 9: 687, 9.5: 12, 10: 44 } }, { population: 687 }],
  [
    "populations by grade name",
    { ...LOOKUP, grade: "GEM MINT 10", population: { "Gem Mint 10": 12, "Pristine 10": 3, 9: 687 } },
    { population: 12 },
  ],
  ["populations without the grade", { ...LOOKUP, population: { "Gem Mint 10": 12 } }, noPopulation],
  ["two populations of the number", { ...LOOKUP, population: { "Mint 9": 1, "Mint+ 9": 2 } }, noPopulation],
  ["an unreadable population", { ...LOOKUP, population: "many", populationReport: [1.5] }, noPopulation],
  [
    "a flat body",
    {
      certificationNumber: "6016747-097",
      grade: "9",
      subject: "Persian",
      number: "075/064",
      year: 2024,
      category: "Pokémon",
      set: "Night Wanderer",
      language: "Japanese",
      variant: "Art Rare",
      variant2: "Holo",
      notes: "Print line",
      images: { front: "https://ccg.test/OBV.jpg", rear: "https://ccg.test/REV.jpg" },
    },
    {
      itemName: "2024 Night Wanderer #075/064 Persian",
      grade: "9",
      sport: "Pokémon",
      variety: "Art Rare Holo",
      graderNotes: "Print line",
      imageUrlBack: "https://ccg.test/REV.jpg",
    },
  ],
  [
    "a flat body of a sports card",
    { certNumber: CERT, gradeDisplay: "10", player: "Shohei Ohtani", maker: "Topps", set: "Chrome", frontUrl: "x" },
    { itemName: "Topps Chrome Shohei Ohtani", grade: "10", imageUrl: "N/A" },
  ],
  [
    "notes among the additional information",
    { ...LOOKUP, additionalInfo: { graderNotes: ["Print line"] } },
    { graderNotes: "Print line" },
  ],
  ["a value of another type as missing", { ...LOOKUP, game: {}, collectible: { ...card, game: [] } }, { game: "N/A" }],
  ["a number with a dash", { ...LOOKUP, certNumber: "6016747-097" }, { certNumber: CERT }],
  [
    "numbers for text",
    { ...LOOKUP, grade: { displayGrade: 9 }, collectible: { ...card, cardYear: 2024 } },
    { grade: "9", year: "2024" },
  ],
  ["the grade alone", { ...LOOKUP, grade: "GEM MINT 10" }, { grade: "GEM MINT 10" }],
  ["no grade", { ...LOOKUP, grade: null }, { grade: "N/A", inventoryName: "CGC 2024 Night Wanderer #075/064 Persian" }],
  ["no images", { ...LOOKUP, images: null }, { imageUrl: "N/A", imageUrlBack: "N/A" }],
  [
    "notes",
    { ...LOOKUP, graderNotes: ["Print line", " ", "Corner &amp; edge"] },
    { graderNotes: "Print line Corner & edge" },
  ],
  ["one note", { ...LOOKUP, graderNotes: "Print line" }, { graderNotes: "Print line" }],
  [
    "a maker with a game: a trading card",
    { ...LOOKUP, collectible: { ...card, collectibleSubtype: null, makerName: "Creatures" } },
    { brand: "Night Wanderer", sport: "Pokémon" },
  ],
  [
    "a sports card by its kind",
    {
      ...LOOKUP,
      collectible: {
        collectibleType: "Sports Card",
        cardName: "Shohei Ohtani",
        cardNumber: "34",
        cardYear: "2024",
        setName: "50/50",
        makerName: "Topps",
      },
    },
    {
      itemName: "2024 Topps 50/50 #34 Shohei Ohtani",
      player: "Shohei Ohtani",
      brand: "Topps 50/50",
      cardSet: "50/50",
      sport: "N/A",
      game: "N/A",
      language: "N/A",
    },
  ],
  [
    "a sports card by its player, of a set without a name",
    { ...LOOKUP, collectible: { playerName: "Shohei Ohtani", cardYear: "2024", setName: "", makerName: "Topps" } },
    { itemName: "2024 Topps Shohei Ohtani", brand: "Topps", cardSet: "N/A", cardName: "N/A", cardNumber: "N/A" },
  ],
  [
    "a sports card by its maker",
    { ...LOOKUP, collectible: { cardName: "Shohei Ohtani", makerName: "Topps", setName: "Chrome" } },
    { itemName: "Topps Chrome Shohei Ohtani", player: "Shohei Ohtani" },
  ],
  [
    "a non-sport card",
    { ...LOOKUP, collectible: { ...card, collectibleSubtype: "Non-Sport", makerName: "Topps" } },
    { brand: "Night Wanderer" },
  ],
];
test.each(shapes)("reads %s", async (_what, lookup, values) => {
  expect(await cardOf(lookup)).toMatchObject(values);
});

test("any body has an outcome, and with 200 it is never 'not found'", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(anyText, fc.json()), fc.constantFrom(200, 403, 500), async (text, status) => {
      const endpoint: Endpoint = async ({ method }) => ({
        kind: "answered",
        status: method === "POST" ? 200 : status,
        headers: {},
        text: method === "POST" ? "t" : text,
        url: "http://upstream.test/",
      });
      const settings = { CGC_API_URL: "http://upstream.test", CGC_API_USERNAME: "u", CGC_API_PASSWORD: "p" };
      const parts = { endpoint, settings, now: () => now };
      const outcome = await createCgcApi({ ...parts, login: createCgcLogin(parts) })(CERT);
      expect(outcome.code).toMatch(/^(?:forbidden|blocked|unavailable)$/);
    }),
  );
});
