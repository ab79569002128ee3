import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cardAnswerSchema } from "@slabdesk/contract/api/cards.ts";
import type { Person } from "../../testing/test-server.ts";
import { openEndpoints, startScanTest, type ScanTest } from "../../testing/scan-test.ts";

let server: ScanTest;
let ana: Person;
beforeAll(async () => {
  server = await startScanTest({ REQUEST_TIMEOUT_MS: "1000" });
  ana = await server.addPerson();
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(async () => {
  await openEndpoints(server);
  server.simulator.behavior.heal();
  server.simulator.calls.clear();
});

const get = (url: string, headers: Record<string, string> = {}) =>
  server.app.inject({ url, headers: { ...ana.headers, ...headers } });
const QUERY = "?includeFrontAndBack=true&forceRefresh=true";

describe("the single-card routes", () => {
  test.each([
    [
      "/api/psa-api/01020688",
      { source: "api", itemName: "1960 TOPPS #72 TIGERS TEAM", certNumber: "01020688", gradingCompany: "PSA" },
    ],
    ["/api/psa/01020688", { source: "page", itemName: "1960 TOPPS #72 TIGERS TEAM" }],
    ["/api/psa-with-fallback/01020688", { source: "api" }],
    [
      "/api/cgc-api/1401019289294",
      {
        source: "api",
        cardSet: "VSTAR Universe",
        cardName: "Turtwig",
        game: "Pokémon",
        variant1: "Art Rare",
        language: "Japanese",
        grade: "9",
      },
    ],
    ["/api/cgc/1401019289-294", { source: "page", cardSet: "VSTAR Universe", game: "Pokémon" }],
    ["/api/cgc-with-fallback/1401019289294", { source: "api" }],
    [
      "/api/tag-api/C1240631",
      { source: "api", setName: "Legends Awakened", tagScore: "748", tagGrade: "7 NEAR MINT", grade: "7 NEAR MINT" },
    ],
    ["/api/tag-with-fallback/c1240631", { source: "api", certNumber: "C1240631" }],
  ])("%s", async (url, card) => {
    const answer = await get(url + QUERY);
    expect(answer.statusCode).toBe(200);
    expect(cardAnswerSchema.parse(answer.json())).toMatchObject(card);
  });

  test.each([
    ["psa", "98174651", "2024 BOWMAN CHROME PROSPECT AUTOGRAPHS #CPACF CHRISTOPHER FAMILIA PROSPECT AUTO-REFRACTOR"],
    ["cgc", "1401019289294", "2022 VSTAR Universe #206/172 Turtwig"],
    ["tag", "C1240631", "N/A"],
  ] as const)("%s-with-fallback reads the page if the API fails", async (company, certNumber, itemName) => {
    server.simulator.behavior.fail(`${company}-api`, "server_error");
    const answer = await get(`/api/${company}-with-fallback/${certNumber}${QUERY}`);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(cardAnswerSchema.parse(answer.json())).toMatchObject({ source: "page", certNumber, itemName });
  });

  test("TAG's page gives the link and the photos, and says that this is all", async () => {
    const answer = await get(`/api/tag/C1240631${QUERY}`);
    expect(answer.json()).toMatchObject({
      source: "page",
      itemName: "N/A",
      grade: "N/A",
      certUrl: "https://my.taggrading.com/card/C1240631",
      imageUrl: expect.stringContaining("/slab-images/C1240631_Slabbed_FRONT.jpg"),
      imageUrlBack: expect.stringContaining("/slab-images/C1240631_Slabbed_BACK.jpg"),
      notes: expect.stringMatching(/\S/),
    });
  });

  test.each([
    ["0", 404, "not_found"],
    ["1", 504, "timeout"],
    ["2", 502, "unavailable"],
    ["3", 429, "quota_exhausted"],
    ["4", 502, "blocked"],
    ["5", 502, "forbidden"],
    ["6", 502, "unavailable"],
    ["7", 502, "unavailable"],
    ["8", 502, "unavailable"],
    ["9", 502, "unavailable"],
  ])("magic number %s is %i %s at every company's API", async (digit, status, code) => {
    for (const url of [
      `/api/psa-api/9999999${digit}`,
      `/api/cgc-api/999999999${digit}`,
      `/api/tag-api/X999999${digit}`,
    ]) {
      const answer = await get(url + QUERY);
      expect([url, answer.statusCode, answer.json().code]).toEqual([url, status, code]);
    }
  });

  test("say when a quota resets", async () => {
    const answer = await get(`/api/psa-api/99999993${QUERY}`);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
  });

  test("refuse an invalid number without a call", async () => {
    const answer = await get(`/api/psa-api/1.45531E+08${QUERY}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: "invalid_number", error: expect.stringContaining("digits are lost") });
    expect(server.simulator.calls.total("psa-api")).toBe(0);
  });

  test("use a cached cert only when allowed", async () => {
    await get(`/api/psa-api/98174651${QUERY}`);
    server.simulator.calls.clear();
    const known = await get("/api/psa-api/98174651?forceRefresh=false");
    expect(known.json()).toMatchObject({ certNumber: "98174651", source: "api", population: 8, populationHigher: 2 });
    expect(server.simulator.calls.total("psa-api")).toBe(0);
    await get(`/api/psa-api/98174651${QUERY}`);
    expect(server.simulator.calls.total("psa-api")).toBeGreaterThan(0);
  });

  test("refuse requests from other sites' pages", async () => {
    const answer = await get(`/api/psa-api/98174651${QUERY}`, { "sec-fetch-site": "cross-site" });
    expect([answer.statusCode, answer.json().code]).toEqual([403, "cross_site"]);
  });

  test("do not cache a card with an unreadable part", async () => {
    await get(`/api/tag/L3302729${QUERY}`);
    server.simulator.calls.clear();
    await get("/api/tag-with-fallback/L3302729?forceRefresh=false");
    expect(server.simulator.calls.total("tag-api")).toBe(1);
  });
});

describe("an unset or switched-off source", () => {
  test("reports that credentials are not configured, and falls back to the page", async () => {
    const bare = await startScanTest({ PSA_API_TOKEN: "", CGC_API_USERNAME: "", TAG_API_KEY: "" });
    try {
      for (const url of ["/api/psa-api/98174651", "/api/cgc-api/1401019289294", "/api/tag-api/C1240631"]) {
        const answer = await bare.app.inject({ url, headers: bare.admin.headers });
        expect(answer.json()).toMatchObject({
          code: "not_configured",
          error: expect.stringContaining("credentials not configured"),
        });
        expect(answer.statusCode).toBe(503);
      }
      const page = await bare.app.inject({ url: "/api/psa-with-fallback/98174651", headers: bare.admin.headers });
      expect(page.json()).toMatchObject({ source: "page", certNumber: "98174651" });
    } finally {
      await bare.closeAll();
    }
  });

  test("pages are never read when scraping is off", async () => {
    const strict = await startScanTest({ SCRAPING: "off" });
    try {
      strict.simulator.behavior.fail("psa-api", "server_error");
      const page = await strict.app.inject({ url: "/api/psa/98174651", headers: strict.admin.headers });
      expect([page.statusCode, page.json().code]).toEqual([503, "not_configured"]);
      const fallback = await strict.app.inject({
        url: "/api/psa-with-fallback/98174651",
        headers: strict.admin.headers,
      });
      expect(fallback.json()).toMatchObject({ code: "unavailable" });
      expect(strict.simulator.calls.total("psa-web")).toBe(0);
    } finally {
      await strict.closeAll();
    }
  });
});
