import { freshPsaRows, sheetFile } from "../golden/made-up-sheets.ts";
import { expect, test } from "../journey.ts";
import { Screen } from "./screen.ts";

test("behind a bot wall a run ends with few calls, the plan names the wall, and one button retries all cards", async ({
  signedIn,
  upstream,
}) => {
  const screen = new Screen(signedIn);
  upstream.behavior.fail("psa-web", "bot_wall");
  const calls = () => upstream.calls.count({ endpoint: "psa-web" });

  await test.step("the run ends after the first probe", async () => {
    await screen.chooseSheet(sheetFile("wall.csv", freshPsaRows(12)));
    await screen.source("Web scraping only").check();
    await screen.processButton.click();
    await expect(screen.sessionCard).toContainText("7 waiting");
    // The probe follows after 30 s.
    await expect(screen.sessionCard).toContainText("completed");
    await expect(screen.sessionCard).toContainText("12 / 12");
    await expect(screen.rowsWith("Blocked by PSA")).toHaveCount(12);
    expect(calls()).toBe(6);
  });

  await test.step("the plan of the next sheet names the wall", async () => {
    await screen.action("Clear").click();
    await screen.chooseSheet(sheetFile("next.csv", freshPsaRows(3)));
    await screen.source("Web scraping only").check();
    await expect(screen.plan).toContainText(/PSA's website has refused us since \d+:\d\d [AP]M; 3 rows would be blocked/);
  });

  await test.step("the next run notices that the wall has fallen", async () => {
    upstream.behavior.heal("psa-web");
    await screen.processButton.click();
    await expect(screen.sessionCard).toContainText("3 done");
    await expect(screen.sessionCard).toContainText("completed");
  });

  await test.step("one button retries the first sheet", async () => {
    await signedIn.getByRole("tab", { name: "Dashboard" }).click();
    await signedIn.getByRole("button", { name: /wall\.csv/ }).first().click();
    await screen.action("Retry 12 failed cards").click();
    await expect(screen.sessionCard).toContainText("12 done");
  });
});
