import type { Page } from "@playwright/test";
import { freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { expect, longStep, test } from "../journey.ts";
import { Screen } from "./screen.ts";

/** Holds the calls to an address. `arrived` resolves at the first call. `release` sends it and all later calls on. */
async function hold(page: Page, address: string | RegExp): Promise<{ arrived: Promise<void>; release: () => void }> {
  const [arrival, opening] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(address, async (route) => {
    arrival.resolve();
    await opening.promise;
    await route.continue();
  });
  return { arrived: arrival.promise, release: () => opening.resolve() };
}

test("a user is refused, signs in, works, logs out, and is deactivated", async ({
  page,
  person,
  adminApi,
  browserErrors,
}) => {
  browserErrors.expect(/Failed to load resource.*\/api\/(auth\/(sign-in\/email|verify)|profile|status|scan)/);
  const deeds = async (): Promise<string[]> => (await adminApi.activityOf(person)).map((entry) => entry.activityType);
  const browserSession = async (): Promise<unknown> => (await page.request.get("/api/auth/get-session")).json();
  const screen = new Screen(page);

  await test.step("the page checks who is signed in before it shows the login screen", async () => {
    const check = await hold(page, "**/api/auth/get-session");
    await page.goto("/");
    await expect(page.getByText("Checking authentication…")).toBeVisible();
    await expect(screen.email).toHaveCount(0);
    check.release();
    await expect(page.getByRole("heading", { name: "Please sign in to access the application" })).toBeVisible();
    await expect(page.getByText("Checking authentication…")).toHaveCount(0);
  });

  await test.step("the login screen has the specified texts, and its button needs both fields", async () => {
    await expect(page.getByText("Please sign in to access the application")).toBeVisible();
    await expect(page.getByText("Enter your credentials to access the card grading tools")).toBeVisible();
    await expect(page.getByText("Slabdesk", { exact: true })).toBeVisible();
    await expect(page.getByRole("contentinfo")).toContainText("all rights reserved 2025");
    await expect(screen.email).toHaveAttribute("type", "email");
    await expect(screen.password).toHaveAttribute("type", "password");
    await expect(screen.signInButton).toHaveText("Sign In");

    for (const [email, password, isEnabled] of [
      ["", "", false],
      ["ana@slabdesk.test", "", false],
      ["", "secret", false],
      ["   ", "secret", false],
      ["ana@slabdesk.test", "   ", false],
      ["ana@slabdesk.test", "secret", true],
    ] as const) {
      await screen.email.fill(email);
      await screen.password.fill(password);
      await expect(screen.signInButton).toBeEnabled({ enabled: isEnabled });
    }
  });

  await test.step("unexpected errors have the specified texts", async () => {
    await page.route("**/api/auth/sign-in/email", (route) => route.abort());
    await screen.signIn(person);
    await expect(page.getByRole("alert")).toHaveText("An unexpected error occurred. Please try again.");
    await page.unroute("**/api/auth/sign-in/email");

    await page.route("**/api/profile", (route) => route.abort());
    await screen.signInButton.click();
    await expect(page.getByRole("alert")).toHaveText("Failed to load user profile");
    await page.unroute("**/api/profile");
    // A user whose profile did not load is signed out.
    expect(await browserSession()).toBeNull();
  });

  await test.step("a wrong password is reported, and the user can try again at once", async () => {
    await screen.signIn({ ...person, password: "not the password" });
    await expect(page.getByRole("alert")).toHaveText("Invalid email or password");
    await expect(screen.signInButton).toBeEnabled();
    await screen.password.fill(person.password);
  });

  await test.step("during a sign-in the fields are disabled; then the page shows the user and totals", async () => {
    const signIn = await hold(page, "**/api/auth/sign-in/email");
    await screen.signInButton.click();
    await expect(screen.signInButton).toHaveText("Signing In...");
    await expect(screen.signInButton).toBeDisabled();
    await expect(screen.email).toBeDisabled();
    await expect(screen.password).toBeDisabled();
    signIn.release();

    await expect(screen.logoutButton).toHaveAccessibleName(`Logout ${person.fullName}`);
    await expect(page.getByRole("banner")).toContainText(person.fullName);
    await expect(page.getByRole("banner")).toContainText("0 sessions");
    await expect(page.getByRole("banner")).toContainText("0 cards processed");
    await expect(page.getByText("ADMIN", { exact: true })).toHaveCount(0);
  });

  await test.step("a reload keeps the user signed in; the log has one access per browser session and every tab change", async () => {
    // The first sign-in ended when the profile did not load.
    const log = ["login", "logout", "login_failed", "login", "app_access", "navigation"];
    // Requests that are sent at once may arrive in any order.
    await expect.poll(deeds).toEqual(log.slice(0, -1));
    await screen.tab("Dashboard").click();
    // A reload may cancel log calls that are not sent yet.
    await expect.poll(deeds).toEqual(log);
    await page.reload();
    await expect(screen.logoutButton).toBeVisible();
    await expect(screen.email).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "Your Scan History" })).toBeVisible();
    await page.goBack();
    await expect(screen.tab("Scanner")).toHaveAttribute("aria-selected", "true");
    await expect.poll(deeds).toEqual([...log, "navigation"]);
    await page.goForward();
    await expect(screen.tab("Dashboard")).toHaveAttribute("aria-selected", "true");
    await expect.poll(deeds).toEqual([...log, "navigation", "navigation"]);

    const entries = await adminApi.activityOf(person);
    expect(entries[0]?.description).toBe("User logged in successfully");
    expect(entries[5]?.metadata).toEqual({ tab: "dashboard" });
  });

  await test.step("DEBUG BACKEND shows the state of the server and of the authentication", async () => {
    await page.getByRole("button", { name: "DEBUG BACKEND" }).click();
    const panel = page.getByRole("dialog", { name: "Backend" });
    const status = panel.getByRole("region", { name: "Backend status" });
    await expect(status).toContainText("Server is responding");
    await expect(status).toContainText("Statusonline");
    await expect(status).toContainText("Environmentproduction");
    const verify = panel.getByRole("region", { name: "Auth verify" });
    await expect(verify).toContainText("Session is valid");
    await expect(verify).toContainText(`Email${person.email}`);
    await expect(verify).toContainText("Roleuser");

    const [again] = await Promise.all([
      page.waitForResponse("**/api/auth/verify"),
      panel.getByRole("button", { name: "Check again" }).click(),
    ]);
    expect(again.status()).toBe(200);
    await page.keyboard.press("Escape");
    await expect(panel).toBeHidden();
  });

  await test.step("a logout returns to the Scanner tab and removes the user's data from the browser", async () => {
    await screen.tab("Scanner").click();
    await screen.process(sheetFile("mine.csv", freshTagRows(1)));
    await expect(screen.sessionCard).toContainText("completed");
    await screen.tab("Dashboard").click();

    await screen.logoutButton.click();
    await expect(screen.email).toBeVisible();
    await expect(screen.email).toHaveValue("");
    const kept = await page.evaluate(() => [...Object.entries(sessionStorage), ...Object.entries(localStorage)]);
    expect(kept).toEqual([["slabdesk-app-access", "logged"]]);

    await screen.signIn(person);
    await expect(screen.tab("Scanner")).toHaveAttribute("aria-selected", "true");
    // Nothing of the browser's own state is left; the newest session comes from the server.
    await expect(screen.sessionCard).toContainText("mine.csv");
    await expect
      .poll(async () => (await deeds()).filter((deed) => ["login", "logout", "app_access"].includes(deed)))
      .toEqual(["login", "logout", "login", "app_access", "logout", "login"]);
  });

  await longStep("any other 403 ends the sign-in and reloads the page", async () => {
    await page.route(/\/api\/scan-sessions\?/, (route) => route.fulfill({ status: 403, body: "Forbidden by a proxy" }));
    await screen.tab("Dashboard").click();
    await expect(page.getByRole("alert")).toHaveText("Authentication failed");
    await page.unroute(/\/api\/scan-sessions\?/);
    expect(await browserSession()).toBeNull();
    await screen.signIn(person);
    await expect(screen.tab("Dashboard")).toHaveAttribute("aria-selected", "true");
  });

  await longStep("a part that cannot be loaded after an update offers to reload the page", async () => {
    browserErrors.expect(/404 .*\/assets\/AccountDialog-/);
    browserErrors.expect(/^PartNotLoadedError: /);
    const part = /\/assets\/AccountDialog-[^/]+\.js/;
    await page.route(part, (route) => route.fulfill({ status: 404 }));
    const account = page.getByRole("button", { name: `Account ${person.fullName}` });
    await account.click();
    const toast = page.getByRole("alert").filter({ hasText: "Slabdesk was updated." });
    await expect(toast).toBeVisible();
    await page.unroute(part);
    await toast.getByRole("button", { name: "Reload" }).click();
    await expect(toast).toBeHidden();
    await expect(screen.tab("Dashboard")).toHaveAttribute("aria-selected", "true");
    await account.click();
    await expect(page.getByRole("dialog")).toContainText(person.email);
    await page.keyboard.press("Escape");
    await screen.tab("Scanner").click();
  });

  await longStep("a run does not start if another tab has signed in a different user", async () => {
    const other = await adminApi.addUser();
    const signIn = (user: { email: string; password: string }): Promise<unknown> =>
      page.request.post("/api/auth/sign-in/email", {
        data: { email: user.email, password: user.password },
        headers: { origin: new URL(page.url()).origin },
      });
    await screen.chooseFile(sheetFile("mine-too.csv", freshTagRows(1)));
    await expect(screen.plan).toHaveAttribute("aria-busy", "false");
    await signIn(other);
    // The page learns about the other user, but the run is still refused.
    await Promise.all([page.waitForResponse(/\/api\/profile$/), screen.returnToTab()]);
    await screen.processButton.click();
    await expect(page.getByText("Authentication error. Please refresh and login again.")).toBeVisible();
    await signIn(person);
    await screen.processButton.click();
    await expect(screen.sessionCard).toContainText("completed");
    expect(new URL(page.url()).pathname).toBe("/");
  });

  await test.step("a run that cannot start because the account was deactivated returns to the login screen", async () => {
    await screen.chooseFile(sheetFile("late.csv", freshTagRows(1)));
    const start = await hold(page, /\/api\/scan-sessions$/);
    await screen.processButton.click();
    await start.arrived;
    await adminApi.setActive(person, false);
    start.release();
    // The open page may notice before the start is answered.
    await expect(page.getByRole("alert")).toHaveText(
      /^Authentication (?:required\. Please login to process cards\.|failed)$/,
    );
    await expect(screen.email).toBeVisible();
    await expect(screen.tab("Scanner")).toHaveCount(0);
  });

  await test.step("a deactivated account is told so and not signed in", async () => {
    await screen.signIn(person);
    await expect(page.getByRole("alert")).toHaveText(
      "Your account has been deactivated. Please contact an administrator.",
    );
    expect(await browserSession()).toBeNull();
  });
});
