import { afterAll, beforeAll, expect, test } from "vitest";
import { NO_POPULATION } from "@slabdesk/contract/api/cards.ts";
import { startSimulator } from "@slabdesk/simulator/simulator.ts";
import type { Simulator } from "@slabdesk/simulator/simulator.ts";
import { parseConfig } from "../../config.ts";
import { createEndpoints } from "../../upstreams/http-endpoints.ts";
import type { Grader } from "../grader.ts";
import { createCgcGrader } from "./grader.ts";
import recorded from "./recorded-cards.json" with { type: "json" };

/*
 * recorded-cards.json: the expected result for every recorded card, written by hand from the recorded pages.
 */

const NOW = "2026-11-22T12:00:00.000Z";

let simulator: Simulator;
let open: ReturnType<typeof createEndpoints>;
let cgc: Grader;

beforeAll(async () => {
  simulator = await startSimulator();
  const settings = parseConfig(simulator.settings);
  open = createEndpoints(settings);
  cgc = createCgcGrader({ endpoints: open.endpoints, settings, now: () => new Date(NOW) });
});
afterAll(async () => {
  await open.close();
  await simulator.close();
});

function expected({ frontPath, backPath, ...golden }: (typeof recorded)[number], source: "api" | "page") {
  return {
    code: "found",
    source,
    notes: "",
    complete: true,
    card: {
      ...golden,
      imageUrl: `${simulator.origin}/cgc-images${frontPath}`,
      imageUrlBack: `${simulator.origin}/cgc-images${backPath}`,
      graderNotes: "N/A",
      certUrl: `https://www.cgccards.com/certlookup/${golden.certNumber}/`,
      gradingCompany: "CGC",
      populationAsOf: NOW,
    },
  };
}

test.each(recorded)("the page of $certNumber gives the exact card", async (golden) => {
  expect(await cgc.viaPage(golden.certNumber)).toEqual(expected(golden, "page"));
});

/** The dealer API has no player field: a sports card's `cardName` holds the name. It doesn't count higher grades. */
test.each(recorded)("the dealer API's answer for $certNumber gives the exact card", async (golden) => {
  const found = expected({ ...golden, cardName: golden.player }, "api");
  expect(await cgc.viaApi(golden.certNumber)).toEqual({ ...found, card: { ...found.card, populationHigher: null } });
});

/** v2 takes no `include`, so its answer has no population. */
test.each(recorded)("v2's flat answer for $certNumber gives the exact card after a 404 of v3", async (golden) => {
  simulator.behavior.cgc = { hasOnlyV2: true, isFlat: true };
  simulator.calls.clear();
  const found = expected(golden, "api");
  expect(await cgc.viaApi(golden.certNumber)).toEqual({ ...found, card: { ...found.card, ...NO_POPULATION } });
  expect(simulator.calls.count({ endpoint: "cgc-api", cert: golden.certNumber })).toBe(2);
  simulator.behavior.cgc = { hasOnlyV2: false, isFlat: false };
});

test("one sign-in serves all cards, and a new one follows after it expires", async () => {
  const logins = (): number => simulator.calls.count({ path: "/cgc-api/auth/login/CGC" });
  const before = logins();
  simulator.behavior.renewDay();
  expect(await cgc.viaApi("6016747097")).toMatchObject({ code: "found" });
  expect(await cgc.viaApi("6001871064")).toMatchObject({ code: "found" });
  expect(logins()).toBe(before + 1);
});
