import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { CGC_CODE_128, PSA_QR_CODE } from "../golden/slab-codes.ts";
import { enter, expect, longStep, test } from "../journey.ts";
import { writeFilm } from "../product/camera.ts";
import { scanBy } from "../product/usb-scanner.ts";
import { expectAccessible } from "../screens/accessible.ts";
import { Screen } from "./screen.ts";

/** The scan station as a user sees it. */
class Station {
  readonly page: Page;
  readonly panel: Locator;

  constructor(page: Page) {
    this.page = page;
    this.panel = page.getByRole("region", { name: "Scan station" });
  }

  get field(): Locator {
    return this.panel.getByLabel("Cert number or link");
  }

  get verdict(): Locator {
    return this.panel.getByRole("status", { name: "Last scan" });
  }

  get count(): Locator {
    return this.panel.getByText(/slabs? scanned$/);
  }

  /** The last scans, newest first. */
  get scans(): Locator {
    return this.panel.getByRole("list", { name: "Last scans" }).getByRole("listitem");
  }

  button(name: string): Locator {
    return this.panel.getByRole("button", { name });
  }

  async open(): Promise<void> {
    await this.page.getByRole("button", { name: "Scan slabs instead" }).click();
    await expect(this.field).toBeFocused();
  }

  /** Types like a USB scanner, wherever the focus is. */
  scan(text: string): Promise<void> {
    return scanBy(this.page, text);
  }
}

declare global {
  var heardTones: number[];
}

/** Runs before the page's own scripts: records the pitch of each tone. */
function noteTones(): void {
  globalThis.heardTones = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (when) {
    globalThis.heardTones.push(this.frequency.value);
    start.call(this, when);
  };
}

/** The recorded pitches. A tone starts shortly after its message appears. */
function tonesOf(page: Page): Promise<number[]> {
  return page.evaluate(() => globalThis.heardTones);
}

