import { readFile } from "node:fs/promises";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { Download, Page } from "@playwright/test";
import { sheetFile } from "../golden/made-up-sheets.ts";
import { RESULTS_HEADER } from "../golden/results-file.ts";
import { expect, longStep, test } from "../journey.ts";
import { agePrices } from "../product/age-data.ts";
import type { Upstream } from "../product/upstream.ts";
import { columnOf } from "../sheets/expect-session.ts";
import { readCsv, readWorkbook } from "../sheets/read-exports.ts";
import { Screen } from "./screen.ts";

/** A card of each company with many sales. The sources disagree on the price of the last one. */
const CARDS = [
  ["52007919", "PSA", "240", ""],
  ["1405000043085", "CGC", "1500", ""],
  ["T5008606", "TAG", "250", ""],
];
const CERTS = CARDS.flatMap(([cert]) => cert ?? []);

const PRICE_COLUMNS = RESULTS_HEADER.slice(20);

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const amount = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2 });

/** Every price metric of a row, in the order of the file's columns. */
function priceCells({ pricing, cardsiq }: ResultRow): string[] {
  if (!pricing || !cardsiq) throw new Error("The row has no price");
  return [
    pricing.cardladderEstimate,
    pricing.averagePrice,
    pricing.medianPrice,
    pricing.lastSalePrice,
    pricing.priceTrend,
    pricing.salesCount,
    pricing.salesVelocity.thirtyDay,
    pricing.priceRange.low,
    pricing.priceRange.high,
    cardsiq.estimatedValue,
    cardsiq.lastSalePrice,
  ].map(String);
}

const graderCalls = ({ calls }: Upstream): number =>
  (["psa-api", "psa-web", "cgc-api", "cgc-web", "tag-api", "tag-web"] as const).reduce(
    (sum, endpoint) => sum + calls.total(endpoint),
    0,
  );

async function download(page: Page, press: () => Promise<void>): Promise<Buffer> {
  const [file]: [Download, void] = await Promise.all([page.waitForEvent("download"), press()]);
  return readFile(await file.path());
}

/** Returns a number in one form, for "1,679.00" and for "1679", and other text unchanged. */
function plain(cell = ""): string {
  const number = Number(cell.replaceAll(",", ""));
  return Number.isNaN(number) ? cell : String(number);
}

/** This journey's offer: 65% of CardsIQ's estimate, in whole dollars. */
const offerOf = ({ cardsiq, ownOffer }: ResultRow): number =>
  ownOffer ?? Math.floor((cardsiq?.estimatedValue ?? 0) * 0.65);

