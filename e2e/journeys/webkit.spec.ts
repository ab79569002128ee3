import { isLongForm } from "../../scripts/test-form.ts";
import { expect, test } from "../journey.ts";
import { hasWebKit, startWebKit } from "../product/webkit.ts";

const button = (name: string): string =>
  `[...document.querySelectorAll("button")].find((one) => one.textContent.trim() === "${name}")`;
const SESSION_CARD = `document.querySelector('[aria-label="Current session"]')`;
const ROWS = "document.querySelectorAll('[role=grid] tr[data-line]').length";

test("WebKit does the main job: sign in, the sample sheet, a finished table, a card, and a reload", async ({
  product,
  person,
}) => {
  test.skip(!isLongForm, "Other journeys follow the same path in Chromium, so only the long form repeats it in WebKit");
  test.skip(!hasWebKit, "Needs Debian's WebKit: apt-get install webkit2gtk-driver xvfb");
  const webkit = await startWebKit();
  const page = (expression: string) => expect.poll(() => webkit.read(expression), expression);
  try {
    await webkit.open(product.origin);
    await webkit.type('[placeholder="Enter your email"]', person.email);
    await webkit.type('[placeholder="Enter your password"]', person.password);
    await webkit.click('button[type="submit"]');

    await page(`${button("Try the sample sheet")} !== undefined`).toBe(true);
    await webkit.read(`${button("Try the sample sheet")}.click()`);
    await page(`${button("Process Data")}?.disabled`).toBe(false);
    await webkit.read(`${button("Process Data")}.click()`);
    await page(`${SESSION_CARD}?.textContent.includes("completed") ?? false`).toBe(true);
    await page(ROWS).toBeGreaterThan(3);
    const rows = await webkit.read(ROWS);

    await webkit.click("[role=grid] tr[data-line] button[data-opens-card]");
    await page(`document.querySelector("[role=dialog]")?.textContent.includes("Cost and offer")`).toBe(true);
    await page(`new URLSearchParams(location.search).has("card")`).toBe(true);
    await webkit.open(product.origin);
    await page(ROWS).toBe(rows);
  } finally {
    await webkit.close();
  }
});
