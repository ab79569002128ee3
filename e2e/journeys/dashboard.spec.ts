import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { writeSheet } from "../golden/csv-text.ts";
import { freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { expect, test } from "../journey.ts";
import { amount } from "../../scripts/test-form.ts";
import { Screen } from "./screen.ts";

/** The Dashboard tab in the words of whoever looks at it. */
class Dashboard extends Screen {
  static async open(page: Page): Promise<Dashboard> {
    const dashboard = new Dashboard(page);
    await dashboard.tab("Dashboard").click();
    await expect(page.getByRole("heading", { name: "Your Scan History" })).toBeVisible();
    return dashboard;
  }

  get search(): Locator {
    return this.page.getByRole("combobox", { name: "Search all scans" });
  }

  get found(): Locator {
    return this.page.getByRole("listbox", { name: "Search results" }).getByRole("option");
  }

  get entries(): Locator {
    return this.page.getByRole("list", { name: "Scan sessions" }).getByRole("listitem");
  }

  entry(text: string): Locator {
    return this.entries.filter({ hasText: text });
  }

  get chosen(): Locator {
    return this.page.getByRole("region", { name: "Chosen session" });
  }

  async choose(text: string): Promise<void> {
    await this.entry(text).getByRole("button").click();
    await expect(this.chosen).toContainText(text);
  }

  /** The row is in hand and flashes, once. */
  async expectJump(line: number): Promise<void> {
    await expect(this.row(line)).toHaveAttribute("data-flashing");
    await expect(this.row(line)).toBeInViewport();
    await expect(this.row(line)).toHaveAttribute("data-active", "true");
    await expect(this.row(line)).not.toHaveAttribute("data-flashing");
  }
}

/** A session, started as a script starts it. */
async function scan(request: APIRequestContext, name: string, rows: readonly (readonly string[])[]): Promise<string> {
  const answer = await request.post(`/api/scan-sessions?csvFilename=${encodeURIComponent(name)}`, {
    data: writeSheet(rows),
    headers: { "content-type": "text/csv" },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  const { id } = (await answer.json()) as { id: string };
  return id;
}

const MANY = amount({ short: 2_000, long: 6_000 });
const FAR_DOWN = MANY - 1_000;
const NEEDLE = `${FAR_DOWN}-NEEDLE`;

const SHOW = [
  ["98174651", "PSA", "120", ""],
  ["01020470", "PSA", "75", ""],
  ["99999990", "PSA", "12", ""],
  ["C1240631", "TAG", "22", ""],
];

test("the history by mouse: list, filter, sort, results, rename, stop and resume, download, search", async ({
  signedIn: page,
  upstream,
  office,
}) => {
  const dashboard = await Dashboard.open(page);
  await expect(page.getByText("No scan sessions found")).toBeVisible();
  await expect(page.getByText("Select a session to view results")).toBeVisible();

  await scan(page.request, "dallas-show.csv", SHOW);
  await scan(page.request, "attic.csv", freshTagRows(2));
  const emptied = await scan(page.request, "emptied.csv", [["1", "BGS", "", ""]]);
  await dashboard.tab("Scanner").click();
  upstream.gate.hold();
  await dashboard.process(sheetFile("running.csv", freshTagRows(3)));
  await expect(dashboard.sessionCard).toContainText("0 / 3");
  await dashboard.tab("Dashboard").click();
  await expect(dashboard.entries).toHaveCount(4);
  await expect(dashboard.entries.nth(0)).toContainText("running.csv");
  await expect(dashboard.entries.nth(0)).toContainText("0 / 3 cards");
  await expect(dashboard.entries.nth(0)).toContainText(new Date().getFullYear().toString());
  await expect(dashboard.entry("running.csv").getByText("processing")).toHaveCSS("color", "rgb(154, 91, 0)");

  await test.step("a run is stopped and resumed from here, and the scanner sees it", async () => {
    await dashboard.choose("running.csv");
    await dashboard.chosen.getByRole("button", { name: "Stop" }).click();
    await expect(dashboard.chosen.getByText("failed")).toHaveCSS("color", "rgb(180, 35, 24)");
    await expect(dashboard.entry("running.csv")).toContainText("failed");
    await dashboard.tab("Scanner").click();
    await expect(dashboard.sessionCard).toContainText("failed");
    await dashboard.tab("Dashboard").click();
    await dashboard.chosen.getByRole("button", { name: /^Resume/ }).click();
    await expect(dashboard.chosen.getByText("processing")).toBeVisible();
    // What happens while nobody looks is there when somebody does.
    await dashboard.tab("Scanner").click();
    upstream.gate.open();
    await expect(dashboard.sessionCard).toContainText("3 done");
    await dashboard.tab("Dashboard").click();
    await expect(dashboard.chosen).toContainText("3 / 3 cards");
    await expect(dashboard.row(4)).toContainText("View Cert");
    await expect(dashboard.entry("running.csv").getByText("completed")).toHaveCSS("color", "rgb(15, 115, 82)");
  });

  await test.step("filter, sort and order", async () => {
    const filter = page.getByRole("searchbox", { name: /^Filter sessions/ });
    await filter.fill("ATTIC");
    await expect(dashboard.entries).toHaveCount(1);
    await filter.fill("nothing has this");
    await expect(page.getByText("No scan sessions found")).toBeVisible();
    await filter.press("Escape");
    await expect(dashboard.entries).toHaveCount(4);
    await page.getByLabel("Order").selectOption("Oldest first");
    await expect(dashboard.entries.nth(0)).toContainText("dallas-show.csv");
    await page.getByLabel("Sort by").selectOption("Cards");
    await expect(dashboard.entries.nth(0)).toContainText("4 / 4 cards");
    await page.getByLabel("Sort by").selectOption("Name");
    await expect(dashboard.entries.nth(0)).toContainText("attic.csv");
  });

  await test.step("a session shows its results and why one has none", async () => {
    await dashboard.choose("dallas-show.csv");
    await expect(dashboard.row(2).getByRole("button", { name: /^Images of/ })).toBeVisible();
    await expect(await dashboard.cell(2, "Item Name")).toContainText("CHRISTOPHER FAMILIA · BOWMAN CHROME PROSPECT");
    await expect(await dashboard.cell(2, "Certification")).toContainText("PSA98174651View Cert");
    await expect(await dashboard.cell(2, "Grade")).toHaveText("MINT 9");
    await expect(await dashboard.cell(2, "Year")).toHaveText("2024");
    await expect(await dashboard.cell(2, "Sport/Game")).toHaveText("BASEBALL CARDS");
    await expect(await dashboard.cell(2, "Processed")).toContainText(/\d/);
    await expect(dashboard.row(4)).toContainText("Processing Failed");
    await expect(dashboard.row(4)).toContainText("PSA has no certificate 99999990");
    await expect(dashboard.row(4)).not.toContainText("Failed to fetch");
  });

  await test.step("its filter and the scanner's stand beside each other", async () => {
    const filter = (name: RegExp): Locator =>
      page.getByRole("group", { name: "Which rows are shown" }).getByRole("button", { name });
    await dashboard.tab("Scanner").click();
    await filter(/^Needs a look/).click();
    await dashboard.tab("Dashboard").click();
    await filter(/^Not found/).click();
    await expect(dashboard.grid).toHaveAttribute("aria-rowcount", "2");
    await dashboard.tab("Scanner").click();
    await expect(filter(/^Needs a look/)).toHaveAttribute("aria-pressed", "true");
    await dashboard.tab("Dashboard").click();
    await expect(filter(/^Not found/)).toHaveAttribute("aria-pressed", "true");
    await filter(/^All/).click();
  });

  await test.step("one whose rows were all taken out has none to show", async () => {
    const [row] = await office.results(emptied);
    await page.request.delete(`/api/scan-results/${row?.id}`);
    await dashboard.choose("emptied.csv");
    await expect(page.getByText("No results found for this session.")).toBeVisible();
    await dashboard.choose("dallas-show.csv");
  });

  await test.step("it is renamed in its place", async () => {
    const pencil = dashboard.chosen.getByRole("button", { name: "Rename session" });
    const field = dashboard.chosen.getByRole("textbox", { name: "Session name" });
    await pencil.click();
    await field.fill("Not this");
    await field.press("Escape");
    await expect(dashboard.chosen.getByRole("heading", { name: /^dallas-show\.csv/ })).toBeVisible();
    await expect(pencil).toBeFocused();
    await pencil.click();
    await field.fill("  ");
    await field.press("Enter");
    await expect(dashboard.chosen).toContainText("A session needs a name");
    await field.fill("Dallas, table 7");
    await field.press("Enter");
    await expect(dashboard.chosen.getByRole("heading", { name: "Dallas, table 7" })).toBeVisible();
    await expect(dashboard.entry("Dallas, table 7")).toContainText("dallas-show.csv");
  });

  await test.step("its file has its name and no CardsIQ", async () => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download Session CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^Dallas_table_7-\d{4}-\d\d-\d\d\.csv$/);
  });

  await test.step("everything stands as it stood after a reload", async () => {
    await page.reload();
    await dashboard.tab("Dashboard").click();
    await expect(dashboard.chosen.getByRole("heading", { name: "Dallas, table 7" })).toBeVisible();
    await expect(page.getByLabel("Sort by")).toHaveValue("name");
    await expect(dashboard.entries.nth(0)).toContainText("attic.csv");
  });

  await test.step("a search finds a row in whatever session it is, and leads to it", async () => {
    const searchAll = page.getByRole("button", { name: "Search All" });
    await dashboard.choose("attic.csv");
    await dashboard.search.fill("   ");
    await expect(searchAll).toBeDisabled();
    await dashboard.search.fill("9999999%");
    await searchAll.click();
    await expect(page.getByText("Nothing found for “9999999%”")).toBeVisible();
    await dashboard.search.fill("9999999");
    await searchAll.click();
    await expect(dashboard.found).toHaveCount(1);
    await expect(dashboard.found).toContainText("Error: 99999990");
    await expect(dashboard.found).toContainText("PSA");
    await expect(dashboard.found).toContainText("Dallas, table 7");
    await dashboard.found.click();
    await expect(dashboard.chosen).toContainText("Dallas, table 7");
    await dashboard.expectJump(4);
  });
});

test("the history by keyboard alone: search, jump far down past a filter, list", async ({ signedIn: page }) => {
  const { keyboard } = page;
  const dashboard = new Dashboard(page);
  await dashboard.settled();
  const wrong = Array.from({ length: MANY }, (_, index) => [`${index}-X`, "PSA", "9.50", ""]);
  wrong[FAR_DOWN] = [NEEDLE, "PSA", "9.50", ""];
  await scan(page.request, "many.csv", wrong);
  await scan(page.request, "few.csv", [["01020470", "PSA", "75", ""]]);

  await dashboard.tab("Scanner").focus();
  await keyboard.press("ArrowRight");
  await keyboard.press("Enter");
  await expect(dashboard.entries).toHaveCount(2);
  await keyboard.press("/");
  await expect(dashboard.search).toBeFocused();
  await keyboard.type("01020470");
  await keyboard.press("Enter");
  await expect(dashboard.found).toHaveCount(1);
  await keyboard.press("Escape");
  await expect(dashboard.found).toHaveCount(0);
  await expect(dashboard.search).toHaveValue("01020470");
  await keyboard.press("ArrowDown");
  await expect(dashboard.found).toHaveCount(1);
  await keyboard.press("ArrowDown");
  await expect(dashboard.found).toHaveAttribute("aria-selected", "true");
  await keyboard.press("Enter");
  await dashboard.expectJump(2);
  await expect(dashboard.grid).toBeFocused();

  await keyboard.press("/");
  await expect(dashboard.find).toBeFocused();
  await keyboard.press("Control+K");
  await expect(dashboard.search).toBeFocused();
  await keyboard.press("Control+A");
  await keyboard.type("needle");
  await keyboard.press("Enter");
  await expect(dashboard.found).toContainText(NEEDLE);
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await dashboard.expectJump(FAR_DOWN + 2);
  await expect(dashboard.grid).toHaveAttribute("aria-rowcount", String(MANY + 1));

  // Once more, from behind words that hide it.
  await keyboard.press("/");
  await keyboard.type(String(MANY - 1));
  await expect(dashboard.grid).toHaveAttribute("aria-rowcount", "2");
  await keyboard.press("Control+K");
  await keyboard.press("ArrowDown");
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await dashboard.expectJump(FAR_DOWN + 2);
  await expect(dashboard.find).toHaveValue("");

  await dashboard.entry("many.csv").getByRole("button").focus();
  await keyboard.press("Home");
  await expect(dashboard.entry("few.csv").getByRole("button")).toBeFocused();
  await keyboard.press("Enter");
  await expect(dashboard.chosen).toContainText("few.csv");
  await keyboard.press("ArrowDown");
  await expect(dashboard.entry("many.csv").getByRole("button")).toBeFocused();
  await expect(dashboard.chosen).toContainText("few.csv");
});

test("what others looked up: nothing but that and when for a colleague, all of it for an administrator; on a phone", async ({
  signedIn: page,
  otherBrowser,
  office,
  product,
}) => {
  const id = await scan(page.request, "private.csv", [["C1240631", "TAG", "22", ""]]);
  await expect.poll(async () => (await office.session(id)).status).toBe("completed");

  const colleague = await Dashboard.open(await signIn(await office.hire({ fullName: "Ben Ito" })));
  await expect(colleague.page.getByText("No scan sessions found")).toBeVisible();
  await colleague.search.fill("C1240631");
  await colleague.search.press("Enter");
  await expect(colleague.page.getByText("Nothing found for “C1240631”")).toBeVisible();
  await expect(colleague.page.getByRole("list", { name: "Looked up by colleagues" })).toContainText(
    /Looked up by Ana Ruiz on \d+ \w+/,
  );
  const answer = await colleague.page.request.get(`${product.origin}/api/scan-sessions/${id}`);
  expect(answer.status()).toBe(404);

  const admin = await Dashboard.open(await signIn(await office.hire({ fullName: "Cleo Adams", role: "admin" })));
  await admin.page.setViewportSize({ width: 390, height: 844 });
  await expect(admin.page.getByText("No scan sessions found")).toBeVisible();
  await admin.search.fill("c1240631");
  await admin.search.press("Enter");
  await expect(admin.found.first()).toContainText("Ana Ruiz");
  await admin.found.filter({ hasText: "private.csv" }).first().click();
  await expect(admin.chosen).toContainText("Ana Ruiz");
  await expect(admin.page.getByRole("region", { name: "Session results" })).toContainText("C1240631");
  await expect(admin.search).toBeHidden();
  await admin.page.getByRole("button", { name: "All sessions" }).click();
  await expect(admin.chosen).toBeHidden();
  await expect(admin.search).toBeVisible();

  async function signIn(person: { email: string; password: string }): Promise<Page> {
    const screen = new Screen(await otherBrowser());
    await screen.page.goto("/");
    await screen.signIn(person);
    return screen.page;
  }
});
