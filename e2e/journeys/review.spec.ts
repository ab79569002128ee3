import type { Locator } from "@playwright/test";
import { sheetFile } from "../golden/made-up-sheets.ts";
import { expect, longStep, test } from "../journey.ts";
import { Screen } from "./screen.ts";

/** One card without issues, and one of each kind that needs review. */
const BOX = [
  ["98174651", "PSA", "40", ""],
  ["99999990", "PSA", "12", ""],
  ["9999999972", "CGC", "14", ""],
  ["99999975", "PSA", "20", ""],
  ["C1240631", "TAG", "cheap", ""],
  ["01020688", "PSA", "1250", ""],
  ["X9999990", "TAG", "12", ""],
  ["X9999972", "TAG", "14", ""],
];

class ReviewScreen extends Screen {
  get chip(): Locator {
    return this.page.getByRole("button", { name: /^Needs review/ });
  }

  get head(): Locator {
    return this.page.getByRole("region", { name: "Needs review" });
  }

  /** The lines still listed, from the top. */
  lines(): Promise<number[]> {
    return this.grid
      .locator("tbody tr")
      .evaluateAll((rows) => rows.map((row) => Number(row.dataset["line"])).toSorted((one, other) => one - other));
  }

  linesInOrder(): Promise<number[]> {
    return this.grid
      .locator("tbody tr")
      .evaluateAll((rows) =>
        rows
          .toSorted((one, other) => Number(one.ariaRowIndex) - Number(other.ariaRowIndex))
          .map((row) => Number(row.dataset["line"])),
      );
  }

  async left(lines: readonly number[]): Promise<void> {
    await expect(this.head.getByRole("heading")).toHaveText(`Needs review${lines.length} left`);
    await expect(this.chip).toHaveText(`Needs review ${lines.length}`);
    await expect.poll(() => this.lines()).toEqual(lines);
  }

  async isActive(line: number): Promise<void> {
    await expect(this.row(line)).toHaveAttribute("data-active");
  }

  button(line: number, name: string | RegExp): Locator {
    return this.row(line).getByRole("button", { name });
  }

  get end(): Locator {
    return this.page.getByText("Nothing to review", { exact: true }).and(this.page.locator("p"));
  }
}

