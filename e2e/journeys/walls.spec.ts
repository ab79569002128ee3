import { freshPsaRows, sheetFile } from "../golden/made-up-sheets.ts";
import { expect, test } from "../journey.ts";
import { agePauses } from "../product/age-data.ts";
import { Screen } from "./screen.ts";

test("behind a bot wall a run ends with few calls, the plan names the wall, and a fallen wall is noticed", async ({
  signedIn,
  upstream,
  product,
}) => {
  const screen = new Screen(signedIn);
  upstream.behavior.fail("psa-web", "bot_wall");
  upstream.calls.clear();

  await test.step("the run ends after the first probe", async () => {
    await screen.chooseSheet(sheetFile("wall.csv", freshPsaRows(12)));
    await screen.source("Web scraping only").check();
    await screen.processButton.click();
    await expect(screen.sessionCard).toContainText("7 waiting");
    await agePauses(product);
    await expect(screen.sessionCard).toContainText("completed");
    await expect(screen.sessionCard).toContainText("12 / 12");
    await expect(screen.rowsWith("PSA blocked the request")).toHaveCount(12);
    expect(upstream.calls.count({ endpoint: "psa-web" })).toBe(6);
  });

  await test.step("one button offers to retry all cards, and the plan of the next sheet names the wall", async () => {
    await expect(screen.action("Retry 12 cards (grader was down)")).toBeVisible();
    await screen.chooseSheet(sheetFile("next.csv", freshPsaRows(3)));
    const message = /PSA's website has refused us since \d+:\d\d [AP]M\. 3 rows would be blocked/;
    await expect(screen.plan).toContainText(message);
  });

  await test.step("the next run notices that the wall has fallen", async () => {
    upstream.behavior.heal("psa-web");
    await screen.processButton.click();
    await expect(screen.sessionCard).toContainText("3 done");
    await expect(screen.sessionCard).toContainText("completed");
  });
});
