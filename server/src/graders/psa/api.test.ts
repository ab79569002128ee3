import fc from "fast-check";
import { anyText } from "@slabdesk/contract/sheet/any-text.test-data.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Endpoint } from "../../upstreams/endpoint.ts";
import { createEndpoints } from "../../upstreams/http-endpoints.ts";
import { startLocalUpstream } from "../../testing/local-upstream.ts";
import type { LocalUpstream, Reply } from "../../testing/local-upstream.ts";
import type { Outcome } from "../grader.ts";
import { createPsaApi } from "./api.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const CERT = "01020688";
const CERT_PATH = `/cert/GetByCertNumber/${CERT}`;
const IMAGES_PATH = `/cert/GetImagesByCertNumber/${CERT}`;
const RECORD = {
  CertNumber: CERT,
  Year: "1960",
  Brand: "TOPPS",
  Category: "BASEBALL CARDS",
  CardNumber: "72",
  Subject: "TIGERS TEAM",
  Variety: "",
  GradeDescription: "NM-MT 8",
  CardGrade: "NM-MT 8",
};
const CDN = "https://d1htnxwo4o0jhw.cloudfront.net";

let upstream: LocalUpstream;
let open: ReturnType<typeof createEndpoints>;
/** Timeout for upstreams that never answer. All others get the time that a busy machine needs. */
let hasty: ReturnType<typeof createEndpoints>;

beforeEach(async () => {
  upstream = await startLocalUpstream();
  open = createEndpoints({ REQUEST_TIMEOUT_MS: 20_000 });
  hasty = createEndpoints({ REQUEST_TIMEOUT_MS: 300 });
});
afterEach(async () => {
  await Promise.all([open.close(), hasty.close()]);
  await upstream.close();
});

const json = (status: number, value: unknown, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8", ...headers },
  body: JSON.stringify(value),
});
const html = (status: number, body: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { "content-type": "text/html", ...headers },
  body,
});

const HANG: Reply = () => undefined;

function lookUp(token: string | undefined = "secret", { endpoints } = open): Promise<Outcome> {
  const settings = { PSA_API_URL: upstream.origin, PSA_API_TOKEN: token };
  return createPsaApi({ endpoint: endpoints["psa-api"], settings, now: () => NOW }).viaApi(CERT);
}

/** The outcome of `RECORD` with these values replaced, without images. */
async function cardOf(values: Record<string, unknown>) {
  upstream.on(CERT_PATH, json(200, { PSACert: { ...RECORD, ...values } }));
  upstream.on(IMAGES_PATH, json(200, []));
  const outcome = await lookUp();
  if (outcome.code !== "found") throw new Error(`Not found but ${outcome.code}: ${outcome.message}`);
  return outcome;
}

test("makes no call without a token, and keeps the message of existing histories", async () => {
  expect(await lookUp("")).toEqual({
    code: "not_configured",
    message: expect.stringContaining("PSA API credentials not configured") as unknown,
  });
  expect(upstream.seen).toEqual([]);
});

test("asks for JSON with the bare token, and for images only after it found a card", async () => {
  await cardOf({});
  await lookUp(" Bearer abc\n def ");
  expect(upstream.seen.map(({ path }) => path)).toEqual([CERT_PATH, IMAGES_PATH, CERT_PATH, IMAGES_PATH]);
  expect(upstream.seen.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer secret",
    "Bearer secret",
    "Bearer abcdef",
    "Bearer abcdef",
  ]);
  expect(upstream.seen[0]?.headers.accept).toBe("application/json");
  upstream.on(CERT_PATH, json(404, "Certificate Number Not Found"));
  await lookUp();
  expect(upstream.seen).toHaveLength(5);
});

const CHALLENGE =
  '<html><head><title>Just a moment...</title></head><body><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script></body></html>';

const NOT_APPROVED = "Access to this API is limited to approved customers.";

