import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { sheetFile } from "../golden/made-up-sheets.ts";
import { expect, test } from "../journey.ts";
import { Screen } from "./screen.ts";

/*
 * Every screen, light and dark, on a desk, a phone and at 200 % zoom: clean for axe, and never wider than the window.
 * The pictures in docs/screens/ are taken on the way when one is missing, or all of them with UPDATE_SCREENS=1.
 */

const FOLDER = fileURLToPath(new URL("../../docs/screens/", import.meta.url));
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** A dialog's half pixels can add up to one. */
const ROUNDING = 1;

const WINDOWS = [
  { name: "desk", suffix: "", viewport: { width: 1440, height: 900 } },
  { name: "phone", suffix: "-phone", viewport: { width: 390, height: 844 } },
  // 1440 by 900 at 200 %.
  { name: "zoom", suffix: null, viewport: { width: 720, height: 450 } },
] as const;
type Window = (typeof WINDOWS)[number];
const SCHEMES = ["light", "dark"] as const;
type Scheme = (typeof SCHEMES)[number];

/** A box of slabs from a show: three companies, a number that does not exist, one that lost digits, one repaired. */
const BOX = [
  ["98174651", "PSA", "120", ""],
  ["75738340", "PSA", "40", ""],
  ["1401019289294", "CGC", "15", ""],
  ["C1240631", "TAG", "22", ""],
  ["23003944", "PSA", "35", ""],
  ["4135876101", "CGC", "210", ""],
  ["Q9937497", "TAG", "55", ""],
  ["99999990", "PSA", "12", "Typed by hand"],
  ["R4092198", "TAG", "18", ""],
  ["1.45531E+08", "PSA", "30", ""],
  ["'1020688", "PSA", "25", ""],
  ["6034330274", "CGC", "64", ""],
  ["67875970", "PSA", "1250", ""],
  ["6021692042", "CGC", "20", ""],
  ["H5738313", "TAG", "19", ""],
  ["79720210", "PSA", "480", ""],
  ["D4344079", "TAG", "14", ""],
  ["01020470", "PSA", "75", ""],
];

/** What is left of the box: PSA's calls are used up, one card stands twice, and there is a failure of each kind. */
const REST = [
  ["82456192", "PSA", "95", ""],
  ["X9999992", "TAG", "14", ""],
  ["45871230", "PSA", "60", ""],
  ["L2240817", "TAG", "31", ""],
  ["45871230", "PSA", "60", "Second label"],
  ["X9999995", "TAG", "22", ""],
  ["1402038811423", "CGC", "18", ""],
  ["M3310552", "TAG", "27", ""],
  ["1.45531E+08", "PSA", "30", ""],
  ["X9999990", "TAG", "12", "Typed by hand"],
  ["61830942", "PSA", "150", ""],
  ["124063", "TAG", "19", ""],
  ["N4471208", "TAG", "40", ""],
];

/** Two columns may hold the certificates, and neither says so. */
const UNNAMED_COLUMNS = {
  name: "consignment.csv",
  mimeType: "text/csv",
  buffer: Buffer.from("Left,Right,Asked\n61830942,75738340,12\n61830943,98174651,13"),
};

/** Runs in the page: whether every picture in view has come. */
function hasPicturesInView(): boolean {
  return Array.from(document.images).every((image) => {
    const { top, bottom } = image.getBoundingClientRect();
    return bottom <= 0 || top >= innerHeight || (image.complete && image.naturalWidth > 0);
  });
}

/**
 * Axe is large: it comes into a page once, tells what it finds wrong and nothing else, and needs no second page. A
 * screen that was looked at in light differs from itself in dark by its colors alone.
 */
async function axeIn(page: Page, scheme: Scheme): Promise<AxeBuilder> {
  const isThere = await page.evaluate(() => "axe" in globalThis);
  const rules = { light: { type: "tag", values: WCAG }, dark: { type: "rule", values: ["color-contrast"] } } as const;
  return new AxeBuilder(isThere ? { page, axeSource: "void 0" } : { page })
    .setLegacyMode()
    .options({ runOnly: { ...rules[scheme], values: [...rules[scheme].values] }, resultTypes: ["violations"] });
}

