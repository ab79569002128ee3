import fc from "fast-check";
import { anyText } from "@slabdesk/contract/sheet/any-text.test-data.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Endpoint } from "../../upstreams/endpoint.ts";
import { createEndpoints } from "../../upstreams/http-endpoints.ts";
import { startLocalUpstream } from "../../testing/local-upstream.ts";
import type { LocalUpstream, Reply } from "../../testing/local-upstream.ts";
import type { Outcome } from "../grader.ts";
import { createCgcPage } from "./page.ts";
import { readCgcPage } from "./read-page.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const CERT = "6016747097";
const PATH = `/certlookup/${CERT}/`;

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
  headers: { "content-type": "text/html", ...headers },
  body,
});

const HANG: Reply = () => undefined;

function lookUp({ endpoints } = open): Promise<Outcome> {
  return createCgcPage({ endpoint: endpoints["cgc-page"], settings: { CGC_WEB_URL: upstream.origin }, now: () => NOW })(
    CERT,
  );
}

const NOT_FOUND_MESSAGE = "This item cannot be found. Please check the number.";
/** Part of every page, visible or not. */
const EVERYWHERE = `<label id="cfDown" style="display:none;"><strong>Your search activity has exceeded our limits.</strong></label>
<div ng-show="$ctrl.errorMessage"><span ng-if="$ctrl.errorMessage === $ctrl.lookupStatus.notFound">${NOT_FOUND_MESSAGE}</span></div>`;
const list = (label: string, value: string): string => `<dl><dt>${label}</dt><dd>${value}</dd></dl>`;
const page = (inside: string): string => `<body>${EVERYWHERE}<div class="results-pane">${inside}</div></body>`;
const data = (...lists: string[]): string => `<div class="certlookup-results-data">${lists.join("")}</div>`;
const RECORD = page(data(list("Cert #", CERT), list("Card Name", "Persian"), list("Grade", "9")));
const CHALLENGE = "<html><head><title>Just a moment...</title></head></html>";

const outcomes: [string, Reply, string][] = [
  ["a record, with the hidden limit text of every page", html(200, RECORD), "found"],
  [
    "a record under a visible limit banner",
    html(200, `<div>Your search activity has exceeded our limits.</div>${RECORD}`),
    "found",
  ],
  ["a page from which the record is left out", html(200, `<body>${EVERYWHERE}</body>`), "blocked"],
  ["results without a list", html(200, page("<p>Verify</p>")), "blocked"],
  ["a number alone", html(200, page(data(list("Cert #", CERT)))), "blocked"],
  ["200 without a body", { status: 200 }, "blocked"],
  [
    "the site's own 'cannot be found'",
    html(200, page(`<div class="error-message">${NOT_FOUND_MESSAGE}</div>`)),
    "not_found",
  ],
  ["404", html(404, page("")), "not_found"],
  ["404 with a challenge", html(404, CHALLENGE), "blocked"],
  ["403", html(403, "<html>"), "blocked"],
  ["a challenge with 503", html(503, CHALLENGE), "blocked"],
  ["a challenge with 200", html(200, CHALLENGE), "blocked"],
  ["429", html(429, "limits"), "blocked"],
  ["429 with Retry-After", html(429, "limits", { "retry-after": "5" }), "quota_exhausted"],
  ["502", html(502, "down"), "unavailable"],
  ["another certificate", html(200, RECORD.replace(CERT, "6016747098")), "unavailable"],
  ["a redirect to another host", { status: 302, headers: { location: "http://localhost:1/" } }, "unavailable"],
  ["more than 5 MB", html(200, RECORD.padEnd(5_000_001)), "unavailable"],
  ["a broken connection", (response) => response.socket?.resetAndDestroy(), "unavailable"],
  ["nothing", HANG, "timeout"],
];
test.each(outcomes)("%s", async (_what, reply, code) => {
  upstream.on(PATH, reply);
  const outcome = await lookUp(reply === HANG ? hasty : open);
  expect(outcome.code).toBe(code);
  if (outcome.code !== "found") expect(outcome.message).toMatch(/CGC|^Request timeout after \d+ms$/);
  expect(upstream.seen.map(({ path }) => path)).toEqual([PATH]);
});

const image = (title: string, url: string): string =>
  `<div class="certlookup-images-item"><a href="${url}"><img title="${title}" src="${url}TN" /></a></div>`;

test("labels with colons and spaces, dashes in the number, lists outside the data pane, sides by title", () => {
  const inside = [
    data(
      list("Cert&nbsp;#:", "6016747-097"),
      `<div class="related-info">${list("Card Name: ", "Persian")}</div>`,
      list("GRADE", "GEM&nbsp;MINT 10"),
    ),
    list("Grader Notes", "<p>Print line</p><p>Edge</p>"),
    image("Reverse", "https://ccg.test/x_REV.jpg"),
    image("Obverse", "https://ccg.test/x_OBV.jpg"),
    list("Grade", "1"),
  ];
  expect(readCgcPage(page(inside.join("")))).toMatchObject({
    certNumber: CERT,
    facts: {
      isSports: false,
      cardName: "Persian",
      grade: "GEM MINT 10",
      graderNotes: "Print line Edge",
      language: null,
    },
    images: { front: "https://ccg.test/x_OBV.jpg", back: "https://ccg.test/x_REV.jpg" },
  });
});

test("a sports card with an empty set and no gallery", () => {
  const inside = data(
    list("Cert #", CERT),
    list("Year", "2024"),
    list("Manufacturer", "Topps"),
    list("Card Set", ""),
    list("Player Name", "Shohei Ohtani"),
  );
  expect(readCgcPage(page(inside))).toMatchObject({
    facts: { isSports: true, manufacturer: "Topps", cardSet: null, playerName: "Shohei Ohtani" },
    images: { front: null, back: null },
  });
});

test("lists are found without their surrounding panes", () => {
  expect(readCgcPage(list("Cert #", CERT) + list("Grade", "9"))).toMatchObject({
    certNumber: CERT,
    facts: { grade: "9" },
  });
});

test("any page has an outcome, and it is 'not found' only if the page says so", async () => {
  const part = fc.constantFrom(
    "<dl>",
    "<dt>Cert #</dt>",
    `<dd>${CERT}</dd>`,
    "<dt>Grade",
    "<dd>9",
    EVERYWHERE,
    "<div ng-if>",
    "</div>",
    "not found",
    "&",
    "<table>",
  );
  const pages = fc.oneof(
    anyText,
    fc.array(part).map((parts) => parts.join("")),
  );
  await fc.assert(
    fc.asyncProperty(pages, fc.constantFrom(200, 403, 429, 500), async (text, status) => {
      const endpoint: Endpoint = async () => ({
        kind: "answered",
        status,
        headers: {},
        text,
        url: "http://upstream.test/",
      });
      const outcome = await createCgcPage({
        endpoint,
        settings: { CGC_WEB_URL: "http://upstream.test" },
        now: () => NOW,
      })(CERT);
      expect(outcome.code).toMatch(/^(?:found|blocked|unavailable)$/);
    }),
  );
});
