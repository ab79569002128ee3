import { freshCgcRows, freshPsaRows, freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { enter, expect, longStep, test } from "../journey.ts";
import { agePsaCalls } from "../product/age-data.ts";
import { Screen } from "./screen.ts";

// These journeys use up PSA's calls for every user.

const RED = "rgb(180, 35, 24)";
const CLOCK = /(?:tomorrow )?at \d+:\d\d [AP]M \(in \d+ h( \d+ min)?\)/;
const BY_PAGE = "Look up with web scraping";

const waitMessage = (limit: number, cards: string): RegExp =>
  new RegExp(`PSA's limit of ${limit} API calls per day is used up\\. ${cards} ${CLOCK.source}`);

test("at a source's daily limit cards and prices wait, other work continues, and the page says until when", async ({
  page,
  product,
  adminApi,
  upstream,
}) => {
  await agePsaCalls(product);
  upstream.behavior.renewDay();
  upstream.calls.clear();
  const screen = new Screen(page);
  await enter(page, product, await adminApi.addUser({ role: "admin" }));
  upstream.behavior.psaDailyQuota = 4;
  await screen.chooseSheet(sheetFile("first.csv", [...freshPsaRows(9), ...freshCgcRows(1), ...freshTagRows(1)]));
  await screen.source("API only").check();
  await expect(screen.plan).toContainText(/1 PSA card waits until \d+:\d\d [AP]M/);
  await screen.processButton.click();

  await test.step("PSA refuses before the known limit: its cards wait and the others do not", async () => {
    await expect(screen.sessionCard).toContainText("6 done");
    await expect(screen.sessionCard).toContainText("5 waiting");
    await expect(screen.waits).toHaveText([waitMessage(4, "5 cards resume")]);
    await expect(screen.quota).not.toContainText("not confirmed by PSA yet");
    await expect(
      screen.heard(/PSA's limit of 4 API calls per day is used up\. 5 cards resume (?:tomorrow )?at/),
    ).toHaveCount(1);
    await expect(screen.sessionCard).toContainText("processing");
    await expect(screen.sessionCard).toContainText("Everything else is done");
    await expect(screen.rowsWith(/Waiting until \d+:\d\d [AP]M/)).toHaveCount(5);
    await page.getByRole("button", { name: "Waiting 5" }).click();
    await expect(screen.grid).toHaveAttribute("aria-rowcount", "6");
    await expect(screen.processButton).toHaveText("Process Data");
    await expect(screen.processButton).toBeEnabled();
    await expect(page.getByText("Rate limit hit!")).toBeVisible();
    expect(upstream.calls.count({ endpoint: "psa-api", fault: "quota" })).toBe(1);
  });

  await test.step("after the reset, cards continue up to the day's own limit", async () => {
    upstream.behavior.psaDailyQuota = null;
    await adminApi.resetQuota();
    await expect(screen.sessionCard).toContainText("10 done");
    await expect(screen.waits).toHaveText([waitMessage(8, "1 card resumes")]);
    expect(upstream.calls.total("psa-api")).toBe(9);
  });

  await test.step("the quota is zero, and the next sheet would wait", async () => {
    await screen.chooseSheet(sheetFile("second.csv", [...freshPsaRows(2), ...freshTagRows(1)]));
    await expect(screen.plan).toContainText(/2 PSA cards wait until \d+:\d\d [AP]M/);
    await expect(screen.planLine("PSA")).toHaveText(["PSAall wait", "PSA quota today0 left, none needed"]);
    await expect(screen.quota.getByText("0 / 8")).toHaveCSS("color", RED);
    await expect(screen.quota).toContainText(
      /PSA's limit of 8 API calls per day is used up\. Lookups resume (?:tomorrow )?at \d+:\d\d [AP]M/,
    );
  });

  await test.step("with the fallback, the next sheet does not wait", async () => {
    await screen.source("API with scraping fallback").check();
    await expect(screen.planLine("PSA")).toHaveText([
      "PSA2 cards · 2 page calls",
      "PSA quota today0 left, none needed",
    ]);
    await screen.processButton.click();
    await expect(screen.sessionCard).toContainText("second.csv");
    await expect(screen.sessionCard).toContainText("completed");
    const rows = await adminApi.results(await screen.sessionId());
    expect(rows.map(({ gradingCompany, source }) => [gradingCompany, source])).toEqual([
      ["PSA", "page"],
      ["PSA", "page"],
      ["TAG", "api"],
    ]);
  });

  await test.step("a new visit shows the first run again, and one click finishes it with web scraping", async () => {
    await page.goto("/");
    await expect(screen.sessionCard).toContainText("first.csv");
    await expect(screen.waits).toHaveText([waitMessage(8, "1 card resumes")]);
    upstream.calls.clear();
    await screen.action(BY_PAGE).dblclick();
    await expect(screen.sessionCard).toContainText("11 / 11");
    await expect(screen.sessionCard).toContainText("completed");
    await expect(screen.waits).toHaveCount(0);
    expect(upstream.calls.total("psa-web")).toBe(1);
    const rows = await adminApi.results(await screen.sessionId());
    const bySource = Map.groupBy(rows, (row) => row.source);
    expect(bySource.get("api")).toHaveLength(10);
    expect(bySource.get("page")).toHaveLength(1);
  });

  await longStep("at CardLadder's daily limit the session ends, and its prices wait", async () => {
    upstream.behavior.fail("cardladder", "quota");
    await screen.chooseSheet(sheetFile("priced.csv", [...freshCgcRows(1), ...freshTagRows(1)]));
    await screen.pricingChoice.check();
    await screen.processButton.click();
    await expect(screen.sessionCard).toContainText("2 / 2");
    await expect(screen.sessionCard).toContainText("completed");
    await expect(screen.waits).toHaveText([new RegExp(`CardLadder.*2 prices resume ${CLOCK.source}`)]);
    await expect(screen.rowsWith("Price pending")).toHaveCount(2);
    const rows = await adminApi.results(await screen.sessionId());
    expect(rows.map((row) => [row.prices.cardladder.state, row.prices.cardsiq.state])).toEqual(
      rows.map(() => ["waiting", expect.stringMatching(/^(?:priced|none)$/)]),
    );

    await screen.chooseSheet(sheetFile("next.csv", freshTagRows(1)));
    await expect(screen.plan).toContainText(/CardLadder.*\. Next try (?:tomorrow )?at \d+:\d\d [AP]M/);
  });

  await longStep("two waits leave the table more than half of the window", async () => {
    await screen.chooseSheet(sheetFile("two.csv", [...freshPsaRows(3), ...freshTagRows(1)]));
    await screen.source("API only").check();
    await screen.pricingChoice.check();
    await screen.processButton.click();
    await expect(screen.sessionCard).toContainText("two.csv");
    await expect(screen.waits).toHaveCount(2);
    await expect(screen.action(BY_PAGE)).toBeVisible();
    const table = await page.getByRole("region", { name: "Results" }).boundingBox();
    expect(table?.height).toBeGreaterThan((page.viewportSize()?.height ?? 0) / 2);
  });
});
