import fc from "fast-check";
import { anyText } from "@slabdesk/contract/sheet/any-text.test-data.ts";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startSimulator, type Simulator } from "@slabdesk/simulator/simulator.ts";
import { parseConfig } from "../../config.ts";
import type { Endpoint } from "../../upstreams/endpoint.ts";
import { createEndpoints } from "../../upstreams/http-endpoints.ts";
import { startLocalUpstream, type LocalUpstream, type Reply } from "../../testing/local-upstream.ts";
import type { Grader } from "../grader.ts";
import { createTagApi } from "./api.ts";
import { createTagGrader } from "./grader.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const CERT = "C1240631";
const API_PATH = `/api/graded-cards/public/detail/${CERT}`;
const PAGE_PATH = `/web/card/${CERT}`;
const FRONT_PATH = `/img/slab-images/${CERT}_Slabbed_FRONT.jpg`;
const BACK_PATH = `/img/slab-images/${CERT}_Slabbed_BACK.jpg`;

let simulator: Simulator;
let upstream: LocalUpstream;
let toSimulator: ReturnType<typeof createEndpoints>;
let open: ReturnType<typeof createEndpoints>;
/** Timeout for upstreams that never answer. All others get the time that a busy machine needs. */
let hasty: ReturnType<typeof createEndpoints>;

beforeAll(async () => {
  simulator = await startSimulator();
  toSimulator = createEndpoints(parseConfig(simulator.settings));
});
afterAll(async () => {
  await toSimulator.close();
  await simulator.close();
});
beforeEach(async () => {
  upstream = await startLocalUpstream();
  open = createEndpoints({ REQUEST_TIMEOUT_MS: 20_000 });
  hasty = createEndpoints({ REQUEST_TIMEOUT_MS: 300 });
});
afterEach(async () => {
  await Promise.all([open.close(), hasty.close()]);
  await upstream.close();
});

const HANG: Reply = () => undefined;

function client(key: string | undefined = "key", { endpoints } = open): Grader {
  const { origin } = upstream;
  const settings = parseConfig({
    TAG_API_URL: `${origin}/api`,
    TAG_API_KEY: key,
    TAG_WEB_URL: `${origin}/web`,
    TAG_IMAGE_URL: `${origin}/img`,
  });
  return createTagGrader({ endpoints, settings, now: () => NOW });
}
const simulated = (): Grader =>
  createTagGrader({ endpoints: toSimulator.endpoints, settings: parseConfig(simulator.settings), now: () => NOW });

const json = (status: number, value: unknown, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
});
const html = (status: number, body: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { "content-type": "text/html", ...headers },
  body,
});
const SHELL = html(
  200,
  '<!doctype html><html><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div></body></html>',
);
const PHOTO: Reply = { headers: { "content-type": "image/jpeg" } };
const CHALLENGE = html(403, "<html><head><title>Just a moment...</title></head></html>");

const REGIGIGAS = {
  itemName: "2008 Pokémon Diamond & Pearl Legends Awakened #37/146 Regigigas",
  player: "Regigigas",
  year: "2008",
  brand: "Pokémon Diamond & Pearl",
  cardNumber: "37/146",
  grade: "7 NEAR MINT",
  sport: "Pokemon",
  variety: "N/A",
  language: "N/A",
  graderNotes: "N/A",
  certUrl: "https://my.taggrading.com/card/C1240631",
  certNumber: "C1240631",
  gradingCompany: "TAG",
  inventoryName: "TAG 7 NEAR MINT 2008 Pokémon Diamond & Pearl Legends Awakened #37/146 Regigigas",
  tagScore: "748",
  tagGrade: "7 NEAR MINT",
  setName: "Legends Awakened",
};
const NO_POPULATION = { population: null, populationHigher: null, populationAsOf: null };

