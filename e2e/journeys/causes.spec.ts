import type { BrowserContext } from "@playwright/test";
import { freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { expect, test } from "../journey.ts";
import { Screen } from "./screen.ts";

/** Fails once: the simulator's code 72. */
const OUTAGE = "X9999972";
const NOT_FOUND = "X9999990";

async function openTab(context: BrowserContext): Promise<Screen> {
  const tab = new Screen(await context.newPage());
  await tab.page.goto("/");
  return tab;
}

test("two tabs agree: one button for each kind of failure, retries, and a stopped run that goes on", async ({
  signedIn,
  context,
  upstream,
  office,
  complaints,
}) => {
  const screen = new Screen(signedIn);
  const [[found = ""] = []] = freshTagRows(1);
  // The pictures of this certificate fail once, too.
  complaints.expect(/502 .*\/image\//);
  upstream.gate.hold();
  await screen.chooseFile(
    sheetFile("failures.csv", [
      [found, "TAG", "", ""],
      [OUTAGE, "TAG", "", ""],
      [NOT_FOUND, "TAG", "", ""],
      ["12345", "PSA", "", ""],
    ]),
  );
  await screen.source("API only").check();
  await screen.processButton.click();
  await expect(screen.sessionCard).toContainText("1 / 4");
  const other = await openTab(context);
  await expect(other.sessionCard).toContainText("1 / 4");
  upstream.gate.open();

  for (const { sessionCard } of [screen, other]) {
    await expect(sessionCard).toContainText("completed");
    await expect(sessionCard.getByRole("button")).toHaveText([
      "Retry 1 outage",
      "Look at 1 damaged number",
      "Not found: 1",
    ]);
  }

  await test.step("Not found: n shows these rows, and all of them again", async () => {
    await screen.action("Not found: 1").click();
    await expect(screen.action("Not found: 1")).toHaveAttribute("aria-pressed", "true");
    await expect(screen.grid).toHaveAttribute("aria-rowcount", "2");
    await expect(screen.row(4)).toContainText(`Error: ${NOT_FOUND}`);
    await expect(screen.row(4)).toContainText("Not found at TAG");
    await screen.action("Not found: 1").click();
    await expect(screen.grid).toHaveAttribute("aria-rowcount", "5");
  });

  await test.step("a double click is one retry", async () => {
    await expect(screen.row(3)).toContainText("Unavailable at TAG");
    await screen.action("Retry 1 outage").dblclick();
    for (const tab of [screen, other]) {
      await tab.comeBack();
      await expect(tab.row(3)).toContainText("View Cert");
      await expect(tab.sessionCard).toContainText("2 done");
      await expect(tab.sessionCard).toContainText("completed");
      await expect(tab.sessionCard.getByRole("button")).toHaveText(["Look at 1 damaged number", "Not found: 1"]);
    }
    const asked = [found, OUTAGE, NOT_FOUND].map((cert) => upstream.calls.count({ door: "tag-api", cert }));
    expect(asked).toEqual([1, 2, 1]);
  });
  expect(await office.session(await screen.sessionId())).toMatchObject({
    status: "completed",
    processedCards: 4,
    counts: { completed: 2, error: 2 },
    causes: { not_found: 1, invalid_number: 1 },
  });

  await test.step("two tabs that retry the same outages at once have them looked up once", async () => {
    const rows = freshTagRows(3);
    upstream.behavior.fail("tag-api", "server_error");
    upstream.gate.hold();
    await screen.chooseFile(sheetFile("outage.csv", rows));
    await screen.source("API only").check();
    await screen.processButton.click();
    await expect(screen.sessionCard).toContainText("0 / 3");
    await other.page.close();
    const second = await openTab(context);
    await expect(second.sessionCard).toContainText("0 / 3");
    upstream.gate.open();
    await expect(screen.sessionCard).toContainText("3 outages");
    await expect(second.action("Retry 3 outages")).toBeVisible();

    upstream.behavior.heal();
    upstream.calls.clear();
    // Send neither request before both tabs have made theirs.
    const bothAsked = Promise.withResolvers<void>();
    let asked = 0;
    await context.route(/\/retry$/, async (route) => {
      asked += 1;
      if (asked === 2) bothAsked.resolve();
      await bothAsked.promise;
      await route.continue();
    });
    await Promise.all([screen, second].map((tab) => tab.action("Retry 3 outages").click()));
    for (const tab of [screen, second]) {
      await expect(tab.sessionCard).toContainText("3 done");
      await expect(tab.sessionCard).toContainText("completed");
    }
    expect(rows.map(([cert = ""]) => upstream.calls.count({ door: "tag-api", cert }))).toEqual([1, 1, 1]);
    await context.unroute(/\/retry$/);
    await second.page.close();
  });

  await test.step("a stopped run goes on where it was, double click or not, and ends in both tabs", async () => {
    const rows = freshTagRows(5);
    upstream.gate.hold();
    await screen.process(sheetFile("resumed.csv", rows));
    await expect(screen.sessionCard).toContainText("0 / 5");
    const third = await openTab(context);
    upstream.gate.letThrough(1);
    await expect(third.sessionCard).toContainText("1 / 5");
    await expect.poll(() => upstream.gate.waitingCount).toBe(1);
    await screen.stopButton.click();
    await expect(third.action(/^Resume/)).toBeVisible();
    upstream.gate.open();
    for (const tab of [screen, third]) {
      await expect(tab.sessionCard).toContainText("Stopped · 3 not looked up");
      await expect(tab.action("Resume · 3 left")).toBeVisible();
    }

    await third.action("Resume · 3 left").dblclick();
    for (const tab of [third, screen]) {
      await tab.comeBack();
      await expect(tab.sessionCard).toContainText("5 / 5");
      await expect(tab.sessionCard).toContainText("completed");
      await expect(tab.rowsWith("View Cert")).toHaveCount(5);
      await expect(tab.action(/^Resume/)).toHaveCount(0);
    }
    await expect(screen.heard("Processing completed: 5 done")).toHaveCount(1);
    expect(rows.map(([cert = ""]) => upstream.calls.count({ door: "tag-api", cert }))).toEqual([1, 1, 1, 1, 1]);
    expect((await office.session(await screen.sessionId())).processedCards).toBe(5);
  });
});

test("damaged numbers are put right in place, in the server's words while they are not", async ({
  signedIn,
  complaints,
  upstream,
}) => {
  const screen = new Screen(signedIn);
  const [[first = ""] = [], [second = ""] = []] = freshTagRows(2);
  await screen.process(
    sheetFile("damaged.csv", [
      ...freshTagRows(1),
      ["1.40102E+12", "CGC", "45.00", "Kept"],
      [second.slice(0, -1), "TAG", "", ""],
    ]),
  );
  await expect(screen.sessionCard).toContainText("completed");
  await screen.action("Look at 2 damaged numbers").click();

  await test.step("a number that is none either is refused at the field", async () => {
    await expect(screen.numberEditor).toContainText("The spreadsheet shortened this number to 1.40102E+12");
    await expect(screen.certNumberField).toBeFocused();
    await expect(screen.certNumberField).toHaveValue("1.40102E+12");
    complaints.expect(/400 \(Bad Request\)/);
    await screen.numberEditor.getByLabel("Company").selectOption("TAG");
    await screen.certNumberField.fill("123");
    await screen.numberEditor.getByRole("button", { name: "Look up" }).click();
    const words = `TAG certificate numbers have one letter and 7 digits, not "123". Compare it with the label`;
    await expect(screen.numberEditor.getByRole("alert")).toHaveText(words);
    await expect(screen.certNumberField).toHaveAccessibleDescription(words);
  });

  await test.step("the right one is looked up, with what the sheet says beside it", async () => {
    await screen.certNumberField.fill(first);
    await screen.certNumberField.press("Enter");
    await expect(screen.numberEditor).toBeHidden();
    await expect(screen.action("Look at 1 damaged number")).toBeVisible();
    await expect(screen.sessionCard).toContainText("2 done");
    await signedIn.getByRole("button", { name: /^All / }).click();
    await expect(screen.row(3)).toContainText(first);
    await expect(screen.row(3)).toContainText("View Cert");
    await expect(screen.row(3)).toContainText("49.50");
    expect(upstream.calls.count({ door: "tag-api", cert: first })).toBe(1);
  });

  await test.step("Esc leaves the row as it is; the row's own button opens it again", async () => {
    await screen.action("Look at 1 damaged number").click();
    await expect(screen.numberEditor).toContainText("Edit number, line 4");
    await signedIn.keyboard.press("Escape");
    await expect(screen.numberEditor).toBeHidden();
    await expect(screen.grid).toBeFocused();
    await screen
      .row(4)
      .getByRole("button", { name: /^Edit number/ })
      .click();
    await screen.certNumberField.fill(second.toLowerCase());
    await screen.certNumberField.press("Enter");
    await expect(screen.sessionCard).toContainText("3 / 3");
    await expect(screen.sessionCard).toContainText("3 done");
    await expect(screen.sessionCard).toContainText("completed");
    await expect(screen.sessionCard.getByRole("button")).toHaveCount(0);
  });
});