const outcomes: [string, Reply, string][] = [
  ["404 with PSA's bare string", json(404, "Certificate Number Not Found"), "not_found"],
  ["404 without a body", { status: 404 }, "not_found"],
  ["404 with a web page: a wrong address", html(404, "<!DOCTYPE html><title>404</title>"), "unavailable"],
  ["204", { status: 204 }, "not_found"],
  ["'No data found'", json(200, { IsValidRequest: true, ServerMessage: "No data found" }), "not_found"],
  [
    "'No data found' with an empty record",
    json(200, { PSACert: {}, IsValidRequest: true, ServerMessage: "No data found" }),
    "not_found",
  ],
  ["an empty record", json(200, { PSACert: {} }), "not_found"],
  ["a record that is null", json(200, { PSACert: null }), "not_found"],
  [
    "a record of nothing but defaults",
    json(200, { PSACert: { CertNumber: null, SpecID: 0, IsDualCert: false, Brand: "" } }),
    "not_found",
  ],
  ["an empty object", json(200, {}), "not_found"],
  [
    "another certificate for an autograph",
    json(200, { DNACert: { CertNumber: "01020689", ItemDescription: "SIGNED BALL" } }),
    "unavailable",
  ],
  ["the bare string with 200", json(200, "Certificate Number Not Found"), "not_found"],
  ["'Invalid CertNo'", json(200, { IsValidRequest: false, ServerMessage: "Invalid CertNo" }), "invalid_number"],
  [
    "another refusal in the envelope",
    json(200, { IsValidRequest: false, ServerMessage: "Request failed" }),
    "unavailable",
  ],
  ["401", json(401, { Message: "Authorization has been denied for this request." }), "forbidden"],
  ["403 for an account without approval", json(403, { Message: NOT_APPROVED }), "forbidden"],
  ["403 with JSON", json(403, { Message: "no" }), "forbidden"],
  ["403 with plain text", { status: 403, body: "Forbidden" }, "forbidden"],
  ["403 with a web page", html(403, "<html><body>Access denied</body></html>"), "blocked"],
  ["403 with Cloudflare's 1010 as text", { status: 403, body: "error code: 1010" }, "blocked"],
  ["403 with Cloudflare's 1010 as a page", html(403, "<h1><span>Error</span> <span>1010</span></h1>"), "blocked"],
  ["403 with Cloudflare's header", { status: 403, headers: { "cf-mitigated": "challenge" }, body: "" }, "blocked"],
  ["503 with a challenge", html(503, CHALLENGE), "blocked"],
  ["429 with a challenge", html(429, CHALLENGE), "blocked"],
  ["200 with a challenge", html(200, CHALLENGE), "blocked"],
  ["500", json(500, { Message: "An error has occurred." }), "unavailable"],
  ["502 with a page", html(502, "<html>Bad gateway</html>"), "unavailable"],
  ["400", json(400, { Message: "Bad" }), "unavailable"],
  ["200 with a web page", html(200, "<!DOCTYPE html><h1>We'll be right back</h1>"), "unavailable"],
  ["200 without a body", { status: 200 }, "unavailable"],
  ["torn JSON", { body: '{"PSACert":{"CertNumber":"0102' }, "unavailable"],
  ["XML", { headers: { "content-type": "application/xml" }, body: "<PublicCertificationModel/>" }, "unavailable"],
  ["a list", json(200, [RECORD]), "unavailable"],
  ["null", json(200, null), "unavailable"],
  ["some other string", json(200, "Welcome"), "unavailable"],
  ["only names nobody knows", json(200, { certificate: RECORD }), "unavailable"],
  ["a record without its number", json(200, { PSACert: { ...RECORD, CertNumber: undefined } }), "unavailable"],
  ["a value of another kind", json(200, { PSACert: { ...RECORD, Subject: { name: "TIGERS" } } }), "unavailable"],
  ["another certificate", json(200, { PSACert: { ...RECORD, CertNumber: "01020689" } }), "unavailable"],
  ["the number without its zero", json(200, { PSACert: { ...RECORD, CertNumber: 1_020_688 } }), "unavailable"],
  ["a redirect to another host", { status: 302, headers: { location: "http://localhost:1/" } }, "unavailable"],
  ["more than 1 MB", { body: JSON.stringify(RECORD).padEnd(1_000_001) }, "unavailable"],
  ["a broken connection", (response) => response.socket?.resetAndDestroy(), "unavailable"],
  ["nothing at all", HANG, "timeout"],
];
test.each(outcomes)("%s", async (_what, reply, code) => {
  upstream.on(CERT_PATH, reply);
  expect(await lookUp("secret", reply === HANG ? hasty : open)).toMatchObject({
    code,
    message: expect.stringMatching(/PSA|^Request timeout after \d+ms$/) as unknown,
  });
  expect(upstream.seen.map(({ path }) => path)).toEqual([CERT_PATH]);
});

