import type { Locator, Page } from "@playwright/test";
import { randomUUID } from "node:crypto";
import { freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { enter, expect, test } from "../journey.ts";
import { Screen } from "./screen.ts";

const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;
const DEACTIVATED = "Your account has been deactivated. Please contact an administrator.";

async function openUsers(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Admin" }).click();
  await page.getByRole("tab", { name: "Users" }).click();
}

function lineOf(page: Page, email: string): Locator {
  return page.getByRole("table", { name: "Users" }).getByRole("row").filter({ hasText: email });
}

async function choose(page: Page, email: string, item: string): Promise<void> {
  await lineOf(page, email)
    .getByRole("button", { name: /^More for/ })
    .click();
  await page.getByRole("menuitem", { name: item }).click();
}

test("somebody is added, works, and is shut out in the middle of a run that goes on", async ({
  page,
  product,
  office,
  upstream,
  otherBrowser,
  complaints,
}) => {
  complaints.expect(REFUSED);
  complaints.expect(/ERR_FAILED.*\/api\/admin\/users\//);
  const boss = await office.hire({ role: "admin", fullName: "Ada Boss" });
  await enter(page, product, boss);
  await openUsers(page);
  await expect(lineOf(page, boss.email).getByRole("button", { name: "Deactivate Ada Boss" })).toBeDisabled();
  await expect(lineOf(page, boss.email)).toContainText("You cannot deactivate your own account");
  const heads = page.getByRole("table", { name: "Users" }).getByRole("columnheader");
  await expect(heads).toHaveText(["Email", "Name", "Role", "Status", "Scans", "Last Login", "Actions"]);

  await page.getByRole("button", { name: "Add User" }).click();
  await page.getByRole("dialog", { name: "Add User" }).getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  // SPEC's words for what is missing or wrong, in its order.
  await page.getByRole("button", { name: "Add User" }).click();
  const form = page.getByRole("dialog", { name: "Add User" });
  const problem = form.getByRole("alert");
  const email = form.getByLabel("Email");
  const password = form.getByLabel("Password", { exact: true });
  await expect(email).toBeFocused();
  await expect(password).not.toHaveValue("");
  await expect(password).toHaveAttribute("type", "text");
  await expect(form.getByLabel("Role")).toHaveValue("user");
  await form.getByRole("button", { name: "Create" }).click();
  await expect(problem).toHaveText("Please fill in all required fields (Email, Password, and Full Name)");
  await form.getByLabel("Full Name").fill("Ned New");
  await email.fill("ned@shop");
  await email.press("Enter");
  await expect(problem).toHaveText("Please enter a valid email address");
  await email.fill(boss.email);
  const suggested = await password.inputValue();
  await password.fill("12345");
  await password.press("Enter");
  await expect(problem).toHaveText("Password must be at least 6 characters long");
  await expect(password).toBeFocused();
  await password.fill(suggested);
  await password.press("Enter");
  await expect(problem).toHaveText(/^Failed to create user: Auth error: /);
  const ned = { email: `${randomUUID()}@slabdesk.test`, password: suggested };
  await email.fill(ned.email);
  await email.press("Enter");
  await expect(
    page.getByText("User created successfully! They can now login with their email and password."),
  ).toBeVisible();
  await expect(form).toBeHidden();
  await expect(lineOf(page, ned.email)).toContainText("Never");

  const desk = new Screen(await otherBrowser());
  await desk.page.goto("/");
  await desk.signIn(ned);
  await expect(desk.page.getByRole("tab", { name: "Dashboard" })).toBeVisible();
  await expect(desk.page.getByRole("tab", { name: "Admin" })).toHaveCount(0);
  upstream.gate.hold();
  await desk.process(sheetFile("box.csv", freshTagRows(6)));
  await expect.poll(() => upstream.gate.waitingCount).toBeGreaterThan(0);
  upstream.gate.letThrough(2);
  await expect(desk.sessionCard).toContainText(/[1-9]\s*\/\s*6/);
  const sessionId = await desk.sessionId();

  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: /^Filter users/ })).toBeFocused();
  await page.keyboard.type(ned.email.slice(0, 8));
  await expect(page.getByRole("table", { name: "Users" }).getByRole("row")).toHaveCount(2);
  await lineOf(page, ned.email).getByRole("button", { name: "Deactivate Ned New" }).click();
  const question = page.getByRole("dialog", { name: "Deactivate Ned New?" });
  await expect(question).toContainText("Running sessions go on");
  await question.getByRole("button", { name: "Deactivate" }).click();
  // The user does nothing in that browser.
  await expect(desk.email).toBeVisible();
  await expect(desk.page.getByRole("alert")).toHaveText("Authentication failed");
  await expect(lineOf(page, ned.email)).toContainText("Inactive");
  await expect(lineOf(page, ned.email).getByRole("button", { name: "Activate Ned New" })).toBeEnabled();

  expect((await office.session(sessionId)).status).toBe("processing");
  upstream.gate.open();
  await expect.poll(async () => (await office.session(sessionId)).status).toBe("completed");
  expect((await office.session(sessionId)).counts).toEqual({ completed: 6 });

  await desk.signIn(ned);
  await expect(desk.page.getByRole("alert")).toHaveText(DEACTIVATED);
  await page.getByRole("button", { name: "Refresh Data" }).click();
  await expect(lineOf(page, ned.email).getByRole("cell").nth(4)).toHaveText("1 scan");
  await page.route("**/api/admin/users/*", (route) => route.abort());
  await lineOf(page, ned.email).getByRole("button", { name: "Activate Ned New" }).click();
  await expect(page.getByText(/^Failed to update user status: /)).toBeVisible();
  await page.unroute("**/api/admin/users/*");
  await lineOf(page, ned.email).getByRole("button", { name: "Activate Ned New" }).click();
  await expect(lineOf(page, ned.email).getByRole("button", { name: "Deactivate Ned New" })).toBeVisible();
  await desk.signInButton.click();
  await expect(desk.logoutButton).toBeVisible();
});

