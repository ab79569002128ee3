import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, type Page } from "@playwright/test";
import { isLongForm } from "../../scripts/test-form.ts";
import { type Scheme, SCHEMES, type ScreenName, screenshotName, type Window, WINDOWS } from "./names.ts";
import { type AxeScope, expectNoViolations, useScheme } from "./accessible.ts";
import { compareTree } from "./tree.ts";

const SCREENSHOTS = fileURLToPath(new URL("../../docs/screens/", import.meta.url));

/** Fractional pixels of a dialog can add up to one pixel. */
const ROUNDING = 1;

/** `npm run screens` sets this; see scripts/screens.mjs. */
const takesScreenshots = process.env["TAKE_SCREENS"] === "1";

/** The windows that this run checks. */
export const CHECKED_WINDOWS: readonly Window[] = WINDOWS.filter(
  ({ name, suffix }) => name === "desktop" || isLongForm || (takesScreenshots && suffix !== null),
);
const RUN_SCHEMES = isLongForm || takesScreenshots ? SCHEMES : (["light"] as const);

/** Checks screens in one window and tracks which ones it has checked. */
export class ScreenCheck {
  readonly seen: ScreenName[] = [];
  readonly #page: Page;
  readonly #window: Window;

  constructor(page: Page, window: Window) {
    this.#page = page;
    this.#window = window;
  }

  /**
   * Checks the width and accessibility of a screen, and on a desktop its accessibility tree.
   *
   * @param axeScope the part of the page for axe, if earlier checks covered the rest
   */
  async at(screen: ScreenName, axeScope?: AxeScope): Promise<void> {
    this.seen.push(screen);
    await useScheme(this.#page, "light");
    if (this.#window.name === "desktop") await compareTree(this.#page, screen, takesScreenshots ? "store" : "compare");
    for (const scheme of RUN_SCHEMES) await this.#check(screen, scheme, axeScope);
  }

  async #check(screen: ScreenName, scheme: Scheme, axeScope?: AxeScope): Promise<void> {
    const page = this.#page;
    await useScheme(page, scheme);
    await expect.poll(() => page.evaluate(hasImagesInView), `images of ${screen}`).toBe(true);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${screen} is wider than the window`).toBeLessThanOrEqual(ROUNDING);
    if (takesScreenshots) await this.#takeScreenshot(screen, scheme);
    else if (this.#window.name !== "zoom" || scheme !== "dark")
      await expectNoViolations(page, screen, { scheme, axeScope });
  }

  async #takeScreenshot(screen: ScreenName, scheme: Scheme): Promise<void> {
    const { suffix } = this.#window;
    if (suffix === null) return;
    await mkdir(SCREENSHOTS, { recursive: true });
    await this.#page.screenshot({ path: `${SCREENSHOTS}${screenshotName(screen, suffix, scheme)}` });
  }
}

/** Runs in the page. Whether every visible image has loaded. */
function hasImagesInView(): boolean {
  return Array.from(document.images).every((image) => {
    const { top, bottom } = image.getBoundingClientRect();
    return bottom <= 0 || top >= innerHeight || (image.complete && image.naturalWidth > 0);
  });
}
