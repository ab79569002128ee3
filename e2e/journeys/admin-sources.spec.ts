import type { Locator, Page } from "@playwright/test";
import { freshCgcRows, freshPsaRows, freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { enter, expect, longStep, test } from "../journey.ts";
import { expectAccessible } from "../screens/accessible.ts";
import { Screen } from "./screen.ts";

// This journey pauses upstreams for all users.

const CLOCK = /\d+:\d\d [AP]M/;

/** The Sources tab. */
class Sources {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async open(): Promise<void> {
    await this.#page.getByRole("tab", { name: "Admin" }).click();
    await this.#page.getByRole("tab", { name: "Sources" }).click();
  }

  get summary(): Locator {
    return this.#page.getByRole("status").filter({ hasText: /needs? attention|on works?$/ });
  }

  /** The panel of an upstream. */
  of(title: string): Locator {
    return this.#page.getByRole("region", { name: new RegExp(`^${title}`) });
  }

  endpoint(title: string, endpoint: string): Locator {
    return this.of(title)
      .getByRole("listitem")
      .filter({ hasText: new RegExp(`^${endpoint}`) });
  }

  /** Changes an upstream and checks the confirmation's text. */
  async change(verb: "Pause" | "Resume", title: string, message: string | RegExp): Promise<void> {
    await this.of(title)
      .getByRole("button", { name: `${verb} ${title}` })
      .click();
    const question = this.#page.getByRole("dialog", { name: `${verb} ${title}?` });
    await expect(question).toContainText(message);
    await question.getByRole("button", { name: `${verb} ${title}` }).click();
    await expect(question).toBeHidden();
  }

  async test(title: string): Promise<void> {
    await this.of(title)
      .getByRole("button", { name: `Test credentials of ${title}` })
      .click();
  }
}

test("an administrator sees and fixes failing upstreams, and opens the sessions behind a chart", async ({
  page,
  product,
  adminApi,
  upstream,
}) => {
  const screen = new Screen(page);
  const sources = new Sources(page);
  await enter(page, product, await adminApi.addUser({ role: "admin", fullName: "Ana Ruiz" }));
  upstream.behavior.fail("tag-api", "server_error");
  await screen.chooseFile(sheetFile("monday.csv", [...freshTagRows(7), ...freshPsaRows(9), ...freshCgcRows(2)]));
  await screen.source("API only").check();
  await screen.processButton.click();
  await expect(screen.sessionCard).toContainText("3 waiting");
  const monday = await screen.sessionId();
  await sources.open();

  await test.step("the page shows a blocked API, an exhausted quota, and the working upstreams", async () => {
    await expect(sources.summary).toHaveText("PSA and TAG need attention");
    await expect(sources.of("TAG")).toContainText(
      new RegExp(
        `TAG's API is not working at the moment \\(5\\d\\d\\) \\(since ${CLOCK.source}\\), next try (?:tomorrow )?at ${CLOCK.source} \\(in \\d+ (?:s|min)\\)`,
      ),
    );
    await expect(sources.of("TAG")).toContainText("2 cards wait");
    await expect(sources.endpoint("TAG", "API")).toContainText("Paused");
    await expect(sources.endpoint("TAG", "API")).toContainText("5 calls · 0% succeeded");
    await expect(sources.endpoint("TAG", "Website")).toContainText("Working");
    await expect(sources.of("PSA")).toContainText(
      /0 of 8 calls left \(not confirmed by PSA yet\), resets (?:tomorrow )?at \d+:\d\d [AP]M/,
    );
    await expect(sources.of("PSA")).toContainText("1 card waits");
    await expect(sources.of("PSA")).toContainText("The quota of 8 calls is used up");
    await expect(sources.of("PSA").getByRole("list", { name: /by person/ })).toHaveText("Ana Ruiz 8 calls");
    await expect(sources.of("CGC")).toContainText("Working normally");
    await expect(sources.of("CGC")).toContainText("100%");
    await expect(sources.of("CardLadder")).toContainText("Not called in the last 24 hours");
    for (const title of ["PSA", "CGC", "TAG", "CardLadder", "CardsIQ"])
      await expect(sources.of(title)).toContainText(/Terms .+You need .+/);
  });

  await test.step("TAG is resumed before its next probe", async () => {
    upstream.behavior.heal("tag-api");
    await sources.change("Resume", "TAG", "2 cards wait for TAG and continue immediately. TAG may refuse again");
    await expect(sources.of("TAG")).toContainText("Working normally");
    await expect(sources.of("TAG")).not.toContainText("cards wait");
    await expect(sources.summary).toHaveText("PSA needs attention");
  });

  await longStep("CGC is paused manually: its cards wait, and the page says who paused it", async () => {
    await sources.change("Pause", "CGC", "New CGC cards will wait until someone resumes CGC.");
    await expect(sources.of("CGC")).toContainText(/Paused by Ana Ruiz at \d+:\d\d [AP]M/);
    await expect(sources.summary).toHaveText("PSA and CGC need attention");
    await screen.tab("Scanner").click();
    const calls = upstream.calls.count({ endpoint: "cgc-api" });
    await screen.process(sheetFile("held.csv", freshCgcRows(2)));
    await expect(screen.waits).toContainText([/Ana Ruiz.*2 cards wait/]);
    expect(upstream.calls.count({ endpoint: "cgc-api" })).toBe(calls);
  });

  await longStep("CGC is resumed, and its cards are looked up", async () => {
    await sources.open();
    await expect(sources.of("CGC")).toContainText("2 cards wait");
    await sources.change("Resume", "CGC", "2 cards wait for CGC and continue immediately.");
    await expect(sources.of("CGC")).toContainText("Working normally");
    await screen.tab("Scanner").click();
    await expect(screen.sessionCard).toContainText("2 done");
    await expect(screen.sessionCard).toContainText("completed");
  });

  await longStep("a credentials test is accepted, refused, or not made without quota", async () => {
    await sources.open();
    // Until the list is refreshed, it shows cards that waited, and then the buttons move.
    await expect(sources.of("CGC")).not.toContainText("cards wait");
    await sources.test("CGC");
    await expect(sources.of("CGC")).toContainText("CGC accepted our credentials");
    upstream.behavior.fail("cardladder-sign-in", "refused");
    await sources.test("CardLadder");
    await expect(sources.of("CardLadder").getByRole("status")).toHaveAttribute("data-result", "refused");
    await sources.test("PSA");
    await expect(sources.of("PSA")).toContainText("Resume it before testing its credentials");
    await expectAccessible(page, "the Sources tab");
  });

  await page.getByRole("tab", { name: "Overview" }).click();
  const scans = page.getByRole("region", { name: "Scans per day" });
  const filter = page.getByRole("list", { name: "Filter" }).getByRole("button");
  const today = new Date().toISOString().slice(0, 10);
  const bar = (company: string): Locator => scans.locator(`[data-mark="${company} ${today}"]`);

  await test.step("part of a bar filters by company and day until the filter is removed; a second click changes nothing", async () => {
    await bar("CGC").click();
    await expect(filter).toHaveText([/^CGC · \w+ \d+, \d{4}$/]);
    await expect(page.getByRole("region", { name: "Sessions that match" })).toContainText("monday.csv");
    await expect(bar("TAG")).toHaveAttribute("data-faded", "true");
    await expect(bar("CGC")).not.toHaveAttribute("data-faded");
    await bar("CGC").click();
    await expect(filter).toHaveText([/^CGC · \w+ \d+, \d{4}$/]);
    await filter.click();
    await expect(filter).toHaveCount(0);
  });

  await test.step("a company's name or a cause filters all days", async () => {
    await page.getByRole("list", { name: "Scans per day by company" }).getByRole("button", { name: /^TAG/ }).click();
    await expect(filter).toHaveText(["TAG"]);
    await page
      .getByRole("region", { name: "Success by cause" })
      .getByRole("button", { name: /^Found/ })
      .click();
    await expect(filter).toHaveText(["Found"]);
  });

  await test.step("by keyboard: the newest day, then the day before", async () => {
    const chart = page.getByRole("slider", { name: /^Scans per day/ });
    await chart.focus();
    await expect(chart).toHaveAttribute("aria-valuetext", /: [1-9]\d* cards$/);
    await chart.press("Enter");
    await expect(filter).toHaveText([/^\w+ \d+, \d{4}$/]);
    await chart.press("ArrowLeft");
    await expect(chart).toHaveAttribute("aria-valuetext", /: 0 cards$/);
  });

  await test.step("the table behind the chart shows the same filter", async () => {
    await scans.getByRole("button", { name: "Scans per day: show as table" }).click();
    await expect(scans.getByRole("button", { pressed: true })).toHaveText([/^\w+ \d+, \d{4}$/]);
    await expectAccessible(page, "the table behind a chart");
  });

  // A card that still waits would use up the next journeys' calls. An open page would request the deleted session.
  await page.goto("about:blank");
  expect((await page.request.delete(`/api/scan-sessions/${monday}`)).status()).toBe(200);
});
