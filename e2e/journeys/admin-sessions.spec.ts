import { readFile } from "node:fs/promises";
import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { readCsv, writeSheet } from "../golden/csv-text.ts";
import { freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { enter, expect, test } from "../journey.ts";
import type { Person } from "../product/office.ts";
import { scanBy } from "../product/usb-scanner.ts";
import { expectAccessible } from "../screens/accessible.ts";
import { Screen } from "./screen.ts";

const DELETED = "This session was deleted by an administrator";
/** What the browser itself writes of the question that finds a session gone. */
const NOT_FOUND = /404 .*\/api\/scan-sessions\//;
const A_MINUTE_MS = 60_000;

/** The admin's desk in the words of whoever sits at it. */
class Desk {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** By keyboard. */
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

  /** Lines of the table in view, without its head. */
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

  toast(words: string | RegExp): Locator {
    return this.page.locator(".mantine-Notification-root", { hasText: words });
  }
}

/** A session, started as a script starts it. */
async function scan(request: APIRequestContext, name: string, rows: readonly (readonly string[])[]): Promise<string> {
  const answer = await request.post(`/api/scan-sessions?csvFilename=${encodeURIComponent(name)}`, {
    data: writeSheet(rows),
    headers: { "content-type": "text/csv" },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

test("an administrator deletes a session under the hands of its owner, and the activity says so", async ({
  page,
  office,
  product,
  upstream,
  otherBrowser,
  complaints,
}) => {
  complaints.expect(NOT_FOUND);
  complaints.expect(/ERR_FAILED .*\/api\/admin\/sessions\?/);
  const [cleo, ana, ben] = await Promise.all([
    office.hire({ role: "admin", fullName: "Cleo Adams" }),
    office.hire({ fullName: "Ana Ruiz" }),
    office.hire({ fullName: "Ben Ito" }),
  ]);
  const anas = await otherBrowser();
  await anas.clock.install();
  await enter(anas, product, ana);
  const scanner = new Screen(anas);
  await scanner.settled();
  upstream.gate.hold();
  await scanner.process(sheetFile("box.csv", freshTagRows(3)));
  await expect(scanner.sessionCard).toContainText("processing");
  const doomed = await scanner.sessionId();
  await expect.poll(() => upstream.gate.waitingCount).toBeGreaterThan(0);

  // The same session in another window of hers, open in the history.
  const history = await anas.context().newPage();
  await history.goto("/");
  await history.getByRole("tab", { name: "Dashboard" }).click();
  await history
    .getByRole("list", { name: "Scan sessions" })
    .getByRole("button", { name: /box\.csv/ })
    .click();
  await expect(history.getByRole("region", { name: "Chosen session" })).toContainText("processing");

  const bens = await otherBrowser();
  await enter(bens, product, ben);
  const spared = await scan(bens.request, "attic.csv", freshTagRows(2));
  await Promise.all(Array.from({ length: 50 }, (_, at) => scan(bens.request, `old-${at}.csv`, [["1", "BGS", "", ""]])));

  await enter(page, product, cleo);
  const desk = new Desk(page);

  await test.step("the sessions of everybody, 50 at once, and those of one person", async () => {
    const address = /\/api\/admin\/sessions\?/;
    await page.route(address, (route) => route.abort());
    await desk.open("Sessions");
    await expect(desk.panel("Sessions").getByRole("alert")).toContainText(
      "Error loading admin data: Could not reach the server.",
    );
    await page.unroute(address);
    await desk.panel("Sessions").getByRole("button", { name: "Try Again" }).click();
    await expect(desk.rows("Sessions")).toHaveCount(50);
    await expect(desk.panel("Sessions").getByRole("columnheader")).toHaveText([
      "Session Name",
      "User",
      "Date",
      "Cards",
      "Status",
      "Mode",
      "Delete",
    ]);
    await desk.choosePerson("Sessions", ben);
    await desk.panel("Sessions").getByRole("button", { name: "Show more" }).click();
    await expect(desk.rows("Sessions")).toHaveCount(51);
    await expect(desk.panel("Sessions").getByRole("button", { name: "Show more" })).toBeHidden();
    await expect(desk.rows("Sessions").last()).toContainText("attic.csv");
    await expect(desk.rows("Sessions").last()).toContainText("Ben Ito");
    await expect(desk.rows("Sessions").first()).toContainText("1 / 1completedAPI with scraping fallback");
    await expect(desk.rows("Sessions").first().getByText("completed")).toHaveCSS("color", "rgb(15, 115, 82)");
    await expect(desk.session("attic.csv").getByText("processing")).toHaveCSS("color", "rgb(154, 91, 0)");
    await desk.choosePerson("Sessions", ana);
    await expect(desk.rows("Sessions")).toHaveCount(1);
    await expect(desk.session("box.csv")).toContainText("0 / 3");
    await expectAccessible(page, "the Sessions tab");
  });

  const asked: string[] = [];
  await test.step("one is deleted by keyboard, once the question that names it is answered", async () => {
    const { keyboard } = page;
    const dialog = page.getByRole("dialog", { name: /^Delete “box\.csv - .*”\?$/ });
    const remove = desk.session("box.csv").getByRole("button", { name: /^Delete box\.csv/ });
    await remove.focus();
    await keyboard.press("Enter");
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
    await expect(dialog).toContainText("Ana Ruiz's session and its 3 results are deleted for everybody.");
    await expect(dialog).toContainText("It is running");
    await expectAccessible(page, "the question before a session is deleted");
    await keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(remove).toBeFocused();
    expect((await office.session(doomed)).status).toBe("processing");
    await keyboard.press("Enter");
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
    await keyboard.press("Tab");
    await expect(dialog.getByRole("button", { name: "Delete session" })).toBeFocused();
    anas.on("request", (request) => {
      if (request.url().includes(doomed)) asked.push(request.url());
    });
    await keyboard.press("Enter");
    await expect(desk.toast("Session deleted successfully")).toBeVisible();
    await expect(desk.session("box.csv")).toHaveCount(0);
    await expect(desk.panel("Sessions")).toContainText("No scan sessions found");
  });

  await test.step("its owner is told, and nothing asks for it for ever", async () => {
    await expect(new Desk(anas).toast(DELETED)).toContainText("box.csv");
    await expect(anas.getByRole("region", { name: "Results" }).getByText(DELETED)).toBeVisible();
    await expect(scanner.sessionCard).toBeHidden();
    await expect(scanner.stopButton).toBeHidden();
    expect(await anas.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(doomed);
    // The clock is that of both windows: nothing may be under way that it would end.
    await expect(history.getByRole("region", { name: "Session results" })).toContainText(DELETED);
    for (const window of [anas, history]) await window.waitForLoadState("networkidle");
    asked.length = 0;
    await anas.clock.runFor(A_MINUTE_MS);
    await anas.waitForLoadState("networkidle");
    expect(asked).toEqual([]);

    await expect(history.getByText("No scan sessions found")).toBeVisible();
    await history.reload();
    await history.getByRole("tab", { name: "Dashboard" }).click();
    await expect(history.getByText("Select a session to view results")).toBeVisible();
  });

  await test.step("other runs go on, and hers can start anew", async () => {
    await scanner.processButton.click();
    await expect(scanner.sessionCard).toContainText("processing");
    upstream.gate.open();
    await expect.poll(async () => (await office.session(spared)).status).toBe("completed");
    await expect(scanner.sessionCard).toContainText("3 / 3");
  });

  await test.step("one that somebody else has deleted meanwhile is not deleted twice", async () => {
    await desk.choosePerson("Sessions", ben);
    await expect(desk.session("old-49.csv")).toBeVisible();
    const id = await desk.session("old-49.csv").getAttribute("data-session");
    await page.request.delete(`/api/scan-sessions/${id}`);
    await desk.session("old-49.csv").getByRole("button").click();
    await page.getByRole("button", { name: "Delete session" }).click();
    await expect(desk.toast(/^Failed to delete session: /)).toBeVisible();
    await expect(desk.session("old-49.csv")).toHaveCount(0);
    // The line that takes the place of one that goes takes its focus too.
    const [first = "", second = ""] = await desk.rows("Sessions").getByRole("rowheader").allTextContents();
    await desk.session(first).getByRole("button").press("Enter");
    await page.getByRole("button", { name: "Delete session" }).click();
    await expect(desk.session(first)).toHaveCount(0);
    await expect(desk.session(second).getByRole("button")).toBeFocused();
  });

  await test.step("the activity says who deleted what", async () => {
    await desk.open("Activity");
    await desk.choosePerson("Activity", cleo);
    const entry = desk.rows("Activity").filter({ hasText: "box.csv" });
    await expect(entry).toContainText("Cleo Adams");
    await expect(entry).toContainText("Deleted a sessionsession_deleted");
    await entry.getByRole("button", { name: "More about: Deleted a session" }).click();
    await expect(entry.locator("dl > div", { hasText: /^Owner(?!.*id)/ })).toContainText(ana.email);
    await expect(entry.locator("dl > div", { hasText: "Deleted results" })).toContainText("3");
    await expect(entry.locator("time")).toHaveAttribute("title", /^\w+, \w+ \d+, \d{4} at .* UTC$/);
    await expectAccessible(page, "the Activity tab");
  });

  await test.step("by person, type and day, and the same lines in a file", async () => {
    const panel = desk.panel("Activity");
    await panel.getByLabel("Action").selectOption("Deleted a session");
    await expect(desk.rows("Activity")).toHaveCount(3);
    const shown = await desk
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

    await desk.choosePerson("Activity", ben);
    await expect(panel).toContainText("No activity found");
    await panel.getByRole("button", { name: "Show all activity" }).click();
    await expect(panel.getByLabel("Person")).toHaveValue("");
    await expect(desk.rows("Activity").first()).toBeVisible();

    await desk.choosePerson("Activity", ben);
    const today = (await desk.rows("Activity").last().locator("time").getAttribute("datetime"))?.slice(0, 10) ?? "";
    const count = await desk.rows("Activity").count();
    await panel.getByLabel("From", { exact: true }).fill(today);
    await expect(desk.rows("Activity")).toHaveCount(count);
    await panel.getByLabel("From", { exact: true }).fill("2001-01-01");
    await panel.getByLabel("To", { exact: true }).fill("2001-01-02");
    await expect(panel).toContainText("No activity found");
    await panel.getByRole("button", { name: "Show all activity" }).click();
    await expect(panel.getByLabel("To", { exact: true })).toHaveValue("");
  });

  await test.step("new entries wait until they are wanted", async () => {
    await desk.choosePerson("Activity", ana);
    const first = await desk.rows("Activity").first().textContent();
    await anas.getByRole("tab", { name: "Dashboard" }).click();
    await expect.poll(async () => (await office.activityOf(ana)).at(-1)?.activityType).toBe("navigation");
    await page.getByRole("button", { name: "Refresh Data" }).click();
    const news = page.getByRole("status").getByRole("button", { name: /^Show 1 new entry$/ });
    await expect(news).toBeVisible();
    expect(await desk.rows("Activity").first().textContent()).toBe(first);
    await news.click();
    await expect(desk.rows("Activity").first()).toContainText("Went to a tab");
    await expect(news).toBeHidden();
  });
});

test("a scan station whose session is deleted says so and begins another one", async ({
  signedIn: page,
  office,
  product,
  otherBrowser,
  complaints,
}) => {
  complaints.expect(NOT_FOUND);
  complaints.expect(/404 .*\/image\/(front|back)\?/);
  const admin = await otherBrowser();
  await enter(admin, product, await office.hire({ role: "admin" }));
  const screen = new Screen(page);
  const station = page.getByRole("region", { name: "Scan station" });
  await page.getByRole("button", { name: "Scan slabs instead" }).click();
  await scanBy(page, "98174651");
  await scanBy(page, "C1240631");
  await expect(screen.sessionCard).toContainText("2 done");
  const doomed = await screen.sessionId();
  await admin.request.delete(`/api/scan-sessions/${doomed}`);
  // A run that is over is asked for when somebody comes back to it.
  await screen.comeBack();
  await expect(new Desk(page).toast(DELETED)).toContainText("Scan station");
  await expect(page.getByRole("region", { name: "Results" }).getByText(DELETED)).toBeVisible();
  await expect(station.getByText(/slabs? scanned$/)).toHaveText("0 slabs scanned");
  await scanBy(page, "98174651");
  await expect(screen.sessionCard).toContainText("1 / 1");
  expect(await screen.sessionId()).not.toBe(doomed);

  // Here the next slab is what finds it gone.
  const second = await screen.sessionId();
  await admin.request.delete(`/api/scan-sessions/${second}`);
  await scanBy(page, "C1240631");
  await expect(screen.sessionCard).toContainText("1 / 1");
  await expect.poll(() => screen.sessionId()).not.toBe(second);
  await expect(station.getByText(/slabs? scanned$/)).toHaveText("1 slab scanned");
  const rows = await office.results(await screen.sessionId());
  expect(rows.map(({ certNumber }) => certNumber)).toEqual(["C1240631"]);
});
