import { freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { expect, longStep, test } from "../journey.ts";
import { Screen } from "./screen.ts";

/** The first request fails: the simulator's code 72. */
const OUTAGE = "X9999972";
const NOT_FOUND = "X9999990";

test("two tabs agree on a run that is stopped, resumed, and retried, and invalid numbers are corrected in place", async ({
  signedIn,
  context,
  upstream,
  adminApi,
  browserErrors,
}) => {
  const screen = new Screen(signedIn);
  const [[first = ""] = [], [second = ""] = [], [typed = ""] = [], [cut = ""] = []] = freshTagRows(4);
  // The first requests for the images of OUTAGE fail, too.
  browserErrors.expect(/502 .*\/image\//);
  upstream.gate.hold();
  await screen.chooseSheet(
    sheetFile("failures.csv", [
      [first, "TAG", "", ""],
      [second, "TAG", "", ""],
      [OUTAGE, "TAG", "", ""],
      [NOT_FOUND, "TAG", "", ""],
      ["1.40102E+12", "CGC", "45.00", "Kept"],
      [cut.slice(0, -1), "TAG", "", ""],
    ]),
  );
  await screen.source("API only").check();
  await screen.processButton.click();
  await expect(screen.sessionCard).toContainText("2 / 6");
  const other = new Screen(await context.newPage());
  await other.page.goto("/");
  await expect(other.sessionCard).toContainText("2 / 6");
  const tabs = [screen, other];

  await test.step("a stop in one tab stops the run in both", async () => {
    upstream.gate.release(1);
    await expect(other.sessionCard).toContainText("3 / 6");
    await expect.poll(() => upstream.gate.waitingCount).toBe(1);
    await screen.stopButton.click();
    await expect(other.action(/^Resume/)).toBeVisible();
    upstream.gate.open();
    for (const tab of tabs) {
      await expect(tab.sessionCard).toContainText("Stopped · 2 not looked up");
      await expect(tab.action("Resume · 2 left")).toBeVisible();
    }
  });

  await test.step("a double click resumes it once, and it ends in both tabs with one button for each kind of failure", async () => {
    await other.action("Resume · 2 left").dblclick();
    for (const tab of tabs) {
      await tab.returnToTab();
      await expect(tab.sessionCard).toContainText("6 / 6");
      await expect(tab.sessionCard).toContainText("completed");
      await expect(tab.rowsWith("View Cert")).toHaveCount(2);
      await expect(tab.sessionCard.getByRole("button").filter({ hasText: /./ })).toHaveText([
        "Retry 1 card (grader was down)",
        "Fix 2 rows",
        "Not found: 1",
      ]);
    }
    await expect(screen.heard("Processing completed: 2 done")).toHaveCount(1);
    expect(await adminApi.session(await screen.sessionId())).toMatchObject({ processedCards: 6 });
  });

  await test.step("Not found: n shows these rows, and the next click shows all rows", async () => {
    await screen.action("Not found: 1").click();
    await expect(screen.action("Not found: 1")).toHaveAttribute("aria-pressed", "true");
    await expect(screen.grid).toHaveAttribute("aria-rowcount", "2");
    await expect(screen.row(5)).toContainText(`Error: ${NOT_FOUND}`);
    await expect(screen.row(5)).toContainText("Not found at TAG");
    await screen.action("Not found: 1").click();
    await expect(screen.grid).toHaveAttribute("aria-rowcount", "7");
  });

  await test.step("a double click and a click in the other tab at the same time retry an outage once", async () => {
    await expect(screen.row(4)).toContainText("TAG was down");
    // Send no request before both tabs have made theirs.
    const requests = tabs.map(() => Promise.withResolvers<void>());
    for (const [index, { page }] of tabs.entries()) {
      await page.route(/\/retry$/, async (route) => {
        requests[index]?.resolve();
        await Promise.all(requests.map(({ promise }) => promise));
        await route.continue();
      });
    }
    await Promise.all([
      screen.action("Retry 1 card (grader was down)").dblclick(),
      other.action("Retry 1 card (grader was down)").click(),
    ]);
    for (const tab of tabs) {
      await tab.returnToTab();
      await expect(tab.row(4)).toContainText("View Cert");
      await expect(tab.sessionCard).toContainText("3 done");
      await expect(tab.sessionCard).toContainText("completed");
      await expect(tab.sessionCard.getByRole("button").filter({ hasText: /./ })).toHaveText([
        "Fix 2 rows",
        "Not found: 1",
      ]);
    }
    const asked = [first, second, OUTAGE, NOT_FOUND].map((cert) => upstream.calls.count({ endpoint: "tag-api", cert }));
    expect(asked).toEqual([1, 1, 2, 1]);
    expect(await adminApi.session(await screen.sessionId())).toMatchObject({
      status: "completed",
      processedCards: 6,
      counts: { completed: 3, error: 3 },
      causes: { not_found: 1, invalid_number: 2 },
    });
    await other.page.close();
  });

  await test.step("an invalid number is refused at the field, with the server's message", async () => {
    await screen.action("Fix 2 rows").click();
    await expect(screen.numberEditor).toContainText("The spreadsheet shortened this number to 1.40102E+12");
    await expect(screen.certNumberField).toBeFocused();
    await expect(screen.certNumberField).toHaveValue("1.40102E+12");
    browserErrors.expect(/400 \(Bad Request\)/);
    await screen.numberEditor.getByLabel("Company").selectOption("TAG");
    await screen.certNumberField.fill("123");
    await screen.numberEditor.getByRole("button", { name: "Look up" }).click();
    const message = `TAG cert numbers have one letter and 7 digits, not "123". Compare it with the label`;
    await expect(screen.numberEditor.getByRole("alert")).toHaveText(message);
    await expect(screen.certNumberField).toHaveAccessibleDescription(message);
  });

  await test.step("the correct number is looked up, and the row keeps the values of the sheet", async () => {
    await screen.certNumberField.fill(typed);
    await screen.certNumberField.press("Enter");
    await expect(screen.numberEditor).toBeHidden();
    await expect(screen.action("Fix 1 row")).toBeVisible();
    await expect(screen.sessionCard).toContainText("4 done");
    await signedIn.getByRole("button", { name: /^All / }).click();
    await expect(screen.row(6)).toContainText(typed);
    await expect(screen.row(6)).toContainText("View Cert");
    await expect(screen.row(6)).toContainText("49.50");
    expect(upstream.calls.count({ endpoint: "tag-api", cert: typed })).toBe(1);
  });

  await longStep("Esc leaves the row as it is, and the row's own button opens the number again", async () => {
    await screen.action("Fix 1 row").click();
    await expect(screen.numberEditor).toContainText("Edit number, line 7");
    await signedIn.keyboard.press("Escape");
    await expect(screen.numberEditor).toBeHidden();
    await expect(screen.grid).toBeFocused();
    await screen
      .row(7)
      .getByRole("button", { name: /^Edit number/ })
      .click();
    await screen.certNumberField.fill(cut.toLowerCase());
    await screen.certNumberField.press("Enter");
    await expect(screen.sessionCard).toContainText("6 / 6");
    await expect(screen.sessionCard).toContainText("5 done");
    await expect(screen.sessionCard).toContainText("completed");
    await expect(screen.sessionCard.getByRole("button").filter({ hasText: /./ })).toHaveText(["Not found: 1"]);
  });
});
