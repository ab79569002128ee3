import { totpOf } from "@slabdesk/simulator/testing/totp.ts";
import { enter, expect, longStep, test } from "../journey.ts";
import { Screen } from "./screen.ts";

test("a user sets up two-step sign-in, signs in with codes, and an administrator resets it", async ({
  page,
  product,
  person,
  adminApi,
  otherBrowser,
  browserErrors,
}) => {
  browserErrors.expect(/Failed to load resource.*\/api\/(auth\/sign-in\/email|account\/two-step)/);
  const screen = new Screen(page);
  let key = "";
  let recoveryCodes: string[] = [];

  await test.step("the setup asks for the password and a first code, and shows ten recovery codes", async () => {
    await enter(page, product, person);
    await page.getByRole("button", { name: /^Account/ }).click();
    const part = page.getByRole("region", { name: "Two-step sign-in" });
    await part.getByRole("button", { name: "Set up" }).click();
    await part.getByRole("button", { name: "Cancel" }).click();
    await part.getByRole("button", { name: "Set up" }).click();
    await part.getByLabel("Your password", { exact: true }).fill("not this one");
    await page.keyboard.press("Enter");
    await expect(part.getByText("The password is wrong")).toBeVisible();
    await part.getByLabel("Your password", { exact: true }).fill(person.password);
    await page.keyboard.press("Enter");
    await expect(part.getByRole("img", { name: "QR code for the authenticator app" })).toBeVisible();
    key = (await part.getByLabel("Key").textContent()) ?? "";
    await part.getByLabel("Six digits from the app").fill("12345");
    await page.keyboard.press("Enter");
    await expect(part.getByText(/^This code is wrong/)).toBeVisible();
    await part.getByLabel("Six digits from the app").fill(totpOf(key));
    await page.keyboard.press("Enter");
    await expect(part).toContainText("On: signing in also needs a code");
    recoveryCodes = ((await part.getByLabel("Recovery codes").textContent()) ?? "").split("\n");
    expect(recoveryCodes).toHaveLength(10);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      part.getByRole("button", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("slabdesk-recovery-codes.txt");
    await part.getByRole("button", { name: "Done" }).click();
    await expect(part.getByRole("button", { name: "Turn off" })).toBeVisible();
    await expect(page.getByText(recoveryCodes[0] ?? "")).toHaveCount(0);
    await page.keyboard.press("Escape");
  });

  await test.step("a sign-in asks for a code of the app, or for a recovery code", async () => {
    await screen.logoutButton.click();
    await screen.signIn(person);
    await expect(page.getByRole("heading", { name: "Two-step sign-in" })).toBeVisible();
    await expect(page.getByLabel("Code", { exact: true })).toBeFocused();
    await page.keyboard.type("12345");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert")).toContainText("This code is wrong");
    await expect(page.getByLabel("Code", { exact: true })).toBeFocused();
    // The code that confirmed the setup can't be used again.
    await page.keyboard.type(totpOf(key, 1));
    await page.keyboard.press("Enter");
    await expect(screen.tab("Scanner")).toBeVisible();

    await screen.logoutButton.click();
    await screen.signIn(person);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(recoveryCodes[0] ?? "");
    await page.keyboard.press("Enter");
    await expect(screen.tab("Scanner")).toBeVisible();
    await screen.logoutButton.click();
  });

  await longStep("an administrator resets it, and the password is enough again", async () => {
    const admin = await otherBrowser();
    await enter(admin, product, await adminApi.addUser({ role: "admin", fullName: "Ada Boss" }));
    await admin.getByRole("tab", { name: "Admin" }).click();
    await admin.getByRole("tab", { name: "Users" }).click();
    const line = admin.getByRole("row").filter({ hasText: person.email });
    await line.getByRole("button", { name: /^More for/ }).click();
    await admin.getByRole("menuitem", { name: "Reset two-step sign-in" }).click();
    await admin.getByRole("dialog").getByRole("button", { name: "Reset two-step sign-in" }).click();
    await line.getByRole("button", { name: /^More for/ }).click();
    await expect(admin.getByRole("menuitem", { name: "Reset password" })).toBeVisible();
    await expect(admin.getByRole("menuitem", { name: "Reset two-step sign-in" })).toHaveCount(0);
    await screen.signIn(person);
    await expect(screen.tab("Scanner")).toBeVisible();
  });
});
