import { readFile } from "node:fs/promises";
import { freshTagRows, sheetFile } from "../golden/made-up-sheets.ts";
import { expect, test } from "../journey.ts";
import { Screen } from "./screen.ts";

test("cards that TAG doesn't answer for are entered by hand, one after another, and exported", async ({
  signedIn: page,
  upstream,
}) => {
  const screen = new Screen(page);
  const [[first = ""] = [], [second = ""] = []] = freshTagRows(2);
  const form = page.getByRole("dialog");
  const field = (label: string) => form.getByLabel(label, { exact: true });
  upstream.behavior.fail("tag-api", "refused");
  await screen.chooseSheet(
    sheetFile("tag.csv", [
      [first, "TAG", "", ""],
      [second, "TAG", "", ""],
    ]),
  );
  await screen.source("API only").check();
  await screen.processButton.click();
  await expect(screen.sessionCard).toContainText("completed");

  await test.step("a failed row offers TAG's page and a form, which names the problem at the field", async () => {
    await screen
      .row(2)
      .getByRole("button", { name: `Enter by hand ${first}` })
      .click();
    await expect(form.getByRole("link", { name: "Open TAG's page" })).toHaveAttribute("href", new RegExp(first));
    await expect(field("Name")).toBeFocused();
    await field("Year").fill("99");
    await form.getByRole("button", { name: "Save and next" }).click();
    await expect(field("Name")).toHaveAccessibleDescription("Enter the card's name");
    await expect(field("Year")).toHaveAccessibleDescription(/Enter a year like 1999/);
  });

  await test.step("a dropped photo and the typed card are saved, and the form goes on to the next row", async () => {
    await field("Name").fill("Pikachu");
    await field("Year").fill("1999-00");
    await field("Set").fill("Base Set");
    await field("Card number").fill("58");
    await field("Grade").fill("10 GEM MINT");
    await field("Population (optional)").fill("1,204");
    const dropped = await page.evaluateHandle(async () => {
      const canvas = new OffscreenCanvas(60, 90);
      canvas.getContext("2d")?.fillRect(0, 0, 60, 90);
      const photo = await canvas.convertToBlob({ type: "image/jpeg" });
      const transfer = new DataTransfer();
      transfer.items.add(new File([photo], "front.jpg", { type: "image/jpeg" }));
      return transfer;
    });
    await form.getByRole("button", { name: "Front photo" }).dispatchEvent("drop", { dataTransfer: dropped });
    await expect(form.getByRole("button", { name: "Front photo: front.jpg" })).toBeVisible();
    await form.getByRole("button", { name: "Save and next" }).click();
    await expect(screen.row(2)).toContainText("Pikachu");
    await expect(screen.row(2)).toContainText("By hand");
    await expect(screen.row(2).getByRole("button", { name: /Images of Pikachu\. Only the front/ })).toBeVisible();
    await expect(form).toContainText(second);
    await expect(field("Name")).toBeFocused();
    await expect(field("Name")).toHaveValue("");
  });

  await test.step("Enter saves the last row, and both are exported as entered by hand", async () => {
    await field("Name").fill("Raichu");
    await field("Name").press("Enter");
    await expect(form).toBeHidden();
    await expect(screen.row(3)).toContainText("Raichu");
    // The session card shrinks, which moves the button below it.
    await expect(screen.sessionCard).toContainText("2 done");
    const [download] = await Promise.all([page.waitForEvent("download"), screen.downloadButton.click()]);
    const file = await readFile(await download.path(), "utf8");
    expect(file.match(/Entered by hand by /gu)).toHaveLength(2);
    expect(file).toContain("1999-00");
  });

  await test.step("an entry is removed after a question, and the row fails as before", async () => {
    await screen
      .row(3)
      .getByRole("button", { name: `Edit entry ${second}` })
      .click();
    await expect(field("Name")).toHaveValue("Raichu");
    await form.getByRole("button", { name: "Remove entry" }).click();
    await page
      .getByRole("dialog", { name: /^Remove the entry/ })
      .getByRole("button", { name: "Remove entry" })
      .click();
    await expect(screen.row(3)).toContainText(`Error: ${second}`);
    await expect(screen.row(3)).not.toContainText("By hand");
  });
  upstream.behavior.heal();
});