test("a sheet becomes a priced table with offers, new prices, and files; Get Price prices one row", async ({
  signedIn: page,
  product,
  adminApi,
  upstream,
  browserErrors,
}) => {
  const screen = new Screen(page);

  await test.step("the plan says what the prices cost", async () => {
    await screen.chooseSheet(sheetFile("priced.csv", CARDS));
    await expect(screen.planLine("CardLadder")).toHaveCount(0);
    await screen.pricingChoice.check();
    await expect(screen.planLine("CardLadder")).toHaveText("CardLadder3 prices · 9 calls");
    await expect(screen.planLine("CardsIQ")).toHaveText("CardsIQ3 prices · 3 calls");
  });

  await test.step("a row shows its card first and its price when it arrives", async () => {
    upstream.priceGate.hold();
    await screen.processButton.click();
    await expect(screen.sessionCard).toContainText("3 done");
    await expect(screen.row(2)).toContainText("52007919");
    await expect(screen.row(2)).toContainText("Pricing…");
    await expect(screen.sessionCard).toContainText("processing");
    // The open card follows the run.
    await screen.row(2).getByText("52007919", { exact: true }).click();
    await screen.grid.press("Enter");
    const market = page.getByRole("dialog").getByRole("region", { name: "Market" });
    await expect(market.getByText("Pricing…")).toHaveCount(2);
    upstream.priceGate.open();
    await expect(market.getByText(/\d sales? at CardLadder/)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(screen.sessionCard).toContainText("completed");
  });

  const sessionId = await screen.sessionId();
  const first = await adminApi.results(sessionId);
  const [psa] = first;
  if (!psa?.pricing || !psa.cardsiq) throw new Error("The first row has no price");
  const { averagePrice, medianPrice, lastSalePrice, salesCount, cardladderEstimate } = psa.pricing;

  await test.step("the table shows the server's prices, with the price columns in view", async () => {
    await expect(screen.grid.getByRole("columnheader").nth(5)).toHaveText("Price");
    await expect(screen.grid.getByRole("columnheader").nth(6)).toHaveText("CardLadder Estimate");
    await expect(screen.grid.getByRole("columnheader").nth(7)).toHaveText("Market Data");
    await expect(screen.grid.getByRole("columnheader").nth(7)).toBeInViewport({ ratio: 1 });
    await expect(screen.row(2).getByRole("gridcell").nth(6)).toContainText(amount.format(cardladderEstimate ?? 0));
    const market = screen.row(2).getByRole("gridcell").nth(7);
    for (const metric of [averagePrice, medianPrice, lastSalePrice])
      await expect(market).toContainText(amount.format(metric ?? 0));
    await expect(market).toContainText(`${salesCount} sold · ${psa.pricing?.salesVelocity.thirtyDay?.toFixed(1)}/day`);
    const estimate = first.reduce((sum, row) => sum + (row.pricing?.cardladderEstimate ?? 0), 0);
    await expect(screen.total("Estimate")).toHaveText(`Estimate (all cards)${dollars.format(estimate)}`);
    await expect(screen.total("Cost")).toHaveText("Cost (all cards)$1,990.00");
    await expect(page.getByRole("button", { name: "Sources disagree 1" })).toBeVisible();
  });

  const card = page.getByRole("dialog");
  await test.step("P opens the sales of the active row; Esc returns the focus to the table", async () => {
    await screen.row(2).getByText("52007919", { exact: true }).click();
    await screen.grid.press("p");
    const { cardladder } = await adminApi.sales(psa.id);
    await card.getByText(`${cardladder.length} sales at CardLadder, newest first`).click();
    await expect(card.getByRole("row")).toHaveCount(cardladder.length + 1);
    for (const { itemName } of first) {
      await expect(card).toHaveAccessibleName(itemName ?? "");
      await page.keyboard.press("j");
    }
    await expect(card).toContainText("3 of 3");
    await expect(card.getByText("Sources disagree by 38%.")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(card).toHaveCount(0);
    await expect(screen.grid).toBeFocused();
  });

  await test.step("offers have their own column and a total", async () => {
    await page.getByRole("button", { name: "Set buy offers" }).click();
    const dialog = page.getByRole("dialog", { name: "Buy offers" });
    await dialog.getByLabel("Offer a percentage of").selectOption({ label: "CardsIQ estimate" });
    for (let left = 4; left > 1; left -= 1) await dialog.getByRole("button", { name: `Remove tier ${left}` }).click();
    await dialog.getByLabel("Tier 1: percent").fill("65");
    await dialog.getByRole("button", { name: "Save offers" }).click();
    const offers = first.map(offerOf);
    await expect(await screen.cell(2, "Buy Offer")).toHaveText(amount.format(offers[0] ?? 0));
    await expect(await screen.cell(2, "Buy Offer")).toBeInViewport({ ratio: 1 });
    const all = offers.reduce((sum, offer) => sum + offer, 0);
    await expect(page.getByText(`Offers saved: ${dollars.format(all)} for 3 cards`)).toBeVisible();
    await page.getByRole("button", { name: "Close message" }).click();
    await expect(screen.total("Offers")).toHaveText(`Offers (all cards)${dollars.format(all)}`);
  });

  await test.step("cost, offer and notes are changed in the card; what can't be saved stays in its field", async () => {
    const name = (row: ResultRow | undefined): string => row?.itemName ?? "";
    const [cost, notes] = [card.getByRole("textbox", { name: "Cost" }), card.getByLabel("Notes")];
    await screen
      .row(2)
      .getByRole("button", { name: name(psa), exact: true })
      .click();
    await expect(card).toHaveAccessibleName(name(psa));
    await expect(cost).toHaveValue("240");
    const offer = card.getByRole("textbox", { name: "Offer" });
    await expect(offer).toHaveAttribute("placeholder", offerOf(psa).toFixed(2));
    await expect(card.getByText(/^Offer: 6\d(\.\d)?% of CardsIQ estimate \$/)).toBeVisible();
    await offer.fill("-5");
    await offer.press("Enter");
    await expect(offer).toHaveAccessibleDescription(/^An offer can't be below 0\./);
    await offer.fill("$150.5");
    await offer.press("Enter");
    await expect(offer).toHaveValue("150.50");
    await expect(
      card.getByText(`Offer: Entered by hand. The rule offers ${dollars.format(offerOf(psa))}`),
    ).toBeVisible();
    await expect(await screen.cell(2, "Buy Offer")).toHaveText("150.50");
    const offered = first.slice(1).reduce((sum, row) => sum + offerOf(row), 150.5);
    await expect(screen.total("Offers")).toHaveText(`Offers (all cards)${dollars.format(offered)}`);
    await cost.fill("two");
    await cost.press("Enter");
    await expect(cost).toHaveAccessibleDescription(/^"two" is not an amount\. Type the cost in dollars/);
    await cost.press("Escape");
    await expect(cost).toHaveValue("240");
    await cost.fill("$1,100");
    await cost.press("Enter");
    await expect(card.getByText("Saved", { exact: true })).toBeVisible();
    await expect(card.getByText("$1,210.00")).toBeVisible();
    await expect(await screen.cell(2, "Price")).toHaveText("1,100.00");
    await expect(screen.total("Cost")).toHaveText("Cost (all cards)$2,850.00");

    browserErrors.expect(/503 \(Service Unavailable\)/);
    await page.route(/\/rows$/, (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
    await notes.fill("Show case 2");
    await notes.press("Enter");
    await expect(notes).toHaveAccessibleDescription(/^Not saved: .* Press Enter to try again$/);
    await expect(notes).toHaveValue("Show case 2");
    await notes.press("Enter");
    await expect(card.getByText("Saved", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Close message" }).click();
    // Leaving the field for the next card saves it, too.
    await notes.fill("Show case 3");
    await card.getByRole("button", { name: "Next card" }).click();
    await expect(card).toHaveAccessibleName(name(first[1]));
    await expect(notes).toHaveValue("");
    await expect
      .poll(async () => (await adminApi.results(sessionId))[0])
      .toMatchObject({ price: 1100, priceText: "$1,100", sheetNotes: "Show case 3" });
    await card.getByRole("button", { name: "Previous card" }).click();
    await expect(notes).toHaveValue("Show case 3");
    await cost.fill("240");
    await card.getByRole("button", { name: "Next card" }).click();
    await card.getByRole("button", { name: "Close the card" }).click();
    await expect(screen.grid).toBeFocused();
    await expect(screen.row(3)).toHaveAttribute("data-active");
    await expect(screen.total("Cost")).toHaveText("Cost (all cards)$1,990.00");
  });

  const { estimatedValue } = psa.cardsiq;
  await test.step("a day later Reprice shows the old and the new prices and calls no grader", async () => {
    const before = graderCalls(upstream);
    await agePrices(product, CERTS);
    upstream.behavior.marketFactor = 1.25;
    await page.getByRole("button", { name: "Reprice" }).click();
    await expect(page.getByText("Getting 6 prices (no lookups used)")).toBeVisible();
    const cell = await screen.cell(2, "CardsIQ Estimate");
    await expect(cell).toContainText(amount.format((estimatedValue ?? 0) * 1.25));
    await expect(cell).toContainText(`up 25%, was ${dollars.format(estimatedValue ?? 0)} on`);
    await expect(page.getByRole("button", { name: "Reprice" })).toHaveAttribute("aria-disabled", "false");
    await screen
      .row(2)
      .getByRole("button", { name: /Prices of/ })
      .first()
      .click();
    await expect(
      card.getByText(`was ${dollars.format(estimatedValue ?? 0)} on`, { exact: false }).last(),
    ).toBeVisible();
    await expect(card).toContainText(dollars.format((medianPrice ?? 0) * 1.25));
    await page.keyboard.press("Escape");
    expect(graderCalls(upstream)).toBe(before);
    for (const cert of CERTS) {
      expect(upstream.calls.count({ endpoint: "cardsiq", cert })).toBe(2);
      expect(upstream.calls.count({ endpoint: "cardladder", cert })).toBeGreaterThan(3);
    }
  });

  const rows = await adminApi.results(sessionId);
  await test.step("the results file has every price metric", async () => {
    const [header, ...lines] = readCsv(await download(page, () => screen.downloadButton.click()));
    expect(header).toEqual(RESULTS_HEADER);
    expect(lines.map((line) => line.slice(20))).toEqual(rows.map(priceCells));
    expect(rows.flatMap(priceCells)).not.toContain("null");
  });

  await test.step("the session file has no CardsIQ prices; the workbook and the user's own file also have offers and first prices", async () => {
    const [header, ...lines] = readCsv(await adminApi.download(sessionId, "session-csv"));
    expect(header).toEqual(RESULTS_HEADER.slice(0, 29));
    expect(lines.map((line) => line.slice(20))).toEqual(rows.map((row) => priceCells(row).slice(0, 9)));
    for (const table of [
      readWorkbook(
        await download(page, async () => {
          await page.getByRole("button", { name: "More formats" }).click();
          await page
            .getByRole("menuitem", { name: /^Excel/ })
            .first()
            .click();
        }),
      ),
      readCsv(await adminApi.download(sessionId, "original")),
    ]) {
      const numbers = (name: string): number[] => columnOf(table, name).map((cell) => Number(plain(cell)));
      expect(numbers("Buy Offer")).toEqual(rows.map(offerOf));
      expect(numbers("CardsIQ Estimate Then")).toEqual(first.map((row) => row.cardsiq?.estimatedValue));
      expect(numbers("CardLadder Estimate Then")).toEqual(first.map((row) => row.pricing?.cardladderEstimate));
      for (const [index, name] of PRICE_COLUMNS.entries())
        expect(columnOf(table, name).map(plain)).toEqual(rows.map((row) => plain(priceCells(row)[index])));
    }
  });

  await longStep("a shop's listings ask for their price, warn below market, and remember the answer", async () => {
    const dialog = page.getByRole("dialog", { name: "Listings for Shopify" });
    const open = async (): Promise<void> => {
      await page.getByRole("button", { name: "More formats" }).click();
      await page.getByRole("menuitem", { name: /^Shopify/ }).click();
    };
    const pricesIn = (file: string[][]): string[] => columnOf(file, "Price").flatMap((cell) => cell || []);
    const save = async (): Promise<string[][]> =>
      readCsv(await download(page, () => dialog.getByRole("button", { name: "Download" }).click()));
    await open();
    await expect(dialog.getByRole("radio", { name: "Customer Price" })).toBeChecked();
    const listed = rows.map((row) => ({
      price: Number(row.customerPrice),
      market: row.pricing?.cardladderEstimate ?? 0,
    }));
    const below = listed.filter(({ price, market }) => price < market);
    expect(below).not.toEqual([]);
    const warning = dialog.getByRole("region", { name: "Below market" });
    await expect(warning.getByRole("row")).toHaveCount(below.length + 1);
    for (const { price, market } of below)
      await expect(warning).toContainText(`${dollars.format(price)}${dollars.format(market)}`);
    const file = await save();
    expect(pricesIn(file)).toEqual(rows.map(({ customerPrice }) => customerPrice));
    expect(columnOf(file, "Cost per item").flatMap((cell) => cell || [])).toEqual(
      rows.map(({ price }) => price?.toFixed(2)),
    );

    await open();
    await dialog.getByRole("radio", { name: "Estimate" }).check();
    await expect(warning).toHaveCount(0);
    await dialog.getByLabel("Percent").fill("0");
    await expect(dialog.getByRole("alert")).toHaveText("Type a percentage from 1 to 1000");
    await dialog.getByLabel("Percent").fill("120");
    expect(pricesIn(await save()).map(Number)).toEqual(
      rows.map(({ pricing }) => Math.round((pricing?.cardladderEstimate ?? 0) * 120) / 100),
    );
    await page.reload();
    await open();
    await expect(dialog.getByRole("radio", { name: "Estimate" })).toBeChecked();
    await expect(dialog.getByLabel("Percent")).toHaveValue("× 120%");
    await page.keyboard.press("Escape");
  });

  await test.step("Get Price fetches the price of one row", async () => {
    browserErrors.expect(/status of (?:404|50\d)/);
    await screen.pricingChoice.uncheck();
    // The page contains only the columns in view, so use a window that shows them all.
    await page.setViewportSize({ width: 3200, height: 900 });
    await screen.process(
      sheetFile("later.csv", [
        ["99999960", "PSA", "", ""],
        ["X9999965", "TAG", "", ""],
        ["99999969", "PSA", "5", ""],
      ]),
    );
    await expect(screen.sessionCard).toContainText("later.csv");
    await expect(screen.sessionCard).toContainText("completed");
    const getPrice = (line: number) => screen.row(line).getByRole("button", { name: /^(?:Get Price|Loading\.\.\.)/ });

    await test.step("the button shows that it is loading, then only this row has its price", async () => {
      expect(upstream.calls.count({ endpoint: "cardsiq", cert: "99999969" })).toBe(0);
      upstream.priceGate.hold();
      await getPrice(4).click();
      await expect(getPrice(4)).toContainText("Loading...");
      upstream.priceGate.open();
      await expect(screen.row(4)).toContainText("Sources disagree by 38%");
      await expect(getPrice(4)).toHaveCount(0);
      await expect(getPrice(2)).toContainText("Get Price");
      const rows = await adminApi.results(await screen.sessionId());
      expect(rows.map((row) => row.pricing !== null)).toEqual([false, false, true]);
      const pricing = rows[2]?.pricing;
      await expect(await screen.cell(4, "Market Data")).toContainText(amount.format(pricing?.averagePrice ?? 0));
      // The columns do not move, because the user has just pressed a button in the table.
      await expect(screen.grid.getByRole("columnheader").nth(5)).toHaveText("Year");
    });

    await test.step("a card without a price says so", async () => {
      await getPrice(2).click();
      await expect(
        page.getByRole("alert").filter({ hasText: "No CardLadder pricing data found for this card" }),
      ).toBeVisible();
      await expect(screen.row(2)).toContainText("No price");
      await expect(getPrice(2)).toContainText("Get Price");
    });

    await test.step("a failed request says so", async () => {
      await getPrice(3).click();
      await expect(page.getByRole("alert").filter({ hasText: "Failed to fetch pricing: " })).toBeVisible();
      await expect(screen.row(3)).toContainText("No price");
    });

    await longStep("the card's row is removed after a question, and the next card is shown", async () => {
      // The messages stand where the card's buttons are.
      for (const text of ["No CardLadder pricing data found", "Failed to fetch pricing: "]) {
        const message = page.getByRole("alert").filter({ hasText: text });
        await message.getByRole("button", { name: "Close message" }).click();
        await expect(message).toHaveCount(0);
      }
      await screen.row(2).locator("[data-opens-card]").click();
      const [removed, next] = await adminApi.results(await screen.sessionId());
      await expect(card).toContainText(removed?.certNumber ?? "");
      await card.getByRole("button", { name: "Remove row" }).click();
      const question = page.getByRole("dialog", { name: "Remove line 2 from this session?" });
      await question.getByRole("button", { name: "Remove row" }).click();
      await expect(question).toBeHidden();
      await expect(card).toContainText(next?.certNumber ?? "");
      await expect(card).toContainText("1 of 2");
      await expect(screen.row(2)).toHaveCount(0);
      await page.keyboard.press("Escape");
      await expect(card).toBeHidden();
    });
  });
});
