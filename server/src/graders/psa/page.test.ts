import fc from "fast-check";
import { anyText } from "@slabdesk/contract/sheet/any-text.test-data.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Endpoint } from "../../upstreams/endpoint.ts";
import { createEndpoints } from "../../upstreams/http-endpoints.ts";
import { startLocalUpstream } from "../../testing/local-upstream.ts";
import type { LocalUpstream, Reply } from "../../testing/local-upstream.ts";
import type { Outcome } from "../grader.ts";
import { createPsaPage } from "./page.ts";
import { readPsaPage } from "./read-page.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const CERT = "153420191";
const PATH = `/cert/${CERT}/psa`;
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

const html = (status: number, body: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8", ...headers },
  body,
});

const HANG: Reply = () => undefined;

function lookUp({ endpoints } = open): Promise<Outcome> {
  const settings = { PSA_WEB_URL: upstream.origin, IMAGE_HOSTS: undefined };
  return createPsaPage({ endpoint: endpoints["psa-page"], settings, now: () => NOW })(CERT);
}

const rows = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([label, value]) => `<div><dt>${label}</dt><dd>${value}</dd></div>`)
    .join("");
const RECORD = `<dl>${rows({ "Cert Number": CERT, "Item Grade": "GEM MT 10", Subject: "PERONA" })}</dl>`;
const CHALLENGE = "<html><head><title>Just a moment...</title></head><body>Verifying you are human</body></html>";
const MEASURED = '<script src="/cdn-cgi/challenge-platform/h/g/scripts/jsd/4f8/main.js"></script>';

const outcomes: [string, Reply, string][] = [
  ["a record", html(200, RECORD), "found"],
  ["a record on a page that Cloudflare measures", html(200, RECORD + MEASURED), "found"],
  ["404", html(404, "<title>404</title>"), "not_found"],
  ["404 on a page that Cloudflare measures", html(404, `<title>404</title>${MEASURED}`), "not_found"],
  ["404 with a challenge", html(404, CHALLENGE), "blocked"],
  ["403", html(403, "<html>no</html>"), "blocked"],
  ["403 without a body", { status: 403 }, "blocked"],
  ["403 with a challenge", html(403, CHALLENGE, { "cf-mitigated": "challenge" }), "blocked"],
  ["503 with a challenge", html(503, CHALLENGE), "blocked"],
  ["200 with a challenge", html(200, CHALLENGE), "blocked"],
  ["200 without a record", html(200, "<h1>Cert Verification</h1><p>Item not found</p>"), "blocked"],
  ["200 with the words of a 404", html(200, "<title>404 Page not found</title>"), "blocked"],
  ["200 with a number alone", html(200, `<dl><dt>Cert Number</dt><dd>${CERT}</dd></dl>`), "blocked"],
  ["200 without a body", { status: 200 }, "blocked"],
  ["429", html(429, "Too Many Requests"), "blocked"],
  ["429 with Retry-After", html(429, "Too Many Requests", { "retry-after": "120" }), "quota_exhausted"],
  ["500", html(500, "oops"), "unavailable"],
  ["503", html(503, "down"), "unavailable"],
  ["another certificate", html(200, RECORD.replace(CERT, "153420192")), "unavailable"],
  ["a redirect to another host", { status: 302, headers: { location: "http://localhost:1/" } }, "unavailable"],
  ["more than 5 MB", html(200, RECORD.padEnd(5_000_001)), "unavailable"],
  ["a broken connection", (response) => response.socket?.resetAndDestroy(), "unavailable"],
  ["nothing at all", HANG, "timeout"],
];
test.each(outcomes)("%s", async (_what, reply, code) => {
  upstream.on(PATH, reply);
  const outcome = await lookUp(reply === HANG ? hasty : open);
  expect(outcome.code).toBe(code);
  if (outcome.code !== "found") expect(outcome.message).toMatch(/PSA|^Request timeout after \d+ms$/);
  if (outcome.code === "quota_exhausted") expect(outcome.until).toEqual(new Date("2026-11-21T12:02:00Z"));
  expect(upstream.seen.map(({ path, headers }) => [path, headers.accept])).toEqual([[PATH, "text/html"]]);
});

