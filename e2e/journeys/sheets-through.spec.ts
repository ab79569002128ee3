import { readFile } from "node:fs/promises";
import { expect, test } from "../journey.ts";
import { columnOf, expectRows } from "../sheets/expect-session.ts";
import { SHEETS } from "../sheets/expected.ts";
import { readOwnCsv } from "../sheets/read-exports.ts";

/*
 * Damaged sheets, uploaded as a script uploads them. The rows are compared with what was typed from the labels.
 * sheets-in.spec.ts chooses the same sheets in the browser and checks the other formats.
 */

/** The separators of the sheets without commas. The user's own file keeps them. */
const DELIMITERS: Record<string, string> = {
  "02-excel-german.csv": ";",
  "03-unicode-text.txt": "\t",
  "09-no-company.csv": "|",
};

test("damaged sheets are read without a question, and the user's own files keep their separators", async ({
  adminApi,
}) => {
  for (const sheet of SHEETS.filter(({ file }) => !file.endsWith(".xlsx"))) {
    const { file, damage } = sheet;
    await test.step(`${file}: ${damage}`, async () => {
      const buffer = await readFile(new URL(`../sheets/${file}`, import.meta.url));
      const sessionId = await adminApi.run({ name: file, mimeType: "text/csv", buffer }, { acceptCompanies: "true" });
      const rows = await adminApi.results(sessionId);
      expectRows(rows, sheet);
      const own = readOwnCsv(await adminApi.download(sessionId, "original"), DELIMITERS[file] ?? ",");
      expect(columnOf(own, "Status")).toHaveLength(rows.length);
    });
  }
});
