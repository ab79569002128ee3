import { createHash } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { expect, test } from "../journey.ts";
import { Screen } from "./screen.ts";

const MANY = 20_000;

async function scrollTo(grid: Locator, place: { top?: number; left?: number }): Promise<void> {
  await grid.evaluate((element, { top, left }) => {
    element.scrollTo({ top: top ?? element.scrollTop, left: left ?? element.scrollLeft, behavior: "instant" });
  }, place);
}

async function placeOf(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("It is not in view");
  return { x: Math.round(box.x), y: Math.round(box.y) };
}

test("20,000 rows scroll through with header and pinned columns in place, and few of them are in the page", async ({
  signedIn,
}) => {
  const screen = new Screen(signedIn);
  const known = ["01020688", "98174651", "15952220"];
  await screen.process(
    sheetFile(
      "known.csv",
      known.map((cert) => [cert, "PSA", "", ""]),
    ),
  );
  await expect(screen.sessionCard).toContainText("3 done");

  // Numbers that cannot be one, with a known card in every hundredth row: all of it is there at once.
  const rows = Array.from({ length: MANY }, (_, index) =>
    index % 100 === 0 ? [known[(index / 100) % 3] ?? "", "PSA", "9.50", ""] : [`${index}-X`, "PSA", "9.50", ""],
  );
  await screen.process(sheetFile("many.csv", rows));
  await expect(screen.sessionCard).toContainText("20,000 / 20,000", { timeout: 30_000 });
  await expect(screen.grid).toHaveAttribute("aria-rowcount", String(MANY + 1));
  await expect(screen.sessionCard).toContainText("200 done");
  await expect(screen.sessionCard).toContainText("19,800 need you");

  const { grid } = screen;
  const itemHeader = grid.getByRole("columnheader", { name: "Item Name" });
  const headerAtStart = await placeOf(itemHeader);
  const height = await grid.evaluate((element) => element.scrollHeight);
  const pinnedAt = (await placeOf(screen.row(2).getByRole("gridcell").nth(1))).x;
  for (const share of [0.1, 0.35, 0.6, 0.85, 1]) {
    await scrollTo(grid, { top: height * share, left: share * 1200 });
    const line = Math.min(MANY + 1, Math.round(share * MANY) + 4);
    await expect(screen.row(line)).toBeVisible();
    expect(await placeOf(itemHeader)).toEqual(headerAtStart);
    expect((await placeOf(screen.row(line).getByRole("gridcell").nth(1))).x).toBe(pinnedAt);
    await expect(screen.row(line)).toHaveAttribute("aria-rowindex", String(line));
    expect(await grid.locator("tbody tr").count()).toBeLessThan(60);
  }
  await expect(screen.row(MANY + 1)).toContainText("Error: 19999-X");

  await screen.find.fill("tigers team");
  await expect(grid).toHaveAttribute("aria-rowcount", "68");
  await expect(screen.row(2)).toContainText("1960 TOPPS #72 TIGERS TEAM");
});

test("the keyboard: arrows, ends, images, copy, find, keys, density", async ({ signedIn, context, product }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: product.origin });
  const screen = new Screen(signedIn);
  const { keyboard } = signedIn;
  const rows = freshTagRows(40);
  await screen.process(sheetFile("keys.csv", [["C1240631", "TAG", "", ""], ["Q9937497", "TAG", "", ""], ...rows]));
  await expect(screen.sessionCard).toContainText("42 done");
  const active = (line: number): Promise<void> => expect(screen.row(line)).toHaveAttribute("aria-selected", "true");

  await screen.grid.focus();
  await active(2);
  await keyboard.press("ArrowDown");
  await active(3);
  await keyboard.press("End");
  await active(43);
  await expect(screen.row(43)).toBeInViewport();
  await keyboard.press("Home");
  await active(2);
  await keyboard.press("PageDown");
  await expect(screen.row(2)).toHaveAttribute("aria-selected", "false");
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
  await keyboard.press("ArrowDown");
  await expect(signedIn.getByRole("dialog")).toContainText("CYNTHIA'S ROSERADE");
  await keyboard.press("Escape");
  await active(3);
  await expect(screen.grid).toBeFocused();

  await keyboard.press("c");
  await expect(signedIn.getByText("Copied Q9937497")).toBeVisible();
  expect(await signedIn.evaluate(() => navigator.clipboard.readText())).toBe("Q9937497");

  await keyboard.press("/");
  await expect(screen.find).toBeFocused();
  await keyboard.type("regigigas");
  await expect(screen.grid).toHaveAttribute("aria-rowcount", "2");
  await keyboard.press("Escape");
  await expect(screen.find).toHaveValue("");
  await expect(screen.grid).toHaveAttribute("aria-rowcount", "43");

  await screen.grid.focus();
  await keyboard.press("?");
  const help = signedIn.getByRole("dialog", { name: "Keys" });
  await expect(help).toContainText("Copy the certificate number");
  await keyboard.press("Escape");
  await expect(help).toBeHidden();

  await screen.grid.focus();
  const heightOf = async (): Promise<number> => Math.round((await screen.row(3).boundingBox())?.height ?? 0);
  expect(await heightOf()).toBe(56);
  await keyboard.press("d");
  await expect.poll(heightOf).toBe(36);
  await signedIn.reload();
  await expect(screen.row(3)).toBeVisible();
  expect(await heightOf()).toBe(36);
});

