import { freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { enter, expect, test } from "../journey.ts";
import { Screen } from "./screen.ts";

type Notice = { title: string; body: string | undefined };
declare global {
  // What the stand-ins below keep in the page.
  var notices: Notice[];
  var isLookingAway: boolean;
}

/** A browser that shows notifications and one who looks away: neither exists without a screen. */
function standIn(): void {
  globalThis.notices = [];
  globalThis.isLookingAway = false;
  document.hasFocus = () => !globalThis.isLookingAway;
  let permission: NotificationPermission = "default";
  class Shown extends EventTarget {
    constructor(title: string, options?: NotificationOptions) {
      super();
      globalThis.notices.push({ title, body: options?.body });
    }
    static get permission(): NotificationPermission {
      return permission;
    }
    static async requestPermission(): Promise<NotificationPermission> {
      permission = "granted";
      return permission;
    }
  }
  Object.defineProperty(globalThis, "Notification", { value: Shown });
}

test("who looks elsewhere is told of the end: title, icon, notification, and words for a screen reader", async ({
  page,
  product,
  person,
  upstream,
}) => {
  await page.addInitScript(standIn);
  await enter(page, product, person);
  const screen = new Screen(page);
  const icon = page.locator('link[rel="icon"]');
  await expect(icon).toHaveAttribute("href", "/favicon.svg");

  upstream.gate.hold();
  await screen.chooseFile(sheetFile("box.csv", [...freshTagRows(3), ["X9999990", "TAG", "", ""]]));
  await page.getByLabel(/Session name/).fill("Dallas box");
  await screen.processButton.click();
  await expect(screen.heard("Processing started: 4 cards")).toHaveCount(1);
  upstream.gate.letThrough(1);
  await expect(page).toHaveTitle("25% · Dallas box · Slabdesk");
  await expect(icon).toHaveAttribute("href", /^data:image\/svg/);

  await screen.action("Notify me when it is done").click();
  await expect(page.getByText("You will be notified when it is done, while this tab is open")).toBeVisible();
  await expect(screen.action("Notify me when it is done")).toHaveCount(0);
  await page.evaluate(() => {
    globalThis.isLookingAway = true;
  });
  const whileRunning = await icon.getAttribute("href");
  upstream.gate.open();

  await expect(page).toHaveTitle("Done · Dallas box");
  await expect(icon).not.toHaveAttribute("href", whileRunning ?? "");
  await expect(icon).toHaveAttribute("href", /^data:image\/svg/);
  await expect(screen.heard("Processing completed: 3 done, 1 not found")).toHaveCount(1);
  expect(await page.evaluate(() => globalThis.notices)).toEqual([
    { title: "Done · Dallas box", body: "3 done, 1 not found" },
  ]);

  await page.evaluate(() => {
    globalThis.isLookingAway = false;
  });
  await screen.comeBack();
  await expect(page).toHaveTitle("Slabdesk");
  await expect(icon).toHaveAttribute("href", "/favicon.svg");
});
