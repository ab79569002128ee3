import { readFile } from "node:fs/promises";
import type { ExpectedCard } from "../golden/expected-card.ts";
import { readCsv } from "../golden/csv-text.ts";
import { cardLine, customerPriceOf, dollarsOf, errorLine, RESULTS_HEADER } from "../golden/results-file.ts";
import { expectByApi, findBadRow, RECORDED, SAMPLE_ROWS, SAMPLE_SHEET } from "../golden/sample-sheet.ts";
import { TYPED_CARDS } from "../golden/typed-cards.ts";
import { expect, longStep, test } from "../journey.ts";
import { Screen } from "./screen.ts";

/* The product with default settings except port and delay, with the simulator and the printed administrator. */

test("the main job: from the file chooser to a finished table and an export with every value correct", async ({
  page,
  product,
  adminApi,
  otherBrowser,
}) => {
  await test.step("the sample sheet has every recorded certificate", () => {
    const sheet = new Set(SAMPLE_ROWS.map((row) => `${row.gradingCompany} ${row.certNumber}`));
    expect(RECORDED.length).toBeGreaterThan(90);
    expect(RECORDED.filter((cert) => !sheet.has(cert))).toEqual([]);
  });

  const screen = new Screen(page);
  await page.goto("/");
  await screen.signIn(product.admin);
  await expect(page.getByRole("banner").getByText("Demo", { exact: true })).toBeVisible();
  await expect(page.getByRole("contentinfo")).toContainText("cards and prices are made up");

  await screen.chooseFile(SAMPLE_SHEET);
  await expect(page.getByText("Selected: sample-certs.csv · 110 rows")).toBeVisible();
  await expect(page.getByText(/^Will be saved as: sample-certs\.csv - [A-Z][a-z]{2} \d+, \d{4}$/)).toBeVisible();
  await page.getByLabel("Session name (optional)").fill("Dallas show, box 2");
  await expect(page.getByText("Will be saved as: Dallas show, box 2")).toBeVisible();
  await screen.processButton.click();

  await expect(screen.sessionCard).toContainText("Dallas show, box 2");
  await expect(screen.sessionCard).toContainText("completed");
  await expect(screen.sessionCard).toContainText("110 / 110");
  await expect(screen.sessionCard).toContainText("102 done");
  await expect(screen.sessionCard).toContainText("3 not found");
  await expect(screen.sessionCard).toContainText("5 to fix");
  await expect(screen.processButton).toHaveText("Process Data");
  await expect(screen.grid).toHaveAttribute("aria-rowcount", "111");

  const [download] = await Promise.all([page.waitForEvent("download"), screen.downloadButton.click()]);
  const expectedCards = new Map<number, ExpectedCard>();
  for (const row of SAMPLE_ROWS.filter((row) => !findBadRow(row))) {
    expectedCards.set(row.line, await expectByApi(row, product.upstreamOrigin));
  }

  await test.step("the file: name, byte-order mark, header, line ends, every cell of every row", async () => {
    expect(download.suggestedFilename()).toMatch(/^card-grading-results-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await download.path(), "utf8");
    expect(text.startsWith("\uFEFF")).toBe(true);
    expect(text.endsWith("\r\n")).toBe(true);
    expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    const [header, ...lines] = readCsv(text.slice(1));
    expect(header).toEqual(RESULTS_HEADER);
    expect(header).toHaveLength(31);
    const expected = SAMPLE_ROWS.map((row) => {
      const card = expectedCards.get(row.line);
      return card ? cardLine(row, card) : errorLine(row);
    });
    expect(lines).toEqual(expected);
  });

  const results = await adminApi.results(await screen.sessionId());
  await test.step("the API returns the same values, and those that the file has no column for", () => {
    expect(results.map((row) => row.line)).toEqual(SAMPLE_ROWS.map((row) => row.line));
    for (const row of SAMPLE_ROWS) {
      const result = results.find(({ line }) => line === row.line);
      const card = expectedCards.get(row.line);
      const bad = findBadRow(row);
      expect(result).toMatchObject({
        price: dollarsOf(row.price),
        priceText: row.price,
        customerPrice: customerPriceOf(row.price),
        pricing: null,
        cardsiq: null,
        ...(card
          ? { ...card, status: "completed", outcome: "found", source: "api", notes: row.notes, error: null }
          : {
              certNumber: row.certNumber,
              gradingCompany: row.gradingCompany,
              status: "error",
              source: null,
              error: bad?.message,
              notes: `Error: ${bad?.message}`,
            }),
      });
    }
  });

  await test.step("the values match the hand-typed expectations", () => {
    for (const typed of TYPED_CARDS) {
      const { imageUrl, imageUrlBack } = typed;
      const served = (url: string): string => url.replace(/^@/, product.upstreamOrigin);
      const matching = results.filter(
        (row) => row.gradingCompany === typed.gradingCompany && row.certNumber === typed.certNumber,
      );
      expect(matching).not.toEqual([]);
      for (const row of matching) {
        expect(row).toMatchObject({
          ...typed,
          ...(imageUrl === undefined ? {} : { imageUrl: served(imageUrl) }),
          ...(imageUrlBack === undefined ? {} : { imageUrlBack: served(imageUrlBack) }),
        });
      }
    }
  });

  await test.step("repairs and unreadable values are reported", () => {
    const warnings = new Map(results.map((row) => [row.certNumber, row.warnings]));
    expect(warnings.get("82456192")).toEqual(["Number repaired: apostrophe removed (typed: '82456192)"]);
    expect(warnings.get("82456193")).toEqual(['Price "call me" is not an amount; it is kept as typed']);
    expect(results.filter((row) => row.warnings.length > 0)).toHaveLength(2);
  });

  await test.step("a finished row shows its values in the specified columns, with a link to the grader's page", async () => {
    // The page contains only the columns in view, so use a window that shows them all.
    await page.setViewportSize({ width: 3200, height: 900 });
    await expect(screen.grid.getByRole("columnheader")).toHaveText([
      "",
      "Images",
      "Item Name",
      "Certification",
      "Grade",
      "Year",
      "Sport/Game",
      "Card Number",
      "Price",
      "Customer Price",
      "Notes",
      "Population",
      "Player/Character",
      "Brand/Set",
      "Language",
      "Inventory Name",
      "CardLadder Estimate",
      "Market Data",
      "CardsIQ Estimate",
      "CardsIQ Last Sale",
    ]);
    await screen.find.fill("1401019289294");
    const cells = screen.row(15).getByRole("gridcell");
    await expect(cells.nth(2)).toContainText("2022 VSTAR Universe #206/172 Turtwig");
    await expect(cells.nth(3)).toContainText("CGC");
    await expect(cells.nth(3)).toContainText("1401019289294");
    await expect(cells.nth(4)).toHaveText("9");
    await expect(cells.nth(5)).toHaveText("2022");
    await expect(cells.nth(6)).toHaveText("Pokémon");
    await expect(cells.nth(7)).toHaveText("206/172");
    await expect(cells.nth(8)).toHaveText("18.00");
    await expect(cells.nth(9)).toHaveText("19.80");
    await expect(cells.nth(11)).toHaveText("Pop 39");
    await expect(cells.nth(12)).toHaveText("Turtwig");
    await expect(cells.nth(13)).toHaveText("VSTAR Universe");
    await expect(cells.nth(14)).toHaveText("Japanese");
    await expect(cells.nth(15)).toHaveText("CGC 9 2022 VSTAR Universe #206/172 Turtwig");

    const link = screen.row(15).getByRole("link", { name: /View Cert/ });
    await expect(link).toHaveAttribute("href", "https://www.cgccards.com/certlookup/1401019289294/");
    await expect(link).toHaveAttribute("target", "_blank");
    await expect(screen.row(15).getByRole("button", { name: /^Images of/ })).toBeVisible();
    // The card view has the day of the population, too.
    await screen
      .row(15)
      .getByRole("button", { name: /^2022 VSTAR/ })
      .click();
    const card = page.getByRole("dialog", { name: /Turtwig/ });
    await expect(card.getByText(/^39as of [A-Z][a-z]{2} \d+, \d{4}$/)).toBeVisible();
    await card.getByRole("button", { name: "Close the card" }).click();
    // A card without images opens nothing.
    await screen.find.fill("65424083");
    await expect(screen.row(62)).toContainText("2018 TOPPS UPDATE #US1 SHOHEI OHTANI");
    await expect(screen.row(62).getByRole("button", { name: /^Images of/ })).toHaveCount(0);
  });

  await longStep("the same job on a phone, by touch", async () => {
    const phone = new Screen(
      await otherBrowser({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }),
    );
    await phone.page.goto("/");
    await phone.email.fill(product.admin.email);
    await phone.password.fill(product.admin.password);
    await phone.signInButton.tap();
    const [chooser] = await Promise.all([
      phone.page.waitForEvent("filechooser"),
      phone.page.locator("button", { hasText: "Choose File" }).tap(),
    ]);
    await chooser.setFiles(SAMPLE_SHEET);
    await expect(phone.plan).toHaveAttribute("aria-busy", "false");
    await phone.processButton.tap();
    // The same user looked up this sheet on the desktop.
    await phone.page.getByRole("button", { name: "Look up again" }).tap();
    await expect(phone.sessionCard).toContainText("110 / 110");
    await phone.find.fill("1401019289294");
    const cards = phone.page.getByRole("list", { name: "Results" }).getByRole("listitem");
    await expect(cards).toHaveCount(1);
    await expect(cards).toContainText("2022 VSTAR Universe #206/172 Turtwig");
    await cards.getByRole("button", { name: /^Images of/ }).tap();
    await expect(phone.page.getByRole("dialog", { name: /Turtwig/ })).toBeVisible();
    await phone.page.keyboard.press("Escape");
    const [file] = await Promise.all([phone.page.waitForEvent("download"), phone.downloadButton.tap()]);
    const lines = readCsv((await readFile(await file.path(), "utf8")).slice(1));
    expect(lines).toHaveLength(SAMPLE_ROWS.length + 1);
  });

  await test.step("the administrator reads how to go live", async () => {
    await page.getByRole("tab", { name: "Admin" }).click();
    await page.getByRole("tab", { name: "Sources" }).click();
    await expect(page.getByRole("region", { name: "Demo" })).toContainText("run npm run go-live");
  });
});
