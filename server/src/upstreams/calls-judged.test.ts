import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startSimulator, type Simulator } from "@slabdesk/simulator/simulator.ts";
import { parseConfig, type Config } from "../config.ts";
import { openDatabase, openPool, type Database } from "../database/connection.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing/test-database.ts";
import { createCgcGrader } from "../graders/cgc/grader.ts";
import { createPsaGrader } from "../graders/psa/grader.ts";
import { createTagGrader } from "../graders/tag/grader.ts";
import { createCardLadder } from "../price-sources/cardladder/source.ts";
import { createCardsIq } from "../price-sources/cardsiq/source.ts";
import { createCallLog } from "./call-log.ts";
import { createEndpoints } from "./http-endpoints.ts";
import { startLocalUpstream } from "./testing/local-upstream.ts";

let database: TestDatabase;
let db: Database;
let simulator: Simulator;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(openPool(database.settings, (error) => expect.unreachable(error.message)));
  simulator = await startSimulator({ hasPlainPictures: true });
});
afterAll(async () => {
  await simulator.close();
  await db.destroy();
  await database.drop();
});
beforeEach(async () => {
  simulator.behavior.heal();
  await db.deleteFrom("upstream_calls").execute();
});

const readSettings = (): Config => parseConfig({ ...simulator.settings, REQUEST_TIMEOUT_MS: "3000" });

function clientsOf(settings: Config, endpoints: ReturnType<typeof createEndpoints>["endpoints"]) {
  const parts = { endpoints, settings, now: () => new Date() };
  return {
    graders: [createPsaGrader(parts), createCgcGrader(parts), createTagGrader(parts)],
    cardladder: createCardLadder(parts),
    cardsiq: createCardsIq({ ...parts, endpoint: endpoints.cardsiq, rateLimitWaitMs: 0 }),
  };
}

/** The logged calls of `work`: the sorted endings of each endpoint. */
async function callsOf(
  work: (clients: ReturnType<typeof clientsOf>) => Promise<unknown>,
  settings = readSettings(),
): Promise<Record<string, string>> {
  const open = createEndpoints(settings);
  const log = createCallLog(db, (error) => expect.unreachable(error.message), 50);
  await work(clientsOf(settings, log.noted(open.endpoints)));
  await open.close();
  await log.close();
  const calls = await db.selectFrom("upstream_calls").selectAll().execute();
  const byEndpoint = Object.groupBy(calls, ({ endpoint }) => endpoint);
  const written = (ofEndpoint: typeof calls) =>
    ofEndpoint
      .map(({ ending, status }) => (status === null ? ending : `${ending} ${status}`))
      .toSorted()
      .join(", ");
  return Object.fromEntries(
    Object.entries(byEndpoint).map(([endpoint, ofEndpoint = []]) => [endpoint, written(ofEndpoint)]),
  );
}

const PREFIX = { PSA: "999999", CGC: "99999999", TAG: "X99999" };
const ENDPOINTS = ["psa-api", "psa-page", "cgc-api", "cgc-page", "tag-api", "tag-page", "tag-images"] as const;
const CARD = "answered 200";
const USELESS = "useless 200";
const twice = (ending: string): string => `${ending}, ${ending}`;
const PHOTOS = twice(CARD);
const NO_PHOTOS = twice("answered 403");
/** CGC's API lists only the look-up; the login before it is answered. */
const CASES: [ending: string, what: string, ...endings: (string | undefined)[]][] = [
  ["74", "cards", twice(CARD), CARD, CARD, CARD, CARD, CARD, PHOTOS],
  ["90", "unknown: 404", ...Array.from({ length: 5 }, () => "answered 404"), CARD, NO_PHOTOS],
  ["88", "nothing, with 200", CARD, CARD, USELESS, CARD, USELESS, CARD, NO_PHOTOS],
  ["77", "no such number, with 200", CARD, CARD, CARD, CARD, CARD, CARD, PHOTOS],
  ["86", "no pictures", `${CARD}, answered 404`, CARD, CARD, CARD, CARD, CARD, NO_PHOTOS],
  ["70", "encrypted", twice(CARD), CARD, CARD, CARD, USELESS, CARD, PHOTOS],
  ["71", "an empty record", CARD, CARD, USELESS, CARD, USELESS, CARD, PHOTOS],
  ["83", "HTML with 200 where JSON belongs", USELESS, CARD, USELESS, CARD, USELESS, CARD, PHOTOS],
  ["96", "another card", ...Array.from({ length: 5 }, () => USELESS), CARD, PHOTOS],
  ["99", "cut short, a page without the record", ...Array.from({ length: 5 }, () => USELESS), CARD, PHOTOS],
  ["93", "429", ...Array.from({ length: 6 }, () => "useless 429")],
  ["94", "a bot wall", ...Array.from({ length: 6 }, () => "useless 403")],
  ["97", "more than 5 MB", ...Array.from({ length: 6 }, () => "too_large")],
];
test.each(CASES)("look-ups, magic cert %s: %s", async (ending, _what, ...endings) => {
  const calls = await callsOf(({ graders }) =>
    Promise.all(
      graders.flatMap((grader) => {
        const certNumber = `${PREFIX[grader.company]}${ending}`;
        return [grader.viaApi(certNumber), grader.viaPage(certNumber)];
      }),
    ),
  );
  const withLogIn = endings.with(2, `answered 200, ${endings[2]}`);
  expect(ENDPOINTS.map((endpoint) => calls[endpoint])).toEqual(ENDPOINTS.map((_endpoint, at) => withLogIn[at]));
});

