import { parseCompany } from "@slabdesk/contract/certs/company.ts";
import { certColumnOf, isCertLike } from "@slabdesk/contract/sheet/content.ts";
import { parseCsv } from "@slabdesk/contract/sheet/csv.ts";
import { findHeader, SHEET_COLUMNS } from "@slabdesk/contract/sheet/header.ts";

export const PASTED_NAME = "Pasted numbers";

/**
 * Parses pasted text into sheet lines. Tab-separated cells and CSV lines with a number column stay as they are. Other
 * text is numbers and links, separated by lines, spaces or commas; a company name applies to the number next to it.
 */
export function pastedLines(text: string): string[][] {
  const isCells = text.includes("\t");
  const csv = parseCsv(text.replaceAll(/^[\r\n]+|[\r\n]+$/g, ""));
  if (csv.ok && (isCells || isTable(csv.lines))) return csv.lines;
  const header = [SHEET_COLUMNS.certNumber, SHEET_COLUMNS.gradingCompany];
  return [header, ...text.split(/\r\n|\r|\n/).flatMap(numbersOf)];
}

/** A table has a header, or one number per line plus other cells. A comma-separated list of numbers is not a table. */
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

/** The numbers of one line, each with its company, which comes before all numbers or after each. Drops nothing. */
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
