import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, type Page, test } from "@playwright/test";
import type { ScreenName } from "./names.ts";

/*
 * trees/ stores the accessibility tree of each screen. `npm run screens` and Playwright's --update-snapshots update it.
 */

const TREES = fileURLToPath(new URL("trees/", import.meta.url));

const MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)";
const SHORT_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)";
const WEEKDAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";

/** Masks for text that varies between runs or days, applied in this order. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "#"],
  // A suggested password.
  [/\b[a-z2-9]{5}(?:-[a-z2-9]{5}){3}\b/g, "password"],
  [/(?<!level=)\d+(?:[.,:/]\d+)*/g, "#"],
  // Today's times have no date.
  [/# [AP]M(?![a-z])/g, "date"],
  // A quota's reset is tomorrow for most of the day.
  [/date tomorrow(?![a-z])/g, "date"],
  [/tomorrow at date/g, "at date"],
  [new RegExp(`\\b(?:${WEEKDAY}), `, "g"), ""],
  [new RegExp(`# (?:${MONTH}|${SHORT_MONTH})\\b|\\b(?:${MONTH}|${SHORT_MONTH}) #(?:, #)?`, "g"), "date"],
  [/date(?:,| at) date/g, "date"],
  [/# h # min|# (?:ms|s|min|h)\b|less than a minute/g, "duration"],
  [/\$#K?/g, "$#"],
  // Singular or plural.
  [/# ([a-z]{3,}?)s\b/g, "# $1"],
  [/text: card processed/g, "text: cards processed"],
  // A server that has just started may have made its first call before the page asked for the quota.
  [/Last reset no calls yet/g, "Last reset date"],
  // The trend depends on the sales of the last days.
  [/ trend (?:up|down|flat)\b/g, ""],
  [/(?<=- definition: )(?:up|down|flat)\b/g, "trend"],
  // The source that answered first.
  [/(?:CardLadder|CardsIQ) estimate \$#/g, "estimate $#"],
  // Live regions change over time.
  [/- status: .*/g, "- status"],
];

/** Compares a screen with its stored tree, or stores its tree. */
export async function compareTree(page: Page, screen: ScreenName, mode: "compare" | "store"): Promise<void> {
  const file = `${TREES}${screen}.txt`;
  const { updateSnapshots } = test.info().config;
  if (mode === "store" || updateSnapshots === "all" || updateSnapshots === "changed") {
    await mkdir(TREES, { recursive: true });
    await writeFile(file, await settledTree(page));
    return;
  }
  const stored = await readFile(file, "utf8");
  await expect.poll(() => treeOf(page), `the accessibility tree of ${screen}`).toBe(stored);
}

/** Returns the tree once it stops changing. */
async function settledTree(page: Page): Promise<string> {
  let last = "";
  await expect
    .poll(
      async () => {
        const before = last;
        last = await treeOf(page);
        return last === before;
      },
      { intervals: [1000] },
    )
    .toBe(true);
  return last;
}

/** Returns the masked tree of the open dialog or menu, or of the page if none is open. */
async function treeOf(page: Page): Promise<string> {
  const overlay = page.getByRole("dialog").or(page.getByRole("menu"));
  const root = (await overlay.count()) === 1 ? overlay : page.locator("body");
  const tree = await root.ariaSnapshot();
  return `${onlyOnce(MASKS.reduce((text, [pattern, sign]) => text.replace(pattern, sign), tree))}\n`;
}

/** Collapses repeated lines, as their number may depend on the day. */
function onlyOnce(tree: string): string {
  return tree
    .split("\n")
    .filter((line, index, lines) => line !== lines[index - 1])
    .join("\n");
}
