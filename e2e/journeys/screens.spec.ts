import { sheetFile } from "../golden/made-up-sheets.ts";
import { expect, test } from "../journey.ts";
import { ScreenCheck, CHECKED_WINDOWS } from "../screens/screen-check.ts";
import { SCREENS } from "../screens/names.ts";
import { scanBy } from "../product/usb-scanner.ts";
import { letEachLaneAsk } from "./lanes.ts";
import { Screen } from "./screen.ts";

/*
 * Each screen must pass axe, fit the window's width, and match its stored accessibility tree. The short form checks
 * light on a desktop; the long form adds dark, a phone and 200% zoom. `npm run screens` uses the same walks to take the
 * screenshots in docs/screens/ and to store the trees.
 */

/**
 * A stack of slabs from a show: three companies, a number with an apostrophe on two rows, and a failure of each kind.
 */
const BOX = [
  ["98174651", "PSA", "120", ""],
  ["1401019289294", "CGC", "15", ""],
  ["C1240631", "TAG", "22", ""],
  ["'1020688", "PSA", "25", ""],
  ["X9999992", "TAG", "14", ""],
  ["6034330274", "CGC", "64", ""],
  ["'1020688", "PSA", "25", "Second label"],
  ["X9999995", "TAG", "22", ""],
  ["1.45531E+08", "PSA", "30", ""],
  ["X9999990", "TAG", "12", "Typed by hand"],
];

/** Two columns may hold the certificates, and no name decides. */
const UNNAMED_COLUMNS = {
  name: "consignment.csv",
  mimeType: "text/csv",
  buffer: Buffer.from("Left,Right,Asked\n61830942,75738340,12\n61830943,98174651,13"),
};

const RESULTS = '[aria-label="Results"]';
/** Axe checks all rows of the results. On the other screens it checks four, which include every state of a run. */
const ROWS_AFTER_FOURTH = "tbody tr ~ tr ~ tr ~ tr ~ tr";

