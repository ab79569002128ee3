import { expectCgc } from "../golden/cgc-cards.ts";
import { sheetFile } from "../golden/made-up-sheets.ts";
import { expectTagByApi } from "../golden/tag-cards.ts";
import { expect, test } from "../journey.ts";
import { expectAll, RECORDED_SHEET, ROW_COUNT } from "./recorded-run.ts";

// sheets-in.spec.ts checks that the page sends the chosen options.

test("the recorded cards come from each data source, and a known card is not requested again", async ({
  office,
  upstream,
}) => {
  const runRecorded = async (mode: "api" | "scraping" | "api-with-fallback") =>
    office.results(await office.run(RECORDED_SHEET, { mode, reuseKnown: "false" }));
  const { calls } = upstream;

  await test.step("Web scraping only: PSA and CGC as on their pages, TAG with its link and photos", async () => {
    calls.clear();
    const results = await runRecorded("scraping");
    expect((["psa-api", "cgc-api", "tag-api"] as const).map((door) => calls.total(door))).toEqual([0, 0, 0]);

    const expected = await expectAll(upstream.origin, { PSA: "page", CGC: "page", TAG: "page" });
    expect(results).toHaveLength(ROW_COUNT);
    for (const row of results) {
      expect(row).toMatchObject({ status: "completed", outcome: "found", ...expected.get(row.certNumber) });
    }
    const tag = results.find((row) => row.certNumber === "C1240631");
    expect(tag?.notes).toMatch(/^Seen in Dallas · TAG's page shows its details in a browser only/);
    expect(tag?.notes).toContain("The slab photos were found.");

    // This page has no category row, so the category must stay empty.
    expect(results.find((row) => row.certNumber === "158363091")?.sport).toBe("N/A");
  });

  await test.step("API only: no page is read", async () => {
    calls.clear();
    const results = await runRecorded("api");
    expect((["psa-web", "cgc-web", "tag-web"] as const).map((door) => calls.total(door))).toEqual([0, 0, 0]);

    const expected = await expectAll(upstream.origin, { PSA: "api", CGC: "api", TAG: "api" });
    expect(results).toHaveLength(ROW_COUNT);
    for (const row of results) expect(row).toMatchObject({ status: "completed", ...expected.get(row.certNumber) });
  });

  await test.step("a known card is not requested again, unless the user asks for it", async () => {
    const sheet = sheetFile("again.csv", [
      ["1401036524258", "CGC", "", ""],
      ["C1240631", "TAG", "", ""],
    ]);
    calls.clear();
    const known = await office.results(await office.run(sheet, { mode: "api" }));
    expect(known.map((row) => row.source)).toEqual(["known", "known"]);
    expect(calls.list().filter(({ door }) => !door.endsWith("-images"))).toEqual([]);
    expect(known[0]).toMatchObject(expectCgc("1401036524258", upstream.origin));
    expect(known[1]).toMatchObject(await expectTagByApi("C1240631", upstream.origin));

    calls.clear();
    const fresh = await office.results(await office.run(sheet, { mode: "api", reuseKnown: "false" }));
    expect(fresh.map((row) => row.source)).toEqual(["api", "api"]);
    expect(calls.count({ door: "tag-api", cert: "C1240631" })).toBe(1);
  });

  await test.step("API with scraping fallback: only a company whose API is down is read from its pages", async () => {
    upstream.behavior.fail("psa-api", "server_error");
    upstream.behavior.fail("tag-api", "bot_wall");
    const results = await runRecorded("api-with-fallback");
    upstream.behavior.heal();

    const expected = await expectAll(upstream.origin, { PSA: "page", CGC: "api", TAG: "page" });
    expect(results).toHaveLength(ROW_COUNT);
    for (const row of results) expect(row).toMatchObject({ status: "completed", ...expected.get(row.certNumber) });
  });
});
