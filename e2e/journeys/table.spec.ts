import type { Locator } from "@playwright/test";
import { sheetFile } from "../golden/made-up-sheets.ts";
import { enter, expect, longStep, test } from "../journey.ts";
import { amount } from "../../scripts/test-form.ts";
import { Screen } from "./screen.ts";

/** The page fetches 200 rows first and 2,000 at a time after that. */
const MANY = amount({ short: 500, long: 20_000 });
const count = new Intl.NumberFormat("en-US");

const SORTED = [
  ["C1240631", "TAG", "20", ""],
  ["01020688", "PSA", "9.50", ""],
  ["99999990", "PSA", "12", ""],
  ["98174651", "PSA", "100", ""],
  ["1401019289294", "CGC", "", "shelf 9"],
  ["99999972", "PSA", "30", ""],
  ["01005453", "PSA", "50", ""],
];

const KNOWN = SORTED.slice(0, 2).map(([cert = "", company = ""]) => [cert, company, "9.50", ""]);
/** Two cached cards, then invalid numbers with a cached card in every hundredth row: no grader is called. */
const MANY_ROWS = Array.from({ length: MANY }, (_, index) => {
  const known = index < KNOWN.length ? index : index / 100;
  return KNOWN[known % KNOWN.length] ?? [`${index}-X`, "PSA", "9.50", ""];
});
const countOf = (cert: string): number => MANY_ROWS.filter(([number]) => number === cert).length;

async function scrollTo(grid: Locator, place: { top?: number; left?: number }): Promise<void> {
  await grid.evaluate((element, { top, left }) => {
    element.scrollTo({ top: top ?? element.scrollTop, left: left ?? element.scrollLeft, behavior: "instant" });
  }, place);
}

/** The position of an element in the table's frame. */
async function placeIn(grid: Locator, locator: Locator): Promise<{ x: number; y: number }> {
  const [frame, box] = await Promise.all([grid.boundingBox(), locator.boundingBox()]);
  if (frame === null || box === null) throw new Error("It is not in view");
  return { x: Math.round(box.x - frame.x), y: Math.round(box.y - frame.y) };
}

