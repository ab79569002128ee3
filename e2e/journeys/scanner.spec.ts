import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { readCsv } from "../golden/csv-text.ts";
import { type ChosenFile, freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { enter, expect, longStep, test } from "../journey.ts";
import { Screen } from "./screen.ts";

const GREEN = "rgb(15, 115, 82)";
const ORANGE = "rgb(154, 91, 0)";
const RED = "rgb(180, 35, 24)";

/** Keeps the page's messages from the worker that reads sheets. Returns a function that sends them. */
async function holdSheetWorker(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, ...message: unknown[]) {
      const send = (): void => {
        Worker.prototype.postMessage = post;
        Reflect.apply(post, this, message);
      };
      addEventListener("send-to-worker", send, { once: true });
    };
  });
  return () => page.evaluate(() => void dispatchEvent(new Event("send-to-worker")));
}

type Notice = { title: string; body: string | undefined };
declare global {
  // Set in the page by the stub.
  var notices: Notice[];
  var isLookingAway: boolean;
}

/** Stubs notifications and the window's focus, which a headless browser lacks. */
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

test("a first visit: the four steps, files, the template, results, and the plan", async ({
  signedIn,
  person,
  adminApi,
}) => {
  const screen = new Screen(signedIn);
  await test.step("the four steps before any input", async () => {
    await expect(screen.tab("Scanner")).toHaveAttribute("aria-selected", "true");
    await expect(signedIn.getByRole("tab")).toHaveText(["Scanner", "Dashboard"]);
    await expect(signedIn.getByRole("region", { name: "Server" })).toHaveCount(0);
    await expect(signedIn).toHaveURL("/");
    await expect(signedIn.getByRole("heading", { level: 2 })).toHaveText([
      /Step 1: Template/,
      /Step 2: Your sheet/,
      /Step 3: Processing options/,
      /Step 4: Process/,
    ]);
    await expect(
      signedIn.getByText("No saved results yet. Complete a processing session to see results here."),
    ).toBeVisible();
    await expect(signedIn.locator('input[type="file"]')).toHaveAttribute("accept", /\.csv/);
    await expect(signedIn.getByLabel(/Session name/)).toHaveCount(0);
    await expect(screen.stopButton).toHaveCount(0);

    const fallback = signedIn.getByRole("radio", { name: "API with scraping fallback" });
    await expect(fallback).toBeChecked();
    const options = signedIn.getByRole("radiogroup");
    await expect(options).toContainText("Recommended for PSA");
    await expect(options).toContainText("PSA only, limited to 2500 image requests/day");
    await expect(options).toContainText("Works for PSA and CGC");
    await expect(signedIn.getByRole("radio", { name: "API only" })).not.toBeChecked();
    await expect(signedIn.getByRole("radio", { name: "Web scraping only" })).not.toBeChecked();
    await expect(signedIn.getByText(/CGC's API needs credentials/)).toBeVisible();

    await screen.processButton.click();
    await expect(signedIn.getByRole("alert")).toHaveText("Please upload a CSV file first.");
    await signedIn.getByRole("button", { name: "Try the sample sheet" }).click();
    // Other journeys may have looked up its cards.
    await expect(screen.planNumber("to fix")).toHaveText("2");
    await expect(signedIn.getByRole("alert")).toHaveCount(0);
    await signedIn.reload();
    await screen.downloadButton.click();
    await expect(signedIn.getByText("No results to download.")).toBeVisible();
    await signedIn.getByRole("button", { name: "Close message" }).click();
    await expect(screen.clearButton).toBeDisabled();
  });

  await test.step("a file that is not a sheet is refused with the specified text, and the choice is cleared", async () => {
    await screen.chooseFile(sheetFile("good.csv", freshTagRows(1)));
    await expect(signedIn.getByText("Selected: good.csv · 1 row")).toBeVisible();

    await screen.chooseFile({ name: "cards.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7") });
    await expect(signedIn.getByRole("alert").first()).toHaveText("Please select a valid CSV file.");
    await expect(signedIn.getByText(/^Selected: /)).toHaveCount(0);

    for (const [name, text] of [
      ["open-quote.csv", 'CertNumber,GradingCompany\n98174651,"PSA\n'],
      ["no-header.csv", "one,two\n1,2\n"],
    ] as const) {
      await screen.chooseFile({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
      await expect(signedIn.getByRole("alert").first()).toContainText(
        "Error parsing CSV file. Please check the format.",
      );
      await expect(signedIn.getByText(/^Selected: /)).toHaveCount(0);
    }
    await screen.processButton.click();
    await expect(signedIn.getByText("Please upload a CSV file first.")).toBeVisible();
  });

  let template: ChosenFile;
  await test.step("the template has the four columns and an example of each company, and can be processed unchanged", async () => {
    const [download] = await Promise.all([
      signedIn.waitForEvent("download"),
      signedIn.getByRole("button", { name: "Download Template" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("card-grading-template.csv");
    const file = await readFile(await download.path());
    const [header, ...examples] = readCsv(file.toString("utf8").replace(/^\uFEFF/, ""));
    expect(header).toEqual(["CertNumber", "GradingCompany", "Price", "Notes"]);
    expect(examples.map(([, company]) => company)).toEqual(["PSA", "CGC", "TAG"]);

    template = { name: "card-grading-template.csv", mimeType: "text/csv", buffer: file };
    await screen.process(template);
    await expect(screen.sessionCard).toContainText("3 done");
    await expect(screen.sessionCard).not.toContainText("to fix");
  });

  await test.step("hostile cells run nothing in a spreadsheet or in the browser", async () => {
    // A click counts even while the file is being read.
    const sendToWorker = await holdSheetWorker(signedIn);
    // The simulator has a card whose name is a formula with HTML tags.
    await screen.chooseFile(sheetFile("hostile.csv", [["99999974", "PSA", "", "=1+1"]]));
    await expect(signedIn.getByText("Reading hostile.csv…")).toBeVisible();
    await screen.processButton.click();
    await expect(signedIn.getByRole("alert")).toHaveCount(0);
    await sendToWorker();
    await expect(screen.sessionCard).toContainText("1 done");
    await expect(screen.row(2)).toContainText('=HYPERLINK("HTTP://EXAMPLE.INVALID","MEW") & <B>"MEWTWO"</B>');

    const [download] = await Promise.all([signedIn.waitForEvent("download"), screen.downloadButton.click()]);
    const [, line = []] = readCsv(await readFile(await download.path(), "utf8"));
    expect(line[1]).toBe(`'=HYPERLINK("HTTP://EXAMPLE.INVALID","MEW") & <B>"MEWTWO"</B>, 50% 超夢 ÉDITION`);
    expect(line[8]).toMatch(/^'\+1\+1\|/);
    expect(line[19]).toBe("'=1+1");
    expect(line.filter((cell) => /^[=+@]/.test(cell))).toEqual([]);
  });

  await longStep("a reload, Back and a new lookup keep the session and its open card", async () => {
    const card = signedIn.getByRole("dialog").filter({ has: signedIn.getByRole("button", { name: "Close the card" }) });
    await screen.row(2).click();
    await screen.grid.press("Enter");
    await expect(card).toBeVisible();
    await signedIn.reload();
    await expect(card).toBeVisible();
    await signedIn.goBack();
    await expect(card).toBeHidden();
    await screen.openPalette();
    await signedIn.keyboard.type("new lookup");
    await signedIn.keyboard.press("Enter");
    await expect(signedIn.getByText("No saved results yet.")).toBeVisible();
    await signedIn.goBack();
    await expect(screen.row(2)).toBeVisible();
  });

  await test.step("Clear Results asks first, and clears only the view", async () => {
    const sessionId = await screen.sessionId();

    await screen.clearButton.click();
    const question = signedIn.getByRole("dialog", { name: "Clear the results on this screen?" });
    await expect(question).toContainText(/The 1 result of “hostile\.csv.*” stays saved in your history/);
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(question).toBeHidden();
    await expect(screen.row(2)).toBeVisible();

    await screen.clearButton.click();
    await question.getByRole("button", { name: "Clear Results" }).click();
    await expect(signedIn.getByText("No saved results yet.")).toBeVisible();
    await expect(signedIn.getByRole("region", { name: "Last sessions" }).getByRole("button")).toHaveCount(2);
    await expect(screen.grid).toHaveCount(0);
    await screen.downloadButton.click();
    await expect(signedIn.getByText("No results to download.")).toBeVisible();

    expect(await adminApi.results(sessionId)).toHaveLength(1);
    await screen.tab("Dashboard").click();
    await expect(signedIn.getByRole("listitem").filter({ hasText: "hostile.csv" })).toContainText("1 / 1");
    await expect
      .poll(async () => (await adminApi.activityOf(person)).map((entry) => entry.activityType))
      .toEqual(
        expect.arrayContaining([
          "template_download",
          "csv_upload",
          "scan_session_created",
          "scan_started",
          "scan_completed",
          "csv_download",
          "results_cleared",
        ]),
      );
  });

  await longStep("the button that starts a run stays in place when the plan changes", async () => {
    await screen.tab("Scanner").click();
    let answer = Promise.withResolvers<void>();
    await signedIn.route("**/api/scan-plans", async (route) => {
      await answer.promise;
      await route.continue();
    });

    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 1024, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await signedIn.setViewportSize(viewport);
      await screen.chooseFile(template);
      await expect(screen.plan).toHaveAttribute("aria-busy", "true");
      await expect(screen.planLine("Looked up before")).toHaveCount(0);
      const place = await screen.processButton.boundingBox();
      answer.resolve();
      await expect(screen.planLine("Looked up before")).toBeVisible();
      expect(await screen.processButton.boundingBox(), `at ${viewport.width} pixels`).toEqual(place);
      await screen.pricingChoice.click();
      await expect(screen.plan).toHaveAttribute("aria-busy", "false");
      expect(await screen.processButton.boundingBox(), `other options at ${viewport.width} pixels`).toEqual(place);
      answer = Promise.withResolvers();
    }
  });
});

test("a run in every window, its end in a background tab, and Stop Processing", async ({
  page,
  product,
  upstream,
  otherBrowser,
  adminApi,
  person,
}) => {
  await page.addInitScript(standIn);
  await enter(page, product, person);
  const screen = new Screen(page);
  const icon = page.locator('link[rel="icon"]');
  await expect(icon).toHaveAttribute("href", "/favicon.svg");
  upstream.gate.hold();
  await screen.chooseFile(
    sheetFile("running.csv", [...freshTagRows(3), ["X9999990", "TAG", "", ""], ["123", "PSA", "", ""]]),
  );
  await page.getByLabel(/Session name/).fill("Dallas box");
  await screen.processButton.click();

  await test.step("a running session: busy buttons, progress, one row per line from the start, completion", async () => {
    await expect(screen.heard("Processing started: 5 cards")).toHaveCount(1);
    await expect(screen.processButton).toHaveText("Processing...");
    await expect(screen.processButton).toBeDisabled();
    await expect(screen.stopButton).toBeEnabled();
    await expect(screen.sessionCard.getByText("processing", { exact: true })).toHaveCSS("color", ORANGE);
    await expect(screen.sessionCard).toContainText("1 / 5");
    await expect(screen.sessionCard).toContainText("20%");
    await expect(screen.sessionCard.getByRole("progressbar")).toHaveAttribute("value", "20");
    await expect(page).toHaveTitle("20% · Dallas box · Slabdesk");
    await expect(icon).toHaveAttribute("href", /^data:image\/svg/);
    await expect(screen.grid).toHaveAttribute("aria-rowcount", "6");
    await expect(screen.rowsWith("Looking up at TAG…")).toHaveCount(1);
    await expect(screen.rowsWith("In TAG's queue")).toHaveCount(3);
    await expect(screen.row(6)).toContainText("Error: 123");

    upstream.gate.release(1);
    await expect(screen.sessionCard).toContainText("2 / 5");
    await expect(screen.rowsWith("Looking up at TAG…")).toHaveCount(1);
    await expect(screen.rowsWith("In TAG's queue")).toHaveCount(2);
  });

  await test.step("closing the page does not stop the run; a new page shows its current state", async () => {
    const sessionId = await screen.sessionId();
    await page.goto("about:blank");
    upstream.gate.release(1);
    await expect.poll(async () => (await adminApi.session(sessionId)).processedCards).toBe(3);
    await page.goto("/");
    await expect(screen.sessionCard).toContainText("3 / 5");
    await expect(screen.sessionCard).toContainText("processing");
    await expect(screen.processButton).toHaveText("Processing...");
    await expect(screen.stopButton).toBeEnabled();
    await expect(page.getByText("Selected: running.csv · 5 rows")).toBeVisible();
    await expect(screen.rowsWith("View Cert")).toHaveCount(2);
    await expect(screen.rowsWith("Looking up at TAG…")).toHaveCount(1);
    await expect(screen.rowsWith("In TAG's queue")).toHaveCount(1);
  });

  const elsewhere = new Screen(await otherBrowser());
  await test.step("another browser finds and follows the run", async () => {
    await enter(elsewhere.page, product, person);
    await expect(elsewhere.sessionCard).toContainText("3 / 5");
    await expect(elsewhere.stopButton).toBeEnabled();
    upstream.gate.release(1);
    await expect(screen.sessionCard).toContainText("4 / 5");
    await expect(elsewhere.sessionCard).toContainText("4 / 5");
  });

  await test.step("the end in a background tab: title, icon, notification, screen reader", async () => {
    await screen.action("Notify me when it is done").click();
    await expect(page.getByText("We'll notify you when it's done if this tab is still open")).toBeVisible();
    await expect(screen.action("Notify me when it is done")).toHaveCount(0);
    await page.evaluate(() => {
      globalThis.isLookingAway = true;
    });
    const whileRunning = await icon.getAttribute("href");
    upstream.gate.open();

    await expect(page).toHaveTitle("Done · Dallas box");
    await expect(icon).not.toHaveAttribute("href", whileRunning ?? "");
    await expect(icon).toHaveAttribute("href", /^data:image\/svg/);
    await expect(screen.heard("Processing completed: 3 done, 1 not found, 1 to fix")).toHaveCount(1);
    expect(await page.evaluate(() => globalThis.notices)).toEqual([
      { title: "Done · Dallas box", body: "3 done, 1 not found, 1 to fix" },
    ]);
    await expect(elsewhere.sessionCard).toContainText("5 / 5");
    await elsewhere.page.close();
    await expect(screen.sessionCard).toContainText("5 / 5");
    await expect(screen.sessionCard.getByText("completed", { exact: true })).toHaveCSS("color", GREEN);
    await expect(screen.processButton).toHaveText("Process Data");
    await expect(screen.stopButton).toHaveCount(0);
    await expect(page.getByRole("banner")).toContainText("1 session");
    await expect(page.getByRole("banner")).toContainText("5 cards processed");

    await page.evaluate(() => {
      globalThis.isLookingAway = false;
    });
    await screen.returnToTab();
    await expect(page).toHaveTitle("Slabdesk");
    await expect(icon).toHaveAttribute("href", "/favicon.svg");
  });

  await test.step("Stop Processing lets the current card finish and leaves the rest", async () => {
    const rows = freshTagRows(3);
    upstream.gate.hold();
    await screen.process(sheetFile("stopped.csv", rows));
    await expect(screen.sessionCard).toContainText(/stopped\.csv - [A-Z][a-z]{2} \d+, \d{4}/);
    await expect(screen.rowsWith("Looking up at TAG…")).toHaveCount(1);
    upstream.gate.release(1);
    await expect(screen.sessionCard).toContainText("1 / 3");
    await expect(screen.rowsWith("Looking up at TAG…")).toHaveCount(1);
    await expect.poll(() => upstream.gate.waitingCount).toBe(1);

    await screen.stopButton.click();
    await expect(screen.sessionCard.getByText("failed", { exact: true })).toHaveCSS("color", RED);
    upstream.gate.open();
    await expect(screen.sessionCard).toContainText("2 done");
    await expect(screen.sessionCard).toContainText("Stopped · 1 not looked up");
    await expect(screen.rowsWith("Not looked up")).toHaveCount(1);
    await expect(screen.rowsWith("View Cert")).toHaveCount(2);
    await expect(screen.processButton).toHaveText("Process Data");
    await expect(screen.stopButton).toHaveCount(0);

    const session = await adminApi.session(await screen.sessionId());
    expect(session).toMatchObject({ status: "failed", processedCards: 2, counts: { completed: 2, pending: 1 } });
    const asked = rows.map(([cert = ""]) => upstream.calls.count({ endpoint: "tag-api", cert }));
    expect(asked.toSorted((a, b) => a - b)).toEqual([0, 1, 1]);
    expect((await adminApi.activityOf(person)).map((entry) => entry.activityType)).toContain("scan_stopped");
  });
});
