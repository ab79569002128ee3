import { readFile } from "node:fs/promises";
import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { readCsv, writeSheet } from "../golden/csv-text.ts";
import { freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { enter, expect, longStep, test } from "../journey.ts";
import type { Person } from "../product/admin-api.ts";
import { scanBy } from "../product/usb-scanner.ts";
import { expectAccessible } from "../screens/accessible.ts";
import { amount } from "../../scripts/test-form.ts";
import { Screen } from "./screen.ts";

const DELETED = "This session was deleted by an administrator";
/** The browser's message when it asks for a deleted session. */
const NOT_FOUND = /404 .*\/api\/scan-sessions\//;
/** The browser's message when it asks for an image of a deleted session. */
const NO_IMAGE = /404 .*\/image\/(front|back)\?/;
const SESSION_LIST = /\/api\/admin\/sessions\?/;
/** Sessions on a page of the list. The product's own number of 50 would need 51 sessions. */
const PAGE_SIZE = 3;
const A_MINUTE_MS = 60_000;

/** The Admin tab. */
class AdminScreen {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens a part by keyboard. */
  async open(part: "Sessions" | "Activity"): Promise<void> {
    const tab = this.page.getByRole("tab", { name: "Admin" });
    if ((await tab.getAttribute("aria-selected")) !== "true") {
      await tab.focus();
      await tab.press("Enter");
    }
    await this.page.getByRole("tab", { name: part }).focus();
    await this.page.keyboard.press("Enter");
    await expect(this.panel(part)).toHaveAttribute("aria-busy", "false");
  }

  panel(part: "Sessions" | "Activity"): Locator {
    return this.page.getByRole("region", { name: part, exact: true });
  }

  /** The table's rows without its header. */
  rows(part: "Sessions" | "Activity"): Locator {
    return this.panel(part).locator("tbody tr");
  }

  session(name: string): Locator {
    return this.rows("Sessions").filter({ hasText: name });
  }

  async choosePerson(part: "Sessions" | "Activity", person: Person | null): Promise<void> {
    await this.panel(part)
      .getByLabel("Person")
      .selectOption(person?.id ?? "");
    await expect(this.panel(part)).toHaveAttribute("aria-busy", "false");
  }

  toast(message: string | RegExp): Locator {
    return this.page.locator(".mantine-Notification-root", { hasText: message });
  }
}

/** Starts a session over HTTP. */
async function scan(request: APIRequestContext, name: string, rows: readonly (readonly string[])[]): Promise<string> {
  const answer = await request.post(`/api/scan-sessions?csvFilename=${encodeURIComponent(name)}`, {
    data: writeSheet(rows),
    headers: { "content-type": "text/csv" },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

test("an administrator deletes sessions: their owner is told, and the activity log lists who deleted what", async ({
  page,
  adminApi,
  product,
  upstream,
  otherBrowser,
  browserErrors,
}) => {
  browserErrors.expect(NOT_FOUND);
  browserErrors.expect(NO_IMAGE);
  browserErrors.expect(/ERR_FAILED .*\/api\/admin\/sessions\?/);
  const [cleo, ana] = await Promise.all([
    adminApi.addUser({ role: "admin", fullName: "Cleo Adams" }),
    adminApi.addUser({ fullName: "Ana Ruiz" }),
  ]);
  const anas = await otherBrowser();
  await anas.clock.install();
  await enter(anas, product, ana);
  const scanner = new Screen(anas);
  await scanner.settled();
  upstream.gate.hold();
  await scanner.process(sheetFile("box.csv", freshTagRows(2)));
  await expect(scanner.sessionCard).toContainText("processing");
  const doomed = await scanner.sessionId();
  await expect.poll(() => upstream.gate.waitingCount).toBeGreaterThan(0);

  // The same session is open on the Dashboard of her second window.
  const history = await anas.context().newPage();
  await history.goto("/");
  await history.getByRole("tab", { name: "Dashboard" }).click();
  await history
    .getByRole("list", { name: "Scan sessions" })
    .getByRole("button", { name: /box\.csv/ })
    .click();
  await expect(history.getByRole("region", { name: "Chosen session" })).toContainText("processing");
  await test.step("each window counts as a browser session with one access entry", async () => {
    const deeds = async (): Promise<string[]> => (await adminApi.activityOf(ana)).map((entry) => entry.activityType);
    await expect.poll(async () => (await deeds()).filter((deed) => deed === "app_access")).toHaveLength(2);
  });

  await enter(page, product, cleo);
  const spared = await scan(page.request, "attic.csv", freshTagRows(1));
  for (const name of ["old-0.csv", "old-1.csv", "old-2.csv"]) {
    const old = await scan(page.request, name, [["1", "BGS", "", ""]]);
    await expect.poll(async () => (await adminApi.session(old)).status).toBe("completed");
  }
  const adminScreen = new AdminScreen(page);

  await test.step("the list shows everyone's sessions by page, or those of one person", async () => {
    browserErrors.expect(/404 .*\/assets\/AdminTab-/);
    browserErrors.expect(/^PartNotLoadedError: /);
    const part = /\/assets\/AdminTab-[^/]+\.js/;
    await page.route(part, (route) => route.fulfill({ status: 404 }));
    await page.getByRole("tab", { name: "Admin" }).click();
    await expect(page.getByRole("alert")).toContainText("Slabdesk was updated.");
    await page.unroute(part);
    await page.getByRole("button", { name: "Reload" }).click();
    await expect(page.getByRole("tab", { name: "Overview" })).toBeVisible();
    await page.route(SESSION_LIST, (route) => route.abort());
    await adminScreen.open("Sessions");
    await expect(adminScreen.panel("Sessions").getByRole("alert")).toContainText(
      "Error loading admin data: Could not connect to backend server.",
    );
    await page.unroute(SESSION_LIST);
    await page.route(SESSION_LIST, async (route) => {
      const url = new URL(route.request().url());
      expect(url.searchParams.has("limit")).toBe(false);
      url.searchParams.set("limit", String(PAGE_SIZE));
      await route.continue({ url: url.href });
    });
    await adminScreen.panel("Sessions").getByRole("button", { name: "Try Again" }).click();
    await expect(adminScreen.rows("Sessions")).toHaveCount(PAGE_SIZE);
    await expect(adminScreen.panel("Sessions").getByRole("columnheader")).toHaveText([
      "Session Name",
      "User",
      "Date",
      "Cards",
      "Status",
      "Mode",
      "Delete",
    ]);
    await adminScreen.choosePerson("Sessions", cleo);
    await adminScreen.panel("Sessions").getByRole("button", { name: "Show more" }).click();
    await expect(adminScreen.rows("Sessions")).toHaveCount(PAGE_SIZE + 1);
    await expect(adminScreen.panel("Sessions").getByRole("button", { name: "Show more" })).toBeHidden();
    await expect(adminScreen.rows("Sessions").last()).toContainText("attic.csv");
    await expect(adminScreen.rows("Sessions").last()).toContainText("Cleo Adams");
    await expect(adminScreen.rows("Sessions").first()).toContainText("1 / 1completedAPI with scraping fallback");
    await expect(adminScreen.rows("Sessions").first().getByText("completed")).toHaveCSS("color", "rgb(15, 115, 82)");
    await expect(adminScreen.session("attic.csv").getByText("processing")).toHaveCSS("color", "rgb(154, 91, 0)");
    await adminScreen.choosePerson("Sessions", ana);
    await expect(adminScreen.rows("Sessions")).toHaveCount(1);
    await expect(adminScreen.session("box.csv")).toContainText("0 / 2");
  });

  await longStep("sessions and people are links, and a reload keeps the place", async () => {
    await adminScreen
      .session("box.csv")
      .getByRole("link", { name: /^box\.csv/ })
      .click();
    const chosen = page.getByRole("region", { name: "Chosen session" });
    await expect(chosen).toContainText("box.csv");
    await expect(chosen).toContainText("Ana Ruiz");
    await page.goBack();
    await expect(adminScreen.rows("Sessions")).toHaveCount(1);
    await adminScreen.session("box.csv").getByRole("link", { name: "Ana Ruiz" }).click();
    const users = page.getByRole("region", { name: "Users", exact: true });
    const marked = users.locator("tr[aria-current=true]");
    await expect(marked).toContainText(ana.email);
    await page.reload();
    await expect(marked).toContainText(ana.email);
    await marked.getByRole("link", { name: /scan/ }).click();
    await expect(adminScreen.rows("Sessions")).toHaveCount(1);
    await adminScreen.open("Activity");
    const entry = adminScreen.rows("Activity").filter({ hasText: "session_created" });
    await expect(entry.getByRole("link", { name: /^Created session box\.csv/ })).toHaveAttribute(
      "href",
      `/?tab=dashboard&session=${doomed}`,
    );
    await adminScreen.open("Sessions");
    await adminScreen.choosePerson("Sessions", ana);
  });

  const asked: string[] = [];
  await test.step("a session is deleted by keyboard, after a confirmation that names it", async () => {
    const { keyboard } = page;
    const dialog = page.getByRole("dialog", { name: /^Delete “box\.csv - .*”\?$/ });
    const remove = adminScreen.session("box.csv").getByRole("button", { name: /^Delete box\.csv/ });
    await remove.focus();
    await keyboard.press("Enter");
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
    await expect(dialog).toContainText("Ana Ruiz's session and its 2 results are deleted for everyone.");
    await expect(dialog).toContainText("It is still running");
    await expectAccessible(page, "the confirmation before a session is deleted");
    await keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(remove).toBeFocused();
    expect((await adminApi.session(doomed)).status).toBe("processing");
    await keyboard.press("Enter");
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
    await keyboard.press("Tab");
    await expect(dialog.getByRole("button", { name: "Delete session" })).toBeFocused();
    anas.on("request", (request) => {
      if (request.url().includes(doomed)) asked.push(request.url());
    });
    await keyboard.press("Enter");
    await expect(adminScreen.toast("Session deleted successfully")).toBeVisible();
    await expect(adminScreen.session("box.csv")).toHaveCount(0);
    await expect(adminScreen.panel("Sessions")).toContainText("No scan sessions found");
  });

  await test.step("its owner is told, and her windows stop asking for it", async () => {
    await expect(new AdminScreen(anas).toast(DELETED)).toContainText("box.csv");
    await expect(anas.getByRole("region", { name: "Results" }).getByText(DELETED)).toBeVisible();
    await expect(scanner.sessionCard).toBeHidden();
    await expect(scanner.stopButton).toBeHidden();
    expect(await anas.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(doomed);
    // Both windows share the clock, so both must finish their requests before it jumps.
    await expect(history.getByRole("region", { name: "Session results" })).toContainText(DELETED);
    await expect(history.getByText("No scan sessions found")).toBeVisible();
    for (const window of [anas, history]) await window.waitForLoadState("networkidle");
    asked.length = 0;
    await anas.clock.runFor(A_MINUTE_MS);
    await anas.waitForLoadState("networkidle");
    expect(asked).toEqual([]);

    await history.reload();
    await history.getByRole("tab", { name: "Dashboard" }).click();
    await expect(history.getByText("Select a session to view results")).toBeVisible();
    await history.close();
  });

  await test.step("other runs continue, and the owner can start hers again", async () => {
    await scanner.process(sheetFile("again.csv", freshTagRows(2)));
    await expect(scanner.sessionCard).toContainText("processing");
    upstream.gate.open();
    await expect.poll(async () => (await adminApi.session(spared)).status).toBe("completed");
    await expect(scanner.sessionCard).toContainText("2 / 2");
  });

  await longStep("a session that was already deleted elsewhere leaves the list", async () => {
    await adminScreen.choosePerson("Sessions", cleo);
    await expect(adminScreen.session("old-2.csv")).toBeVisible();
    const id = await adminScreen.session("old-2.csv").getAttribute("data-id");
    await page.request.delete(`/api/scan-sessions/${id}`);
    await adminScreen.session("old-2.csv").getByRole("button").click();
    await page.getByRole("button", { name: "Delete session" }).click();
    await expect(adminScreen.toast(/^Failed to delete session: /)).toBeVisible();
    await expect(adminScreen.session("old-2.csv")).toHaveCount(0);
    // After a deletion, the focus moves to the row that takes the deleted row's place.
    const [first = "", second = ""] = await adminScreen.rows("Sessions").getByRole("rowheader").allTextContents();
    await adminScreen.session(first).getByRole("button").press("Enter");
    await page.getByRole("button", { name: "Delete session" }).click();
    await expect(adminScreen.session(first)).toHaveCount(0);
    await expect(adminScreen.session(second).getByRole("button")).toBeFocused();
  });

  await test.step("the activity log says who deleted what", async () => {
    await adminScreen.open("Activity");
    await adminScreen.choosePerson("Activity", cleo);
    const entry = adminScreen.rows("Activity").filter({ hasText: "Deleted session box.csv" });
    await expect(entry).toContainText("Cleo Adams");
    await expect(entry).toContainText("Deleted a sessionsession_deleted");
    await entry.getByRole("button", { name: "More about: Deleted a session" }).click();
    await expect(entry.locator("dl > div", { hasText: /^Owner(?!.*id)/ })).toContainText(ana.email);
    await expect(entry.locator("dl > div", { hasText: "Deleted results" })).toContainText("2");
    await expect(entry.locator("time")).toHaveAttribute("title", /^\w+ \d+, \d{4}, \d+:\d{2}:\d{2} [AP]M$/);
    await expectAccessible(page, "an open entry of the activity log");
  });

  await test.step("the log is filtered by person, type and day, and downloads as shown", async () => {
    const panel = adminScreen.panel("Activity");
    await panel.getByLabel("Action").selectOption("Deleted a session");
    await expect(adminScreen.rows("Activity")).toHaveCount(amount({ short: 1, long: 3 }));
    const shown = await adminScreen
      .rows("Activity")
      .evaluateAll((lines) =>
        lines.map((line) => [
          line.querySelector("time")?.dateTime,
          line.querySelector("code")?.textContent,
          line.querySelector("td:last-child span")?.textContent,
        ]),
      );
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      panel.getByRole("button", { name: "Download CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^activity-\d{4}-\d\d-\d\d\.csv$/);
    const [head, ...lines] = readCsv((await readFile(await download.path(), "utf8")).replace(/^\uFEFF/, ""));
    expect(head?.slice(0, 5)).toEqual(["Time", "User", "Email", "Action", "Details"]);
    expect(lines.map(([time, , , action, details]) => [time, action, details])).toEqual(shown);
    expect(lines.map((cells) => cells[2])).toEqual(Array.from(lines, () => cleo.email));

    await adminScreen.choosePerson("Activity", ana);
    await expect(panel).toContainText("No activity found");
    await panel.getByRole("button", { name: "Show all activity" }).click();
    await expect(panel.getByLabel("Person")).toHaveValue("");
    await expect(adminScreen.rows("Activity").first()).toBeVisible();

    await adminScreen.choosePerson("Activity", ana);
    const today =
      (await adminScreen.rows("Activity").last().locator("time").getAttribute("datetime"))?.slice(0, 10) ?? "";
    // Ana's activity may grow meanwhile.
    const { length } = await adminApi.activityOf(ana);
    const count = (): Promise<number> => adminScreen.rows("Activity").count();
    await expect.poll(count).toBeGreaterThanOrEqual(length);
    await panel.getByLabel("From", { exact: true }).fill(today);
    await expect(panel).toHaveAttribute("aria-busy", "false");
    await expect.poll(count).toBeGreaterThanOrEqual(length);
    await panel.getByLabel("From", { exact: true }).fill("2001-01-01");
    await panel.getByLabel("To", { exact: true }).fill("2001-01-02");
    await expect(panel).toContainText("No activity found");
    await panel.getByRole("button", { name: "Show all activity" }).click();
    await expect(panel.getByLabel("To", { exact: true })).toHaveValue("");
  });

  await test.step("new entries appear only on request", async () => {
    await adminScreen.choosePerson("Activity", ana);
    const first = await adminScreen.rows("Activity").first().textContent();
    await anas.getByRole("tab", { name: "Dashboard" }).click();
    await expect.poll(async () => (await adminApi.activityOf(ana)).at(-1)?.activityType).toBe("navigation");
    await page.getByRole("button", { name: "Refresh Data" }).click();
    const news = page.getByRole("status").getByRole("button", { name: /^Show 1 new entry$/ });
    await expect(news).toBeVisible();
    expect(await adminScreen.rows("Activity").first().textContent()).toBe(first);
    await news.click();
    await expect(adminScreen.rows("Activity").first()).toContainText("Opened a tab");
    await expect(news).toBeHidden();
  });

  await longStep("a scan station whose session is deleted says so and starts a new one", async () => {
    const station = anas.getByRole("region", { name: "Scan station" });
    const scannedCount = station.getByText(/slabs? scanned$/);
    await scanner.tab("Scanner").click();
    await anas.getByRole("button", { name: "Scan slabs instead" }).click();
    await scanBy(anas, "98174651");
    await scanBy(anas, "C1240631");
    await expect(scanner.sessionCard).toContainText("2 done");
    await expect(scanner.sessionCard).toContainText("Scan station");
    // Enabled once the server has confirmed every scan. An unconfirmed scan moves to the next session.
    await expect(station.getByRole("button", { name: "New session" })).toBeEnabled();
    const first = await scanner.sessionId();
    await page.request.delete(`/api/scan-sessions/${first}`);
    // The page asks for a run that is over when its user comes back to the tab.
    await scanner.returnToTab();
    await expect(new AdminScreen(anas).toast(DELETED).filter({ hasText: "Scan station" })).toBeVisible();
    await expect(anas.getByRole("region", { name: "Results" }).getByText(DELETED)).toBeVisible();
    await expect(scannedCount).toHaveText("0 slabs scanned");
    await scanBy(anas, "98174651");
    await expect(scanner.sessionCard).toContainText("1 / 1");
    await expect(station.getByRole("button", { name: "New session" })).toBeEnabled();
    const second = await scanner.sessionId();
    expect(second).not.toBe(first);

    // The next slab finds the second session deleted.
    await page.request.delete(`/api/scan-sessions/${second}`);
    await scanBy(anas, "C1240631");
    await expect(scanner.sessionCard).toContainText("1 / 1");
    await expect.poll(() => scanner.sessionId()).not.toBe(second);
    await expect(scannedCount).toHaveText("1 slab scanned");
    const rows = await adminApi.results(await scanner.sessionId());
    expect(rows.map(({ certNumber }) => certNumber)).toEqual(["C1240631"]);
  });
});
