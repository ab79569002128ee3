import type { Locator, Page } from "@playwright/test";

/** The product's screens as a user sees them. */
export class Screen {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get email(): Locator {
    return this.page.getByPlaceholder("Enter your email");
  }

  get password(): Locator {
    return this.page.getByPlaceholder("Enter your password");
  }

  get signInButton(): Locator {
    return this.page.getByRole("button", { name: /^Sign/ });
  }

  get logoutButton(): Locator {
    return this.page.getByRole("button", { name: /^Logout/ });
  }

  tab(name: "Scanner" | "Dashboard"): Locator {
    return this.page.getByRole("tab", { name });
  }

  get processButton(): Locator {
    return this.page.getByRole("button", { name: /^Process(?: Data|ing\.\.\.)$/ });
  }

  get stopButton(): Locator {
    return this.page.getByRole("button", { name: "Stop Processing" });
  }

  get downloadButton(): Locator {
    return this.page.getByRole("button", { name: "Download Results CSV" });
  }

  get clearButton(): Locator {
    return this.page.getByRole("button", { name: "Clear Results" });
  }

  /** The card of the shown session. */
  get sessionCard(): Locator {
    return this.page.getByRole("region", { name: "Current session" });
  }

  /** A button of the session card. */
  action(name: string | RegExp): Locator {
    return this.sessionCard.getByRole("button", { name });
  }

  /** The waits of the session. */
  get waits(): Locator {
    return this.sessionCard.getByRole("list", { name: "Waits" }).getByRole("listitem");
  }

  get plan(): Locator {
    return this.page.getByRole("region", { name: "Plan" });
  }

  /** A large number in the plan. */
  planNumber(label: string): Locator {
    return this.plan.locator("dl > div", { hasText: label }).getByRole("definition");
  }

  /** A line of the plan, by its beginning. */
  planLine(title: string): Locator {
    return this.plan.locator("p, button").filter({ hasText: new RegExp(`^${title}`) });
  }

  /** Whether prices are requested for a sheet. */
  get pricingChoice(): Locator {
    return this.page.getByRole("checkbox", { name: "Include market price data from CardLadder" });
  }

  /** A total below the table, by its label. */
  total(label: string): Locator {
    return this.page.getByRole("region", { name: "Totals" }).locator("dl > div", { hasText: label });
  }

  /** A cell by its line and column. The column must be in or near the viewport: others are not in the page. */
  async cell(line: number, column: string): Promise<Locator> {
    const header = this.grid.getByRole("columnheader", { name: column, exact: true });
    const place = await header.getAttribute("aria-colindex");
    return this.row(line).locator(`[aria-colindex="${place}"]`);
  }

  /** PSA's quota, as administrators see it. */
  get quota(): Locator {
    return this.page.getByRole("region", { name: "PSA quota" });
  }

  /** The run's announcement for screen readers. */
  heard(message: string | RegExp): Locator {
    return this.page.getByRole("status").filter({ hasText: message });
  }

  /** The form that corrects a row's number. */
  get numberEditor(): Locator {
    return this.page.getByRole("dialog", { name: /^Edit number/ });
  }

  get certNumberField(): Locator {
    return this.numberEditor.getByLabel("Cert number");
  }

  get grid(): Locator {
    return this.page.getByRole("grid", { name: "Results" });
  }

  /** A line of the sheet before its run, counting the header. */
  line(line: number): Locator {
    return this.page.getByRole("grid", { name: "Sheet" }).locator(`tr[data-line="${line}"]`);
  }

  /** A cell of the sheet before its run, like "Cost". */
  lineCell(line: number, name: string): Locator {
    return this.line(line).getByLabel(`${name}, line`);
  }

  lineFilter(name: string): Locator {
    return this.page.getByRole("group", { name: "Which lines are shown" }).getByRole("button", { name, exact: true });
  }

  get find(): Locator {
    return this.page.getByRole("searchbox", { name: "Find in these results" });
  }

  /** The row of a line in the sheet, counting the header. */
  row(line: number): Locator {
    return this.grid.locator(`tr[data-line="${line}"]`);
  }

  /** Rows in the viewport with this text. */
  rowsWith(text: string | RegExp): Locator {
    return this.grid.locator("tbody tr", { hasText: text });
  }

  async signIn(person: { email: string; password: string }): Promise<void> {
    await this.email.fill(person.email);
    await this.password.fill(person.password);
    await this.signInButton.click();
  }

  get palette(): Locator {
    return this.page.getByRole("dialog", { name: "Search and commands" });
  }

  /** What the palette offers. */
  get choices(): Locator {
    return this.palette.getByRole("option");
  }

  async openPalette(): Promise<void> {
    await this.page.keyboard.press("Control+K");
    await this.palette.getByRole("combobox").waitFor();
  }

  /** Uses the browser's own file chooser. */
  async chooseFile(file: string | { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    const [chooser] = await Promise.all([
      this.page.waitForEvent("filechooser"),
      this.page.locator("button", { hasText: "Choose File" }).click(),
    ]);
    await chooser.setFiles(file);
  }

  source(name: string): Locator {
    return this.page.getByRole("radio", { name });
  }

  /** Chooses a sheet and waits until it is read. The options move then, so an earlier click could miss. */
  async chooseSheet(file: Parameters<Screen["chooseFile"]>[0]): Promise<void> {
    await this.chooseFile(file);
    await this.page.getByText(/^Selected: /).waitFor();
  }

  /** Chooses a sheet and starts it. */
  async process(file: Parameters<Screen["chooseFile"]>[0]): Promise<void> {
    await this.chooseSheet(file);
    await this.processButton.click();
  }

  /** Simulates the return to this tab: a headless browser keeps all tabs visible. */
  async returnToTab(): Promise<void> {
    await this.page.evaluate(() => globalThis.dispatchEvent(new Event("focus")));
  }

  /**
   * Waits until the new page has finished its own first requests, while no run is shown. A late one could be the first
   * to notice a change made over HTTP.
   */
  async settled(): Promise<void> {
    await this.page.getByText("No saved results yet.").waitFor();
    await this.page.waitForLoadState("networkidle");
  }

  /** Returns the shown session's id from the tab's storage, and throws if there is none. */
  async sessionId(): Promise<string> {
    const id = await this.page.evaluate(() => sessionStorage.getItem("slabdesk:scanner-session"));
    if (id === null) throw new Error("No session is in view");
    return id;
  }
}