test("the recorded answer gives the exact card", async () => {
  expect(await simulated().viaApi("C1240631")).toEqual({
    code: "found",
    source: "api",
    notes: "",
    complete: true,
    card: {
      ...REGIGIGAS,
      population: 2,
      populationHigher: null,
      populationAsOf: NOW.toISOString(),
      imageUrl: `${simulator.origin}/tag-images/slab-images/C1240631_Slabbed_FRONT.jpg`,
      imageUrlBack: `${simulator.origin}/tag-images/slab-images/C1240631_Slabbed_BACK.jpg`,
    },
  });
});

test("cards with recorded reports have the report's texts", async () => {
  expect(await simulated().viaApi("Q9937497")).toMatchObject({
    card: {
      itemName: "2025 POKÉMON SCARLET & VIOLET JAPANESE HEAT WAVE ARENA #065/063 シロナのロズレイド CYNTHIA'S ROSERADE",
      variety: "ART RARE",
      grade: "9 MINT",
      setName: "HEAT WAVE ARENA",
    },
  });
  expect(await simulated().viaApi("R4092198")).toMatchObject({
    card: {
      itemName: "2023 POKÉMON SCARLET & VIOLET PARADOX RIFT #186/182 MAGBY",
      variety: "ILLUSTRATION RARE",
      grade: "10 GEM MINT",
    },
  });
});

test("the page of a recorded cert gives its link and slab photos, and says that this is all", async () => {
  expect(await simulated().viaPage("Q9937497")).toEqual({
    code: "found",
    source: "page",
    complete: false,
    notes:
      "TAG's page shows its details only in a browser. Open the certificate link and fill them in. The slab photos were found.",
    card: {
      ...Object.fromEntries(Object.keys(REGIGIGAS).map((field) => [field, "N/A"])),
      ...NO_POPULATION,
      certUrl: "https://my.taggrading.com/card/Q9937497",
      certNumber: "Q9937497",
      gradingCompany: "TAG",
      inventoryName: "TAG",
      imageUrl: `${simulator.origin}/tag-images/slab-images/Q9937497_Slabbed_FRONT.jpg`,
      imageUrlBack: `${simulator.origin}/tag-images/slab-images/Q9937497_Slabbed_BACK.jpg`,
    },
  });
});

test("makes no call without a key; with one, sends exactly that key", async () => {
  expect(await client("").viaApi(CERT)).toEqual({
    code: "not_configured",
    message: expect.stringContaining("TAG API credentials not configured") as unknown,
  });
  expect(upstream.seen).toEqual([]);
  await client("the key").viaApi(CERT);
  expect(upstream.seen[0]).toMatchObject({
    path: API_PATH,
    headers: { "x-tag-key": "the key", accept: "application/json" },
  });
  expect(upstream.seen[0]?.headers).not.toHaveProperty("origin");
});

const DETAIL = {
  certificateValue: CERT,
  grade: "7 NEAR MINT",
  scoreTotal: 748,
  cardName: "Regigigas",
  card: { cardNumber: "37/146" },
  cardSet: { brandName: "B", setName: "S", setYear: 2008 },
};
const encrypted = `${"0f".repeat(16)}:${"ab".repeat(64)}`;
const answers: [string, Reply, string][] = [
  ["404", json(404, { message: "Not Found" }), "not_found"],
  ["404 with a web page", html(404, "<html>"), "unavailable"],
  ["403", json(403, { message: "Forbidden" }), "forbidden"],
  ["401", json(401, {}), "forbidden"],
  ["403 with a challenge", CHALLENGE, "blocked"],
  ["an encrypted body", { body: encrypted }, "forbidden"],
  ["an encrypted body as a JSON string", json(200, encrypted), "forbidden"],
  ["500", json(500, {}), "unavailable"],
  ["no data", json(200, { data: null }), "unavailable"],
  ["empty data", json(200, { data: {} }), "unavailable"],
  ["another certificate", json(200, { data: { ...DETAIL, certificateValue: "C1240632" } }), "unavailable"],
  ["torn JSON", { body: '{"data":{"certificateValue":"C12' }, "unavailable"],
  ["a web page", SHELL, "unavailable"],
  ["a redirect to another host", { status: 302, headers: { location: "http://localhost:1/" } }, "unavailable"],
  ["more than 1 MB", { body: JSON.stringify({ data: DETAIL }).padEnd(1_000_001) }, "unavailable"],
  ["a broken connection", (response) => response.socket?.resetAndDestroy(), "unavailable"],
  ["nothing", HANG, "timeout"],
];
test.each(answers)("API: %s", async (_what, reply, code) => {
  upstream.on(API_PATH, reply);
  expect(await client("key", reply === HANG ? hasty : open).viaApi(CERT)).toMatchObject({
    code,
    message: expect.stringMatching(/TAG|^Request timeout after \d+ms$/) as unknown,
  });
});

