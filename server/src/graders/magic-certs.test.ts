import { afterAll, beforeAll, expect, test } from "vitest";
import { startSimulator } from "@slabdesk/simulator/simulator.ts";
import type { Simulator } from "@slabdesk/simulator/simulator.ts";
import { makeUpCgcCard } from "@slabdesk/simulator/cgc/cgc-made-up.ts";
import { makeUpPsaCard } from "@slabdesk/simulator/psa/psa-made-up.ts";
import { parseConfig } from "../config.ts";
import { createEndpoints } from "../upstreams/http-endpoints.ts";
import { createCgcGrader } from "./cgc/grader.ts";
import type { Grader } from "./grader.ts";
import { createPsaGrader } from "./psa/grader.ts";
import { createTagGrader } from "./tag/grader.ts";

let simulator: Simulator;
let open: ReturnType<typeof createEndpoints>;
let graders: Record<"psa" | "cgc" | "tag", Grader>;

beforeAll(async () => {
  simulator = await startSimulator({ hasPlainImages: true });
  const settings = parseConfig({ ...simulator.settings, REQUEST_TIMEOUT_MS: "3000" });
  open = createEndpoints(settings);
  const parts = { endpoints: open.endpoints, settings, now: () => new Date() };
  graders = { psa: createPsaGrader(parts), cgc: createCgcGrader(parts), tag: createTagGrader(parts) };
});
afterAll(async () => {
  await open.close();
  await simulator.close();
});

/** "found*" is a card with an unreadable part. Columns: PSA's API and page, CGC's, TAG's. */
const CASES: [ending: string, what: string, ...codes: string[]][] = [
  ["70", "encrypted API", "found", "found", "found", "found", "forbidden", "found*"],
  ["71", "an empty record", "not_found", "found", "unavailable", "found", "unavailable", "found*"],
  ["76", "Cloudflare 1010 before the API", "blocked", "found", "blocked", "found", "blocked", "found*"],
  ["77", "Invalid CertNo", "invalid_number", "found", "found", "found", "found", "found*"],
  ["78", "the API hangs", "timeout", "found", "timeout", "found", "timeout", "found*"],
  ["80", "the API fails", "unavailable", "found", "unavailable", "found", "unavailable", "found*"],
  [
    "81",
    "the API's quota is used up",
    "quota_exhausted",
    "found",
    "quota_exhausted",
    "found",
    "quota_exhausted",
    "found*",
  ],
  ["82", "the page is walled", "found", "blocked", "found", "blocked", "found", "blocked"],
  ["83", "HTML where JSON belongs", "unavailable", "found", "unavailable", "found", "unavailable", "found*"],
  [
    "84",
    "a reset connection",
    "unavailable",
    "unavailable",
    "unavailable",
    "unavailable",
    "unavailable",
    "unavailable",
  ],
  ["85", "images fail", "found*", "found", "found", "found", "found", "found*"],
  ["86", "no images as a bare string", "found", "found", "found", "found", "found", "found*"],
  ["87", "no images", "found", "found", "found", "found", "found", "found*"],
  ["88", "nothing, with status 200", "not_found", "found", "unavailable", "not_found", "unavailable", "found*"],
  [
    "89",
    "429 without Retry-After",
    "quota_exhausted",
    "blocked",
    "quota_exhausted",
    "blocked",
    "quota_exhausted",
    "blocked",
  ],
  ["90", "unknown", "not_found", "not_found", "not_found", "not_found", "not_found", "found*"],
  ["91", "no answer", "timeout", "timeout", "timeout", "timeout", "timeout", "timeout"],
  ["92", "5xx", "unavailable", "unavailable", "unavailable", "unavailable", "unavailable", "unavailable"],
  [
    "93",
    "429",
    "quota_exhausted",
    "quota_exhausted",
    "quota_exhausted",
    "quota_exhausted",
    "quota_exhausted",
    "blocked",
  ],
  ["94", "a bot wall", "blocked", "blocked", "blocked", "blocked", "blocked", "blocked"],
  ["95", "credentials refused", "forbidden", "found", "forbidden", "found", "forbidden", "found*"],
  ["96", "another cert", "unavailable", "unavailable", "unavailable", "unavailable", "unavailable", "found*"],
  ["97", "more than 5 MB", "unavailable", "unavailable", "unavailable", "unavailable", "unavailable", "unavailable"],
  [
    "98",
    "a redirect to another host",
    "unavailable",
    "unavailable",
    "unavailable",
    "unavailable",
    "unavailable",
    "unavailable",
  ],
  ["99", "torn", "unavailable", "blocked", "unavailable", "blocked", "unavailable", "found*"],
];
test.each(CASES)("magic cert %s, %s", async (ending, _what, ...codes) => {
  const starts = { psa: "999999", cgc: "99999999", tag: "X99999" };
  const lookups = (["psa", "cgc", "tag"] as const).flatMap((name) => {
    const certNumber = `${starts[name]}${ending}`;
    return [graders[name].viaApi(certNumber), graders[name].viaPage(certNumber)];
  });
  const outcomes = await Promise.all(lookups);
  expect(outcomes.map((outcome) => (outcome.code === "found" && !outcome.complete ? "found*" : outcome.code))).toEqual(
    codes,
  );
  expect(simulator.calls.count({ endpoint: "elsewhere" })).toBe(0);
});

test("markup in a card's text stays text", async () => {
  const codes = await Promise.all([graders.psa.viaApi("99999974"), graders.psa.viaPage("99999974")]);
  const [viaApi, viaPage] = codes.map((outcome) => (outcome.code === "found" ? outcome.card.player : outcome.code));
  expect(viaApi).toMatch(/[<"',=]/);
  expect(viaPage).toBe(viaApi);
});

test("a qualifier's own population, and CGC's other shape", async () => {
  const [psa, cgc, cgcPage] = await Promise.all([
    graders.psa.viaApi("99999959"),
    graders.cgc.viaApi("9999999959"),
    graders.cgc.viaPage("9999999959"),
  ]);
  const { cert } = makeUpPsaCard("99999959");
  expect(cert.TotalPopulationWithQualifier).not.toBe(cert.TotalPopulation);
  expect(psa).toMatchObject({
    card: {
      grade: "NM 7 (OC)",
      population: cert.TotalPopulationWithQualifier,
      populationHigher: cert.PopulationHigher,
    },
  });
  const { atGrade, higher } = makeUpCgcCard("9999999959").population ?? expect.unreachable("it has a population");
  const counts = { population: atGrade, populationHigher: higher };
  expect([cgc, cgcPage]).toMatchObject([{ card: counts }, { card: counts }]);
});
