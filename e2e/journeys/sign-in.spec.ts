import { enter, expect, test } from "../journey.ts";
import { freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { Screen } from "./screen.ts";

const REFUSED = /Failed to load resource: the server responded with a status of 40[13]/;

/** Holds the calls to one address until it is released. */
function latch(): { wait: Promise<void>; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: promise, release: () => resolve() };
}

test("the page checks who is there, then shows the login screen", async ({ page }) => {
  const screen = new Screen(page);
  await test.step("the page checks who is there before it shows the login screen", async () => {
    const answer = latch();
    await page.route("**/api/auth/get-session", async (route) => {
      await answer.wait;
      await route.continue();
    });
    await page.goto("/");
    await expect(page.getByText("Checking authentication…")).toBeVisible();
    await expect(screen.email).toHaveCount(0);
    answer.release();
    await expect(page.getByRole("heading", { name: "Please sign in to access the application" })).toBeVisible();
    await expect(page.getByText("Checking authentication…")).toHaveCount(0);
  });

  await test.step("the login screen says what it is for, and its button waits for both fields", async () => {
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
});

test("from signing in to logging out", async ({ page, person, office }) => {
  const screen = new Screen(page);
  await test.step("signing in: busy fields, then the product with name and totals; a reload keeps it", async () => {
    const answer = latch();
    await page.route("**/api/auth/sign-in/email", async (route) => {
      await answer.wait;
      await route.continue();
    });
    await page.goto("/");
    await screen.signIn(person);
    await expect(screen.signInButton).toHaveText("Signing In...");
    await expect(screen.signInButton).toBeDisabled();
    await expect(screen.email).toBeDisabled();
    await expect(screen.password).toBeDisabled();
    answer.release();

    await expect(screen.logoutButton).toHaveAccessibleName(`Logout ${person.fullName}`);
    await expect(page.getByRole("banner")).toContainText(person.fullName);
    await expect(page.getByRole("banner")).toContainText("0 sessions");
    await expect(page.getByRole("banner")).toContainText("0 cards processed");
    await expect(page.getByText("ADMIN", { exact: true })).toHaveCount(0);

    await page.reload();
    await expect(screen.logoutButton).toBeVisible();
    await expect(screen.email).toHaveCount(0);
  });

  await test.step("DEBUG BACKEND says how the server is and who is asking", async () => {
    await page.getByRole("button", { name: "DEBUG BACKEND" }).click();
    const panel = page.getByRole("dialog", { name: "Backend" });
    const status = panel.getByRole("region", { name: "Backend status" });
    await expect(status).toContainText("Server answers");
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

  await test.step("logging out returns to Scanner and leaves nothing of the user behind", async () => {
    await screen.process(sheetFile("mine.csv", freshTagRows(2)));
    await expect(screen.sessionCard).toContainText("completed");
    await screen.tab("Dashboard").click();
    await expect(page.getByRole("heading", { name: "Your Scan History" })).toBeVisible();

    await screen.logoutButton.click();
    await expect(screen.email).toBeVisible();
    await expect(screen.email).toHaveValue("");
    const kept = await page.evaluate(() => [...Object.entries(sessionStorage), ...Object.entries(localStorage)]);
    expect(kept).toEqual([["slabdesk-app-access", "logged"]]);

    await screen.signIn(person);
    await expect(screen.tab("Scanner")).toHaveAttribute("aria-selected", "true");
    await expect(page.getByText("No saved results yet.")).toBeVisible();
    await expect(screen.sessionCard).toHaveCount(0);
    const deeds = (await office.activityOf(person)).map((entry) => entry.activityType);
    expect(deeds.filter((deed) => ["login", "logout"].includes(deed))).toEqual(["login", "logout", "login"]);
  });
});

test("who is not let in is told why", async ({ page, person, office, complaints }) => {
  complaints.expect(/Failed to load resource/);
  const screen = new Screen(page);
  await page.goto("/");
  await test.step("what nobody expected is said in SPEC's words", async () => {
    await page.route("**/api/auth/sign-in/email", (route) => route.abort());
    await screen.signIn(person);
    await expect(page.getByRole("alert")).toHaveText("An unexpected error occurred. Please try again.");
    await page.unroute("**/api/auth/sign-in/email");

    await page.route("**/api/profile", (route) => route.abort());
    await screen.signInButton.click();
    await expect(page.getByRole("alert")).toHaveText("Failed to load user profile");
    await page.unroute("**/api/profile");
    await page.reload();
    // A user without a profile is signed out.
    await expect(screen.email).toBeVisible();
  });

  await test.step("a wrong password is answered in the server's words, and the next try is free", async () => {
    await screen.signIn({ ...person, password: "not the password" });
    await expect(page.getByRole("alert")).toHaveText("Invalid email or password");
    await expect(screen.signInButton).toBeEnabled();
    await screen.password.fill(person.password);
    await screen.signInButton.click();
    await expect(screen.logoutButton).toBeVisible();
    await screen.logoutButton.click();
    await expect(screen.email).toBeVisible();
  });

  await test.step("a deactivated account is told so and not let in", async () => {
    await office.changeActive(person, false);
    await screen.signIn(person);
    await expect(page.getByRole("alert")).toHaveText(
      "Your account has been deactivated. Please contact an administrator.",
    );
    await page.reload();
    await expect(screen.email).toBeVisible();
  });
});

test("who is deactivated is signed out", async ({ signedIn, person, office, complaints }) => {
  complaints.expect(REFUSED);
  const screen = new Screen(signedIn);
  await test.step("a run that cannot start because the session is gone leads back to the login screen", async () => {
    await screen.settled();
    await screen.chooseFile(sheetFile("late.csv", freshTagRows(2)));
    // Wait for the plan's request before the account is closed.
    await expect(screen.plan).toHaveAttribute("aria-busy", "false");
    await office.changeActive(person, false);
    await screen.processButton.click();
    await expect(signedIn.getByRole("alert")).toHaveText("Authentication failed");
    await expect(screen.email).toBeVisible();
  });

  await test.step("deactivating an account signs its browsers out at their next call", async () => {
    await office.changeActive(person, true);
    await screen.signIn(person);
    await screen.settled();
    await office.changeActive(person, false);
    await screen.tab("Dashboard").click();
    await expect(signedIn.getByRole("alert")).toHaveText("Authentication failed");
    await expect(screen.email).toBeVisible();
    await expect(screen.tab("Scanner")).toHaveCount(0);
  });
});

test("the log knows an access once a browser session, sign-ins, and moves between tabs", async ({
  page,
  product,
  person,
  office,
  otherBrowser,
}) => {
  const deeds = async (): Promise<string[]> => (await office.activityOf(person)).map((entry) => entry.activityType);
  const screen = new Screen(page);
  await page.goto("/");
  await screen.signIn(person);
  await screen.tab("Dashboard").click();
  // A reload may cut off what is still being told.
  await expect.poll(deeds).toEqual(["login", "app_access", "navigation"]);
  await page.reload();
  await screen.tab("Dashboard").click();
  await expect.poll(deeds).toEqual(["login", "app_access", "navigation", "navigation"]);

  const entries = await office.activityOf(person);
  expect(entries[0]?.description).toBe("User logged in successfully");
  expect(entries[2]?.metadata).toEqual({ tab: "dashboard" });

  await enter(await otherBrowser(), product, person);
  await expect.poll(deeds).toEqual(["login", "app_access", "navigation", "navigation", "login", "app_access"]);
});