test("a 500 mentions the token, a timeout has the specified text, a wrong card keeps its cause", async () => {
  upstream.on(CERT_PATH, json(500, ""), HANG, json(200, { PSACert: { ...RECORD, CertNumber: "99999999" } }));
  expect(await lookUp()).toMatchObject({ message: expect.stringContaining("token") as unknown });
  expect(await lookUp("secret", hasty)).toMatchObject({
    message: expect.stringMatching(/^Request timeout after 300ms$/) as unknown,
  });
  expect(await lookUp()).toMatchObject({
    cause: expect.objectContaining({ message: expect.stringContaining("99999999") as unknown }) as unknown,
  });
});

const quota: [string, Reply, string | null, number | null][] = [
  [
    "the recorded answer",
    json(429, "API calls quota exceeded! maximum admitted 100 per Day. Please contact collectors-apis@collectors.com", {
      "retry-after": "76216",
    }),
    "2026-11-22T09:10:16.000Z",
    100,
  ],
  [
    "one a day",
    json(429, "API calls quota exceeded! maximum admitted 1 per Day.", { "retry-after": "86251" }),
    "2026-11-22T11:57:31.000Z",
    1,
  ],
  [
    "a limit of another period",
    json(429, "API calls quota exceeded! maximum admitted 20 per Hour.", { "retry-after": "60" }),
    "2026-11-21T12:01:00.000Z",
    null,
  ],
  ["a date", json(429, "", { "retry-after": "Sat, 21 Nov 2026 18:00:00 GMT" }), "2026-11-21T18:00:00.000Z", null],
  ["no Retry-After", json(429, "API calls quota exceeded! maximum admitted 100 per Day."), null, 100],
  ["a limit of none at all", json(429, "maximum admitted 0 per Day"), null, null],
  ["a limit that is no number of calls", json(429, "maximum admitted 99999999999 per Day"), null, null],
  ["an unreadable Retry-After", json(429, "", { "retry-after": "-5" }), null, null],
  ["a past date", json(429, "", { "retry-after": "Sat, 21 Nov 2020 18:00:00 GMT" }), "2026-11-21T12:00:00.000Z", null],
  ["more than the longest window", json(429, "", { "retry-after": "999999999" }), "2026-11-22T12:00:00.000Z", null],
];
test.each(quota)("429 with %s", async (_what, reply, until, limit) => {
  upstream.on(CERT_PATH, reply);
  expect(await lookUp()).toEqual({
    code: "quota_exhausted",
    message: expect.stringContaining("limit") as unknown,
    until: until === null ? null : new Date(until),
    limit,
  });
});

