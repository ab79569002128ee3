import { freshPsaRows, sheetFile } from "../golden/made-up-sheets.ts";
import { PSA_API_TOKEN } from "@slabdesk/simulator/psa/psa-api.ts";
import { enter, expect, test } from "../journey.ts";
import { expectAccessible } from "../screens/accessible.ts";
import { Screen } from "./screen.ts";

test("an administrator enters PSA's token, and the next card is looked up without a restart", async ({
  page,
  product,
  adminApi,
}) => {
  const screen = new Screen(page);
  const psa = page.getByRole("region", { name: /^PSA/ });
  const dialog = page.getByRole("dialog", { name: "Credentials of PSA" });
  const token = dialog.getByLabel("API token");
  const answer = dialog.getByRole("status");
  await enter(page, product, await adminApi.addUser({ role: "admin", fullName: "Ana Ruiz" }));
  await page.getByRole("tab", { name: "Admin" }).click();
  await page.getByRole("tab", { name: "Sources" }).click();
  await expect(psa).toContainText("Credentials None");

  await test.step("a wrong token is refused by a test", async () => {
    await psa.getByRole("button", { name: "Credentials of PSA", exact: true }).click();
    await expect(dialog.getByRole("button", { name: "Save" })).toBeDisabled();
    await token.fill("a-wrong-token");
    await dialog.getByRole("button", { name: "Test" }).click();
    await expect(answer).toHaveText(/PSA rejected our API credentials \(401\)/);
    await expectAccessible(page, "the form for credentials");
  });

  await test.step("the right one is accepted and saved, and the page doesn't show it", async () => {
    await token.fill(PSA_API_TOKEN);
    await dialog.getByRole("button", { name: "Test" }).click();
    await expect(answer).toHaveText("PSA accepted our credentials");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
    await expect(psa).toContainText(/Credentials Entered by Ana Ruiz, \w+ \d+, \d{4}/);
    await expect(psa).toContainText("Working normally");
    expect(await page.content()).not.toContain(PSA_API_TOKEN);
  });

  await test.step("a card is looked up in PSA's API", async () => {
    await screen.tab("Scanner").click();
    await screen.chooseFile(sheetFile("first.csv", freshPsaRows(1)));
    await screen.source("API only").check();
    await screen.processButton.click();
    await expect(screen.sessionCard).toContainText("1 done");
  });
});
