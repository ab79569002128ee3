import { createHash } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { sheetFile } from "../golden/made-up-sheets.ts";
import { expect, longStep, test } from "../journey.ts";
import { Screen } from "./screen.ts";

/** A card's photos as a user sees them. */
class CardPhotos {
  readonly page: Page;
  readonly dialog: Locator;

  constructor(page: Page, name: RegExp) {
    this.page = page;
    this.dialog = page.getByRole("dialog", { name });
  }

  image(side: "Front" | "Back"): Locator {
    return this.dialog.getByRole("img", { name: new RegExp(`^${side} of`) });
  }

  side(side: "Front" | "Back"): Locator {
    return this.dialog.getByRole("figure", { name: new RegExp(`^${side}`) });
  }

  button(name: string | RegExp): Locator {
    return this.dialog.getByRole("button", { name });
  }

  /** How far a side is zoomed and panned on the screen. */
  async view(side: "Front" | "Back"): Promise<{ scale: number; x: number; y: number }> {
    return this.image(side).evaluate((element) => {
      const { a, e, f } = new DOMMatrix(getComputedStyle(element.parentElement ?? element).transform);
      return { scale: a, x: e, y: f };
    });
  }

  /** An image's bytes, as a hash to compare. */
  async markOf(side: "Front" | "Back"): Promise<string> {
    const image = this.image(side);
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(200);
    const answer = await this.page.request.get(await image.evaluate((element: HTMLImageElement) => element.src));
    expect(answer.headers()["content-type"]).toMatch(/^image\//);
    return createHash("sha256")
      .update(await answer.body())
      .digest("hex");
  }

  async chooseFile(side: "front" | "back", file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    await this.button(new RegExp(`own photo: ${side}$`)).click();
    const [chooser] = await Promise.all([
      this.page.waitForEvent("filechooser"),
      this.page.getByRole("menuitem", { name: "Choose a file…" }).click(),
    ]);
    await chooser.setFiles(file);
  }
}

/** A phone's photo. */
async function takePhoto(page: Page): Promise<Buffer> {
  const address = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    canvas.width = 900;
    canvas.height = 1500;
    const drawing = canvas.getContext("2d");
    if (!drawing) throw new Error("Nothing to draw on");
    drawing.fillStyle = "teal";
    drawing.fillRect(0, 0, 900, 1500);
    return canvas.toDataURL("image/jpeg");
  });
  return Buffer.from(address.slice(address.indexOf(",") + 1), "base64");
}

const SHEET = [
  ["1401019289294", "CGC", "", ""],
  ["99999975", "PSA", "", ""],
  ["99999987", "PSA", "", ""],
  ["99999950", "PSA", "", ""],
];