test("a reset password works once and makes way for an own one; sign-ins are seen and ended", async ({
  page,
  product,
  office,
  person,
  otherBrowser,
  complaints,
}) => {
  complaints.expect(REFUSED);
  await enter(page, product, await office.hire({ role: "admin", fullName: "Ada Boss" }));
  await openUsers(page);
  const screen = new Screen(await otherBrowser());
  await enter(screen.page, product, person);

  await choose(page, person.email, "Sign-ins");
  const signIns = page.getByRole("dialog", { name: `Sign-ins of ${person.fullName}` });
  await expect(signIns.getByRole("listitem")).toHaveCount(1);
  await expect(signIns.getByRole("listitem")).toContainText("127.0.0.1");
  await page.keyboard.press("Escape");
  await choose(page, person.email, "Reset password");
  await page
    .getByRole("dialog", { name: `Reset the password of ${person.fullName}?` })
    .getByRole("button", { name: "Reset password" })
    .click();
  const given = page.getByRole("dialog", { name: `One-time password of ${person.fullName}` });
  const oneTime = (await given.getByRole("status", { name: "One-time password" }).textContent()) ?? "";
  expect(oneTime.length).toBeGreaterThanOrEqual(12);
  await given.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(oneTime)).toHaveCount(0);

  // The old sign-in ended with the old password.
  await screen.comeBack();
  await screen.tab("Dashboard").click();
  await expect(screen.email).toBeVisible();
  const asked: string[] = [];
  screen.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await screen.signIn({ email: person.email, password: oneTime });
  await expect(screen.page.getByRole("heading", { name: "Choose your password" })).toBeVisible();
  await expect(screen.page.getByRole("tab")).toHaveCount(0);
  const chosen = screen.page.getByLabel("New password", { exact: true });
  await expect(chosen).toBeFocused();
  await screen.page.keyboard.type("12345");
  await screen.page.keyboard.press("Enter");
  await expect(screen.page.getByText("Password must be at least 6 characters long")).toBeVisible();
  await chosen.fill("my very own");
  await screen.page.getByLabel("Repeat new password", { exact: true }).fill("my very owm");
  await screen.page.keyboard.press("Enter");
  await expect(screen.page.getByText("This is not the same password")).toBeVisible();
  expect(asked.filter((path) => path.startsWith("/api/") && !/^\/api\/(auth\/|profile$|status$)/.test(path))).toEqual(
    [],
  );
  await screen.page.getByLabel("Repeat new password", { exact: true }).fill("my very own");
  await screen.page.keyboard.press("Enter");
  await expect(screen.tab("Scanner")).toHaveAttribute("aria-selected", "true");

  // An own change keeps this browser and ends the others.
  const other = new Screen(await otherBrowser());
  await enter(other.page, product, { email: person.email, password: "my very own" });
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
  await expect(screen.page.getByText("Password changed. All other sign-ins were ended.")).toBeVisible();
  await expect(account.getByRole("listitem")).toHaveCount(1);
  await expect(account.getByRole("button", { name: "Sign out everywhere else" })).toBeDisabled();
  await other.tab("Dashboard").click();
  await expect(other.page.getByRole("alert")).toHaveText("Authentication failed");
});