const front = { IsFrontImage: true, ImageURL: `${CDN}/cert/1/front.jpg` };
const back = { IsFrontImage: false, ImageURL: `${CDN}/cert/1/back.jpg` };
const NONE = { imageUrl: "N/A", imageUrlBack: "N/A" };
const BOTH = { imageUrl: front.ImageURL, imageUrlBack: back.ImageURL };
const imageReplies: [string, Reply, object, boolean][] = [
  ["the back first", json(200, [back, front]), BOTH, true],
  ["the front first", json(200, [front, back]), BOTH, true],
  ["a front alone", json(200, [front]), { ...NONE, imageUrl: front.ImageURL }, true],
  ["a back alone", json(200, [back]), { ...NONE, imageUrlBack: back.ImageURL }, true],
  [
    "an image without a web address",
    json(200, [back, { ...front, ImageURL: "javascript:alert(1)" }]),
    { ...NONE, imageUrlBack: back.ImageURL },
    true,
  ],
  ["an empty list", json(200, []), NONE, true],
  ["null", json(200, null), NONE, true],
  ["a bare string", json(200, "No images found"), NONE, true],
  ["a bare string with 404", json(404, "No images found for this certificate"), NONE, true],
  ["204", { status: 204 }, NONE, true],
  ["'No data found'", json(200, { IsValidRequest: true, ServerMessage: "No data found" }), NONE, true],
  ["another shape", json(200, { images: [front] }), NONE, false],
  ["a list of something else", json(200, [{ url: "x" }]), NONE, false],
  [
    "a list with more than 50 items before the images",
    json(200, [...Array.from({ length: 50 }, () => ({})), front]),
    NONE,
    false,
  ],
  ["429", json(429, "API calls quota exceeded!"), NONE, false],
  ["500", json(500, ""), NONE, false],
  ["403 with a page", html(403, CHALLENGE), NONE, false],
  ["401", json(401, ""), NONE, false],
  ["a web page", html(200, "<p>"), NONE, false],
  ["a broken connection", (response) => response.socket?.resetAndDestroy(), NONE, false],
  ["a redirect elsewhere", { status: 302, headers: { location: "http://localhost:1/" } }, NONE, false],
  ["nothing", HANG, NONE, false],
];
test.each(imageReplies)("images: %s", async (what, reply, card, complete) => {
  upstream.on(CERT_PATH, json(200, { PSACert: RECORD }));
  upstream.on(IMAGES_PATH, reply);
  const isQuota = what === "429";
  const missing = isQuota ? /^The images are fetched later/ : /^The images could not be fetched: PSA/;
  const notes = complete ? "" : (expect.stringMatching(missing) as unknown);
  expect(await lookUp("secret", reply === HANG ? hasty : open)).toEqual({
    code: "found",
    source: "api",
    complete,
    notes,
    card: expect.objectContaining({ ...card, player: "TIGERS TEAM" }) as unknown,
    ...(!complete && { imagesDue: { failures: isQuota ? 0 : 1 } }),
    ...(isQuota && { quotaGone: expect.objectContaining({ code: "quota_exhausted" }) as unknown }),
  });
});

const grades: [string, Record<string, unknown>, string, string][] = [
  [
    "the card's grade of a dual certificate",
    { IsDualCert: true, CardGrade: "MINT 9", GradeDescription: "MINT 9", AutographGrade: "GEM MT 10" },
    "MINT 9",
    "",
  ],
  [
    "a dual certificate whose autograph is only authentic",
    { CardGrade: "GEM MT 10", AutographGrade: "Authentic" },
    "GEM MT 10",
    "",
  ],
  [
    "the description when the card's grade is absent",
    { CardGrade: undefined, GradeDescription: "MINT 9" },
    "MINT 9",
    "",
  ],
  ["the description when the card's grade is empty", { CardGrade: "", GradeDescription: "MINT 9" }, "MINT 9", ""],
  [
    "'Authentic' when nothing else is graded",
    { CardGrade: undefined, GradeDescription: undefined, AutographGrade: "Authentic" },
    "Authentic",
    "",
  ],
  [
    "no grade when only the autograph has a number",
    { CardGrade: undefined, GradeDescription: undefined, AutographGrade: "GEM MT 10" },
    "N/A",
    "Only the autograph is graded: GEM MT 10",
  ],
  ["no grade at all", { CardGrade: undefined, GradeDescription: undefined }, "N/A", ""],
];
test.each(grades)("grade: %s", async (_what, values, grade, notes) => {
  const found = await cardOf(values);
  expect(found.card.grade).toBe(grade);
  expect(found.notes).toBe(notes);
});

