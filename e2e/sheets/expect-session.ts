import { expect } from "@playwright/test";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ExportFormat } from "@slabdesk/contract/api/sessions.ts";
import type { AdminApi } from "../product/admin-api.ts";
import type { ExpectedSheet } from "./expected.ts";
import { readCsv, readWorkbook, readZipNames } from "./read-exports.ts";

/** Checks the rows of a session of one sheet. */
export function expectRows(rows: readonly ResultRow[], { certs, damaged, repaired }: ExpectedSheet): void {
  const found = rows.filter(({ status }) => status === "completed");
  expect(Object.fromEntries(found.map((row) => [row.line, `${row.gradingCompany} ${row.certNumber}`]))).toEqual(certs);
  const failed = rows.filter(({ status }) => status !== "completed");
  expect(Object.fromEntries(failed.map((row) => [row.line, row.error]))).toEqual(damaged);
  for (const [line, message] of Object.entries(repaired)) {
    const warnings = rows.find((row) => row.line === Number(line))?.warnings.join("; ");
    expect(warnings).toContain(`Number repaired: ${message}`);
  }
}

/** Checks the rows of a session of several sheets, which has its own line numbers. */
export function expectRowsOfAll(rows: readonly ResultRow[], sheets: readonly ExpectedSheet[]): void {
  let start = 0;
  for (const sheet of sheets) {
    const lines = Object.keys({ ...sheet.certs, ...sheet.damaged }).map(Number);
    const part = rows.slice(start, start + lines.length);
    expectRows(
      part.map((row, index) => ({ ...row, line: lines[index] ?? 0 })),
      sheet,
    );
    start += lines.length;
  }
  expect(rows).toHaveLength(start);
}

export function columnOf([header, ...lines]: readonly string[][], name: string): (string | undefined)[] {
  const index = header?.indexOf(name) ?? -1;
  return lines.map((cells) => cells[index]);
}

/** Removes the template line that eBay's files begin with. */
const withoutFirstLine = (bytes: Buffer): Buffer => bytes.subarray(bytes.indexOf("\n") + 1);

/** Checks that each format without images, except the user's own file, has every expected row. */
export async function expectFiles(adminApi: AdminApi, sessionId: string, rows: readonly ResultRow[]): Promise<void> {
  const get = (format: ExportFormat): Promise<Buffer> => adminApi.download(sessionId, format);
  const numbers = rows.map((row) => row.certNumber);

  for (const [format, width] of [
    ["csv", 31],
    ["session-csv", 29],
  ] as const) {
    const lines = readCsv(await get(format));
    expect(lines[0]).toHaveLength(width);
    expect(columnOf(lines, "Cert Number").map((cell) => cell?.replace(/^'/, ""))).toEqual(numbers);
  }
  expect(columnOf(readWorkbook(await get("xlsx")), "Cert Number")).toEqual(numbers);

  const found = rows.filter(({ status }) => status === "completed");
  const listed = [...new Set(found.map((row) => `${row.gradingCompany}-${row.certNumber}`))];
  expect(columnOf(readCsv(withoutFirstLine(await get("ebay"))), "CustomLabel")).toEqual(listed);
  expect([...new Set(columnOf(readCsv(await get("shopify")), "SKU").filter(Boolean))]).toEqual(listed);
  expect(columnOf(readCsv(await get("whatnot")), "SKU")).toEqual(listed);

  const json: { results: { certNumber: string }[] } = JSON.parse((await get("json")).toString());
  expect(json.results.map((row) => row.certNumber)).toEqual(numbers);
}

/** Checks the formats with images. */
export async function expectImages(adminApi: AdminApi, sessionId: string, rows: readonly ResultRow[]): Promise<void> {
  const workbook = readWorkbook(await adminApi.download(sessionId, "xlsx&thumbnails=true"));
  expect(columnOf(workbook, "Cert Number")).toEqual(rows.map((row) => row.certNumber));
  const withImage = rows
    .filter(({ status, imageUrl }) => status === "completed" && imageUrl !== "N/A")
    .map((row) => `${row.certNumber}_front.jpg`);
  expect(await readZipNames(await adminApi.download(sessionId, "images.zip"))).toEqual(
    expect.arrayContaining(withImage),
  );
}