test("who is no administrator any more meets Access Denied, and nobody else sees the tab", async ({
  page,
  product,
  office,
  otherBrowser,
  complaints,
}) => {
  complaints.expect(REFUSED);
  const boss = await office.hire({ role: "admin", fullName: "Ada Boss" });
  const second = await office.hire({ role: "admin", fullName: "Sam Second" });
  await enter(page, product, boss);
  await openUsers(page);
  const other = await otherBrowser();
  await enter(other, product, second);
  await openUsers(other);
  await expect(lineOf(other, boss.email)).toBeVisible();

  await choose(page, second.email, "Make user");
  await page
    .getByRole("dialog", { name: "Make Sam Second a user?" })
    .getByRole("button", { name: "Make user" })
    .click();
  await expect(lineOf(page, second.email).getByText("User", { exact: true })).toBeVisible();
  await other.getByRole("button", { name: "Refresh Data" }).click();
  await expect(other.getByText("Access Denied")).toBeVisible();
  await expect(other.getByRole("tab", { name: "Admin" })).toHaveCount(0);
  await expect(other.getByRole("banner").getByText("ADMIN", { exact: true })).toHaveCount(0);
  await new Screen(other).tab("Scanner").click();
  await expect(other.getByText("No saved results yet.")).toBeVisible();
});

test("the overview fits one screen, says when it may be stale, and what it could not load", async ({
  page,
  product,
  office,
  complaints,
}) => {
  complaints.expect(/Failed to load resource/);
  await enter(page, product, await office.hire({ role: "admin" }));
  await test.step("an administrator carries the ADMIN badge", async () => {
    await expect(page.getByRole("banner").getByText("ADMIN", { exact: true })).toBeVisible();
    await expect(page.getByRole("region", { name: "Server" })).toContainText("Server online");
  });
  // Nothing of the desk was asked for before it is opened.
  await page.route("**/api/admin/stats", (route) => route.abort());
  await page.getByRole("tab", { name: "Admin" }).click();
  await expect(page.getByRole("alert")).toContainText("Error loading admin data: Could not reach the server.");
  await page.unroute("**/api/admin/stats");
  await page.getByRole("button", { name: "Try Again" }).click();
  const figures = page.getByRole("region", { name: "Figures" });
  for (const label of ["Total Users", "Scan Sessions", "Total Scans", "Success Rate"])
    await expect(figures.getByText(label, { exact: true })).toBeVisible();
  await expect(figures).toHaveAttribute("aria-busy", "false");

  for (const name of ["Recent activity", "Newest sessions"]) {
    const box = await page.getByRole("region", { name }).boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0), `${name} is below the window`).toBeLessThanOrEqual(900);
  }

  await expect(page.getByRole("region", { name: "Recent activity" }).getByRole("listitem")).toHaveCount(5);

  await page.clock.install();
  await page.getByRole("button", { name: "Refresh Data" }).click();
  const hint = page.getByText("Data may be stale");
  await expect(hint).toHaveCount(0);
  await page.clock.fastForward(31_000);
  await expect(hint).toBeVisible();
  await page.getByRole("button", { name: "Refresh Data" }).click();
  await expect(hint).toHaveCount(0);
  // A refresh that fails says why and keeps what is there.
  let aborted = 0;
  await page.route("**/api/admin/stats", (route) => {
    aborted += 1;
    return route.abort();
  });
  await page.getByRole("button", { name: "Refresh Data" }).click();
  await expect(hint).toBeVisible();
  const failure = page.getByRole("alert").filter({ hasText: "Error loading admin data: Could not reach the server." });
  await expect(failure).toBeVisible();
  await expect(figures.getByText("Total Users", { exact: true })).toBeVisible();
  // In time it is asked for by itself, or at once.
  await page.clock.fastForward(60_000);
  // Each asking is tried twice. A second try that comes through would take the button away from under the click.
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
