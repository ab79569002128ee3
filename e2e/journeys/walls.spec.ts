import { freshPsaRows, sheetFile } from "../golden/made-up-sheets.ts";
import { expect, test } from "../journey.ts";
import { Screen } from "./screen.ts";

test("behind a bot wall a run ends with few calls, the plan names the wall, and one button retries all cards", async ({
  signedIn,
  upstream,
}) => {
  const screen = new Screen(signedIn);
  upstream.behavior.fail("psa-web", "bot_wall");
  upstream.calls.clear();

  await test.step("the run ends after the first probe", async () => {
    await screen.chooseSheet(sheetFile("wall.csv", freshPsaRows(12)));
    await screen.source("Web scraping only").check();
    await screen.processButton.click();
    await expect(screen.sessionCard).toContainText("7 waiting");
    // The probe follows after 30 s.
    await expect(screen.sessionCard).toContainText("completed");
    await expect(screen.sessionCard).toContainText("12 / 12");
    await expect(screen.rowsWith("Blocked at PSA")).toHaveCount(12);
    expect(upstream.calls.count({ endpoint: "psa-web" })).toBe(6);
  });

  await test.step("the plan names the wall", async () => {
    const message = /PSA's website has refused us since \d+:\d\d [AP]M; 12 rows would be blocked/;
    await expect(screen.plan).toContainText(message);
  });

  await test.step("one button retries all cards when the wall has fallen", async () => {
    upstream.behavior.heal("psa-web");
    await screen.action("Retry 12 outages").click();
    await expect(screen.sessionCard).toContainText("12 done");
    await expect(screen.sessionCard).toContainText("completed");
  });
});