test("the table: colors, sorting, selection, a saved view, many rows, the keyboard", async ({
  signedIn,
  context,
  product,
  adminApi,
  person,
  otherBrowser,
  browserErrors,
}) => {
  // The grader does not answer the first call for an image of 99999972.
  browserErrors.expect(/502 .*\/image\//);
  // A cost that isn't an amount is refused.
  browserErrors.expect(/400 .*\/rows/);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: product.origin });
  const screen = new Screen(signedIn);
  const { keyboard } = signedIn;
  await screen.process(sheetFile("sorted.csv", SORTED));
  await expect(screen.sessionCard).toContainText("completed");

  const linesOf = (of: Screen): Promise<number[]> =>
    of.grid
      .locator("tbody tr")
      .evaluateAll((rows) =>
        rows
          .toSorted((one, other) => Number(one.ariaRowIndex) - Number(other.ariaRowIndex))
          .map((row) => Number(row.dataset["line"])),
      );
  const header = (of: Screen, name: string): Locator => of.grid.getByRole("columnheader", { name, exact: true });
  const sortBy = (name: string): Promise<void> => header(screen, name).getByRole("button").click();
  const bar = signedIn.getByRole("region", { name: "Selected rows" });
  const results = signedIn.getByRole("region", { name: "Results" });

  const headTop = async (): Promise<number> => (await placeIn(results, screen.grid)).y;
  const headTopAtFirst = await headTop();
  await test.step("grades are green from 9, orange from 7, gray below", async () => {
    const colors = { "MINT 9": "rgb(15, 115, 82)", "NM-MT 8": "rgb(154, 91, 0)", "7 NEAR MINT": "rgb(154, 91, 0)" };
    for (const [grade, color] of Object.entries(colors)) {
      await expect(screen.grid.getByText(grade, { exact: true })).toHaveCSS("color", color);
    }
    const grey = await screen.grid
      .getByText("EX-MT 6", { exact: true })
      .evaluate((element) => getComputedStyle(element).color.match(/\d+/g)?.map(Number) ?? []);
    expect(Math.max(...grey) - Math.min(...grey)).toBeLessThan(24);
  });

  await test.step("a header sorts ascending, descending, and not at all; N/A comes last both ways", async () => {
    await sortBy("Price");
    await expect.poll(() => linesOf(screen)).toEqual([3, 4, 2, 7, 8, 5, 6]);
    await expect(header(screen, "Price")).toHaveAttribute("aria-sort", "ascending");
    await sortBy("Price");
    await expect.poll(() => linesOf(screen)).toEqual([5, 8, 7, 2, 4, 3, 6]);
    await sortBy("Price");
    await expect.poll(() => linesOf(screen)).toEqual([2, 3, 4, 5, 6, 7, 8]);
    // The headers are one tab stop; arrow keys move between them.
    await header(screen, "Item Name").getByRole("button").focus();
    await keyboard.press("ArrowRight");
    await keyboard.press("ArrowRight");
    await expect(header(screen, "Grade").getByRole("button")).toBeFocused();
    await keyboard.press("Enter");
    await keyboard.press("Enter");
    await expect(header(screen, "Grade")).toHaveAttribute("aria-sort", "descending");
    await expect.poll(() => linesOf(screen)).toEqual([5, 6, 3, 2, 8, 4, 7]);
  });

  await test.step("the whole header sorts", async () => {
    const box = await header(screen, "Certification").boundingBox();
    await header(screen, "Certification").click({ position: { x: (box?.width ?? 0) - 16, y: 4 } });
    await expect(header(screen, "Certification")).toHaveAttribute("aria-sort", "ascending");
    await sortBy("Grade");
    await sortBy("Grade");
    await expect(header(screen, "Grade")).toHaveAttribute("aria-sort", "descending");
  });

  await test.step("Find marks its matches, and names the fields that no column shows", async () => {
    await screen.find.fill("tig shelf");
    await expect(screen.grid).toHaveCount(0);
    await screen.find.fill("SHELF");
    await expect(screen.row(6).locator("mark")).toHaveText("shelf");
    await expect(results.getByText(/no column shows/)).toHaveCount(0);
    await results.getByRole("button", { name: "Columns" }).click();
    await signedIn.getByRole("checkbox", { name: "Notes" }).uncheck();
    await keyboard.press("Escape");
    await expect(results.getByText("1 row matches in what no column shows: Notes")).toBeVisible();
    await results.getByRole("button", { name: "Columns" }).click();
    await signedIn.getByRole("checkbox", { name: "Notes" }).check();
    await keyboard.press("Escape");
    await screen.find.fill("tigers");
    await expect(screen.row(3).locator("mark").first()).toHaveText("TIGERS");
    await screen.find.fill("");
    await expect(screen.grid.locator("mark")).toHaveCount(0);
  });

  await test.step("a click, one with Shift, and one with Ctrl select", async () => {
    const box = (line: number): Locator => screen.row(line).getByRole("checkbox");
    await box(6).click();
    await box(4).click({ modifiers: ["Shift"] });
    await expect(bar).toContainText("5 selected");
    await screen
      .row(7)
      .getByText("99999972")
      .first()
      .click({ modifiers: ["ControlOrMeta"] });
    await expect(bar).toContainText("6 selected");
    await expect(screen.row(3)).toHaveAttribute("aria-selected", "true");
    await expect(screen.row(5)).toHaveAttribute("aria-selected", "false");
    await signedIn.getByRole("button", { name: "Needs review" }).first().click();
    await expect(bar).toContainText("6 selected4 of them not shown");
    await signedIn.getByRole("button", { name: /^All/ }).click();

    await bar.getByRole("button", { name: "Copy certs" }).click();
    await expect(signedIn.getByText("Copied 6 cert numbers")).toBeVisible();
    expect(await signedIn.evaluate(() => navigator.clipboard.readText())).toBe(
      "C1240631\n01020688\n99999990\n1401019289294\n99999972\n01005453",
    );
    const [file] = await Promise.all([
      signedIn.waitForEvent("download"),
      bar
        .getByRole("button", { name: "Export" })
        .click()
        .then(() => signedIn.getByRole("menuitem", { name: /^Session CSV/ }).click()),
    ]);
    expect(file.suggestedFilename()).toMatch(/^sorted.*\.csv$/);
    const chunks = await (await file.createReadStream()).toArray();
    const text = Buffer.concat(chunks).toString();
    expect(text).toContain("1401019289294");
    expect(text).not.toContain("98174651");
  });

  await test.step("Escape closes what is open, and clears the selection only from the table", async () => {
    const dialog = signedIn.getByRole("dialog");
    for (const [open, opened] of [
      [() => bar.getByRole("button", { name: "Export" }).click(), signedIn.getByRole("menu")],
      [() => results.getByRole("button", { name: "Columns" }).click(), dialog],
      [() => screen.grid.press("Home").then(() => keyboard.press("Enter")), dialog],
    ] as const) {
      await open();
      // A menu takes the focus a moment after it opens.
      await expect(opened.and(signedIn.locator(":focus")).or(opened.locator(":focus"))).toHaveCount(1);
      await keyboard.press("Escape");
      await expect(opened).toBeHidden();
      await expect(bar).toContainText("6 selected");
    }
    await screen.find.press("Escape");
    await expect(bar).toContainText("6 selected");
    await screen.grid.focus();
    await keyboard.press("Escape");
    await expect(bar).toHaveCount(0);
  });

  await test.step("X, Shift with the arrows, and Ctrl+A select; failed rows of the selection are retried", async () => {
    await screen.row(6).getByText("1401019289294").first().click();
    await screen.grid.focus();
    await keyboard.press("x");
    await keyboard.press("Shift+ArrowDown");
    await keyboard.press("Shift+ArrowDown");
    await expect(bar).toContainText("3 selected");
    await keyboard.press("Shift+ArrowUp");
    await expect(bar).toContainText("2 selected");
    await keyboard.press("ControlOrMeta+a");
    await expect(bar).toContainText("7 selected");
    await expect(screen.grid.getByRole("checkbox", { name: "Select all 7 rows shown" })).toBeChecked();
    await expect(signedIn.getByRole("region", { name: "Totals" })).toContainText("7 cards selected");
    await bar.getByRole("button", { name: "Retry 2" }).click();
    await expect(screen.row(7)).toContainText("View Cert");
    await expect(bar.getByRole("button", { name: "Retry 1" })).toBeVisible();
    const rows = await adminApi.results(await screen.sessionId());
    expect(rows.map(({ outcome }) => outcome)).toEqual([
      "found",
      "found",
      "not_found",
      "found",
      "found",
      "found",
      "found",
    ]);
  });

  await test.step("selected rows get a cost and notes, and are removed", async () => {
    const edit = async (item: string): Promise<void> => {
      await bar.getByRole("button", { name: "Edit" }).click();
      await signedIn.getByRole("menuitem", { name: item }).click();
    };
    const dialog = signedIn.getByRole("dialog");
    await screen.grid.focus();
    await keyboard.press("Escape");
    await screen.row(2).getByRole("checkbox").click();
    await screen.row(4).getByRole("checkbox").click();
    await edit("Set cost…");
    await dialog.getByLabel("Cost of each, in dollars").fill("ten");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByRole("alert")).toContainText('"ten" is not an amount');
    await dialog.getByLabel("Cost of each, in dollars").fill("1,015");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(screen.total("Cost")).toHaveText("Cost (all cards)$2,030.00");
    await edit("Set notes…");
    await dialog.getByLabel("Notes").fill("box 3");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(await screen.cell(2, "Notes")).toHaveText("box 3");

    await screen.row(2).getByRole("checkbox").click();
    await edit("Remove…");
    await expect(dialog).toContainText("Remove 1 row?");
    await dialog.getByRole("button", { name: "Remove" }).click();
    await expect(screen.row(4)).toHaveCount(0);
    await expect(screen.grid).toHaveAttribute("aria-rowcount", "7");
    const rows = await adminApi.results(await screen.sessionId());
    expect(rows.map(({ line, price }) => [line, price])).toEqual([
      [2, 1015],
      [3, 9.5],
      [5, 100],
      [6, null],
      [7, 30],
      [8, 50],
    ]);
  });

  const heightIn = async (of: Screen): Promise<number> => Math.round((await of.row(3).boundingBox())?.height ?? 0);
  await longStep("another browser of the same person shows the table in the same way", async () => {
    await results.getByRole("button", { name: "Columns" }).click();
    await signedIn.getByRole("checkbox", { name: "Year" }).uncheck();
    await signedIn.getByRole("button", { name: "Pin Grade" }).click();
    await keyboard.press("Escape");
    const price = header(screen, "Price").getByRole("button");
    await price.dragTo(header(screen, "Certification"), { targetPosition: { x: 20, y: 12 } });
    await expect(signedIn.getByRole("dialog")).toBeHidden();
    await screen.grid.focus();
    expect(await heightIn(screen)).toBe(56);
    await keyboard.press("d");
    await expect.poll(() => heightIn(screen)).toBe(36);
    await expect
      .poll(async () => {
        const kept: { view: string } = await (await signedIn.request.get("/api/table-view")).json();
        const view: object = JSON.parse(kept.view);
        return view;
      })
      .toMatchObject({
        density: "compact",
        sort: { columnId: "grade", direction: "descending" },
        hiddenColumns: ["year"],
        pinnedColumns: ["images", "itemName", "grade"],
        columnOrder: expect.arrayContaining(["price"]),
      });
    const page = await otherBrowser();
    await enter(page, product, person);
    const same = new Screen(page);
    await same.process(sheetFile("again.csv", SORTED.slice(0, 2)));
    await expect(same.row(3)).toContainText("View Cert");
    // A run opens in its sheet's order.
    await expect(header(same, "Grade")).not.toHaveAttribute("aria-sort");
    await expect(header(same, "Grade")).toHaveAttribute("data-pinned");
    await expect(header(same, "Year")).toHaveCount(0);
    const nameOf = (place: number) => same.grid.getByRole("columnheader").nth(place);
    await expect(nameOf(3)).toHaveText("Grade");
    await expect(nameOf(4)).toHaveText("Price");
    await expect(nameOf(5)).toHaveText("Certification");
    expect(await linesOf(same)).toEqual([2, 3]);
    expect(await heightIn(same)).toBe(36);
    await page.close();
    await keyboard.press("d");
    await expect.poll(() => heightIn(screen)).toBe(56);
  });

  await longStep(
    "a failed row is looked up at another company, and says that it was found before it leaves the filter",
    async () => {
      await screen.process(
        sheetFile("company.csv", [
          ["01020688", "CGC", "", ""],
          ["98174651", "PSA", "", ""],
        ]),
      );
      await expect(screen.row(3)).toContainText("View Cert");
      await signedIn.getByRole("button", { name: "To fix 1" }).click();
      // The toolbar has one height, however many filters there are.
      expect(await headTop()).toBe(headTopAtFirst);
      await expect(screen.row(3)).toHaveCount(0);
      await screen.row(2).getByRole("checkbox").click();
      await bar.getByRole("button", { name: "Edit" }).click();
      await signedIn.getByRole("menuitem", { name: "PSA" }).click();
      const found = signedIn.getByRole("status").filter({ hasText: "Found: 1960 TOPPS #72 TIGERS TEAM" });
      await expect(screen.row(2)).toHaveCount(0);
      await found.getByRole("button", { name: "Show" }).click();
      await expect(screen.row(2)).toHaveAttribute("data-active");
      await expect(screen.row(3)).toBeVisible();
      await expect(screen.row(2)).toContainText("PSA");
      await screen.grid.press("Escape");
      await signedIn.getByRole("button", { name: /^All/ }).click();
    },
  );

  await test.step(`${count.format(MANY)} rows scroll with header and pinned columns in place, and few of them are in the page`, async () => {
    await screen.process(sheetFile("many.csv", MANY_ROWS));
    const knownCount = KNOWN.reduce((sum, [cert = ""]) => sum + countOf(cert), 0);
    await expect(screen.sessionCard).toContainText(`${count.format(MANY)} / ${count.format(MANY)}`);
    await expect(screen.grid).toHaveAttribute("aria-rowcount", String(MANY + 1));
    await expect(screen.sessionCard).toContainText(`${knownCount} done`);
    await expect(screen.sessionCard).toContainText(`${count.format(MANY - knownCount)} to fix`);

    const { grid } = screen;
    const itemHeader = grid.getByRole("columnheader", { name: "Item Name" });
    const headerAtStart = await placeIn(grid, itemHeader);
    const height = await grid.evaluate((element) => element.scrollHeight);
    const pinnedAt = (await placeIn(grid, screen.row(2).getByRole("gridcell").nth(2))).x;
    for (const share of [0.1, 0.6, 1]) {
      await scrollTo(grid, { top: height * share, left: share * 1200 });
      const line = Math.min(MANY + 1, Math.round(share * MANY) + 4);
      await expect(screen.row(line)).toBeVisible();
      await expect.poll(() => placeIn(grid, itemHeader)).toEqual(headerAtStart);
      await expect
        .poll(async () => (await placeIn(grid, screen.row(line).getByRole("gridcell").nth(2))).x)
        .toBe(pinnedAt);
      await expect(screen.row(line)).toHaveAttribute("aria-rowindex", String(line));
      await expect.poll(() => grid.locator("tbody tr").count()).toBeLessThan(60);
    }
    await expect(screen.row(MANY + 1)).toContainText(`Error: ${MANY - 1}-X`);
    await scrollTo(grid, { top: 0, left: 0 });
  });

  await test.step("the keyboard: arrows, Home and End, images, copy, find, shortcuts", async () => {
    const active = (line: number): Promise<void> => expect(screen.row(line)).toHaveAttribute("data-active");

    await screen.grid.focus();
    await active(2);
    await keyboard.press("ArrowDown");
    await active(3);
    await keyboard.press("End");
    await active(MANY + 1);
    await expect(screen.row(MANY + 1)).toBeInViewport();
    await keyboard.press("Home");
    await active(2);
    await scrollTo(screen.grid, { top: 100, left: 0 });
    const scrolling = await screen.grid.evaluate((element) => {
      const scroll = (): void => element.scrollBy({ top: element.scrollTop % 2 === 0 ? 1 : -1, behavior: "instant" });
      return Number(globalThis.setInterval(scroll, 20));
    });
    // While the table scrolls, its rows get no pointer events.
    const clickRow = async (line: number): Promise<void> => {
      const cell = await screen.row(line).getByRole("gridcell").nth(1).boundingBox();
      if (cell === null) throw new Error("It is not in view");
      await signedIn.mouse.click(cell.x + 5, cell.y + 5);
    };
    await clickRow(7);
    await active(7);
    await keyboard.down("Control");
    await clickRow(8);
    await keyboard.up("Control");
    await expect(screen.row(8)).toHaveAttribute("aria-selected", "true");
    await keyboard.press("Escape");
    await expect(screen.row(8)).toHaveAttribute("aria-selected", "false");
    await signedIn.evaluate((timer) => clearInterval(timer), scrolling);
    await keyboard.press("Home");
    await active(2);
    await keyboard.press("PageDown");
    await expect(screen.row(2)).not.toHaveAttribute("data-active");
    await keyboard.press("Home");

    const images = signedIn.getByRole("dialog", { name: "2008 Pokémon Diamond & Pearl Legends Awakened" });
    for (const key of ["Enter", " "]) {
      await keyboard.press(key);
      await expect(images).toBeVisible();
      await keyboard.press("Escape");
      await expect(images).toBeHidden();
      await expect(screen.grid).toBeFocused();
      await active(2);
    }
    await keyboard.press("Enter");
    await expect(images.locator(":focus")).toHaveCount(1);
    await keyboard.press("ArrowDown");
    await expect(signedIn.getByRole("dialog")).toContainText("TIGERS TEAM");
    await keyboard.press("Escape");
    await active(3);
    await expect(screen.grid).toBeFocused();

    await keyboard.press("c");
    await expect(signedIn.getByText("Copied 01020688")).toBeVisible();
    expect(await signedIn.evaluate(() => navigator.clipboard.readText())).toBe("01020688");

    await keyboard.press("/");
    await expect(screen.find).toBeFocused();
    await keyboard.type("tigers");
    await expect(screen.grid).toHaveAttribute("aria-rowcount", String(countOf("01020688") + 1));
    await expect(screen.row(3)).toContainText("1960 TOPPS #72 TIGERS TEAM");
    await keyboard.press("Escape");
    await expect(screen.find).toHaveValue("");
    await expect(screen.grid).toHaveAttribute("aria-rowcount", String(MANY + 1));

    await screen.grid.focus();
    await keyboard.press("?");
    const help = signedIn.getByRole("dialog", { name: "Keys" });
    await expect(help).toContainText("Copy the cert number");

    const density = screen.grid.and(signedIn.locator("[data-density=comfortable]"));
    const switchKeys = async (): Promise<void> => {
      await help.getByRole("switch", { name: "Single-key shortcuts" }).click();
      await keyboard.press("Escape");
      await expect(help).toBeHidden();
      await screen.grid.focus();
    };
    await switchKeys();
    await keyboard.press("d");
    await keyboard.press("?");
    await keyboard.press("ArrowDown");
    await expect(density).toBeVisible();
    await expect(help).toBeHidden();
    await signedIn.getByRole("button", { name: "Columns" }).click();
    await signedIn.getByRole("button", { name: "Keys" }).click();
    await switchKeys();
    await keyboard.press("d");
    await expect(density).toHaveCount(0);
    await keyboard.press("d");
    await expect(density).toBeVisible();
  });

  await longStep("the arrows reach every cell of a row, and Enter presses its link or button", async () => {
    const columns = Number(await screen.grid.getAttribute("aria-colcount"));
    for (let column = 1; column <= columns; column += 1) {
      await keyboard.press("ArrowRight");
      const id = await screen.grid.getAttribute("aria-activedescendant");
      await expect(signedIn.locator(`[id="${id}"]`)).toHaveAttribute("aria-colindex", String(column));
      await expect(signedIn.locator(`[id="${id}"]`)).toBeInViewport({ ratio: 0.9 });
    }
    for (let column = columns; column > 3; column -= 1) await keyboard.press("ArrowLeft");
    await keyboard.press("Enter");
    await expect(signedIn.getByRole("dialog")).toBeVisible();
    await keyboard.press("Escape");
    for (let column = 3; column > 0; column -= 1) await keyboard.press("ArrowLeft");
    await expect(signedIn.locator("[data-cursor]")).toHaveCount(0);
  });
});
