import type { Locator, Page } from "@playwright/test";
import { randomUUID } from "node:crypto";
import { freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { enter, expect, longStep, test } from "../journey.ts";
import { amount } from "../../scripts/test-form.ts";
import { Screen } from "./screen.ts";

const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;
const PROFILE = "**/api/profile";
const DEACTIVATED = "Your account has been deactivated. Please contact an administrator.";

function lineOf(page: Page, email: string): Locator {
  return page.getByRole("table", { name: "Users" }).getByRole("row").filter({ hasText: email });
}

/** Chooses an item of a user's menu. */
async function choose(page: Page, email: string, item: string): Promise<void> {
  await lineOf(page, email)
    .getByRole("button", { name: /^More for/ })
    .click();
  await page.getByRole("menuitem", { name: item }).click();
}

/**
 * Leaves the page's calls for the profile unanswered. The page makes them by itself, so they could find the sign-in ended
 * before its user does anything.
 */
async function holdProfile(page: Page): Promise<void> {
  await page.route(PROFILE, () => undefined);
}

test("an administrator manages users: the overview, a new user, a run during a deactivation, passwords and roles", async ({
  page,
  product,
  adminApi,
  upstream,
  otherBrowser,
  browserErrors,
}) => {
  browserErrors.expect(REFUSED);
  browserErrors.expect(/ERR_FAILED.*\/api\/admin\/(users\/|stats)/);
  const [boss, sam] = await Promise.all([
    adminApi.addUser({ role: "admin", fullName: "Ada Boss" }),
    adminApi.addUser({ role: "admin", fullName: "Sam Second" }),
  ]);
  const ned = { email: `${randomUUID()}@slabdesk.test`, password: "" };
  await enter(page, product, boss);

  await test.step("an administrator has the ADMIN badge", async () => {
    await expect(page.getByRole("banner").getByText("ADMIN", { exact: true })).toBeVisible();
    await expect(page.getByRole("region", { name: "Server" })).toContainText("Server online");
  });

  await test.step("the overview reports what it could not load, and fits the window", async () => {
    // The page doesn't ask for the overview's data before the tab is open.
    await page.route("**/api/admin/stats", (route) => route.abort());
    await page.getByRole("tab", { name: "Admin" }).click();
    await expect(page.getByRole("alert")).toContainText(
      "Error loading admin data: Could not connect to backend server.",
    );
    await page.unroute("**/api/admin/stats");
    await page.getByRole("button", { name: "Try Again" }).click();
    const totals = page.getByRole("region", { name: "Totals" });
    for (const label of ["Total Users", "Scan Sessions", "Total Scans", "Success Rate"])
      await expect(totals.getByText(label, { exact: true })).toBeVisible();
    await expect(totals).toHaveAttribute("aria-busy", "false");

    for (const name of ["Recent activity", "Newest sessions"]) {
      const box = await page.getByRole("region", { name }).boundingBox();
      expect((box?.y ?? Infinity) + (box?.height ?? 0), `${name} is below the window`).toBeLessThanOrEqual(900);
    }
    const newest = page.getByRole("region", { name: "Recent activity" }).getByRole("listitem");
    await expect(newest).toHaveCount(5);
    const log = (await (await page.request.get("/api/admin/activity?limit=5")).json()) as {
      activity: { timestamp: string }[];
    };
    const shown = await newest
      .locator("time")
      .evaluateAll((times) => times.map((time) => time.getAttribute("datetime")));
    expect(shown).toEqual(log.activity.map(({ timestamp }) => timestamp));
  });

  await longStep("the overview says when it may be stale, and why a refresh failed", async () => {
    const totals = page.getByRole("region", { name: "Totals" });
    await page.clock.install();
    await page.getByRole("button", { name: "Refresh Data" }).click();
    const hint = page.getByText("Data may be stale");
    await expect(hint).toHaveCount(0);
    await page.clock.fastForward(31_000);
    await expect(hint).toBeVisible();
    await page.getByRole("button", { name: "Refresh Data" }).click();
    await expect(hint).toHaveCount(0);
    // A refresh that fails says why and keeps the totals.
    let aborted = 0;
    await page.route("**/api/admin/stats", (route) => {
      aborted += 1;
      return route.abort();
    });
    await page.getByRole("button", { name: "Refresh Data" }).click();
    await expect(hint).toBeVisible();
    const failure = page
      .getByRole("alert")
      .filter({ hasText: "Error loading admin data: Could not connect to backend server." });
    await expect(failure).toBeVisible();
    await expect(totals.getByText("Total Users", { exact: true })).toBeVisible();
    // The page refreshes by itself every minute, or when the user asks for it.
    await page.clock.fastForward(60_000);
    // Each refresh tries twice. If the second try succeeded, it would remove the button before the click.
    await expect.poll(() => aborted).toBe(4);
    await expect(failure).toBeVisible();
    await page.unroute("**/api/admin/stats");
    await failure.getByRole("button", { name: "Try Again" }).click();
    await expect(failure).toHaveCount(0);
    await expect(hint).toHaveCount(0);
    const asked = page.waitForRequest("**/api/admin/stats");
    await page.clock.fastForward(60_000);
    await asked;
  });

  await test.step("a user is added; the form reports missing and invalid fields with the specified texts, in order", async () => {
    await page.getByRole("tab", { name: "Users" }).click();
    await expect(lineOf(page, boss.email).getByRole("button", { name: "Deactivate Ada Boss" })).toBeDisabled();
    await expect(lineOf(page, boss.email)).toContainText("You cannot deactivate your own account");
    const heads = page.getByRole("table", { name: "Users" }).getByRole("columnheader");
    await expect(heads).toHaveText(["Email", "Name", "Role", "Status", "Scans", "Last Login", "Actions"]);

    await page.getByRole("button", { name: "Add User" }).click();
    await page.getByRole("dialog", { name: "Add User" }).getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);

    await page.getByRole("button", { name: "Add User" }).click();
    const form = page.getByRole("dialog", { name: "Add User" });
    const problem = form.getByRole("alert");
    const email = form.getByLabel("Email");
    const password = form.getByLabel("Password", { exact: true });
    await expect(email).toBeFocused();
    await expect(password).not.toHaveValue("");
    await expect(password).toHaveAttribute("type", "text");
    await expect(form.getByLabel("Role")).toHaveValue("user");
    const mustChoose = form.getByRole("checkbox", { name: "Must choose their own password at first sign-in" });
    await expect(mustChoose).toBeChecked();
    await mustChoose.uncheck();
    await form.getByRole("button", { name: "Create" }).click();
    await expect(problem).toHaveText("Please fill in all required fields (Email, Password, and Full Name)");
    await form.getByLabel("Full Name").fill("Ned New");
    await email.fill("ned@shop");
    await email.press("Enter");
    await expect(problem).toHaveText("Please enter a valid email address");
    await email.fill(boss.email);
    ned.password = await password.inputValue();
    await password.fill("12345");
    await password.press("Enter");
    await expect(problem).toHaveText("Password must be at least 6 characters long");
    await expect(password).toBeFocused();
    await password.fill(ned.password);
    await password.press("Enter");
    await expect(problem).toHaveText(/^Failed to create user: Auth error: /);
    await email.fill(ned.email);
    await email.press("Enter");
    await expect(
      page.getByText("User created successfully! They can now login with their email and password."),
    ).toBeVisible();
    await expect(form).toBeHidden();
    await expect(lineOf(page, ned.email)).toContainText("Never");
  });

  const screen = new Screen(await otherBrowser());
  await test.step("the user is deactivated and signed out during a run, which continues", async () => {
    await screen.page.goto("/");
    await screen.signIn(ned);
    await expect(screen.page.getByRole("tab", { name: "Dashboard" })).toBeVisible();
    await expect(screen.page.getByRole("tab", { name: "Admin" })).toHaveCount(0);
    upstream.gate.hold();
    await screen.process(sheetFile("box.csv", freshTagRows(3)));
    await expect.poll(() => upstream.gate.waitingCount).toBeGreaterThan(0);
    upstream.gate.release(1);
    await expect(screen.sessionCard).toContainText(/1\s*\/\s*3/);
    const sessionId = await screen.sessionId();

    await page.keyboard.press("/");
    await expect(page.getByRole("searchbox", { name: /^Filter users/ })).toBeFocused();
    await page.keyboard.type(ned.email.slice(0, 8));
    await expect(page.getByRole("table", { name: "Users" }).getByRole("row")).toHaveCount(2);
    await lineOf(page, ned.email).getByRole("button", { name: "Deactivate Ned New" }).click();
    const question = page.getByRole("dialog", { name: "Deactivate Ned New?" });
    await expect(question).toContainText("Running sessions continue");
    await question.getByRole("button", { name: "Deactivate" }).click();
    // The user does nothing in that browser.
    await expect(screen.email).toBeVisible();
    await expect(screen.page.getByRole("alert")).toHaveText("Authentication failed");
    await expect(lineOf(page, ned.email)).toContainText("Inactive");
    await expect(lineOf(page, ned.email).getByRole("button", { name: "Activate Ned New" })).toBeEnabled();

    expect((await adminApi.session(sessionId)).status).toBe("processing");
    upstream.gate.open();
    await expect.poll(async () => (await adminApi.session(sessionId)).status).toBe("completed");
    expect((await adminApi.session(sessionId)).counts).toEqual({ completed: 3 });
  });

  await test.step("the user is refused, activated and signed in again", async () => {
    await screen.signIn(ned);
    await expect(screen.page.getByRole("alert")).toHaveText(DEACTIVATED);
    await page.getByRole("button", { name: "Refresh Data" }).click();
    await expect(lineOf(page, ned.email).getByRole("cell").nth(4)).toHaveText("3 scans");
    await page.route("**/api/admin/users/*", (route) => route.abort());
    await lineOf(page, ned.email).getByRole("button", { name: "Activate Ned New" }).click();
    await expect(page.getByText(/^Failed to update user status: /)).toBeVisible();
    await page.unroute("**/api/admin/users/*");
    await lineOf(page, ned.email).getByRole("button", { name: "Activate Ned New" }).click();
    await expect(lineOf(page, ned.email).getByRole("button", { name: "Deactivate Ned New" })).toBeVisible();
    await screen.signInButton.click();
    await expect(screen.logoutButton).toBeVisible();
  });

  await test.step("the administrator sees where the user is signed in and resets the password", async () => {
    await choose(page, ned.email, "Signed-in devices");
    const authSessions = page.getByRole("dialog", { name: "Signed-in devices of Ned New" });
    await expect(authSessions.getByRole("listitem")).toHaveCount(1);
    await expect(authSessions.getByRole("listitem")).toContainText("127.0.0.1");
    await page.keyboard.press("Escape");
    await holdProfile(screen.page);
    await choose(page, ned.email, "Reset password");
    await page
      .getByRole("dialog", { name: "Reset the password of Ned New?" })
      .getByRole("button", { name: "Reset password" })
      .click();
    const given = page.getByRole("dialog", { name: "One-time password of Ned New" });
    ned.password = (await given.getByRole("status", { name: "One-time password" }).textContent()) ?? "";
    expect(ned.password.length).toBeGreaterThanOrEqual(12);
    await given.getByRole("button", { name: "Done" }).click();
    await expect(page.getByText(ned.password)).toHaveCount(0);
  });

  await test.step("the reset signed the user out, and the one-time password allows only a password change", async () => {
    await screen.tab("Dashboard").click();
    await expect(screen.email).toBeVisible();
    await expect(screen.page.getByRole("alert")).toHaveText("Authentication failed");
    await screen.page.unroute(PROFILE);
    const asked: string[] = [];
    screen.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await screen.signIn(ned);
    await expect(screen.page.getByRole("heading", { name: "Choose your password" })).toBeVisible();
    await expect(screen.page.getByRole("tab")).toHaveCount(0);
    const chosen = screen.page.getByLabel("New password", { exact: true });
    const repeated = screen.page.getByLabel("Repeat new password", { exact: true });
    await expect(chosen).toBeFocused();
    await screen.page.keyboard.type("12345");
    await screen.page.keyboard.press("Enter");
    await expect(screen.page.getByText(/^Use at least 10 characters/)).toBeVisible();
    await chosen.fill("my very own");
    await repeated.fill("my very owm");
    await screen.page.keyboard.press("Enter");
    await expect(screen.page.getByText("The passwords don't match")).toBeVisible();
    expect(asked.filter((path) => path.startsWith("/api/") && !/^\/api\/(auth\/|profile$|status$)/.test(path))).toEqual(
      [],
    );
    await repeated.fill("my very own");
    await screen.page.keyboard.press("Enter");
    await expect(screen.tab("Dashboard")).toHaveAttribute("aria-selected", "true");
  });

  await longStep("after a password change, only this browser stays signed in", async () => {
    const other = new Screen(await otherBrowser());
    await enter(other.page, product, { email: ned.email, password: "my very own" });
    await holdProfile(other.page);
    await screen.page.getByRole("button", { name: /^Account/ }).click();
    const account = screen.page.getByRole("dialog", { name: "Account" });
    await expect(account.getByRole("listitem")).toHaveCount(2);
    await expect(account.getByRole("listitem").filter({ hasText: "This browser" })).toHaveCount(1);
    await account.getByLabel("Current password", { exact: true }).fill("not this one");
    await account.getByLabel("New password", { exact: true }).fill("a better one");
    await account.getByLabel("Repeat new password", { exact: true }).fill("a better one");
    await screen.page.keyboard.press("Enter");
    await expect(account.getByLabel("Current password", { exact: true })).toBeFocused();
    await account.getByLabel("Current password", { exact: true }).fill("my very own");
    await screen.page.keyboard.press("Enter");
    await expect(screen.page.getByText("Password changed. You were signed out everywhere else.")).toBeVisible();
    await expect(account.getByRole("listitem")).toHaveCount(1);
    await expect(account.getByRole("button", { name: "Sign out everywhere else" })).toBeDisabled();
    await screen.page.keyboard.press("Escape");
    await expect(account).toBeHidden();
    await other.tab("Dashboard").click();
    await expect(other.page.getByRole("alert")).toHaveText("Authentication failed");
    await other.page.close();
  });

  await test.step("a demoted administrator sees Access Denied and loses the Admin tab", async () => {
    const other = screen.page;
    await screen.logoutButton.click();
    await screen.signIn(sam);
    await other.getByRole("tab", { name: "Admin" }).click();
    await other.getByRole("tab", { name: "Users" }).click();
    await expect(lineOf(other, boss.email)).toBeVisible();

    await page.getByRole("searchbox", { name: /^Filter users/ }).fill(sam.email);
    await choose(page, sam.email, "Make user");
    await page
      .getByRole("dialog", { name: "Make Sam Second a user?" })
      .getByRole("button", { name: "Make user" })
      .click();
    await expect(lineOf(page, sam.email).getByText("User", { exact: true })).toBeVisible();
    await other.getByRole("button", { name: "Refresh Data" }).click();
    await expect(other.getByText("Access Denied")).toBeVisible();
    await expect(other.getByRole("tab", { name: "Admin" })).toHaveCount(0);
    await expect(other.getByRole("banner").getByText("ADMIN", { exact: true })).toHaveCount(0);
    await screen.tab("Scanner").click();
    await expect(other.getByText("No saved results yet.")).toBeVisible();
  });
});