const PRICE_CASES: [
  endpoint: "cardladder" | "cardladder-sign-in" | "cardsiq",
  fault: Parameters<Simulator["behavior"]["fail"]>[1] | null,
  ending: string,
][] = [
  ["cardladder", null, `${CARD}, ${twice(CARD)}`],
  ["cardladder", "not_found", CARD],
  ["cardladder", "torn", USELESS],
  ["cardladder", "html", USELESS],
  ["cardladder", "other_cert", USELESS],
  ["cardladder", "quota", USELESS],
  ["cardladder", "refused", twice("useless 401")],
  ["cardladder-sign-in", null, CARD],
  ["cardladder-sign-in", "torn", USELESS],
  ["cardladder-sign-in", "html", USELESS],
  ["cardsiq", null, CARD],
  ["cardsiq", "not_found", CARD],
  ["cardsiq", "torn", USELESS],
  ["cardsiq", "html", USELESS],
  ["cardsiq", "other_cert", USELESS],
  ["cardsiq", "lookup_error", twice(USELESS)],
];
test.each(PRICE_CASES)("prices, %s: %s", async (endpoint, fault, ending) => {
  if (fault) simulator.behavior.fail(endpoint, fault);
  const calls = await callsOf((clients) =>
    (endpoint === "cardsiq" ? clients.cardsiq : clients.cardladder).price([{ company: "PSA", certNumber: "98174651" }]),
  );
  expect(calls[endpoint]).toBe(ending);
});

test("a batch of which one card is priced is of use, with all others limited", async () => {
  const cards = ["98174651", "99999968"].map((certNumber) => ({ company: "PSA" as const, certNumber }));
  expect(await callsOf(({ cardsiq }) => cardsiq.price(cards))).toEqual({ cardsiq: `${CARD}, ${USELESS}` });
});

test("functions of CardLadder whose result is another one than known", async () => {
  const upstream = await startLocalUpstream();
  const answer = (result: unknown) => ({ body: JSON.stringify({ result }) });
  upstream.on("/httpbuildcollectioncard", answer({ profileId: "p", grade: "g9" }));
  upstream.on("/httpcardestimate", answer({ worth: 5 }), answer({ estimatedValue: 5 }));
  upstream.on("/httpprofilesales", answer({ sold: [] }));
  const settings = { ...readSettings(), CARDLADDER_API_URL: upstream.origin };
  const card = { company: "PSA" as const, certNumber: "98174651" };
  const calls = await callsOf(async ({ cardladder }) => {
    await cardladder.price([card]);
    await cardladder.price([card]);
  }, settings);
  await upstream.close();
  // Two profiles, one unreadable and one valid estimate, unreadable sales.
  expect(calls["cardladder"]).toBe(`${CARD}, ${CARD}, ${CARD}, ${USELESS}, ${USELESS}`);
});

const AT_THE_UPSTREAM = [
  "PSA_API_URL",
  "PSA_WEB_URL",
  "CGC_API_URL",
  "CGC_WEB_URL",
  "TAG_API_URL",
  "TAG_WEB_URL",
  "TAG_IMAGE_URL",
] as const;

test("a bot wall that comes with 200, before APIs, pages and photos", async () => {
  const upstream = await startLocalUpstream();
  const wall = {
    headers: { "content-type": "text/html", "cf-mitigated": "challenge" },
    body: "<title>Just a moment...</title>",
  };
  for (const path of [
    "/cert/GetImagesByCertNumber/98174651",
    "/cert/98174651/psa",
    "/certlookup/4123456789/",
    "/graded-cards/public/detail/A1234567",
    "/slab-images/A1234567_Slabbed_FRONT.jpg",
    "/slab-images/A1234567_Slabbed_BACK.jpg",
    "/auth/login/CGC",
  ])
    upstream.on(path, wall);
  upstream.on("/cert/GetByCertNumber/98174651", {
    body: JSON.stringify({ PSACert: { CertNumber: "98174651", Subject: "Pikachu" } }),
  });
  upstream.on("/card/A1234567", { body: "<html></html>" }, wall);
  const settings = readSettings();
  for (const setting of AT_THE_UPSTREAM) settings[setting] = upstream.origin;
  const calls = await callsOf(async ({ graders: [psa, cgc, tag] }) => {
    await Promise.all([psa?.viaApi("98174651"), psa?.viaPage("98174651")]);
    await Promise.all([cgc?.viaApi("4123456789"), cgc?.viaPage("4123456789")]);
    await Promise.all([tag?.viaApi("A1234567"), tag?.viaPage("A1234567")]);
    await tag?.viaPage("A1234567");
  }, settings);
  await upstream.close();
  expect(calls).toEqual({
    "psa-api": `${CARD}, ${USELESS}`,
    "psa-page": USELESS,
    "cgc-api": USELESS,
    "cgc-page": USELESS,
    "tag-api": USELESS,
    "tag-page": `${CARD}, ${USELESS}`,
    "tag-images": twice(USELESS),
  });
});