async function check(page: Page, name: string, window: Window, scheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", scheme);
  await expect.poll(() => page.evaluate(hasPicturesInView), `pictures of ${name}`).toBe(true);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${name} is wider than the window`).toBeLessThanOrEqual(ROUNDING);
  if (window.name === "zoom" && scheme === "dark") return;
  const axe = await axeIn(page, scheme);
  // What lies under a dialog's scrim cannot be reached while it is open.
  if (await page.getByRole("dialog").isVisible()) axe.include('[role="dialog"]');
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
  expect(found, `axe on ${name}`).toEqual([]);
  if (window.suffix === null) return;
  const file = `${FOLDER}${name}${window.suffix}-${scheme}.png`;
  if (existsSync(file) && process.env["UPDATE_SCREENS"] !== "1") return;
  await mkdir(FOLDER, { recursive: true });
  await page.screenshot({ path: file });
}

test.use({ hasDrawnPictures: true });

// Axe takes its time, and there are many screens.
test.describe.configure({ timeout: 120_000 });

for (const window of WINDOWS) {
  test(`every screen is accessible: ${window.name}`, async ({ page, office, upstream }) => {
    await page.setViewportSize(window.viewport);
    const screen = new Screen(page);
    const look = async (name: string): Promise<void> => {
      for (const scheme of SCHEMES) await check(page, name, window, scheme);
    };

    await page.goto("/");
    await expect(screen.email).toBeVisible();
    await look("login");

    await screen.signIn(await office.hire({ fullName: "Ana Ruiz", role: "admin" }));
    await expect(
      page.getByText("No saved results yet. Complete a processing session to see results here."),
    ).toBeVisible();
    await look("scanner-empty");

    await screen.chooseFile(sheetFile("dallas-show.csv", BOX));
    await expect(page.getByText(/^Selected: dallas-show\.csv/)).toBeVisible();
    await expect(screen.plan).toHaveAttribute("aria-busy", "false");
    await expect(screen.planLine("Damaged")).toBeVisible();
    await look("scanner-sheet");

    await page.getByRole("checkbox", { name: /Reuse cards already looked up/ }).uncheck();
    upstream.gate.hold();
    await screen.processButton.click();
    upstream.gate.letThrough(14);
    await expect.poll(() => upstream.gate.waitingCount).toBeGreaterThan(0);
    await expect(screen.sessionCard).toContainText(/\d+ done/);
    await look("scanner");

    upstream.gate.open();
    await expect(screen.sessionCard).toContainText("completed");
    await look("results");

    await page
      .getByRole("button", { name: /^Images of/ })
      .first()
      .click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await look("image-dialog");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();

    await page.getByRole("button", { name: "Get prices" }).click();
    // The first window fetches them, the others find them fetched.
    await expect(page.getByText(/no grader is called|prices are from the last 24 hours/)).toBeVisible();
    await page.getByRole("button", { name: "Close message" }).click();
    await expect(page.getByRole("button", { name: "Reprice" })).toHaveAttribute("aria-disabled", "false");
    const totals = page.getByRole("region", { name: "Totals" });
    await totals.scrollIntoViewIfNeeded();
    await look("priced");

    await page
      .getByRole("button", { name: /Prices of/ })
      .first()
      .click();
    await expect(page.getByRole("dialog").getByText(/^\d+ sales? at CardLadder/)).toBeVisible();
    await look("price-drawer");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();

    await page.getByRole("button", { name: /^Needs a look/ }).click();
    await expect(page.getByRole("region", { name: "Needs a look" })).toContainText("left");
    await look("needs-a-look");
    await page.getByRole("button", { name: /^All/ }).click();
    await page
      .getByRole("button", { name: /^Why\?/ })
      .first()
      .click();
    await expect(page.getByRole("dialog").getByRole("region", { name: "Attempts" })).toBeVisible();
    await look("why-drawer");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();

    await page.getByRole("button", { name: "Set buy offers" }).click();
    await expect(page.getByRole("dialog", { name: "Buy offers" })).toContainText("All offers");
    await look("offers-dialog");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();

    await page.getByRole("button", { name: "DEBUG BACKEND" }).click();
    await expect(page.getByRole("dialog")).toContainText("online");
    await look("debug");
    await page.keyboard.press("Escape");

    await screen.tab("Dashboard").click();
    await expect(page.getByRole("heading", { name: "Your Scan History" })).toBeVisible();
    const entry = page.getByRole("listitem").filter({ hasText: "dallas-show.csv" });
    await expect(entry).toBeVisible();
    await page.getByRole("combobox", { name: "Search all scans" }).fill("po");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("listbox", { name: "Search results" })).toBeVisible();
    await page.keyboard.press("ArrowDown");
    await look("dashboard-search");
    await page.keyboard.press("Escape");
    await entry.getByRole("button").click();
    await expect(page.getByRole("region", { name: "Session results" })).toContainText("98174651");
    await look("dashboard");

    await page.getByRole("tab", { name: "Admin" }).click();
    await expect(page.getByRole("region", { name: "Figures" })).toHaveAttribute("aria-busy", "false");
    await expect(page.getByRole("region", { name: "Scans per day" })).toContainText("in 90 days");
    await expect(page.getByRole("region", { name: "Newest sessions" })).toContainText("dallas-show.csv");
    await look("admin-overview");
    await page.getByRole("tab", { name: "Users" }).click();
    await expect(page.getByRole("table", { name: "Users" })).toContainText("Ana Ruiz");
    await look("admin-users");
    await page.getByRole("button", { name: "Add User" }).click();
    await expect(page.getByLabel("Password", { exact: true })).not.toHaveValue("");
    await page.getByRole("button", { name: "Create" }).click();
    await look("admin-add-user");
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Sessions" }).click();
    await expect(page.getByRole("region", { name: "Sessions" })).toContainText("dallas-show.csv");
    await look("admin-sessions");
    await page.getByRole("tab", { name: "Activity" }).click();
    await expect(page.getByRole("region", { name: "Activity" })).toContainText("dallas-show.csv");
    await look("admin-activity");
    await page.getByRole("tab", { name: "Sources" }).click();
    await expect(page.getByRole("region", { name: "CardLadder" })).toContainText("You need");
    await look("admin-sources");
    await page.getByRole("button", { name: /^Account/ }).click();
    await expect(page.getByRole("dialog", { name: "Account" }).getByRole("listitem")).not.toHaveCount(0);
    await look("account");
    await page.keyboard.press("Escape");

    await screen.tab("Scanner").click();
    upstream.behavior.psaDailyQuota = 500;
    upstream.behavior.fail("psa-api", "quota");
    await screen.chooseFile(sheetFile("dallas-show, rest.csv", REST));
    await screen.source("API only").check();
    await screen.processButton.click();
    await expect(screen.waits).toContainText("4 cards wait until");
    await expect(screen.sessionCard).toContainText("Only waits are left");
    await expect(page.getByText("Rate limit hit!")).toBeVisible();
    await expect(screen.plan).toContainText("PSA cards wait until");
    await screen.sessionCard.scrollIntoViewIfNeeded();
    await look("scanner-waits");

    await screen.plan.scrollIntoViewIfNeeded();
    await look("scanner-plan");

    await screen.action("Look at 2 damaged numbers").click();
    await expect(screen.certNumberField).toBeFocused();
    await look("number-editor");
    await page.keyboard.press("Escape");

    // Nothing is left for the journeys that follow: the cards go on, and PSA's API is asked again.
    upstream.behavior.heal();
    await screen.action("Look up with web scraping").click();
    await expect(screen.sessionCard).toContainText("completed");
    await office.resetQuota();

    await page.getByRole("button", { name: "More formats" }).click();
    await expect(page.getByRole("menuitem", { name: /^eBay/ })).toBeVisible();
    await look("export-menu");
    await page.keyboard.press("Escape");

    await screen.chooseFile(UNNAMED_COLUMNS);
    await expect(page.getByRole("dialog", { name: /^Which column/ })).toBeVisible();
    await look("columns-dialog");
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "Scan slabs instead" }).click();
    for (const code of ["98174651", "https://my.taggrading.com/card/C1240631", "98174651"])
      await page.keyboard.type(`${code}\n`);
    await expect(page.getByText("Already scanned as no. 1")).toBeVisible();
    await expect(screen.sessionCard).toContainText("2 done");
    // The filter of the session before is not that of the scans.
    await expect(page.getByText("No rows match")).toHaveCount(0);
    await look("scan-station");
  });
}