test.each<[string, Reply, string]>([
  [
    "an encrypted report",
    { body: encrypted },
    "TAG's API answered with an encrypted report, which only TAG's own site can read",
  ],
  ["a refused key", json(403, { message: "Forbidden" }), "TAG refused our key (403)"],
])("API: %s says what it means and what to do", async (_what, reply, reason) => {
  upstream.on(API_PATH, reply);
  expect(await client().viaApi(CERT)).toMatchObject({
    message: `${reason}. Ask TAG for a key; until then, enter the card by hand from its report on the TAG website`,
  });
});

test("API: 429 waits for Retry-After, or a minute", async () => {
  upstream.on(API_PATH, json(429, {}, { "retry-after": "10" }), json(429, {}));
  expect(await client().viaApi(CERT)).toMatchObject({
    code: "quota_exhausted",
    until: new Date("2026-11-21T12:00:10Z"),
    limit: null,
  });
  expect(await client().viaApi(CERT)).toMatchObject({
    code: "quota_exhausted",
    until: new Date("2026-11-21T12:01:00Z"),
    limit: null,
  });
});

const details: [string, object, object][] = [
  ["a number in small letters", { certificateValue: "c1240631" }, { certNumber: CERT }],
  ["no population", { pop: { totalByGrade: "?" } }, NO_POPULATION],
  ["no score", { scoreTotal: null }, { tagScore: "N/A" }],
  [
    "the two halves of a grade",
    { grade: null, pop: { tagGrade: 990, grade: "10", gradeAlias: "PRISTINE" } },
    { grade: "10 PRISTINE", tagGrade: "10 PRISTINE" },
  ],
  [
    "a name in the card alone",
    { cardName: null, card: { cardName: "Magby", cardNumber: null } },
    { player: "Magby", cardNumber: "N/A", itemName: "2008 B S Magby" },
  ],
  [
    "no set",
    { cardSet: null },
    { itemName: "#37/146 Regigigas", brand: "N/A", setName: "N/A", sport: "N/A", year: "N/A" },
  ],
  ["no images", { imageSlabbedFront: null }, { imageUrl: "N/A", imageUrlBack: "N/A" }],
];
test.each(details)("API: %s", async (_what, values, card) => {
  upstream.on(API_PATH, json(200, { data: { ...DETAIL, ...values } }));
  expect(await client().viaApi(CERT)).toMatchObject({ code: "found", complete: true, card });
});