test.each([
  [{ SignatureGrade: "10", AuthenticationResult: "Authentic" }, "10"],
  [{ AuthenticationResult: "Authentic" }, "Authentic"],
])("a certificate for an autograph alone is a found card with its grade: %j", async (grades, grade) => {
  const signers = [{ FirstName: "Babe", LastName: "Ruth" }, { LastName: "Gehrig" }];
  const DNACert = { CertNumber: CERT, ItemDescription: "SIGNED BALL", PrimarySubjects: signers, ...grades };
  upstream.on(CERT_PATH, json(200, { PSACert: {}, DNACert }));
  upstream.on(IMAGES_PATH, json(200, []));
  expect(await lookUp()).toMatchObject({
    code: "found",
    notes: expect.stringContaining("certifies the autograph only") as unknown,
    card: { itemName: "SIGNED BALL", brand: "PSA/DNA", grade, player: "Babe Ruth, Gehrig", population: null },
  });
});

test.each([
  [{ TotalPopulation: 0, PopulationHigher: 12 }, 0, 12],
  [{ CardGrade: "NM-MT 8 (OC)", TotalPopulation: 123, TotalPopulationWithQualifier: 10, PopulationHigher: 26 }, 10, 26],
  [{ CardGrade: "NM-MT 8 OC", TotalPopulation: 123, TotalPopulationWithQualifier: 0, PopulationHigher: 26 }, 0, 26],
  [{ TotalPopulation: "1,099", PopulationHigher: null }, 1099, null],
  [{ TotalPopulation: -1, PopulationHigher: 1.5 }, null, null],
])("the population in %j is %j, %j higher", async (values, population, populationHigher) => {
  const { card } = await cardOf(values);
  const populationAsOf = population === null ? null : NOW.toISOString();
  expect(card).toMatchObject({ population, populationHigher, populationAsOf });
});

test("item and inventory name join existing parts; text is folded and decoded, otherwise as printed", async () => {
  const { card } = await cardOf({
    Year: " 1999\u00a0",
    Brand: "POKEMON  &amp;\n FRIENDS &#x27;99",
    CardNumber: "",
    Subject: "R&D <b>",
    Variety: null,
    CardGrade: "N/A",
    GradeDescription: "",
  });
  expect(card).toMatchObject({
    itemName: "1999 POKEMON & FRIENDS '99 R&D <b>",
    year: "1999",
    brand: "POKEMON & FRIENDS '99",
    cardNumber: "N/A",
    player: "R&D <b>",
    variety: "N/A",
    grade: "N/A",
    inventoryName: "PSA 1999 POKEMON & FRIENDS '99 R&D <b>",
  });
  const bare = await cardOf({
    Year: undefined,
    Brand: undefined,
    CardNumber: undefined,
    Subject: undefined,
    Variety: undefined,
    CardGrade: undefined,
    GradeDescription: undefined,
  });
  expect(bare.card).toMatchObject({ itemName: "N/A", inventoryName: "PSA", sport: "BASEBALL CARDS" });
});

test("any body has an outcome, and it is 'not found' only if the answer says so", async () => {
  const bodies = fc.oneof(
    fc.string(),
    fc.json(),
    anyText,
    fc.json().map((value) => `{"PSACert":${value}}`),
  );
  const saysSo = /not found|no data found|^\s*\{\s*\}\s*$|"(?:PSACert|DNACert|IsValidRequest|ServerMessage)"/i;
  await fc.assert(
    fc.asyncProperty(bodies, fc.constantFrom(200, 201, 400, 403, 418, 429, 500, 503), async (text, status) => {
      const endpoint: Endpoint = async () => ({
        kind: "answered",
        status,
        headers: {},
        text,
        url: "http://upstream.test/",
      });
      const settings = { PSA_API_URL: "http://upstream.test", PSA_API_TOKEN: "t" };
      const outcome = await createPsaApi({ endpoint, settings, now: () => NOW }).viaApi(CERT);
      expect(outcome.code).toMatch(/^(?:not_found|invalid_number|forbidden|blocked|quota_exhausted|unavailable)$/);
      if (status !== 200 || !saysSo.test(text)) expect(outcome.code).not.toBe("not_found");
    }),
  );
});