for (const window of CHECKED_WINDOWS) {
  test.describe(window.name, () => {
    test.use({ viewport: window.viewport });

    test("every screen from the login screen to the scan station", async ({ page, adminApi, upstream }) => {
      const screen = new Screen(page);
      const check = new ScreenCheck(page, window);

      await page.goto("/");
      await expect(screen.email).toBeVisible();
      await check.at("login");

      await screen.signIn(await adminApi.addUser({ fullName: "Ana Ruiz", role: "admin" }));
      await expect(
        page.getByText("No saved results yet. Complete a processing session to see results here."),
      ).toBeVisible();
      await check.at("scanner-empty");

      upstream.behavior.psaDailyQuota = 500;
      await screen.chooseFile(sheetFile("dallas-show.csv", BOX));
      await expect(page.getByText(/^Selected: dallas-show\.csv/)).toBeVisible();
      await expect(screen.plan).toHaveAttribute("aria-busy", "false");
      await expect(screen.planNumber("to fix")).toHaveText("1");
      await check.at("scanner-sheet");

      await page.getByRole("checkbox", { name: /Reuse cards already looked up/ }).uncheck();
      await screen.source("API only").check();
      upstream.gate.hold();
      await screen.processButton.click();
      await letEachLaneAsk(upstream, 1);
      // A server that has just started uses CGC's call to log in.
      await expect(screen.sessionCard).toContainText(/[12] done/);
      await check.at("scanner", { exclude: ROWS_AFTER_FOURTH });

      upstream.behavior.fail("psa-api", "quota");
      upstream.gate.open();
      await expect(screen.waits).toContainText("2 cards resume");
      await expect(screen.sessionCard).toContainText("Everything else is done");
      await expect(page.getByText("Rate limit hit!")).toBeVisible();
      await screen.sessionCard.scrollIntoViewIfNeeded();
      await check.at("scanner-waits", { exclude: ROWS_AFTER_FOURTH });

      await screen.chooseFile(sheetFile("dallas-show.csv", BOX));
      await expect(screen.plan).toContainText("PSA cards wait until");
      await screen.plan.scrollIntoViewIfNeeded();
      await check.at("scanner-plan", { include: '[aria-label="Plan"]' });
      await page.getByRole("button", { name: "Remove this sheet" }).click();

      await screen.action("Fix 1 row").click();
      await expect(screen.certNumberField).toBeFocused();
      await check.at("number-editor");
      await page.keyboard.press("Escape");

      upstream.behavior.heal();
      await screen.action("Look up with web scraping").click();
      await expect(screen.sessionCard).toContainText("completed");
      await page.getByRole("button", { name: /^All/ }).click();
      await check.at("results");

      await page.getByRole("button", { name: "More formats" }).click();
      await expect(page.getByRole("menuitem", { name: /^eBay/ })).toBeVisible();
      await check.at("export-menu", { include: '[role="menu"]' });
      await page.keyboard.press("Escape");

      await page
        .getByRole("button", { name: /^Images of/ })
        .first()
        .click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await check.at("card-photos");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();

      await page.getByRole("button", { name: "Get prices" }).click();
      // The first window fetches the prices; the others find them in the cache.
      await expect(page.getByText(/no lookups used|prices are less than 24 hours old/)).toBeVisible();
      await page.getByRole("button", { name: "Close message" }).click();
      await expect(page.getByRole("button", { name: "Reprice" })).toHaveAttribute("aria-disabled", "false");
      const totals = page.getByRole("region", { name: "Totals" });
      await totals.scrollIntoViewIfNeeded();
      await check.at("priced", { include: RESULTS, exclude: ROWS_AFTER_FOURTH });

      await page
        .getByRole("button", { name: /Prices of/ })
        .first()
        .click();
      await expect(page.getByRole("dialog").getByText(/^\d+ sales? at CardLadder/)).toBeVisible();
      await check.at("card-market", { exclude: ROWS_AFTER_FOURTH });
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();

      await page.getByRole("button", { name: /^Needs review/ }).click();
      await expect(page.getByRole("region", { name: "Needs review" })).toContainText("left");
      await check.at("review", { include: RESULTS, exclude: ROWS_AFTER_FOURTH });
      await page.getByRole("button", { name: /^All/ }).click();
      await page
        .getByRole("button", { name: /^Images of/ })
        .first()
        .click();
      await page.getByRole("dialog").press("w");
      await expect(page.getByRole("dialog").getByRole("region", { name: /^Line \d+ as uploaded/ })).toBeVisible();
      await check.at("card-history");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();

      await page.getByRole("button", { name: "Set buy offers" }).click();
      await expect(page.getByRole("dialog", { name: "Buy offers" })).toContainText("All offers");
      await check.at("offers-dialog");
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();

      await page.getByRole("button", { name: "DEBUG BACKEND" }).click();
      await expect(page.getByRole("dialog")).toContainText("online");
      await check.at("debug");
      await page.keyboard.press("Escape");

      await screen.tab("Dashboard").click();
      await expect(page.getByRole("heading", { name: "Your Scan History" })).toBeVisible();
      const entry = page.getByRole("listitem").filter({ hasText: "dallas-show.csv" });
      await expect(entry).toBeVisible();
      await page.getByRole("combobox", { name: "Search all scans" }).fill("po");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("listbox", { name: "Search results" })).toBeVisible();
      await page.keyboard.press("ArrowDown");
      await check.at("dashboard-search");
      await page.keyboard.press("Escape");
      await entry.getByRole("button").click();
      await expect(page.getByRole("region", { name: "Session results" })).toContainText("98174651");
      await check.at("dashboard", { exclude: ROWS_AFTER_FOURTH });

      await page.getByRole("tab", { name: "Admin" }).click();
      await expect(page.getByRole("region", { name: "Totals" })).toHaveAttribute("aria-busy", "false");
      await expect(page.getByRole("region", { name: "Scans per day" })).toContainText("in 90 days");
      await expect(page.getByRole("region", { name: "Newest sessions" })).toContainText("dallas-show.csv");
      await check.at("admin-overview");
      await page.getByRole("tab", { name: "Users" }).click();
      await expect(page.getByRole("table", { name: "Users" })).toContainText("Ana Ruiz");
      await check.at("admin-users");
      await page.getByRole("button", { name: "Add User" }).click();
      await expect(page.getByLabel("Password", { exact: true })).not.toHaveValue("");
      await page.getByRole("button", { name: "Create" }).click();
      await check.at("admin-add-user");
      await page.keyboard.press("Escape");
      await page.getByRole("tab", { name: "Sessions" }).click();
      await expect(page.getByRole("region", { name: "Sessions" })).toContainText("dallas-show.csv");
      await check.at("admin-sessions");
      await page.getByRole("tab", { name: "Activity" }).click();
      await expect(page.getByRole("region", { name: "Activity" })).toContainText("dallas-show.csv");
      await check.at("admin-activity");
      await page.getByRole("tab", { name: "Sources" }).click();
      await expect(page.getByRole("region", { name: "CardLadder" })).toContainText("You need");
      await check.at("admin-sources");
      await page.getByRole("button", { name: /^Account/ }).click();
      await expect(page.getByRole("dialog", { name: "Account" }).getByRole("listitem")).not.toHaveCount(0);
      await check.at("account");
      await page.keyboard.press("Escape");

      await adminApi.resetQuota();
      await screen.tab("Scanner").click();
      await screen.chooseFile(UNNAMED_COLUMNS);
      await expect(page.getByRole("dialog", { name: /^Which column/ })).toBeVisible();
      await check.at("columns-dialog");
      await page.keyboard.press("Escape");

      await page.getByRole("button", { name: "Scan slabs instead" }).click();
      for (const code of ["01005453", "https://my.taggrading.com/card/H9812622", "01005453"]) await scanBy(page, code);
      await expect(page.getByText("Already scanned as no. 1")).toBeVisible();
      await expect(screen.sessionCard).toContainText("2 done");
      // The previous session's filter must not apply to the scans.
      await expect(page.getByText("No matching rows")).toHaveCount(0);
      await check.at("scan-station");
      expect(check.seen).toEqual(SCREENS);

      // Waits for the images that the quota delayed. Otherwise, the server could fetch them during the next walk.
      const images = { path: "/psa-api/publicapi/cert/GetImages", cert: "98174651" };
      await expect.poll(() => upstream.calls.list(images).at(-1)?.fault, { timeout: 120_000 }).toBeNull();
    });
  });
}
