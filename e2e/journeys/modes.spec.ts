import { amount } from "../../scripts/test-form.ts";
import { expectCgc, RECORDED_CGC } from "../golden/cgc-cards.ts";
import type { ExpectedCard } from "../golden/expected-card.ts";
import { sheetFile } from "../golden/made-up-sheets.ts";
import { expectPsaByApi, expectPsaByPage, RECORDED_PSA } from "../golden/psa-cards.ts";
import { expectTagByApi, expectTagByPage, RECORDED_TAG } from "../golden/tag-cards.ts";
import type { Mode } from "@slabdesk/contract/api/cards.ts";
import { expect, test } from "../journey.ts";

// sheets-in.spec.ts checks that the page sends the chosen options.

/** The steps before compare every card by both sources. */
const FALLBACK_CARDS = amount({ short: 2, long: Number.POSITIVE_INFINITY });

const TAGS = RECORDED_TAG.slice(0, 8);

/** Returns a sheet with the recorded cards, at most `most` of each company. */
const sheetOf = (most: number) =>
  sheetFile("recorded.csv", [
    ...RECORDED_PSA.slice(0, most).map((cert) => [cert, "PSA", "20", ""]),
    ...RECORDED_CGC.slice(0, most).map((cert) => [cert, "CGC", "20", ""]),
    ...TAGS.slice(0, most).map((cert) => [cert, "TAG", "20", "Seen in Dallas"]),
  ]);

type Source = "api" | "page";
type Expected = ExpectedCard & { source: Source };

async function expectAll(
  origin: string,
  from: { PSA: Source; CGC: Source; TAG: Source },
): Promise<Map<string, Expected>> {
  const psa = from.PSA === "api" ? expectPsaByApi : expectPsaByPage;
  const tag = from.TAG === "api" ? expectTagByApi : expectTagByPage;
  const cards: Expected[] = [];
  for (const cert of RECORDED_PSA) cards.push({ ...(await psa(cert, origin)), source: from.PSA });
  for (const cert of RECORDED_CGC) cards.push({ ...expectCgc(cert, origin, from.CGC), source: from.CGC });
  for (const cert of TAGS) cards.push({ ...(await tag(cert, origin)), source: from.TAG });
  return new Map(cards.map((card) => [card.certNumber, card]));
}

test("the recorded cards come from each data source, and a cached cert is not requested again", async ({
  adminApi,
  upstream,
}) => {
  const runRecorded = async (mode: Mode, most = Number.POSITIVE_INFINITY) =>
    adminApi.results(await adminApi.run(sheetOf(most), { mode, reuseKnown: "false" }));
  const { calls } = upstream;

  await test.step("Web scraping only: PSA and CGC as on their pages, TAG with its link and photos", async () => {
    calls.clear();
    const results = await runRecorded("scraping");
    expect((["psa-api", "cgc-api", "tag-api"] as const).map((endpoint) => calls.total(endpoint))).toEqual([0, 0, 0]);

    const expected = await expectAll(upstream.origin, { PSA: "page", CGC: "page", TAG: "page" });
    expect(results).toHaveLength(RECORDED_PSA.length + RECORDED_CGC.length + TAGS.length);
    for (const row of results) {
      expect(row).toMatchObject({ status: "completed", outcome: "found", ...expected.get(row.certNumber) });
    }
    const tag = results.find((row) => row.certNumber === "C1240631");
    expect(tag?.notes).toMatch(/^Seen in Dallas · TAG's page shows its details only in a browser/);
    expect(tag?.notes).toContain("The slab photos were found.");

    // This page has no category row, so the category must stay empty.
    expect(results.find((row) => row.certNumber === "158363091")?.sport).toBe("N/A");
  });

  await test.step("API only: no page is read", async () => {
    calls.clear();
    const results = await runRecorded("api");
    expect((["psa-web", "cgc-web", "tag-web"] as const).map((endpoint) => calls.total(endpoint))).toEqual([0, 0, 0]);

    const expected = await expectAll(upstream.origin, { PSA: "api", CGC: "api", TAG: "api" });
    expect(results).toHaveLength(RECORDED_PSA.length + RECORDED_CGC.length + TAGS.length);
    for (const row of results) expect(row).toMatchObject({ status: "completed", ...expected.get(row.certNumber) });
  });

  await test.step("a cached cert is not requested again, unless the user asks for it", async () => {
    const sheet = sheetFile("again.csv", [
      ["1401036524258", "CGC", "", ""],
      ["C1240631", "TAG", "", ""],
    ]);
    calls.clear();
    const known = await adminApi.results(await adminApi.run(sheet, { mode: "api" }));
    expect(known.map((row) => row.source)).toEqual(["known", "known"]);
    expect(calls.list().filter(({ endpoint }) => !endpoint.endsWith("-images"))).toEqual([]);
    expect(known[0]).toMatchObject(expectCgc("1401036524258", upstream.origin, "api"));
    expect(known[1]).toMatchObject(await expectTagByApi("C1240631", upstream.origin));

    calls.clear();
    const fresh = await adminApi.results(await adminApi.run(sheet, { mode: "api", reuseKnown: "false" }));
    expect(fresh.map((row) => row.source)).toEqual(["api", "api"]);
    expect(calls.count({ endpoint: "tag-api", cert: "C1240631" })).toBe(1);
  });

  await test.step("API with scraping fallback: only a company whose API is down is read from its pages", async () => {
    upstream.behavior.fail("psa-api", "server_error");
    upstream.behavior.fail("tag-api", "bot_wall");
    const results = await runRecorded("api-with-fallback", FALLBACK_CARDS);
    upstream.behavior.heal();

    expect(new Set(results.map((row) => row.gradingCompany))).toEqual(new Set(["PSA", "CGC", "TAG"]));
    const expected = await expectAll(upstream.origin, { PSA: "page", CGC: "api", TAG: "page" });
    for (const row of results) expect(row).toMatchObject({ status: "completed", ...expected.get(row.certNumber) });
  });
});
