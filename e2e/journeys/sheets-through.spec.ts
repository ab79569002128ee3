import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import type { ExportFormat } from "@slabdesk/contract/api/sessions.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { expect, test } from "../journey.ts";
import { SHEETS, type ExpectedSheet } from "../sheets/expected.ts";
import { readCsv, readOwnCsv, readWorkbook, readZipNames } from "../sheets/read-exports.ts";
import { Screen } from "./screen.ts";

/*
 * Twelve damaged sheets, put in as a new user would: the file chooser, one click for companies that the numbers name,
 * Process Data. What came of every line is compared with what was typed from the labels, and each sheet comes out in
 * every format through a reader that is not ours.
 */

/** What separates the cells of sheets that use no comma; their own file comes back with the same. */
const DELIMITERS: Record<string, string> = {
  "02-excel-german.csv": ";",
  "03-unicode-text.txt": "\t",
  "09-no-company.csv": "|",
};

async function putIn(page: Page, { file, proposed }: ExpectedSheet): Promise<string> {
  const screen = new Screen(page);
  await screen.chooseFile(fileURLToPath(new URL(`../sheets/${file}`, import.meta.url)));
  if (file.endsWith(".xlsx")) {
    // Both of its sheets hold certificates: only whoever sent it knows which is meant.
    await page.getByRole("dialog").getByRole("button", { name: "Use these 2 sheets" }).click();
  }
  await expect(page.getByText(`Selected: ${file}`)).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  if (proposed.length > 0) await screen.plan.getByRole("button", { name: "Accept all" }).click();
  await screen.processButton.click();
  await expect(screen.sessionCard).toContainText(file);
  await expect(screen.sessionCard).toContainText("completed");
  return screen.sessionId();
}

function expectRows(rows: readonly ResultRow[], { certs, damaged, repaired }: ExpectedSheet): void {
  const found = rows.filter(({ status }) => status === "completed");
  expect(Object.fromEntries(found.map((row) => [row.line, `${row.gradingCompany} ${row.certNumber}`]))).toEqual(certs);
  const failed = rows.filter(({ status }) => status !== "completed");
  expect(Object.fromEntries(failed.map((row) => [row.line, row.error]))).toEqual(damaged);
  for (const [line, words] of Object.entries(repaired)) {
    const warnings = rows.find((row) => row.line === Number(line))?.warnings.join("; ");
    expect(warnings).toContain(`Number repaired: ${words}`);
  }
}

async function fetchFile(
  page: Page,
  sessionId: string,
  format: ExportFormat | "xlsx&thumbnails=true",
): Promise<Buffer> {
  const answer = await page.request.get(`/api/scan-sessions/${sessionId}/export?format=${format}`);
  expect(answer.status(), `${format} is given`).toBe(200);
  return answer.body();
}

const column = (lines: readonly string[][], name: string): (string | undefined)[] => {
  const at = lines[0]?.indexOf(name) ?? -1;
  return lines.slice(1).map((cells) => cells[at]);
};

/** eBay's files begin with a line about the template, which has cells of its own. */
const withoutFirstLine = (bytes: Buffer): Buffer => bytes.subarray(bytes.indexOf("\n") + 1);

async function expectFiles(page: Page, sessionId: string, rows: readonly ResultRow[], file: string): Promise<void> {
  const get = (format: Parameters<typeof fetchFile>[2]): Promise<Buffer> => fetchFile(page, sessionId, format);
  const numbers = rows.map((row) => row.certNumber);
  const found = new Map(
    rows.filter((row) => row.status === "completed").map((row) => [`${row.gradingCompany}-${row.certNumber}`, row]),
  );

  for (const [format, width] of [
    ["csv", 31],
    ["session-csv", 29],
  ] as const) {
    const lines = readCsv(await get(format));
    expect(lines[0]).toHaveLength(width);
    expect(column(lines, "Cert Number").map((cell) => cell?.replace(/^'/, ""))).toEqual(numbers);
  }
  expect(column(readWorkbook(await get("xlsx")), "Cert Number")).toEqual(numbers);
  expect(column(readWorkbook(await get("xlsx&thumbnails=true")), "Cert Number")).toEqual(numbers);

  const own = await get("original");
  const ownLines = file.endsWith(".xlsx") ? readWorkbook(own) : readOwnCsv(own, DELIMITERS[file] ?? ",");
  expect(column(ownLines, "Status")).toHaveLength(rows.length);

  const listed = [...found.keys()];
  expect(column(readCsv(withoutFirstLine(await get("ebay"))), "CustomLabel")).toEqual(listed);
  expect([...new Set(column(readCsv(await get("shopify")), "SKU").filter(Boolean))]).toEqual(listed);
  expect(column(readCsv(await get("whatnot")), "SKU")).toEqual(listed);

  const pictured = [...found.values()]
    .filter((row) => row.imageUrl !== "N/A")
    .map((row) => `${row.certNumber}_front.jpg`);
  expect(await readZipNames(await get("images.zip"))).toEqual(expect.arrayContaining(pictured));
  const json: { results: { certNumber: string }[] } = JSON.parse((await get("json")).toString());
  expect(json.results.map((row) => row.certNumber)).toEqual(numbers);
}

for (const half of [SHEETS.slice(0, 6), SHEETS.slice(6)]) {
  const names = half.map(({ file }) => file.slice(0, 2)).join(", ");
  test(`damaged sheets ${names} go in without a question and come out in every format`, async ({
    signedIn,
    office,
  }) => {
    for (const sheet of half) {
      await test.step(`${sheet.file}: ${sheet.damage}`, async () => {
        const sessionId = await putIn(signedIn, sheet);
        const rows = await office.results(sessionId);
        expectRows(rows, sheet);
        await expectFiles(signedIn, sessionId, rows, sheet.file);
      });
    }
  });
}