/** A picture's bytes, as a mark to compare. */
async function markOf(page: Page, image: Locator): Promise<string> {
  await expect(image).toBeVisible();
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(300);
  const source = await image.evaluate((element: HTMLImageElement) => element.src);
  const answer = await page.request.get(source);
  expect(answer.headers()["content-type"]).toMatch(/^image\//);
  return createHash("sha256")
    .update(await answer.body())
    .digest("hex");
}

test("thumbnails open the pictures in full size; a swap is kept", async ({ signedIn, office }) => {
  const screen = new Screen(signedIn);
  await screen.process(
    sheetFile("pictures.csv", [
      ["1401019289294", "CGC", "", ""],
      ["99999975", "PSA", "", ""],
      ["99999987", "PSA", "", ""],
    ]),
  );
  await expect(screen.sessionCard).toContainText("3 done");
  const sessionId = await screen.sessionId();
  const [before] = await office.results(sessionId);

  const thumbnails = screen.row(2).getByRole("button", { name: /^Images of/ });
  for (const image of await thumbnails.locator("img").all()) {
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0);
  }
  await expect(thumbnails.locator("img")).toHaveCount(2);
  await thumbnails.click();
  const dialog = signedIn.getByRole("dialog", { name: /Turtwig/ });
  const front = dialog.getByRole("img", { name: /^Front of/ });
  const back = dialog.getByRole("img", { name: /^Back of/ });
  const [frontBefore, backBefore] = [await markOf(signedIn, front), await markOf(signedIn, back)];
  expect(frontBefore).not.toBe(backBefore);
  await expect(dialog.getByRole("link", { name: /View Cert/ })).toHaveAttribute("href", before?.certUrl ?? "");

  await dialog.getByRole("button", { name: "Swap images" }).click();
  await expect
    .poll(async () => (await office.results(sessionId))[0])
    .toMatchObject({ imageUrl: before?.imageUrlBack, imageUrlBack: before?.imageUrl });
  await expect.poll(() => markOf(signedIn, front)).toBe(backBefore);

  await signedIn.reload();
  await thumbnails.click();
  expect(await markOf(signedIn, front)).toBe(backBefore);
  expect(await markOf(signedIn, back)).toBe(frontBefore);

  // One side only: shown, and nothing to swap. None: nothing to open.
  await signedIn.keyboard.press("ArrowDown");
  const oneSided = signedIn.getByRole("dialog").filter({ hasText: "99999975" });
  await expect(oneSided.getByText("No back image")).toBeVisible();
  await expect(oneSided.getByRole("button", { name: "Swap images" })).toBeDisabled();
  await signedIn.keyboard.press("Escape");
  await expect(screen.row(4).getByRole("button", { name: /^Images of|^Swap/ })).toHaveCount(0);

  // The table's own swap button takes it back.
  await screen.row(2).hover();
  await screen
    .row(2)
    .getByRole("button", { name: /^Swap front and back/ })
    .click();
  await expect
    .poll(async () => (await office.results(sessionId))[0])
    .toMatchObject({ imageUrl: before?.imageUrl, imageUrlBack: before?.imageUrlBack });
});

test("grades are green from 9, orange from 7, grey below", async ({ signedIn }) => {
  const screen = new Screen(signedIn);
  await screen.process(
    sheetFile("grades.csv", [
      ["98174651", "PSA", "", ""],
      ["01020688", "PSA", "", ""],
      ["C1240631", "TAG", "", ""],
      ["01005453", "PSA", "", ""],
    ]),
  );
  await expect(screen.sessionCard).toContainText("4 done");
  const colors = { "MINT 9": "rgb(15, 115, 82)", "NM-MT 8": "rgb(154, 91, 0)", "7 NEAR MINT": "rgb(154, 91, 0)" };
  for (const [grade, color] of Object.entries(colors)) {
    await expect(screen.grid.getByText(grade, { exact: true })).toHaveCSS("color", color);
  }
  const grey = await screen.grid
    .getByText("EX-MT 6", { exact: true })
    .evaluate((element) => getComputedStyle(element).color.match(/\d+/g)?.map(Number) ?? []);
  expect(Math.max(...grey) - Math.min(...grey)).toBeLessThan(24);
});
