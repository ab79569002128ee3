import { afterAll, beforeAll, expect, test } from "vitest";
import { startSimulator } from "@slabdesk/simulator/simulator.ts";
import type { Simulator } from "@slabdesk/simulator/simulator.ts";
import { parseConfig } from "../../config.ts";
import { createEndpoints } from "../../upstreams/http-endpoints.ts";
import type { Grader } from "../grader.ts";
import { createPsaGrader } from "./grader.ts";
import recorded from "./recorded-cards.json" with { type: "json" };

/*
 * recorded-cards.json: the expected result for every recorded card, by API and by page, written by hand from the
 * recorded payloads.
 */

const NOW = "2026-11-22T12:00:00.000Z";

let simulator: Simulator;
let open: ReturnType<typeof createEndpoints>;
let psa: Grader;

beforeAll(async () => {
  simulator = await startSimulator();
  const settings = parseConfig(simulator.settings);
  open = createEndpoints(settings);
  psa = createPsaGrader({ endpoints: open.endpoints, settings, now: () => new Date(NOW) });
});
afterAll(async () => {
  await open.close();
  await simulator.close();
});

/** Recorded image URLs, as paths on their host. The other cards have no recorded images. */
const IMAGES: Record<string, [front: string, back: string] | "none"> = {
  "98174651": ["/cert/186783149/xFlC1ydzAkuXhFDNXia2kw.jpg", "/cert/186783149/2ONEfrQsCEeMSngjoaT42A.jpg"],
  "75738340": ["/cert/139950604/small/HJzwjjakdE2gHS19N6Juzg.jpg", "/cert/139950604/small/PK2Q_HcSMUW0MSGCj3BcSQ.jpg"],
  "65424083": "none",
  "86344925": ["/cert/152762159/small/kXgCxEvrLUWkNecjUmI_gg.jpg", "/cert/152762159/small/wAm6iShv2kisGBexVy-l6Q.jpg"],
};

function expectedImages(certNumber: string): { imageUrl: unknown; imageUrlBack: unknown } {
  const images = IMAGES[certNumber];
  if (images === "none") return { imageUrl: "N/A", imageUrlBack: "N/A" };
  const known = images?.map((path) => `${simulator.origin}/psa-images${path}`);
  const any = expect.stringMatching(
    /^(?:N\/A|http:\/\/127\.0\.0\.1:\d+\/psa-images\/cert\/\d+\/(?:small\/)?[\w-]{22}\.jpg)$/,
  ) as unknown;
  return { imageUrl: known?.[0] ?? any, imageUrlBack: known?.[1] ?? any };
}

function expected(golden: (typeof recorded)["api" | "page"][number], source: "api" | "page") {
  return {
    code: "found",
    source,
    notes: "",
    complete: true,
    card: {
      ...golden,
      ...expectedImages(golden.certNumber),
      language: "N/A",
      graderNotes: "N/A",
      certUrl: `https://www.psacard.com/cert/${golden.certNumber}/psa`,
      gradingCompany: "PSA",
      populationAsOf: golden.population === null ? null : NOW,
    },
  };
}

test.each(recorded.api)("the API's answer for $certNumber gives the exact card", async (golden) => {
  expect(await psa.viaApi(golden.certNumber)).toEqual(expected(golden, "api"));
});

test.each(recorded.page)("the page of $certNumber gives the exact card", async (golden) => {
  expect(await psa.viaPage(golden.certNumber)).toEqual(expected(golden, "page"));
});