type PageCase = [what: string, page: Reply, front: Reply[], back: Reply[], expected: object];
const MISSING: Reply = { status: 404 };
const FRONT = { imageUrl: expect.stringContaining("_Slabbed_FRONT.jpg") as unknown };
const BACK = { imageUrlBack: expect.stringContaining("_Slabbed_BACK.jpg") as unknown };
const NONE = { imageUrl: "N/A", imageUrlBack: "N/A" };
const found = (card: object, message: RegExp) => ({
  code: "found",
  complete: false,
  card,
  notes: expect.stringMatching(message) as unknown,
});
const pages: PageCase[] = [
  ["both photos", SHELL, [PHOTO], [PHOTO], found({ ...FRONT, ...BACK }, /photos were found/)],
  ["a front alone", SHELL, [PHOTO], [MISSING], found({ ...FRONT, imageUrlBack: "N/A" }, /Only the front/)],
  ["a back alone", SHELL, [MISSING], [PHOTO], found({ ...BACK, imageUrl: "N/A" }, /Only the back/)],
  ["no photos", SHELL, [MISSING], [{ status: 403 }], found(NONE, /Check the number/)],
  ["photos that are web pages", SHELL, [SHELL], [SHELL], found(NONE, /Check the number/)],
  [
    "HEAD refused",
    SHELL,
    [{ status: 405 }, PHOTO],
    [{ status: 501 }, MISSING],
    found({ ...FRONT, imageUrlBack: "N/A" }, /Only the front/),
  ],
  ["photos that cannot be checked", SHELL, [{ status: 503 }], [{ status: 503 }], found(NONE, /could not be checked/)],
  [
    "photos behind a bot wall",
    SHELL,
    [{ status: 403, headers: { "cf-mitigated": "challenge" } }],
    [MISSING],
    found(NONE, /could not be checked/),
  ],
  [
    "photos that moved",
    SHELL,
    [{ status: 302, headers: { location: "http://localhost:1/" } }],
    [PHOTO],
    found(BACK, /could not be checked/),
  ],
  ["404 and no photos", html(404, ""), [MISSING], [{ status: 403 }], { code: "not_found" }],
  ["404, but a photo", html(404, ""), [PHOTO], [MISSING], found(FRONT, /Only the front/)],
  ["404 and photos that cannot be checked", html(404, ""), [MISSING], [{ status: 503 }], { code: "unavailable" }],
  ["404 and photos that do not answer", html(404, ""), [HANG], [MISSING], { code: "timeout" }],
  ["404 with a challenge", html(404, "<title>Just a moment...</title>"), [MISSING], [MISSING], { code: "blocked" }],
  ["403", html(403, "no"), [PHOTO], [PHOTO], { code: "blocked" }],
  ["a challenge", CHALLENGE, [PHOTO], [PHOTO], { code: "blocked" }],
  ["429 with Retry-After", html(429, "", { "retry-after": "9" }), [PHOTO], [PHOTO], { code: "blocked" }],
  ["500", html(500, ""), [PHOTO], [PHOTO], { code: "unavailable" }],
  [
    "a redirect to another host",
    { status: 302, headers: { location: "http://localhost:1/" } },
    [PHOTO],
    [PHOTO],
    { code: "unavailable" },
  ],
  ["a broken connection", (response) => response.socket?.resetAndDestroy(), [PHOTO], [PHOTO], { code: "unavailable" }],
  ["nothing", HANG, [PHOTO], [PHOTO], { code: "timeout" }],
];
test.each(pages)("page: %s", async (_what, page, front, back, expected) => {
  upstream.on(PAGE_PATH, page);
  upstream.on(FRONT_PATH, ...front);
  upstream.on(BACK_PATH, ...back);
  expect(await client("key", [page, ...front].includes(HANG) ? hasty : open).viaPage(CERT)).toMatchObject(expected);
});

test("page: photos are requested by HEAD, and only after the page has loaded", async () => {
  upstream.on(PAGE_PATH, SHELL, CHALLENGE);
  await client().viaPage(CERT);
  expect(upstream.seen.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    `GET ${PAGE_PATH}`,
    `HEAD ${BACK_PATH}`,
    `HEAD ${FRONT_PATH}`,
  ]);
  await client().viaPage(CERT);
  expect(upstream.seen).toHaveLength(4);
});

test("any API body has an outcome, and with 200 it is never 'not found'", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(anyText, fc.json()), fc.constantFrom(200, 403, 500), async (text, status) => {
      const endpoint: Endpoint = async () => ({
        kind: "answered",
        status,
        headers: {},
        text,
        url: "http://upstream.test/",
      });
      const settings = { TAG_API_URL: "http://upstream.test", TAG_API_KEY: "k" };
      const outcome = await createTagApi({ endpoint, settings, now: () => NOW })(CERT);
      expect(outcome.code).toMatch(/^(?:forbidden|blocked|unavailable)$/);
    }),
  );
});
