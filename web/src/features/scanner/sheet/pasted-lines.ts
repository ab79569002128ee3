import { parseCompany } from "@slabdesk/contract/certs/company.ts";
import { certColumnOf, isCertLike } from "@slabdesk/contract/sheet/content.ts";
import { parseCsv } from "@slabdesk/contract/sheet/csv.ts";
import { findHeader, SHEET_COLUMNS } from "@slabdesk/contract/sheet/header.ts";

/** What a session of pasted numbers is named after. */
export const PASTED_NAME = "Pasted numbers";

/**
 * Pasted text as lines of a sheet. Cells of a spreadsheet come with tabs between them and stay as they are; so do lines
 * of CSV that have a column of numbers. Anything else is numbers and links, one a line or several with spaces or commas
 * between them; a company's name belongs to the number beside it.
 */
export function pastedLines(text: string): string[][] {
  const isCells = text.includes("\t");
  const csv = parseCsv(text.replaceAll(/^[\r\n]+|[\r\n]+$/g, ""));
  if (csv.ok && (isCells || isTable(csv.lines))) return csv.lines;
  const header = [SHEET_COLUMNS.certNumber, SHEET_COLUMNS.gradingCompany];
  return [header, ...text.split(/\r\n|\r|\n/).flatMap(numbersOf)];
}

/** With a header, or with one number a line and something beside it: a list of numbers with commas is no table. */
function isTable(lines: readonly string[][]): boolean {
  if (findHeader(lines)) return true;
  const certColumn = certColumnOf(lines);
  if (certColumn === null) return false;
  return lines.every(
    (cells) => cells.length > 1 && !cells.toSpliced(certColumn, 1).some((cell) => wordsOf(cell).some(isCertLike)),
  );
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,;|]+/).filter(Boolean);
}

/** The numbers of one line, each with the company beside it: before all of them or behind. Nothing is dropped. */
function numbersOf(line: string): string[][] {
  const text = line.trim();
  if (text === "") return [];
  if (isCertLike(text)) return [[text, ""]];
  const words = wordsOf(text);
  const isBefore = parseCompany(words[0] ?? "") !== null;
  const rows: [number: string, company: string][] = [];
  for (const word of words) {
    const last = rows.at(-1);
    if (parseCompany(word) === null) {
      if (isBefore && last?.[0] === "") last[0] = word;
      else rows.push([word, ""]);
    } else if (!isBefore && last?.[1] === "") last[1] = word;
    else rows.push(["", word]);
  }
  return rows;
}