async function expectNoOverflow(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

test("a stack of slabs by USB scanner: during a sheet's run, offline, and in another tab", async ({
  page,
  product,
  browserErrors,
  upstream,
  adminApi,
  person,
}) => {
  // A row may be removed while its images are loading.
  browserErrors.expect(/404 .*\/image\/(front|back)\?/);
  browserErrors.expect(/ERR_CONNECTION_REFUSED/);
  await page.addInitScript(noteTones);
  await enter(page, product, person);
  const screen = new Screen(page);
  const station = new Station(page);
  upstream.gate.hold();
  await screen.process(sheetFile("box.csv", freshTagRows(2)));
  await expect(screen.sessionCard).toContainText("box.csv");
  await station.open();
  await expect(station.panel).toContainText(/starts a new session\. box\.csv.* keeps running/);
  await station.button("Back to sheets").click();

  await test.step("a scan outside the station runs no shortcut and is offered to the station", async () => {
    const start = page.waitForRequest(
      (request) => request.method() === "POST" && request.url().endsWith("/scan-sessions"),
    );
    await screen.row(2).getByRole("gridcell").nth(2).click();
    await station.scan("https://www.psacard.com/cert/98174651");
    await expect(screen.heard("Scanned 98174651")).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(screen.heard(/^Copied/)).toHaveCount(0);
    await page.getByRole("tab", { name: "Dashboard" }).click();
    await page.getByRole("button", { name: "Add to the scan station" }).click();
    await expect(station.verdict).toContainText("No. 1");
    expect((await start).headers()).toHaveProperty("user-id");
  });

  await test.step("two more slabs, faster than the server answers", async () => {
    await station.scan("https://www.cgccards.com/certlookup/4135876101/9.5/");
    await station.scan("c1240631");
    await expect(station.verdict).toContainText("No. 3");
    await expect(station.verdict).toContainText("TAG C1240631 · letter capitalized");
    await expect(station.count).toHaveText("3 slabs scanned");
    await expect.poll(() => tonesOf(page)).toEqual([1046, 1046, 1046]);
    await expect(screen.sessionCard).toContainText(/Scan station - [A-Z][a-z]{2} \d+, \d{4}/);
    await expect(station.panel).toContainText(/box\.csv.* keeps running\. Back to sheets shows it again/);
    upstream.gate.open();
    await expect(screen.sessionCard).toContainText("3 done");
    await expect(station.scans).toHaveText([/TAG.*C1240631/, /CGC.*4135876101/, /PSA.*98174651/]);
    await expect(station.scans.last()).toContainText("CHRISTOPHER FAMILIA");
    await expect(station.scans.last().getByRole("presentation")).toHaveJSProperty("complete", true);
  });

  await longStep("each slab shows its grade, and with prices its estimate and offer", async () => {
    await expect(station.scans.last()).toContainText("MINT 9");
    await expect(station.scans.last()).not.toContainText("Estimate");
    await station.panel.getByRole("switch", { name: "Get prices" }).click();
    await expect(station.scans.last()).toContainText(/Estimate \$\d/);
    await expect(station.panel).toContainText("This session gets prices.");
    await page.getByRole("button", { name: "Set buy offers" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Save offers" }).click();
    await expect(station.scans.last()).toContainText(/Offer \$\d/);
  });
  const sessionId = await screen.sessionId();

  await test.step("back to the sheet, whose run continued, and to the station again", async () => {
    await station.button("Back to sheets").click();
    await expect(screen.sessionCard).toContainText("box.csv");
    await expect(screen.sessionCard).toContainText("2 done");
    await station.open();
    await expect(station.count).toHaveText("3 slabs scanned");
    await expect(screen.sessionCard).toContainText("Scan station");
  });

  await test.step("a slab scanned twice, and a code that is not a cert", async () => {
    await station.scan("https://www.psacard.com/cert/98174651");
    await expect(station.verdict).toContainText("Already scanned as no. 1");
    await station.scan("1.45531E+08");
    await expect(station.verdict).toContainText("Unreadable");
    await expect(station.verdict).toContainText("digits are lost");
    await expect.poll(async () => (await tonesOf(page)).length).toBeGreaterThanOrEqual(6);
    const [again, twice, unreadable, ...more] = (await tonesOf(page)).slice(3);
    expect([again, more]).toEqual([twice, []]);
    expect(new Set([again, unreadable, 1046]).size).toBe(3);
    await expect(station.count).toHaveText("3 slabs scanned");
  });

  await test.step("without a camera the page says what to do, and the USB scanner still works; an ambiguous number asks for the company", async () => {
    await station.button("Scan with the camera").click();
    await expect(station.panel.getByRole("alert")).toContainText(/(?:camera access was denied|no camera found)/i);
    await station.scan("1020688");
    await expect(station.verdict).toContainText("choose PSA and scan it again");
    await station.panel.getByText("PSA", { exact: true }).first().click();
    await expect(station.field).toBeFocused();
    await station.scan("1020688");
    await expect(station.verdict).toContainText("PSA 01020688 · leading zero restored");
    await station.panel.getByText("Auto", { exact: true }).click();
  });

  await test.step("the field regains the focus, and a scan outside it is accepted", async () => {
    await station.panel.getByRole("heading").click();
    await expect(station.field).toBeFocused();
    await screen.row(2).getByRole("gridcell").nth(2).click();
    await expect(station.field).not.toBeFocused();
    await station.scan("H9812622");
    await expect(station.verdict).toContainText("TAG H9812622");
    await expect(station.field).toBeFocused();
    await expect(station.count).toHaveText("5 slabs scanned");
  });

  await test.step("undo by keyboard and by button", async () => {
    await expect(screen.sessionCard).toContainText("5 done");
    await page.keyboard.press("Control+z");
    await expect(station.verdict).toContainText("No. 5 removed");
    await expect(screen.sessionCard).toContainText("4 / 4");
    await expect(screen.rowsWith("H9812622")).toHaveCount(0);
    await page.keyboard.type("12");
    await page.keyboard.press("Control+z");
    await expect(station.count).toHaveText("4 slabs scanned");
    await station.field.fill("");
    await station.button("Undo last scan").click();
    await expect(screen.sessionCard).toContainText("3 / 3");
    await expect(station.count).toHaveText("3 slabs scanned");
  });

  const adding = "**/api/scan-sessions/*/rows";
  await test.step("while the server is offline, scans wait in the browser", async () => {
    await station.button("Sound").click();
    await page.route(adding, (route) => route.abort("connectionrefused"));
    // By hand, slower than a scanner.
    await page.keyboard.type("H98126");
    await page.keyboard.type("22");
    await page.keyboard.press("Enter");
    await expect(station.verdict).toContainText("No. 4");
    await station.scan("Q9937497");
    await expect(station.panel).toContainText("Connection lost. 2 scans waiting to be sent, saved in this browser");
    await expect(station.scans.first()).toContainText("Waiting to be sent");
    await page.keyboard.press("Control+z");
    await expect(station.panel).toContainText("1 scan waiting to be sent");
  });

  await test.step("after a reload the session continues, still muted, and sends the waiting scans", async () => {
    await page.reload();
    await expect(station.field).toBeFocused();
    await expect(station.panel).toContainText("1 scan waiting to be sent");
    await expect(station.count).toHaveText("4 slabs scanned");
    await expect(screen.sessionCard).toContainText("3 / 3");
    await station.scan("98174651");
    await expect(station.verdict).toContainText("Already scanned as no. 1");
    await station.scan("H9812622");
    await expect(station.verdict).toContainText("Already scanned as no. 4");
    await page.unroute(adding);
    await expect(screen.sessionCard).toContainText("4 done");
    await expect(station.panel).not.toContainText("to be sent");
    expect(await tonesOf(page)).toEqual([]);
    await expect(station.button("Sound")).toHaveAttribute("aria-pressed", "false");
    expect(await screen.sessionId()).toBe(sessionId);
  });

  const rows = await adminApi.results(sessionId);
  expect(rows.map((row) => [row.gradingCompany, row.certNumber, row.status, row.warnings.length])).toEqual([
    ["PSA", "98174651", "completed", 0],
    ["CGC", "4135876101", "completed", 0],
    ["TAG", "C1240631", "completed", 1],
    ["TAG", "H9812622", "completed", 0],
  ]);

  await longStep("a row that is deleted elsewhere leaves the table here", async () => {
    await expect(screen.row(3)).toContainText("4135876101");
    expect((await page.request.delete(`/api/scan-results/${rows[1]?.id}`)).status()).toBe(200);
    // A finished run is checked every 10 s, and when the user comes back to the page.
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await expect(screen.row(3)).toHaveCount(0);
    await expect(screen.sessionCard).toContainText("3 / 3");
  });

  await longStep("another tab takes over the station with its state", async () => {
    const tab = await page.context().newPage();
    await tab.goto("/");
    const other = new Station(tab);
    await other.open();
    await expect(other.count).toHaveText("4 slabs scanned");
    await expect(station.panel).toHaveCount(0);
    await expect(screen.heard("The scan station moved to another tab.")).toBeVisible();
    await other.scan("98174651");
    await expect(other.verdict).toContainText("Already scanned as no. 1");
    await tab.close();
  });

  await test.step("logging out clears the station's data in the browser", async () => {
    // Thumbnails may still be loading.
    browserErrors.expect(/401 .*\/image\//);
    await screen.logoutButton.click();
    await expect(screen.email).toBeVisible();
    const left = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("slabdesk:")));
    expect(left).toEqual([]);
  });
});

test("the camera reads a QR code and a Code 128 once each and fetches nothing from other hosts", async ({
  playwright,
  product,
  person,
  adminApi,
  browserErrors,
  launchOptions,
  contextOptions,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "slabdesk-film-"));
  const film = join(folder, "slabs.y4m");
  await writeFilm(film, [
    { code: PSA_QR_CODE, frames: 3 },
    { code: null, frames: 1 },
    { code: CGC_CODE_128, frames: 3 },
    { code: null, frames: 1 },
  ]);
  const browser = await playwright.chromium.launch({
    ...launchOptions,
    args: [
      ...(launchOptions.args ?? []),
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-video-capture=${film}`,
    ],
  });
  try {
    const context = await browser.newContext({ ...contextOptions, viewport: { width: 390, height: 844 } });
    browserErrors.listenTo(context);
    const page = await context.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await enter(page, product, person);
    const station = new Station(page);
    const screen = new Screen(page);
    await station.open();
    await station.button("Scan with the camera").click();
    await expect(station.scans).toHaveCount(2);
    await expect(screen.sessionCard).toContainText("2 done");
    await expectAccessible(page, "the scan station on a phone");
    await expectNoOverflow(page);
    // The film starts over: a code that was out of view appears again.
    await expect(station.verdict).toContainText(/Already scanned as no\. [12]/);
    await station.button("Close the camera").click();
    await expect(page.locator("video")).toHaveCount(0);
    const rows = await adminApi.results(await screen.sessionId());
    expect(rows.map((row) => `${row.gradingCompany} ${row.certNumber}`).toSorted()).toEqual([
      "CGC 1401019289294",
      "PSA 98174651",
    ]);
    const strangers = asked.filter((url) => !url.startsWith(product.origin) && !url.startsWith("data:"));
    expect(strangers).toEqual([]);
    expect(asked.some((url) => url.endsWith(".wasm"))).toBe(true);
  } finally {
    await browser.close();
    await rm(folder, { recursive: true });
  }
});
