import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { isLongForm } from "../../scripts/test-form.ts";
import { pictureName, type Scheme, SCHEMES, type ScreenName, type Window, WINDOWS } from "./names.ts";
import { compareTree } from "./tree.ts";

const PICTURES = fileURLToPath(new URL("../../docs/screens/", import.meta.url));
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Fractional pixels of a dialog can add up to one pixel. */
const ROUNDING = 1;

/** `npm run screens` sets this; see scripts/screens.mjs. */
const takesPictures = process.env["TAKE_SCREENS"] === "1";

/** The windows that this run checks. */
export const LOOKS: readonly Window[] = WINDOWS.filter(
  ({ name, suffix }) => name === "desk" || isLongForm || (takesPictures && suffix !== null),
);
const RUN_SCHEMES = isLongForm || takesPictures ? SCHEMES : (["light"] as const);

/** Checks screens in one window and remembers which ones it has seen. */
export class Look {
  readonly seen: ScreenName[] = [];
  readonly #page: Page;
  readonly #window: Window;

  constructor(page: Page, window: Window) {
    this.#page = page;
    this.#window = window;
  }

  /** Checks the width and accessibility of a screen, and on a desktop its accessibility tree. */
  async at(screen: ScreenName): Promise<void> {
    this.seen.push(screen);
    await this.#use("light");
    if (this.#window.name === "desk") await compareTree(this.#page, screen, takesPictures ? "store" : "compare");
    for (const scheme of RUN_SCHEMES) await this.#check(screen, scheme);
  }

  async #use(scheme: Scheme): Promise<void> {
    await this.#page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await expect(this.#page.locator("html")).toHaveAttribute("data-mantine-color-scheme", scheme);
  }

  async #check(screen: ScreenName, scheme: Scheme): Promise<void> {
    const page = this.#page;
    await this.#use(scheme);
    await expect.poll(() => page.evaluate(hasPicturesInView), `pictures of ${screen}`).toBe(true);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${screen} is wider than the window`).toBeLessThanOrEqual(ROUNDING);
    if (takesPictures) await this.#takePicture(screen, scheme);
    else if (this.#window.name !== "zoom" || scheme !== "dark") await expectAccessible(page, screen, scheme);
  }

  async #takePicture(screen: ScreenName, scheme: Scheme): Promise<void> {
    const { suffix } = this.#window;
    if (suffix === null) return;
    await mkdir(PICTURES, { recursive: true });
    await this.#page.screenshot({ path: `${PICTURES}${pictureName(screen, suffix, scheme)}` });
  }
}

/** Runs in the page. Whether every picture in view has loaded. */
function hasPicturesInView(): boolean {
  return Array.from(document.images).every((image) => {
    const { top, bottom } = image.getBoundingClientRect();
    return bottom <= 0 || top >= innerHeight || (image.complete && image.naturalWidth > 0);
  });
}

async function expectAccessible(page: Page, screen: ScreenName, scheme: Scheme): Promise<void> {
  const axe = await axeIn(page, scheme);
  // An open dialog covers the rest of the page, so check only the dialog.
  if (await page.getByRole("dialog").isVisible()) axe.include('[role="dialog"]');
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
  expect(found, `axe on ${screen}`).toEqual([]);
}

/**
 * Axe is large, so it is loaded into a page only once and reports only violations. In dark only the colors differ, so only
 * the contrast is checked.
 */
async function axeIn(page: Page, scheme: Scheme): Promise<AxeBuilder> {
  const isThere = await page.evaluate(() => "axe" in globalThis);
  const rules = { light: { type: "tag", values: WCAG }, dark: { type: "rule", values: ["color-contrast"] } } as const;
  return new AxeBuilder(isThere ? { page, axeSource: "void 0" } : { page })
    .setLegacyMode()
    .options({ runOnly: { ...rules[scheme], values: [...rules[scheme].values] }, resultTypes: ["violations"] });
}