test("the admin tab requests its data again only after 30 seconds, however often it is opened", async ({
  page,
  product,
  adminApi,
}) => {
  const requested: string[] = [];
  let answered = 0;
  const isAdminData = (url: string): boolean => new URL(url).pathname.startsWith("/api/admin/");
  page.on("request", (request) => isAdminData(request.url()) && requested.push(new URL(request.url()).pathname));
  page.on("requestfinished", (request) => isAdminData(request.url()) && (answered += 1));
  const allAnswered = (): Promise<void> => expect.poll(() => requested.length - answered).toBe(0);
  /** Opens each part, and returns the paths that were requested. */
  const visitAll = async (): Promise<string[]> => {
    const before = requested.length;
    for (const name of ["Users", "Sessions", "Activity", "Overview"]) {
      await page.getByRole("tab", { name }).click();
      await expect(page.getByRole("tabpanel", { name })).toBeVisible();
      // The page sends this after the requests of the part.
      await page.evaluate(() => fetch("/api/status"));
      await allAnswered();
    }
    return requested.slice(before).toSorted();
  };
  const openedAt = Date.now();
  await page.clock.setFixedTime(openedAt);
  await enter(page, product, await adminApi.addUser({ role: "admin" }));
  await page.getByRole("tab", { name: "Admin" }).click();
  // The charts load after the rest of the overview.
  await expect.poll(() => requested).toContain("/api/admin/charts");
  // Leaving a part cancels its requests.
  await allAnswered();
  await visitAll();
  const all = ["activity", "activity", "charts", "sessions", "sessions", "stats", "users"];

  for (const { ageMs, expected } of [
    { ageMs: 29_999, expected: [] },
    { ageMs: 30_000, expected: all },
    { ageMs: 59_999, expected: [] },
    { ageMs: 60_000, expected: all },
  ].slice(0, amount({ short: 2, long: 4 }))) {
    await page.clock.setFixedTime(openedAt + ageMs);
    expect(await visitAll(), `${ageMs} ms after the first requests`).toEqual(
      expected.map((part) => `/api/admin/${part}`),
    );
  }
});
