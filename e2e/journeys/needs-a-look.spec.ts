import type { Locator, Page } from "@playwright/test";
import { sheetFile } from "../golden/made-up-sheets.ts";
import { expect, test } from "../journey.ts";
import type { Complaints } from "../product/complaints.ts";
import { Screen } from "./screen.ts";

/** One card in order, and one of each kind of work. */
const boxWith = (outOfReach: readonly [cert: string, company: string]): string[][] => [
  ["98174651", "PSA", "40", ""],
  ["99999990", "PSA", "12", ""],
  [...outOfReach, "14", ""],
  ["99999975", "PSA", "20", ""],
  ["C1240631", "TAG", "cheap", ""],
  ["01020688", "PSA", "1250", ""],
];

class Look extends Screen {
  get chip(): Locator {
    return this.page.getByRole("button", { name: /^Needs a look/ });
  }

  get head(): Locator {
    return this.page.getByRole("region", { name: "Needs a look" });
  }

  /** The lines that are left, from above. */
  lines(): Promise<number[]> {
    return this.grid
      .locator("tbody tr")
      .evaluateAll((rows) => rows.map((row) => Number(row.dataset["line"])).toSorted((one, other) => one - other));
  }

  async left(lines: readonly number[]): Promise<void> {
    await expect(this.head.getByRole("heading")).toHaveText(`Needs a look${lines.length} left`);
    await expect(this.chip).toHaveText(`Needs a look ${lines.length}`);
    expect(await this.lines()).toEqual(lines);
  }

  async isActive(line: number): Promise<void> {
    await expect(this.row(line)).toHaveAttribute("data-active");
  }

  button(line: number, name: string | RegExp): Locator {
    return this.row(line).getByRole("button", { name });
  }

  get end(): Locator {
    return this.page.getByText("Nothing needs a look", { exact: true }).and(this.page.locator("p"));
  }
}

/** With a card that is out of reach at its first call, and so are its pictures. */
async function lookAtBox(
  page: Page,
  complaints: Complaints,
  outOfReach: readonly [cert: string, company: string],
): Promise<Look> {
  complaints.expect(/502 .*\/image\//);
  const look = new Look(page);
  await look.process(sheetFile("look.csv", boxWith(outOfReach)));
  await expect(look.sessionCard).toContainText("completed");
  await expect(look.chip).toHaveText("Needs a look 5");
  return look;
}

test("by mouse, each row with its one action, down to none and back by undo", async ({
  signedIn,
  office,
  complaints,
}) => {
  const look = await lookAtBox(signedIn, complaints, ["9999999972", "CGC"]);
  await look.chip.click();
  await look.left([3, 4, 5, 6, 7]);
  await expect(look.row(3)).toContainText("Not found");
  await expect(look.row(7)).toContainText("Worth $1,250");

  await look
    .button(3, /^Edit number/)
    .first()
    .click();
  await look.certNumberField.fill("15952220");
  await look.certNumberField.press("Enter");
  await look.left([4, 5, 6, 7]);

  await look.button(4, /^Retry/).click();
  await look.left([5, 6, 7]);

  await look.button(5, /^Add photo/).click();
  await expect(signedIn.getByRole("dialog").getByText("No back image")).toBeVisible();
  await signedIn.keyboard.press("Escape");
  await look.button(5, /^Looks right/).click();
  await look.left([6, 7]);
  await signedIn.getByText("Line 5 looks right").getByRole("button", { name: "Undo" }).click();
  await look.left([5, 6, 7]);
  await look.isActive(5);

  // The threshold is the person's own.
  const highValue = signedIn.getByLabel("High value from, in dollars");
  const setHighValue = async (dollars: string): Promise<void> => {
    await highValue.fill(dollars);
    await highValue.press("Enter");
  };
  await setHighValue("2000");
  await look.left([5, 6]);
  await setHighValue("1000");
  await look.left([5, 6, 7]);
  await setHighValue("");
  await look.left([5, 6]);
  await setHighValue("1000");
  await look.left([5, 6, 7]);

  for (const line of [6, 5, 7]) await look.button(line, /^Looks right/).click();
  await expect(look.end).toBeVisible();
  await expect(signedIn.getByText("All 5 rows that did are worked.")).toBeVisible();
  await expect(look.chip).toHaveText("Needs a look 0");
  // The marks are saved one behind the other.
  const sessionId = await look.sessionId();
  await expect
    .poll(async () => (await office.results(sessionId)).map(({ outcome, lookedAt }) => [outcome, lookedAt !== null]))
    .toEqual([false, false, false, true, true, true].map((isLooked) => ["found", isLooked]));

  // It stays so, and the threshold too.
  await signedIn.reload();
  await expect(look.row(2)).toBeVisible();
  await expect(look.chip).toHaveText("Needs a look 0");
  await look.chip.click();
  await expect(highValue).toHaveValue("$1,000");
  await signedIn.getByRole("button", { name: "Show all rows" }).click();
  await expect(look.grid).toHaveAttribute("aria-rowcount", "7");
});

test("by keyboard alone, down to none and back by undo", async ({ signedIn, complaints }) => {
  const look = await lookAtBox(signedIn, complaints, ["X9999972", "TAG"]);
  const { keyboard } = signedIn;
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await keyboard.press(key);
  };
  const tabTo = async (target: Locator): Promise<void> => {
    for (let step = 0; step < 40; step += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await keyboard.press("Tab");
    }
    throw new Error("The Tab key does not lead there");
  };

  await press("/");
  await tabTo(look.chip);
  await press("Enter");
  await look.left([3, 4, 5, 6, 7]);
  await tabTo(look.grid);
  await look.isActive(3);

  await press("a");
  await expect(look.certNumberField).toBeFocused();
  await keyboard.type("15952220");
  await press("Enter");
  await look.left([4, 5, 6, 7]);
  await expect(look.grid).toBeFocused();
  await look.isActive(4);

  await press("a");
  await look.left([5, 6, 7]);
  await look.isActive(5);
  await expect(look.heard("3 left")).toBeAttached();

  await press("a");
  await expect(signedIn.getByRole("dialog").getByText("No back image")).toBeVisible();
  await press("Escape");
  await expect(look.grid).toBeFocused();
  await press("ArrowDown", "l");
  await look.left([5, 7]);
  await look.isActive(7);
  await press("u");
  await look.left([5, 6, 7]);
  await look.isActive(6);
  await press("l", "l");
  await look.left([5]);
  await look.isActive(5);
  await press("l");
  await expect(look.end).toBeVisible();
  await press("u");
  await look.left([5]);
  await look.isActive(5);
  await tabTo(look.grid);
  await press("l");
  await expect(look.end).toBeVisible();
});
