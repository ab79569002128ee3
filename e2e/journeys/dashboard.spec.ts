import type { APIRequestContext, Locator } from "@playwright/test";
import { writeSheet } from "../golden/csv-text.ts";
import { freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { expect, longStep, test } from "../journey.ts";
import type { Person } from "../product/admin-api.ts";
import { expectAccessible } from "../screens/accessible.ts";
import { amount } from "../../scripts/test-form.ts";
import { Screen } from "./screen.ts";

/** The Dashboard tab. */
class Dashboard extends Screen {
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

  /** Does what makes the table jump to a row, which becomes the active row and flashes. */
  async expectJump(line: number, jump: () => Promise<void>): Promise<void> {
    // The flash is short, so the page itself watches for it in every frame.
    await Promise.all([this.page.waitForFunction(isFlashing, line, { polling: "raf" }), jump()]);
    await expect(this.row(line)).toBeInViewport();
    await expect(this.row(line)).toHaveAttribute("data-active", "true");
  }
}

/** Runs in the page. */
function isFlashing(line: number): boolean {
  return document.querySelector(`tr[data-line="${line}"][data-flashing]`) !== null;
}

/** Starts a session over HTTP. */
async function scan(
  request: APIRequestContext,
  name: string,
  rows: readonly (readonly string[])[],
  query: { sessionName?: string } = {},
): Promise<string> {
  const answer = await request.post("/api/scan-sessions", {
    params: { csvFilename: name, ...query },
    data: writeSheet(rows),
    headers: { "content-type": "text/csv" },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  const { id } = (await answer.json()) as { id: string };
  return id;
}

/** The table's first page has 200 rows, so a jump to `FAR_DOWN` needs a later page. */
const MANY = amount({ short: 400, long: 6_000 });
const FAR_DOWN = MANY * 0.75;
const NEEDLE = `${FAR_DOWN}-NEEDLE`;

const SHOW = [
  ["98174651", "PSA", "120", ""],
  ["01020470", "PSA", "75", ""],
  ["99999990", "PSA", "12", ""],
  ["C1240631", "TAG", "22", ""],
];

test("the history by mouse and keyboard, and what colleagues and administrators see", async ({
  signedIn: page,
  person,
  upstream,
  adminApi,
  otherBrowser,
  browserErrors,
}) => {
  const { keyboard } = page;
  const dashboard = new Dashboard(page);
  await dashboard.tab("Dashboard").click();
  await expect(page.getByRole("heading", { name: "Your Scan History" })).toBeVisible();
  await expect(page.getByText("No scan sessions found")).toBeVisible();
  await expect(page.getByText("Select a session to view results")).toBeVisible();

  const show = await scan(page.request, "dallas-show.csv", SHOW);
  await scan(page.request, "attic.csv", freshTagRows(1), { sessionName: "Attic box" });
  const emptied = await scan(page.request, "emptied.csv", [["1", "BGS", "", ""]]);
  await dashboard.tab("Scanner").click();
  upstream.gate.hold();
  await dashboard.process(sheetFile("running.csv", freshTagRows(2)));
  await expect(dashboard.sessionCard).toContainText("0 / 2");
  await dashboard.tab("Dashboard").click();
  await expect(dashboard.entries).toHaveCount(4);
  await expect(dashboard.entries.nth(0)).toContainText("running.csv");
  await expect(dashboard.entries.nth(0)).toContainText("0 / 2 cards");
  const { uploadDate } = await adminApi.session(await dashboard.sessionId());
  await expect(dashboard.entries.nth(0).locator("time")).toHaveAttribute("datetime", uploadDate);
  await expect(dashboard.entries.nth(0).locator("time")).toHaveText(/\d/);
  await expect(dashboard.entry("running.csv").getByText("processing")).toHaveCSS("color", "rgb(154, 91, 0)");

  await test.step("a run is stopped and resumed here, and the Scanner tab shows both", async () => {
    await dashboard.choose("running.csv");
    await dashboard.chosen.getByRole("button", { name: "Stop" }).click();
    await expect(dashboard.chosen.getByText("failed")).toHaveCSS("color", "rgb(180, 35, 24)");
    await expect(dashboard.entry("running.csv")).toContainText("failed");
    await page.getByLabel("Sort by").selectOption("Status");
    const shownOrder = async (): Promise<"A to Z" | "Z to A" | "none"> => {
      const entries = await dashboard.entries.allTextContents();
      const statuses = entries.map((text) => /completed|failed|processing/.exec(text)?.[0] ?? "");
      const sorted = statuses.toSorted((one, other) => one.localeCompare(other));
      if (statuses.join() === sorted.join()) return "A to Z";
      return statuses.join() === sorted.toReversed().join() ? "Z to A" : "none";
    };
    await expect.poll(shownOrder).toBe("A to Z");
    await page.getByLabel("Order").selectOption("Z to A");
    await expect.poll(shownOrder).toBe("Z to A");
    await page.getByLabel("Sort by").selectOption("Date");
    await dashboard.tab("Scanner").click();
    await expect(dashboard.sessionCard).toContainText("failed");
    await dashboard.tab("Dashboard").click();
    await dashboard.chosen.getByRole("button", { name: /^Resume/ }).click();
    await expect(dashboard.chosen.getByText("processing")).toBeVisible();
    // The Dashboard is hidden while the run ends.
    await dashboard.tab("Scanner").click();
    upstream.gate.open();
    await expect(dashboard.sessionCard).toContainText("2 done");
    await dashboard.tab("Dashboard").click();
    await expect(dashboard.chosen).toContainText("2 / 2 cards");
    await expect(dashboard.row(3)).toContainText("View Cert");
    await expect(dashboard.entry("running.csv").getByText("completed")).toHaveCSS("color", "rgb(15, 115, 82)");
  });

  await test.step("the list is filtered and sorted", async () => {
    const filter = page.getByRole("searchbox", { name: /^Filter sessions/ });
    for (const text of ["ATTIC BOX", "Attic.csv"]) {
      await filter.fill(text);
      await expect(dashboard.entries).toHaveCount(1);
      await expect(dashboard.entries).toContainText("Attic box");
    }
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

  await test.step("a session shows its results and why a card has none", async () => {
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

  await longStep("the Dashboard and the Scanner keep separate row filters", async () => {
    const filter = (name: RegExp): Locator =>
      page.getByRole("group", { name: "Which rows are shown" }).getByRole("button", { name });
    await dashboard.tab("Scanner").click();
    await filter(/^Needs review/).click();
    await dashboard.tab("Dashboard").click();
    await filter(/^Not found/).click();
    await expect(dashboard.grid).toHaveAttribute("aria-rowcount", "2");
    await dashboard.tab("Scanner").click();
    await expect(filter(/^Needs review/)).toHaveAttribute("aria-pressed", "true");
    await dashboard.tab("Dashboard").click();
    await expect(filter(/^Not found/)).toHaveAttribute("aria-pressed", "true");
    await filter(/^All/).click();
  });

  await longStep("a session whose rows were all deleted has no results to show", async () => {
    const [row] = await adminApi.results(emptied);
    await page.request.delete(`/api/scan-results/${row?.id}`);
    await dashboard.choose("emptied.csv");
    await expect(page.getByText("No results found for this session.")).toBeVisible();
    await dashboard.choose("dallas-show.csv");
  });

  await test.step("a session is renamed in place", async () => {
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

  await test.step("the downloaded file has the session's name", async () => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download Session CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^Dallas table 7 - \d{4}-\d\d-\d\d\.csv$/);
  });

  await test.step("a reload keeps the chosen session and the order, and shows a session that was started elsewhere", async () => {
    const many = Array.from({ length: MANY }, (_, index) => [`${index}-X`, "PSA", "9.50", ""]);
    many[FAR_DOWN] = [NEEDLE, "PSA", "9.50", ""];
    await scan(page.request, "many.csv", many);
    await page.reload();
    await expect(dashboard.tab("Dashboard")).toHaveAttribute("aria-selected", "true");
    await expect(dashboard.chosen.getByRole("heading", { name: "Dallas, table 7" })).toBeVisible();
    await expect(page.getByLabel("Sort by")).toHaveValue("name");
    await expect(dashboard.entries).toHaveCount(5);
    await expect(dashboard.entries.nth(0)).toContainText("attic.csv");
  });

  await longStep(
    "a value that cannot be shown costs its row only, and an error in the table the table only",
    async () => {
      browserErrors.expect(/^TypeError: |Minified React error #31/);
      const results = new RegExp(`/api/scan-sessions/${show}/results`);
      const withBroken = async (change: object): Promise<void> => {
        await page.route(results, async (route) => {
          const answer = (await (await route.fetch()).json()) as { results: object[] };
          Object.assign(answer.results[1] ?? {}, change);
          await route.fulfill({ json: answer });
        });
        await page.reload();
      };
      await withBroken({ grade: {} });
      await expect(dashboard.row(3)).toContainText("Line 3 can't be shown because of an error in Slabdesk.");
      await expect(dashboard.row(2)).toContainText("View Cert");
      await page.unroute(results);
      await withBroken({ warnings: null });
      await expect(page.getByRole("alert")).toContainText("The table can't be shown because of an error in Slabdesk.");
      await expect(dashboard.chosen).toContainText("Dallas, table 7");
      await expect(dashboard.entry("attic.csv")).toBeVisible();
      await page.unroute(results);
      await page.reload();
      await expect(dashboard.row(3)).toContainText("View Cert");
    },
  );

  await test.step("a search finds a row in any session and opens it there", async () => {
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
    await dashboard.expectJump(4, async () => {
      await dashboard.found.click();
      await expect(dashboard.chosen).toContainText("Dallas, table 7");
    });
  });

  await longStep("by keyboard: the tab, a search, and its results", async () => {
    await dashboard.tab("Scanner").click();
    await dashboard.tab("Scanner").focus();
    await keyboard.press("ArrowRight");
    await keyboard.press("Enter");
    await expect(dashboard.chosen).toContainText("Dallas, table 7");
    await dashboard.search.focus();
    await keyboard.press("Control+A");
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
    await dashboard.expectJump(3, () => keyboard.press("Enter"));
    await expect(dashboard.grid).toBeFocused();
  });

  await test.step("the palette finds a row on a later page", async () => {
    await dashboard.tab("Scanner").click();
    // Typed before the palette is there: no letter is lost, and none runs a shortcut.
    await keyboard.press("Control+K");
    await keyboard.type("needle");
    await expect(dashboard.palette.getByRole("combobox")).toHaveValue("needle");
    await expect(dashboard.choices.first()).toContainText(NEEDLE);
    await expect(page.getByRole("status").filter({ hasText: /^\d+ choices?\. Enter: / })).toHaveCount(1);
    await expectAccessible(page, "the command palette with results");
    await dashboard.expectJump(FAR_DOWN + 2, () => keyboard.press("Enter"));
    await expect(dashboard.palette).toBeHidden();
    await expect(dashboard.tab("Dashboard")).toHaveAttribute("aria-selected", "true");
    await expect(dashboard.grid).toHaveAttribute("aria-rowcount", String(MANY + 1));
    await expect(dashboard.row(FAR_DOWN + 2)).not.toHaveAttribute("data-flashing");
  });

  await longStep("the palette finds a row that a filter hides", async () => {
    await keyboard.press("/");
    await expect(dashboard.find).toBeFocused();
    await keyboard.type(String(MANY - 1));
    await expect(dashboard.grid).toHaveAttribute("aria-rowcount", "2");
    await dashboard.openPalette();
    await keyboard.type("needle");
    await expect(dashboard.choices.first()).toContainText(NEEDLE);
    await dashboard.expectJump(FAR_DOWN + 2, () => keyboard.press("Enter"));
    await expect(dashboard.find).toHaveValue("");
  });

  await longStep("the palette runs commands, and Esc returns the focus", async () => {
    await dashboard.openPalette();
    await keyboard.press("Escape");
    await expect(dashboard.palette).toBeHidden();
    await expect(dashboard.grid).toBeFocused();
    await dashboard.openPalette();
    await expect(dashboard.choices.filter({ hasText: "Admin:" })).toHaveCount(0);
    await expectAccessible(page, "the command palette with its commands");
    await keyboard.type("export json");
    await expect(dashboard.choices.first()).toHaveText("Export: JSON");
    const [download] = await Promise.all([page.waitForEvent("download"), keyboard.press("Enter")]);
    expect(download.suggestedFilename()).toMatch(/\.json$/);
    await dashboard.openPalette();
    await keyboard.type("keyboard");
    await keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: "Keys" })).toContainText("Search all scans, or run a command");
    await keyboard.press("Escape");
    await expect(page.getByRole("dialog", { name: "Keys" })).toBeHidden();
    await dashboard.openPalette();
    await keyboard.type("dark");
    await keyboard.press("Enter");
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
    await page.getByRole("button", { name: "Switch to light" }).click();
    await dashboard.openPalette();
    await keyboard.type("go scanner");
    await keyboard.press("Enter");
    await expect(dashboard.tab("Scanner")).toHaveAttribute("aria-selected", "true");
  });

  const link = `${new URL(page.url()).origin}/?tab=dashboard&session=${show}`;
  let cardLink = "";
  await longStep("Back, Forward and a copied link lead to the tab, the session, the row and the search", async () => {
    await page.goBack();
    await expect(dashboard.tab("Dashboard")).toHaveAttribute("aria-selected", "true");
    await expect(dashboard.chosen).toContainText("many.csv");
    await dashboard.search.fill("99999990");
    await dashboard.search.press("Enter");
    await dashboard.expectJump(4, async () => {
      await dashboard.found.filter({ hasText: "Dallas, table 7" }).first().click();
      await expect(dashboard.chosen).toContainText("Dallas, table 7");
    });
    await page.goBack();
    await expect(dashboard.chosen).toContainText("many.csv");
    await expect(dashboard.search).toHaveValue("99999990");
    await dashboard.expectJump(4, () => page.goForward().then(() => {}));
    await expect(dashboard.chosen).toContainText("Dallas, table 7");
    await dashboard.expectJump(4, () => page.reload().then(() => {}));
    await expect(dashboard.chosen).toContainText("Dallas, table 7");
    await expect(dashboard.search).toHaveValue("99999990");

    const card = page.getByRole("dialog").filter({ has: page.getByRole("button", { name: "Close the card" }) });
    await dashboard.row(3).click();
    await dashboard.grid.press("Enter");
    await expect(card).toContainText("01020470");
    await keyboard.press("Escape");
    await expect(card).toBeHidden();
    await dashboard.grid.press("Enter");
    await expect(card.locator(":focus")).toHaveCount(1);
    await keyboard.press("ArrowUp");
    await expect(card).toContainText("98174651");
    await page.goBack();
    await expect(card).toBeHidden();
    await expect(dashboard.chosen).toContainText("Dallas, table 7");
    await expect(dashboard.grid).toBeFocused();
    await page.goForward();
    await expect(card).toContainText("98174651");
    await page.reload();
    await expect(card).toContainText("98174651");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await card.getByRole("button", { name: "Copy link" }).click();
    cardLink = await page.evaluate(() => navigator.clipboard.readText());
    await page.goBack();
    await expect(card).toBeHidden();
    // Closing a card leaves no entry behind.
    await page.goBack();
    await expect(dashboard.chosen).toContainText("many.csv");
    await page.goForward();
    await expect(dashboard.chosen).toContainText("Dallas, table 7");
    await dashboard.chosen.getByRole("button", { name: "Copy link" }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    await dashboard.tab("Scanner").click();
  });

  await longStep("a link opens after signing in", async () => {
    const visitor = new Dashboard(await otherBrowser());
    await visitor.page.goto(cardLink);
    await visitor.signIn(person);
    await expect(visitor.page.getByRole("dialog")).toContainText("98174651");
    await visitor.page.keyboard.press("Escape");
    await expect(visitor.page.getByRole("dialog")).toBeHidden();
    await expect(visitor.chosen).toContainText("Dallas, table 7");
    await expect(visitor.tab("Dashboard")).toHaveAttribute("aria-selected", "true");
    await visitor.page.close();
    await dashboard.tab("Dashboard").click();
    await dashboard.choose("many.csv");
  });

  await test.step("by keyboard: the list", async () => {
    const button = (text: string): Locator => dashboard.entry(text).getByRole("button");
    // The Tab key reaches the session that the search opened, not the one that was clicked before.
    await expect(button("many.csv")).toHaveAttribute("tabindex", "0");
    await button("many.csv").focus();
    await keyboard.press("Home");
    await expect(button("attic.csv")).toBeFocused();
    await keyboard.press("Enter");
    await expect(dashboard.chosen).toContainText("attic.csv");
    await keyboard.press("ArrowDown");
    await expect(button("Dallas, table 7")).toBeFocused();
    await expect(dashboard.chosen).toContainText("attic.csv");
  });

  await test.step("a colleague sees only that the card was looked up, by whom, and when", async () => {
    await signInAs({ fullName: "Ben Ito" });
    await expect(page.getByText("No scan sessions found")).toBeVisible();
    await expect(page.getByText("Search shows results from all users.")).toHaveCount(0);
    await keyboard.press("/");
    await expect(dashboard.search).toBeFocused();
    await keyboard.type("C1240631");
    await keyboard.press("Enter");
    await expect(page.getByText("Nothing found for “C1240631”")).toBeVisible();
    await expect(page.getByRole("list", { name: "Looked up by colleagues" })).toContainText(
      /Looked up by Ana Ruiz on \w{3} \d+, \d{4}/,
    );
    expect((await page.request.get(`/api/scan-sessions/${show}`)).status()).toBe(404);
    for (const place of [link, `/?session=${show}`, "/?tab=admin&admin=users"]) {
      await page.goto(place);
      await expect(page.getByText("Access Denied").filter({ visible: true })).toBeVisible();
    }
    browserErrors.expect(/404 .*\/api\/scan-sessions\//);
    await page.goto("/");
  });

  await longStep("an administrator finds everything, on a phone", async () => {
    const cleo = await signInAs({ fullName: "Cleo Adams", role: "admin" });
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByText("No scan sessions found")).toBeVisible();
    await expect(page.getByText("Search shows results from all users.")).toBeVisible();
    await dashboard.search.fill("c1240631");
    await dashboard.search.press("Enter");
    await expect(dashboard.found.first()).toContainText("Ana Ruiz");
    await dashboard.found.filter({ hasText: "Dallas, table 7" }).first().click();
    await expect(dashboard.chosen).toContainText("Ana Ruiz");
    await expect(page.getByRole("region", { name: "Session results" })).toContainText("C1240631");
    await expect(dashboard.search).toBeHidden();
    await page.getByRole("button", { name: "All sessions" }).click();
    await expect(dashboard.chosen).toBeHidden();
    await expect(dashboard.search).toBeVisible();
    // A link to a session on the Scanner opens where an administrator reads other people's sessions.
    for (const place of [link, `/?session=${show}`]) {
      await page.goto(place);
      await expect(dashboard.chosen).toContainText("Ana Ruiz");
      await expect(dashboard.chosen).toContainText("Dallas, table 7");
    }
    const opened = (await adminApi.activityOf(cleo)).filter(({ activityType }) => activityType === "session_opened");
    // The search shows images of other sessions, which are logged, too.
    const dallas = expect.stringMatching(/^Opened session Dallas, table 7 of .+@slabdesk\.test$/);
    expect(opened.map(({ description }) => description)).toContainEqual(dallas);
    for (const part of ["users", "sessions"]) {
      await page.goto(`/?tab=admin&admin=${part}`);
      const rows = page.getByRole("region", { name: part, exact: false }).locator("tbody tr");
      await expect(rows.first()).toBeVisible();
      const heights = await rows.evaluateAll((all) => all.map((row) => [row.scrollHeight, row.clientHeight]));
      for (const [content, card] of heights) expect(content, `a card in the list of ${part}`).toBe(card);
    }
  });

  /** Signs out, signs in as a new person and opens the Dashboard. */
  async function signInAs(someone: Parameters<typeof adminApi.addUser>[0]): Promise<Person> {
    // What the page requests at this moment is refused.
    browserErrors.expect(/401 .*\/(?:image\/|api\/profile|api\/table-view)/);
    await dashboard.logoutButton.click();
    const account = await adminApi.addUser(someone);
    await dashboard.signIn(account);
    await dashboard.tab("Dashboard").click();
    await expect(page.getByRole("heading", { name: "Your Scan History" })).toBeVisible();
    return account;
  }
});
