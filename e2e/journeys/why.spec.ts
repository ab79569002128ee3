import { sheetFile } from "../golden/made-up-sheets.ts";
import { expect, test } from "../journey.ts";
import { Screen } from "./screen.ts";

test("why a row is what it is: its line, its attempts, its prices, and all of it for support", async ({
  signedIn: page,
  context,
  product,
  office,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: product.origin });
  const screen = new Screen(page);
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
  const rows = await office.results(await screen.sessionId());
  const drawer = page.getByRole("dialog");
  const section = (name: string) => drawer.getByRole("region", { name });
  const attempts = section("Attempts").getByRole("listitem");

  await test.step("by mouse: the API failed, then the page answered", async () => {
    await screen.row(2).getByText("X9999980", { exact: true }).click();
    await page.getByRole("button", { name: "Why? X9999980" }).click();
    await expect(drawer).toHaveAccessibleName("X9999980");
    await expect(drawer.getByText("Found at TAG.")).toBeVisible();
    await expect(section("Line 2 as uploaded")).toContainText("GradingCompany·tag");
    await expect(section("Line 2 as uploaded")).toContainText("Box 3··");
    await expect(attempts).toHaveCount(2);
    await expect(attempts.nth(0)).toContainText(/^TAG's APIUnavailable.*took \d/);
    await expect(attempts.nth(1)).toContainText(/^TAG's pageFound.*took \d/);
    await expect(section("Prices then").getByRole("listitem")).toHaveCount(2);
    await expect(section("Prices then")).toContainText("CardLadder");
    await drawer.getByRole("button", { name: "Copy for support" }).click();
    await expect(page.getByText("Copied for support")).toBeVisible();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toContain("Slabdesk: why line 2 is what it is\nTAG X9999980 · ");
    expect(text).toMatch(/\n {2}1\. \d{4}-\d\d-\d\d [\d:]{8} UTC · TAG's API · \d+ ms · Unavailable\n/);
    expect(text).toMatch(/\n {2}2\. .* · TAG's page · .* · Found\n/);
    expect(text).toContain(`Row ${rows[0]?.id} · completed · found`);
  });

  await test.step("by keyboard: to the next row and back, the incomplete one, copied with C, out with Esc", async () => {
    await page.keyboard.press("ArrowDown");
    await expect(drawer).toHaveAccessibleName("Error: X9999990");
    await expect(drawer.getByText(/^Not found at TAG\./)).toBeVisible();
    await expect(attempts.last()).toContainText("Not found");
    await page.keyboard.press("ArrowUp");
    await expect(attempts).toHaveCount(2);
    await page.keyboard.press("Escape");
    await expect(drawer).toHaveCount(0);

    await screen.grid.focus();
    await page.keyboard.press("End");
    await page.keyboard.press("w");
    await expect(drawer.getByText(/^Row incomplete\. Missing CertNumber or GradingCompany/)).toBeVisible();
    await expect(section("Attempts")).toContainText("None: nobody was asked.");
    await page.keyboard.press("c");
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain("why line 4 is what it is");
    await page.keyboard.press("Escape");
    await expect(screen.grid).toBeFocused();
  });

  await test.step("from the pictures, in place of them", async () => {
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await expect(drawer.getByRole("img", { name: /^Front of/ })).toBeVisible();
    await page.keyboard.press("w");
    await expect(attempts).toHaveCount(2);
    await page.keyboard.press("Escape");
    await expect(drawer).toHaveCount(0);
    await expect(screen.grid).toBeFocused();
  });
});