test("labels in any letter case, with colons; entities decoded; the first record is the certificate's own", () => {
  const others = `<dl>${rows({ "Cert Number": "1", "Item Grade": "NM 7", Subject: "SOMEBODY ELSE" })}</dl>`;
  const record = `<dl>${rows({
    "CERT NUMBER :": CERT,
    "Item&nbsp;Grade": "GEM\n MT&nbsp;10",
    "brand/title": "LET&#x27;S START &amp; GO",
    Subject: "<p>PERONA</p><p>GHOST</p>",
    Year: "",
    "Variety/Pedigree": "A&amp;#x27;B",
  })}</dl>`;
  const tiles = `<div><p>PSA Population</p><p>10,431</p></div><div><p>PSA Pop Higher :</p> <p>0</p></div>`;
  const page = `${tiles}<dl><dt>Item Grade</dt><dd>AUTHENTIC</dd></dl>${record}${others}<script>var x = "<dl><dt>Cert Number</dt><dd>9</dd></dl>";</script>`;
  expect(readPsaPage(page, [])).toEqual({
    certNumber: CERT,
    facts: {
      year: null,
      brand: "LET'S START & GO",
      cardNumber: null,
      subject: "PERONA GHOST",
      variety: "A&#x27;B",
      category: null,
      grade: "GEM MT 10",
    },
    images: { front: null, back: null },
    population: { atGrade: "10,431", higher: "0" },
  });
});

const img = (alt: string, url: string, rest = ""): string => `<img alt="${alt}" src="${url}" ${rest}>`;
const front = `${CDN}/cert/5/small/front.jpg`;
const back = `${CDN}/cert/5/small/back.jpg`;
const other = `${CDN}/cert/6/small/other.jpg`;
const BOTH = { front, back };
const NONE = { front: null, back: null };
const galleries: [string, string, object][] = [
  ["described sides, in any order", img("Cert image 2", back) + img("cert image 1 ", front) + RECORD, BOTH],
  ["a front alone", img("Cert image 1", front) + RECORD, { front, back: null }],
  ["undescribed gallery", img("", front, "itemprop=contentUrl") + img("", back, "itemprop=contentUrl") + RECORD, BOTH],
  [
    "late images",
    `<img alt="Cert image 1" src="data:image/gif;base64,AA" data-src="${front}">${RECORD}`,
    { front, back: null },
  ],
  [
    "the layout until 2023",
    `<div id="certImgFront">${img("", front)}</div><div id="certImgBack">${img("", back)}</div>${RECORD}`,
    BOTH,
  ],
  ["catalog images", img("Cert image 1", `${CDN}/spec/5/front.jpg`) + RECORD, NONE],
  ["other hosts", img("Cert image 1", "https://evil.test/cert/5/front.jpg") + RECORD, NONE],
  ["no web address", img("Cert image 1", "/cert/5/front.jpg") + RECORD, NONE],
  [
    "the sales list in a section of its own",
    `${RECORD}<section><h3>Sales of Similar Items</h3><p>${img("Cert image 1", other, "itemprop=contentUrl")}</p></section>`,
    NONE,
  ],
  [
    "the sales list beside the record",
    `${RECORD}<h3>Sales of Similar Items</h3><ul><li>${img("Cert image 1", other)}</li></ul>`,
    NONE,
  ],
  [
    "the sales list before the gallery",
    `<section><h3>Sales of Similar Items</h3>${img("Cert image 1", other)}</section>${img("Cert image 1", front)}${RECORD}`,
    { front, back: null },
  ],
  [
    "a gallery in the same column as the sales list",
    `<div>${RECORD}</div><div>${img("Cert image 1", front)}<section><h3>Sales of Similar Items</h3>${img("Cert image 2", other)}</section></div>`,
    { front, back: null },
  ],
];
test.each(galleries)("images: %s", (_what, page, images) => {
  expect(readPsaPage(`<main>${page}</main>`, [])?.images).toEqual(images);
});

test("images on a host that an administrator listed are accepted", () => {
  const page = img("Cert image 1", "http://127.0.0.1:4700/psa-images/cert/5/front.jpg") + RECORD;
  expect(readPsaPage(page, ["127.0.0.1:4700"])?.images.front).toBe("http://127.0.0.1:4700/psa-images/cert/5/front.jpg");
  expect(readPsaPage(page, ["127.0.0.1:4701"])?.images.front).toBeNull();
});

test("any page has an outcome, and only 404 is 'not found'", async () => {
  const part = fc.constantFrom(
    "<dl>",
    "</dl>",
    "<dt>Cert Number</dt>",
    `<dd>${CERT}</dd>`,
    "<table>",
    "<th>Grade",
    "<td>",
    "<img alt='Cert image 1' src=",
    "not found",
    "404",
    "<p>",
    "&",
    "\u0000",
  );
  const pages = fc.oneof(
    anyText,
    fc.array(part).map((parts) => parts.join("")),
  );
  await fc.assert(
    fc.asyncProperty(pages, fc.constantFrom(200, 403, 429, 500, 418), async (text, status) => {
      const endpoint: Endpoint = async () => ({
        kind: "answered",
        status,
        headers: {},
        text,
        url: "http://upstream.test/",
      });
      const settings = { PSA_WEB_URL: "http://upstream.test", IMAGE_HOSTS: undefined };
      const outcome = await createPsaPage({ endpoint, settings, now: () => NOW })(CERT);
      expect(outcome.code).toMatch(/^(?:found|blocked|unavailable)$/);
    }),
  );
});