test("images by mouse and keyboard: flags, swap and undo, zoom and pan, own photos", async ({
  signedIn: page,
  adminApi,
}) => {
  const screen = new Screen(page);
  await screen.process(sheetFile("images.csv", SHEET));
  await expect(screen.sessionCard).toContainText("4 done");
  const sessionId = await screen.sessionId();
  const [before] = await adminApi.results(sessionId);
  const urls = async (): Promise<(string | null | undefined)[]> => {
    const [row] = await adminApi.results(sessionId);
    return [row?.imageUrl, row?.imageUrlBack];
  };
  const [front, back] = [before?.imageUrl, before?.imageUrlBack];
  const thumbnails = screen.row(2).getByRole("button", { name: /^Images of/ });
  const card = new CardPhotos(page, /Turtwig/);

  await test.step("a swap survives a reload and is undone from its toast", async () => {
    await thumbnails.click();
    const marks = [await card.markOf("Front"), await card.markOf("Back")];
    expect(marks[0]).not.toBe(marks[1]);
    await expect(card.dialog.getByRole("link", { name: /View Cert/ })).toHaveAttribute("href", before?.certUrl ?? "");
    await card.button("Swap images").click();
    await expect(page.getByText("Front and back swapped")).toBeVisible();
    expect(await urls()).toEqual([back, front]);
    await page.reload();
    await thumbnails.click();
    expect([await card.markOf("Back"), await card.markOf("Front")]).toEqual(marks);
    await page.keyboard.press("Escape");

    await screen.row(2).hover();
    await screen
      .row(2)
      .getByRole("button", { name: /^Swap front and back/ })
      .click();
    await expect.poll(urls).toEqual([front, back]);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("Front and back are as they were")).toBeVisible();
    expect(await urls()).toEqual([back, front]);
    await page.getByRole("button", { name: "Close message" }).last().click();
    await screen.grid.press("s");
    await expect.poll(urls).toEqual([front, back]);
  });

  await test.step("the wheel zooms one side around the pointer; the full size is fetched only then", async () => {
    const fullSizes: string[] = [];
    page.on("request", (request) => {
      if (/\/image\/(?:front|back)\?of=/.test(request.url())) fullSizes.push(request.url());
    });
    await thumbnails.click();
    await card.markOf("Front");
    const box = await card.image("Front").boundingBox();
    if (!box) throw new Error("The front is not in view");
    expect(fullSizes).toEqual([]);
    await page.mouse.move(box.x + box.width * 0.75, box.y + box.height * 0.25);
    await page.mouse.wheel(0, -400);
    await expect.poll(async () => (await card.view("Front")).scale).toBeGreaterThan(2);
    await expect.poll(() => fullSizes.length).toBe(1);
    const { scale, x, y } = await card.view("Front");
    // The mouse moves by whole pixels.
    expect(x).toBeCloseTo(-box.width * 0.25 * (scale - 1), -1);
    expect(y).toBeCloseTo(box.height * 0.25 * (scale - 1), -1);
    expect((await card.view("Back")).scale).toBe(1);

    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.75 - 40, box.y + box.height * 0.25 + 5_000, { steps: 4 });
    await page.mouse.up();
    const moved = await card.view("Front");
    expect(moved.x).toBeCloseTo(x - 40, -1);
    // Held where its edge meets the frame's edge.
    expect(moved.y).toBeCloseTo((box.height * (scale - 1)) / 2, -1);

    await card.button("Zoom both sides together").click();
    expect(await card.view("Back")).toEqual(moved);
    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
    for (const side of ["Front", "Back"] as const)
      await expect.poll(() => card.view(side)).toEqual({ scale: 1, x: 0, y: 0 });
  });

  await test.step("a file that is not a photo is refused with a message; a photo replaces the grader's, which can be restored", async () => {
    await card.chooseFile("front", { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("no") });
    await expect(page.getByRole("alert").filter({ hasText: "Choose a JPEG, PNG, WebP or AVIF image" })).toBeVisible();
    const grader = await card.markOf("Front");
    const photo = { name: "IMG_1.jpg", mimeType: "image/jpeg", buffer: await takePhoto(page) };
    await card.chooseFile("front", photo);
    await expect(card.side("Front").getByText("Own photo", { exact: true })).toBeVisible();
    expect(await urls()).toEqual([expect.stringMatching(/^\/api\/photos\//), back]);
    expect(await card.markOf("Front")).not.toBe(grader);
    await card.button("Use your own photo: front").click();
    await page.getByRole("menuitem", { name: "Use the grader's image again" }).click();
    await expect(card.side("Front").getByText("Own photo", { exact: true })).toHaveCount(0);
    expect(await urls()).toEqual([front, back]);
    expect(await card.markOf("Front")).toBe(grader);
    await page.keyboard.press("Escape");
  });

  await longStep("the keyboard opens, zooms, pans, changes the side, swaps, changes the card, and closes", async () => {
    const pressed = (side: "Front" | "Back"): Promise<void> =>
      expect(page.getByRole("group", { name: "Side" }).getByRole("button", { name: side })).toHaveAttribute(
        "aria-pressed",
        "true",
      );

    await screen.grid.focus();
    await page.keyboard.press("Enter");
    await card.markOf("Front");
    await page.keyboard.press(" ");
    await pressed("Front");
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    await expect(card.button("225%, show the whole front")).toBeVisible();
    await page.keyboard.press("ArrowRight");
    await expect.poll(async () => (await card.view("Front")).x).toBeLessThan(0);
    await pressed("Front");
    await page.keyboard.press("-");
    await page.keyboard.press("0");
    await expect.poll(() => card.view("Front")).toEqual({ scale: 1, x: 0, y: 0 });
    await page.keyboard.press("ArrowRight");
    await pressed("Back");

    const [row] = await adminApi.results(sessionId);
    await page.keyboard.press("s");
    await expect
      .poll(async () => (await adminApi.results(sessionId))[0])
      .toMatchObject({ imageUrl: row?.imageUrlBack, imageUrlBack: row?.imageUrl });
    await page.keyboard.press("s");
    await expect
      .poll(async () => (await adminApi.results(sessionId))[0])
      .toMatchObject({ imageUrl: row?.imageUrl, imageUrlBack: row?.imageUrlBack });

    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("dialog")).toContainText("99999975");
    await page.keyboard.press("k");
    await expect(card.dialog).toBeVisible();
    await pressed("Back");
    await card.button("Smaller").click();
    await card.button("Enlarge the front").click();
    await pressed("Front");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(screen.grid).toBeFocused();
  });

  await test.step("image problems have a mark, a filter, and a message; a photo can be added where an image is missing", async () => {
    for (const [filter, line, mark] of [
      ["No image 1", 4, /^Add photos of .*The card has no image/],
      ["One side only 1", 3, /^Images of .*Only the front has an image/],
      ["Same image on both sides 1", 5, /^Images of .*Front and back are the same image/],
    ] as const) {
      // The comparisons of other journeys' cards come first, a few per second.
      await expect(page.getByRole("button", { name: filter })).toBeVisible({ timeout: 200_000 });
      await page.getByRole("button", { name: filter }).click();
      await expect(screen.grid.locator("tbody tr[data-line]")).toHaveCount(1);
      await expect(screen.row(line).getByRole("button", { name: mark })).toBeVisible();
    }
    await page.getByRole("button", { name: "No image 1" }).click();
    await screen
      .row(4)
      .getByRole("button", { name: /^Add photos of/ })
      .click();
    const empty = new CardPhotos(page, /./);
    await expect(empty.dialog.getByText("No back image")).toBeVisible();
    await expect(empty.button("Swap images")).toBeDisabled();
    await empty.chooseFile("back", {
      name: "back.jpg",
      mimeType: "image/jpeg",
      buffer: await takePhoto(page),
    });
    await expect(empty.dialog.getByText("Only the back has an image")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "One side only 2" })).toBeVisible();
  });
});
