import { freshCgcRows, freshPsaRows, freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { enter, expect, longStep, test } from "../journey.ts";
import { agePsaCalls, forgetPace, forgetRefusals } from "../product/age-data.ts";
import { Screen } from "./screen.ts";

const ORANGE = "rgb(154, 91, 0)";
const QUOTA_NOTE = "PSA's API quota is shown to administrators only.";

test("the plan says what a sheet does and costs, and the run does the same", async ({
  page,
  product,
  adminApi,
  upstream,
  otherBrowser,
}) => {
  await agePsaCalls(product);
  const known = freshTagRows(2);
  await adminApi.run(sheetFile("known.csv", known), { mode: "api" });
  await forgetPace(product);
  const screen = new Screen(page);
  const administrator = await adminApi.addUser({ role: "admin" });
  await enter(page, product, administrator);
  await expect(screen.quota).toContainText("8 / 8");
  await expect(screen.quota).toContainText("Daily limit 8 (not confirmed by PSA yet)");
  await expect(screen.quota).toContainText("Used today 0");
  await expect(screen.quota).toContainText("Last reset no calls yet");
  await expect(screen.quota).toContainText(/Last checked \d+:\d\d:\d\d [AP]M/);
  await expect(screen.quota.getByRole("button", { name: "Refresh Quota" })).toBeDisabled();

  const psa = freshPsaRows(2);
  const damaged = [
    ["12345", "PSA", "", ""],
    ["", "TAG", "", ""],
    ["98174651", "BGS", "", ""],
  ];
  const rows = [...psa, ...psa.slice(0, 1), ...freshCgcRows(2), ...freshTagRows(1), ...known, ...damaged];
  await screen.chooseSheet(sheetFile("mixed.csv", rows));

  await test.step("numbers first, then calls, time and quota", async () => {
    await expect(screen.planNumber("from cache")).toHaveText("2");
    await expect(screen.planNumber("to look up")).toHaveText("5");
    await expect(screen.planNumber("to fix")).toHaveText("3");
    await expect(screen.planLine("PSA")).toHaveText(["PSA2 cards · 4 API calls", "PSA quota today8 → 4 left"]);
    await expect(screen.plan.getByText("8 → 4 left")).toHaveCSS("color", ORANGE);
    await expect(screen.planLine("Daily limit")).toHaveText("Daily limit8 (not confirmed by PSA yet)");
    await expect(screen.plan).toContainText(
      "If PSA allows 1 call a day, 1 of 2 cards finishes today and 1 is looked up on PSA's website",
    );
    await expect(screen.planLine("CGC")).toHaveText("CGC2 cards · 2 API calls");
    await expect(screen.planLine("TAG")).toHaveText("TAG1 card · 1 API call");
    await expect(screen.planNumber("duplicates")).toHaveText("1");
    await expect(screen.planLine("Time")).toHaveText("Timeless than a minute");
    await screen.lineFilter("To fix 3").click();
    await expect(screen.line(12)).toContainText("Unsupported grading company: BGS");
    await screen.lineFilter("From cache 2").click();
    await expect(screen.line(8)).toContainText("From cache");
    await screen.lineFilter("All 11").click();
  });

  await test.step("another data source and new lookups change the plan", async () => {
    await screen.source("Web scraping only").check();
    await expect(screen.planLine("PSA")).toHaveText([
      "PSA2 cards · 2 page calls",
      "PSA quota today8 left, none needed",
    ]);
    await expect(screen.planLine("CGC")).toHaveText("CGC2 cards · 2 page calls");
    await expect(screen.plan).toContainText("1 TAG card gets only the report link and the slab photos.");
    await page.getByRole("checkbox", { name: "Reuse cards already looked up" }).uncheck();
    await expect(screen.planNumber("to look up")).toHaveText("7");
    await expect(screen.planNumber("from cache")).toHaveText("0");
    await page.getByRole("checkbox", { name: "Reuse cards already looked up" }).check();
    await screen.source("API only").check();
    await expect(screen.planNumber("to look up")).toHaveText("5");
  });

  await test.step("cards of a company that CardLadder refuses get no price, and the plan says so", async () => {
    await forgetRefusals(product);
    upstream.behavior.cardladder = { argumentSet: "grade", refused: ["cgc"] };
    await adminApi.run(sheetFile("refused.csv", freshCgcRows(3)), { mode: "api", includePricing: "true" });
    await screen.pricingChoice.check();
    await expect(screen.plan).toContainText("2 CGC cards get no price: CardLadder refuses CGC cards. Next try");
    await screen.pricingChoice.uncheck();
    await forgetRefusals(product);
    await forgetPace(product);
  });

  await test.step("the run does what the plan says", async () => {
    upstream.calls.clear();
    await screen.processButton.click();
    await expect(screen.sessionCard).toContainText("11 / 11");
    await expect(screen.sessionCard).toContainText("completed");
    await expect(screen.sessionCard).toContainText("8 done");
    await expect(screen.sessionCard).toContainText("3 to fix");
    const endpoints = Map.groupBy(upstream.calls.list(), (call) => call.endpoint);
    expect(endpoints.get("psa-api")).toHaveLength(4);
    expect(endpoints.get("cgc-api")?.filter(({ cert }) => cert !== null)).toHaveLength(2);
    expect(endpoints.get("tag-api")).toHaveLength(1);
    expect([...endpoints.keys()].filter((endpoint) => endpoint.endsWith("-web"))).toEqual([]);
    const sources = (await adminApi.results(await screen.sessionId())).map((row) => row.source);
    expect(Map.groupBy(sources, (source) => source).get("known")).toHaveLength(2);
  });

  await expect(screen.quota).toContainText("4 / 8");
  await expect(screen.quota).toContainText("Used today 4");
  await expect(screen.quota.getByText("4 / 8")).toHaveCSS("color", ORANGE);
  await screen.chooseSheet(sheetFile("mixed.csv", rows));
  await expect(screen.planNumber("from cache")).toHaveText("8");
  await expect(screen.planLine("Time")).toHaveText("TimeInstant");

  await longStep("the same rows start again only after a question", async () => {
    const first = await screen.sessionId();
    await screen.processButton.click();
    const question = page.getByRole("dialog", { name: "Look up this sheet again?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(question).toBeHidden();
    await expect(screen.processButton).toHaveText("Process Data");

    // Another browser of this user asks, too, whatever the file is called.
    const elsewhere = await otherBrowser();
    await enter(elsewhere, product, administrator);
    const other = new Screen(elsewhere);
    await other.chooseSheet(sheetFile("renamed.csv", rows));
    await other.processButton.click();
    const asked = elsewhere.getByRole("dialog", { name: "Look up this sheet again?" });
    await expect(asked).toContainText("“mixed");
    await asked.getByRole("button", { name: "Cancel" }).click();
    await expect(other.processButton).toHaveText("Process Data");

    await screen.processButton.click();
    await question.getByRole("button", { name: "Look up again" }).click();
    await expect(screen.sessionCard).toContainText("completed");
    expect(await screen.sessionId()).not.toBe(first);
  });
});

test("a user sees minutes and calls, and a note in place of the quota", async ({ page, product, person }) => {
  await forgetPace(product);
  // A product without a price source: only its status differs.
  await page.route("**/api/status", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), priceSources: [] } });
  });
  await enter(page, product, person);
  const screen = new Screen(page);
  await screen.chooseSheet(sheetFile("large.csv", [...freshPsaRows(1), ...freshTagRows(1_200)]));
  await expect(screen.planNumber("to look up")).toHaveText("1,201");
  await expect(screen.planLine("Time")).toHaveText(/^Timeabout \d+ min · ends about \d+:\d\d [AP]M( tomorrow)?$/);
  await expect(screen.planLine("TAG")).toHaveText("TAG1,200 cards · 1,200 API calls");
  await expect(screen.planLine("PSA")).toHaveText("PSA1 card · 2 API calls");
  await expect(screen.quota).toHaveCount(0);
  await expect(page.getByText(QUOTA_NOTE)).toBeVisible();
  await screen.source("Web scraping only").check();
  await expect(screen.planLine("PSA")).toHaveText("PSA1 card · 1 page call");
  await expect(page.getByText(QUOTA_NOTE)).toHaveCount(0);

  await test.step("without a price source the user cannot ask for prices, and the page says why", async () => {
    await expect(screen.pricingChoice).toBeDisabled();
    await expect(page.getByText("No price source is set up.")).toBeVisible();
  });
});