test("provenance and review of rows, by mouse and by keyboard", async ({
  signedIn: page,
  context,
  product,
  adminApi,
  browserErrors,
}) => {
  // The graders do not answer the first call for an image of 9999999972 and X9999972.
  browserErrors.expect(/502 .*\/image\//);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: product.origin });
  const screen = new ReviewScreen(page);
  await screen.chooseFile(
    sheetFile("box.csv", [
      ["X9999980", " tag", "22", "Box 3  "],
      ["X9999990", "TAG", "12", ""],
      ["", "PSA", "5", ""],
    ]),
  );
  await screen.pricingChoice.check();
  await screen.processButton.click();
  await expect(screen.sessionCard).toContainText("completed");
  const rows = await adminApi.results(await screen.sessionId());
  const card = page.getByRole("dialog");
  const section = (name: string) => card.getByRole("region", { name, exact: true });
  const attempts = section("History").getByRole("listitem");

  await test.step("by mouse: the API failed, then the page answered", async () => {
    await screen.row(2).getByTitle("X9999980", { exact: true }).click();
    await page.getByRole("button", { name: "History X9999980" }).click();
    await expect(card).toHaveAccessibleName("X9999980");
    await expect(card.getByText("TAG's website", { exact: true }).first()).toBeVisible();
    await expect(section("Line 2 as uploaded")).toContainText("GradingCompany·tag");
    await expect(section("Line 2 as uploaded")).toContainText("Box 3··");
    await expect(attempts).toHaveCount(2);
    await expect(attempts.nth(0)).toContainText(/^TAG's APIUnavailable.*took \d/);
    await expect(attempts.nth(1)).toContainText(/^TAG's websiteFound.*took \d/);
    await expect(section("Price history").getByRole("listitem")).toHaveCount(2);
    await expect(section("Price history")).toContainText("CardLadder");
    await card.getByRole("button", { name: "Copy for support" }).click();
    await expect(page.getByText("Copied for support")).toBeVisible();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toContain("Slabdesk: history of line 2\nTAG X9999980 · ");
    expect(text).toMatch(/\n {2}1\. \d{4}-\d\d-\d\d [\d:]{8} UTC · TAG's API · \d+ ms · Unavailable\n/);
    expect(text).toMatch(/\n {2}2\. .* · TAG's website · .* · Found\n/);
    expect(text).toContain(`Row ${rows[0]?.id} · completed · found`);
  });

  await test.step("by keyboard: go to the next row and back, copy the incomplete one, leave with Esc", async () => {
    await page.keyboard.press("ArrowDown");
    await expect(card).toHaveAccessibleName("Error: X9999990");
    await expect(card.getByText(/^Not found at TAG\./)).toBeVisible();
    await expect(attempts.last()).toContainText("Not found");
    await page.keyboard.press("ArrowUp");
    await expect(attempts).toHaveCount(2);
    await page.keyboard.press("Escape");
    await expect(card).toHaveCount(0);

    await screen.grid.focus();
    await page.keyboard.press("End");
    await page.keyboard.press("w");
    await expect(card.getByText(/^No cert number\. Missing CertNumber or GradingCompany/)).toBeVisible();
    await expect(section("History")).toContainText("None. No lookup was made.");
    await card.getByRole("button", { name: "Copy for support" }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain("history of line 4");
    await page.keyboard.press("Escape");
    await expect(screen.grid).toBeFocused();
  });

  await longStep("W in the card shows the history", async () => {
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await expect(card.getByRole("img", { name: /^Front of/ })).toBeInViewport();
    await page.keyboard.press("w");
    await expect(attempts).toHaveCount(2);
    await expect(attempts.first()).toBeInViewport();
    await page.keyboard.press("Escape");
    await expect(card).toHaveCount(0);
    await expect(screen.grid).toBeFocused();
  });

  await screen.chooseFile(sheetFile("review.csv", BOX));
  await screen.pricingChoice.uncheck();
  await screen.processButton.click();
  await expect(screen.sessionCard).toContainText("review.csv");
  await expect(screen.sessionCard).toContainText("completed");
  await expect(screen.chip).toHaveText("Needs review 7");
  const { keyboard } = page;

  await test.step("by mouse: each row has one action, and a mark can be undone", async () => {
    await screen.chip.click();
    await screen.left([3, 4, 5, 6, 7, 8, 9]);
    await expect(screen.row(3)).toContainText("Not found");
    await expect(screen.row(7)).toContainText("Worth $1,250");
    // Failures first, then what is worth most.
    await expect.poll(() => screen.linesInOrder()).toEqual([3, 4, 8, 9, 7, 5, 6]);

    await page.getByRole("button", { name: "Mark all of a kind" }).click();
    await page.getByRole("menuitem", { name: /^Not found\s*2$/ }).click();
    await screen.left([4, 5, 6, 7, 9]);
    await page.getByText("2 rows reviewed").getByRole("button", { name: "Undo" }).click();
    await screen.left([3, 4, 5, 6, 7, 8, 9]);

    await screen
      .button(3, /^Edit number/)
      .first()
      .click();
    await screen.certNumberField.fill("15952220");
    await screen.certNumberField.press("Enter");
    await screen.left([4, 5, 6, 7, 8, 9]);

    await screen.button(4, /^Retry/).click();
    await screen.left([5, 6, 7, 8, 9]);

    await screen.button(5, /^Add photo/).click();
    await expect(page.getByRole("dialog").getByText("No back image")).toBeVisible();
    await keyboard.press("Escape");
    await screen.button(5, /^Looks right/).click();
    await screen.left([6, 7, 8, 9]);
    await page.getByText("Line 5 looks right").getByRole("button", { name: "Undo" }).click();
    await screen.left([5, 6, 7, 8, 9]);
    await screen.isActive(5);
  });

  await test.step("each person sets a high value, which is saved", async () => {
    const highValue = page.getByLabel("High value from, in dollars");
    const setHighValue = async (dollars: string): Promise<void> => {
      await highValue.fill(dollars);
      await highValue.press("Enter");
    };
    await setHighValue("");
    await screen.left([5, 6, 8, 9]);
    await setHighValue("1000");
    await screen.left([5, 6, 7, 8, 9]);
    await setHighValue("2000");
    await screen.left([5, 6, 8, 9]);
    await expect
      .poll(async () => {
        const kept: { view: string } = await (await page.request.get("/api/table-view")).json();
        const view: object = JSON.parse(kept.view);
        return view;
      })
      .toMatchObject({ highValue: 2000, doubtsFrom: 50 });
    await page.getByRole("button", { name: /^All/ }).click();
    await expect(screen.grid).toHaveAttribute("aria-rowcount", "9");
  });

  await test.step("by keyboard: review every row, then undo", async () => {
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await keyboard.press(key);
    };
    const tabTo = async (target: Locator): Promise<void> => {
      for (let step = 0; step < 40; step += 1) {
        if (await target.evaluate((element) => element === document.activeElement)) return;
        await keyboard.press("Tab");
      }
      throw new Error("The Tab key does not lead there");
    };

    await press("/");
    await tabTo(screen.chip);
    await press("Enter");
    await screen.left([5, 6, 8, 9]);
    await tabTo(screen.grid);
    await press("Home");
    await screen.isActive(8);
    await press("a");
    await expect(screen.certNumberField).toBeFocused();
    await keyboard.type("Q9937497");
    await press("Enter");
    await screen.left([5, 6, 9]);
    await expect(screen.grid).toBeFocused();
    await screen.isActive(9);

    await press("a");
    await screen.left([5, 6]);
    await expect(screen.heard("2 left")).toBeAttached();
    await screen.isActive(5);

    await press("a");
    await expect(page.getByRole("dialog").getByText("No back image")).toBeVisible();
    await press("Escape");
    await expect(screen.grid).toBeFocused();
    await press("ArrowDown");
    await screen.isActive(6);

    await press("l");
    await screen.left([5]);
    await press("u");
    await screen.left([5, 6]);
    await screen.isActive(6);
    await press("l");
    await screen.left([5]);
    await screen.isActive(5);
    await press("l");
    await expect(screen.end).toBeVisible();
    await press("u");
    await screen.left([5]);
    await screen.isActive(5);
    await tabTo(screen.grid);
    await press("l");
    await expect(screen.end).toBeVisible();
    await expect(page.getByText("All 6 rows that did are reviewed.")).toBeVisible();
    await expect(screen.chip).toHaveText("Needs review 0");
    await page.getByRole("button", { name: "Show all rows" }).click();
    await expect(screen.grid).toHaveAttribute("aria-rowcount", "9");
  });

  // The page saves one mark after the other.
  const sessionId = await screen.sessionId();
  await expect
    .poll(async () =>
      (await adminApi.results(sessionId)).map(({ outcome, reviewedAt }) => [outcome, reviewedAt !== null]),
    )
    .toEqual([false, false, false, true, true, false, false, false].map((isReviewed) => ["found", isReviewed]));
});
