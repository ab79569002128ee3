import { fileURLToPath } from "node:url";
import type { FileChooser } from "@playwright/test";
import { freshCgcRows, freshPsaRows, freshTagRows } from "../golden/made-up-sheets.ts";
import { expect, longStep, test } from "../journey.ts";
import { columnOf, expectFiles, expectImages, expectRowsOfAll } from "../sheets/expect-session.ts";
import { SHEETS } from "../sheets/expected.ts";
import { readWorkbook } from "../sheets/read-exports.ts";
import { Screen } from "./screen.ts";

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

const JOINED = `01-template.csv + ${SHEETS.length - 1} more`;

/** A workbook from Excel: a sheet with a foreword, padded numbers and a table that begins in line 2. */
const WORKBOOK = pathOf("../../web/src/features/scanner/sheet/box.test-data.xlsx");

const csvOf = (name: string, ...lines: string[]) => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(lines.join("\n")),
});

test("the page reads every kind of sheet: a workbook, pasted numbers, unnamed columns, damaged files, other grades", async ({
  signedIn,
  adminApi,
  browserErrors,
}) => {
  const screen = new Screen(signedIn);

  await test.step("a dropped file is read like a chosen one", async () => {
    const dataTransfer = await signedIn.evaluateHandle(() => {
      const dragged = new DataTransfer();
      dragged.items.add(new File(["Cert Number,Grading Company\n01020688,PSA"], "dropped.csv", { type: "text/csv" }));
      return dragged;
    });
    const place = signedIn.getByText("or drop CSV or Excel files here");
    await place.dispatchEvent("dragover", { dataTransfer });
    await expect(signedIn.locator("[data-over]")).toHaveCount(1);
    await place.dispatchEvent("drop", { dataTransfer });
    await expect(signedIn.getByText("Selected: dropped.csv · 1 row")).toBeVisible();
    await expect(signedIn.locator("[data-over]")).toHaveCount(0);
  });

  await test.step("a workbook is read without a question: the sheet with the numbers, with leading zeros and all digits", async () => {
    await screen.chooseFile(WORKBOOK);
    await expect(signedIn.getByText("Selected: box.test-data.xlsx · 5 rows")).toBeVisible();
    await expect(signedIn.getByRole("dialog")).toHaveCount(0);
    await screen.lineFilter("To fix 1").click();
    await expect(screen.line(8)).toContainText(/digits are lost.*Format the column/);

    await screen.processButton.click();
    await expect(screen.sessionCard).toContainText("4 done");
    const sessionId = await screen.sessionId();
    const rows = await adminApi.results(sessionId);
    expect(rows.map(({ line, certNumber }) => [line, certNumber])).toEqual([
      [3, "01020688"],
      [4, "1401019289294"],
      [6, "01020470"],
      [7, "C1240631"],
      [8, "1.23457E+16"],
    ]);
    expect(rows[0]).toMatchObject({ price: 1250.5, notes: "two words" });
    const own = readWorkbook(await adminApi.download(sessionId, "original"));
    expect(columnOf(own, "Status")).toHaveLength(rows.length);
    await expectImages(adminApi, sessionId, rows);
  });

  await test.step("numbers can be pasted in the dialog and anywhere on the page, and their companies are taken from them", async () => {
    await signedIn.getByRole("button", { name: "Paste numbers" }).click();
    const dialog = signedIn.getByRole("dialog", { name: "Paste numbers" });
    await expect(dialog.getByLabel("Cert numbers")).toBeFocused();
    await dialog.getByLabel("Cert numbers").fill("98174651, 1401019289294");
    await dialog.getByRole("button", { name: "Use these numbers" }).click();
    await expect(signedIn.getByText("Selected: Pasted numbers · 2 rows")).toBeVisible();
    await expect(signedIn.getByText(/^Will be saved as: Pasted numbers - [A-Z][a-z]{2} \d+, \d{4}$/)).toBeVisible();

    const [[tag = ""] = [], [psa = ""] = [], [cgc = ""] = []] = [
      ...freshTagRows(1),
      ...freshPsaRows(1),
      ...freshCgcRows(1),
    ];
    await signedIn.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, `${tag} ${psa}\nhttps://www.cgccards.com/certlookup/${cgc}/`);
    await expect(signedIn.getByText("Selected: Pasted numbers · 3 rows")).toBeVisible();

    await expect(screen.planNumber("company guessed")).toHaveText("3");
    await expect(screen.line(2)).toContainText("Looks like TAGguessed from the number");
    await expect(screen.planLine("CGC")).toHaveText("CGC1 card · 1 API call");
    const guess = signedIn.getByLabel("Guessed company");
    await guess.selectOption("Don't guess companies");
    await expect(screen.planNumber("to fix")).toHaveText("3");
    await expect(screen.processButton).toBeDisabled();
    await expect(signedIn.getByText("Nothing to look up: fix a row first.")).toBeVisible();
    await screen.lineCell(3, "Company").selectOption("PSA");
    await expect(screen.planNumber("to look up")).toHaveText("1");
    await guess.selectOption("Guessed company: by number");
    await expect(screen.planNumber("to look up")).toHaveText("3");

    await screen.lineCell(2, "Cost").fill("12.50");
    await signedIn.keyboard.press("Enter");
    await expect(screen.lineCell(3, "Cost")).toBeFocused();
    await screen.lineCell(2, "Cert number").fill("nonsense");
    await signedIn.keyboard.press("Escape");
    await expect(screen.lineCell(2, "Cert number")).toHaveValue(tag);

    await screen.processButton.click();
    await expect(screen.sessionCard).toContainText("3 done");
    await expect(screen.sessionCard).toContainText("Pasted numbers");
    const rows = await adminApi.results(await screen.sessionId());
    expect(rows.map((row) => row.gradingCompany)).toEqual(["TAG", "PSA", "CGC"]);
    expect(rows[0]).toMatchObject({
      price: 12.5,
      warnings: ["Company TAG taken from the number; the sheet names none"],
    });
  });

  await test.step("the page asks once about unclear columns and remembers the answer by the header", async () => {
    const odd = (name: string, ...rows: string[]) => csvOf(name, "Alpha,Beta,Paid", ...rows);
    await screen.chooseFile(odd("odd.csv", "61830942,75738340,12", "61830943,98174651,13"));
    const question = signedIn.getByRole("dialog", { name: "Which column of “odd.csv” holds the cert numbers?" });
    await expect(question.getByRole("columnheader")).toHaveText(["Alpha", "Beta", /^Price\s*Paid$/]);
    await expect(question.getByRole("row")).toHaveCount(3);
    await expect(question.getByRole("button", { name: "Use these columns" })).toBeDisabled();
    await question.getByLabel("Cert number").selectOption("Beta");
    await question.getByLabel("Grading company").selectOption("All cards are PSA");
    await expect(question.getByText("2 of 2 rows have readable numbers")).toBeVisible();
    await question.getByRole("button", { name: "Use these columns" }).click();
    await expect(signedIn.getByText("Selected: odd.csv · 2 rows")).toBeVisible();
    await expect(screen.planNumber("to fix")).toHaveText("0");

    await screen.chooseFile(odd("next.csv", "61830945,82456192,20"));
    await expect(signedIn.getByText("Selected: next.csv · 1 row")).toBeVisible();
    await expect(signedIn.getByText("Columns as you chose last time")).toBeVisible();
    await expect(screen.lineCell(2, "Cert number")).toHaveValue("82456192");
    await signedIn.getByLabel("Column for Cert number").selectOption("Alpha");
    await expect(screen.lineCell(2, "Cert number")).toHaveValue("61830945");
    await screen.processButton.click();
    await expect(screen.row(2)).toContainText("61830945");
  });

  await longStep("damaged files become one session, which can be downloaded in every format", async () => {
    const chooseFiles = async (files: Parameters<FileChooser["setFiles"]>[0]): Promise<void> => {
      const [chooser] = await Promise.all([
        signedIn.waitForEvent("filechooser"),
        signedIn.getByRole("button", { name: "Choose File" }).click(),
      ]);
      await chooser.setFiles(files);
    };
    const dialog = signedIn.getByRole("dialog");
    const names = SHEETS.map(({ file }) => file);
    await chooseFiles(names.map((name) => pathOf(`../sheets/${name}`)));
    // Both sheets of the workbook hold certificates, so the page asks which ones to use.
    await dialog.getByRole("button", { name: "Use these 2 sheets" }).click();
    const rowCount = SHEETS.flatMap(({ certs, damaged }) => Object.keys({ ...certs, ...damaged })).length;
    await expect(signedIn.getByText(`Selected: ${names.join(", ")} · ${rowCount} rows`)).toBeVisible();
    await expect(dialog).toHaveCount(0);
    await expect(signedIn.getByText(`Will be saved as: ${JOINED} - `)).toBeVisible();
    await signedIn.getByRole("button", { name: /^Use \d+ suggested compan/ }).click();
    await signedIn.getByRole("button", { name: /^To fix/ }).click();
    await expect(signedIn.getByRole("grid", { name: "Sheet" }).getByRole("row").nth(1)).toContainText(
      /^01-template\.csv, line 9/,
    );
    await screen.processButton.click();
    await expect(screen.sessionCard).toContainText(JOINED);
    await expect(screen.sessionCard).toContainText("completed");
    const sessionId = await screen.sessionId();
    const rows = await adminApi.results(sessionId);
    expectRowsOfAll(rows, SHEETS);
    await expectFiles(adminApi, sessionId, rows);
    await expectImages(adminApi, sessionId, rows);

    await test.step("a file that is not a sheet is named, and the choice is cleared", async () => {
      await chooseFiles([
        csvOf("b.csv", "Cert #", "C1240631"),
        { name: "front.png", mimeType: "image/png", buffer: Buffer.from("x") },
      ]);
      await expect(signedIn.getByRole("alert")).toHaveText(
        "Please select a valid CSV file. “front.png” isn't a CSV, Excel or text file.",
      );
      await expect(signedIn.getByText(/^Selected: /)).toHaveCount(0);
    });
  });

  await longStep("a new lookup with web scraping shows and filters rows where sheet and registry differ", async () => {
    const sheet = csvOf(
      "mine.csv",
      "Cert #,Grader,Grade",
      "01020688,PSA,PSA 1",
      "'75738340,PSA,",
      "1401019289294,CGC,9",
    );
    await screen.chooseSheet(sheet);
    await screen.source("Web scraping only").check();
    await signedIn.getByRole("checkbox", { name: "Reuse cards already looked up" }).uncheck();
    await screen.processButton.click();
    await expect(screen.sessionCard).toContainText("mine.csv");
    await expect(screen.sessionCard).toContainText("3 done");
    // Two of the cards are cached from the API.
    const rows = await adminApi.results(await screen.sessionId());
    expect(rows.map(({ source }) => source)).toEqual(["page", "page", "page"]);
    await expect(screen.row(2)).toContainText(/your sheet: PSA 1, registry: /);
    await signedIn.getByRole("button", { name: "Differs 1", exact: true }).click();
    await expect(screen.grid).toHaveAttribute("aria-rowcount", "2");
    await screen.find.fill("your sheet");
    await expect(screen.row(2)).toBeVisible();
    await screen.find.fill("");
    await signedIn.getByRole("button", { name: "Repaired 1", exact: true }).click();
    await expect(screen.row(3)).toContainText("apostrophe removed");

    await signedIn.getByRole("button", { name: "More formats" }).click();
    const [download] = await Promise.all([
      signedIn.waitForEvent("download"),
      signedIn.getByRole("menuitem", { name: "Your own file with results" }).click(),
    ]);
    expect(download.suggestedFilename()).toContain("mine");

    await test.step("a download that fails to start says why", async () => {
      browserErrors.expect(/net::ERR_FAILED/);
      await signedIn.route(/\/api\/scan-sessions\/[^/?]+$/, (route) => route.abort());
      await signedIn.getByRole("button", { name: "More formats" }).click();
      await signedIn.getByRole("menuitem", { name: "Images (ZIP)" }).click();
      await expect(signedIn.getByRole("alert").filter({ hasText: "Couldn't download Images (ZIP)" })).toContainText(
        "Could not connect to backend server.",
      );
    });
  });
});
