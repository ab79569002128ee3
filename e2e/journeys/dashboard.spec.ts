import { freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { expect, test } from "../journey.ts";
import { Screen } from "./screen.ts";

test("the history is empty at first, then lists each session with its state", async ({ signedIn, upstream }) => {
  const screen = new Screen(signedIn);
  await screen.tab("Dashboard").click();
  await expect(signedIn.getByRole("heading", { name: "Your Scan History" })).toBeVisible();
  await expect(signedIn.getByText("No scan sessions found")).toBeVisible();

  await screen.tab("Scanner").click();
  await screen.chooseFile(sheetFile("box 1.csv", freshTagRows(2)));
  await signedIn.getByLabel(/Session name/).fill("First box");
  await screen.processButton.click();
  await expect(screen.sessionCard).toContainText("completed");
  upstream.gate.hold();
  await screen.process(sheetFile("box 2.csv", freshTagRows(3)));
  await expect(screen.sessionCard).toContainText("0 / 3");

  await screen.tab("Dashboard").click();
  const entries = signedIn.getByRole("listitem").filter({ hasText: ".csv" });
  await expect(entries).toHaveCount(2);
  await expect(entries.nth(0)).toContainText("box 2.csv");
  await expect(entries.nth(0)).toContainText("0 / 3 cards");
  await expect(entries.nth(0).getByText("processing", { exact: true })).toHaveCSS("color", "rgb(154, 91, 0)");
  await expect(entries.nth(1)).toContainText("First box");
  await expect(entries.nth(1)).toContainText("box 1.csv");
  await expect(entries.nth(1)).toContainText("2 / 2 cards");
  await expect(entries.nth(1)).toContainText(new Date().getFullYear().toString());
  await expect(entries.nth(1).getByText("completed", { exact: true })).toHaveCSS("color", "rgb(15, 115, 82)");
});

test("nobody sees another one's sessions", async ({ signedIn, otherBrowser, office, product }) => {
  const screen = new Screen(signedIn);
  await screen.process(sheetFile("private.csv", freshTagRows(1)));
  await expect(screen.sessionCard).toContainText("completed");
  const sessionId = await screen.sessionId();

  const colleague = await office.hire({ fullName: "Ben Ito" });
  const other = new Screen(await otherBrowser());
  await other.page.goto("/");
  await other.signIn(colleague);
  await other.tab("Dashboard").click();
  await expect(other.page.getByText("No scan sessions found")).toBeVisible();
  const answer = await other.page.request.get(`${product.origin}/api/scan-sessions/${sessionId}`);
  expect(answer.status()).toBe(404);
});
