import { expectCgc } from "../golden/cgc-cards.ts";
import { sheetFile } from "../golden/made-up-sheets.ts";
import { expectTagByApi } from "../golden/tag-cards.ts";
import { expect, test } from "../journey.ts";
import { expectAll, ROW_COUNT, runRecorded } from "./recorded-run.ts";
import { Screen } from "./screen.ts";

test("the recorded cards from each data source, and none asked for again that is known", async ({
  signedIn,
  office,
  upstream,
}) => {
  const screen = new Screen(signedIn);

  await test.step("Web scraping only: PSA and CGC as their pages print them, of TAG the link and the photos", async () => {
    upstream.calls.clear();
    const sessionId = await runRecorded(screen, office, "Web scraping only");
    expect(["psa-api", "cgc-api", "tag-api"].map((door) => upstream.calls.total(door as "psa-api"))).toEqual([0, 0, 0]);

    const expected = await expectAll(upstream.origin, { PSA: "page", CGC: "page", TAG: "page" });
    const results = await office.results(sessionId);
    expect(results).toHaveLength(ROW_COUNT);
    for (const row of results) {
      expect(row).toMatchObject({ status: "completed", outcome: "found", ...expected.get(row.certNumber) });
    }
    const tag = results.find((row) => row.certNumber === "C1240631");
    expect(tag?.notes).toMatch(/^Seen in Dallas · TAG's page shows its details in a browser only/);
    expect(tag?.notes).toContain("The slab photos were found.");

    // A page without the row prints no category, and nothing is made up for it.
    expect(results.find((row) => row.certNumber === "158363091")?.sport).toBe("N/A");
  });

  await test.step("API only: no page is read", async () => {
    upstream.calls.clear();
    const sessionId = await runRecorded(screen, office, "API only");
    expect(["psa-web", "cgc-web", "tag-web"].map((door) => upstream.calls.total(door as "psa-web"))).toEqual([0, 0, 0]);

    const expected = await expectAll(upstream.origin, { PSA: "api", CGC: "api", TAG: "api" });
    for (const row of await office.results(sessionId)) {
      expect(row).toMatchObject({ status: "completed", ...expected.get(row.certNumber) });
    }
  });

  await test.step("a card that is known already is not asked for again, unless that is wanted", async () => {
    const sheet = sheetFile("again.csv", [
      ["1401036524258", "CGC", "", ""],
      ["C1240631", "TAG", "", ""],
    ]);
    await signedIn.getByRole("checkbox", { name: "Reuse cards already looked up" }).check();
    await screen.process(sheet);
    await expect(screen.sessionCard).toContainText("2 done");
    upstream.calls.clear();

    await screen.process(sheet);
    await expect
      .poll(async () => (await office.results(await screen.sessionId())).map((row) => row.source))
      .toEqual(["known", "known"]);
    expect(upstream.calls.list().filter(({ door }) => !door.endsWith("-images"))).toEqual([]);
    const known = await office.results(await screen.sessionId());
    expect(known[0]).toMatchObject(expectCgc("1401036524258", upstream.origin));
    expect(known[1]).toMatchObject(await expectTagByApi("C1240631", upstream.origin));

    upstream.calls.clear();
    await screen.chooseFile(sheet);
    await signedIn.getByRole("checkbox", { name: "Reuse cards already looked up" }).uncheck();
    await screen.processButton.click();
    await expect
      .poll(async () => (await office.results(await screen.sessionId())).map((row) => row.source))
      .toEqual(["api", "api"]);
    expect(upstream.calls.count({ door: "tag-api", cert: "C1240631" })).toBe(1);
  });

  await test.step("API with scraping fallback: when an API is down its pages are read, the others are asked as ever", async () => {
    upstream.behavior.fail("psa-api", "server_error");
    upstream.behavior.fail("tag-api", "bot_wall");
    const sessionId = await runRecorded(screen, office, "API with scraping fallback");
    upstream.behavior.heal();

    const expected = await expectAll(upstream.origin, { PSA: "page", CGC: "api", TAG: "page" });
    for (const row of await office.results(sessionId)) {
      expect(row).toMatchObject({ status: "completed", ...expected.get(row.certNumber) });
    }
  });
});
