import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { isLongForm } from "../../scripts/test-form.ts";
import { type Scheme, SCHEMES } from "./names.ts";

const RULES = {
  light: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] },
  // In dark only the colors differ.
  dark: { type: "rule", values: ["color-contrast"] },
} as const;

/** Switches the page to a color scheme and waits until it applies. */
export async function useScheme(page: Page, colorScheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
}

/** CSS selectors of what axe checks and of what it leaves out. */
export type AxeScope = { include?: string; exclude?: string };

/** Fails if axe finds a violation in its scope: by default the open dialog, or the page if no dialog is open. */
export async function expectNoViolations(
  page: Page,
  screen: string,
  { scheme, axeScope = {} }: { scheme: Scheme; axeScope?: AxeScope | undefined },
): Promise<void> {
  // Axe is large, so it is loaded into a page only once.
  const isLoaded = await page.evaluate(() => "axe" in globalThis);
  const { type, values } = RULES[scheme];
  // The slowest rule. In the short form, theme-contrast.test.ts checks the theme's colors.
  const rules = { "color-contrast": { enabled: isLongForm || scheme === "dark" } };
  const axe = new AxeBuilder(isLoaded ? { page, axeSource: "void 0" } : { page })
    .setLegacyMode()
    .options({ runOnly: { type, values: [...values] }, resultTypes: ["violations"], rules });
  const hasDialog = await page.getByRole("dialog").isVisible();
  const include = axeScope.include ?? (hasDialog ? '[role="dialog"]' : undefined);
  if (include !== undefined) axe.include(include);
  if (axeScope.exclude !== undefined) axe.exclude(axeScope.exclude);
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
  expect(found, `axe on ${screen}, ${scheme}`).toEqual([]);
}

/**
 * Runs axe on the page in each color scheme, and leaves the page in light. Only in the long form: in the short form, only
 * screens.spec.ts runs axe.
 */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  if (!isLongForm) return;
  for (const scheme of SCHEMES) {
    await useScheme(page, scheme);
    await expectNoViolations(page, screen, { scheme });
  }
  await useScheme(page, "light");
}
