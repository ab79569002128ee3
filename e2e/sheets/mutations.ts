import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { decodeSheet, parseCsv } from "@slabdesk/contract/sheet/csv.ts";
import { DELIMITERS, type Delimiter } from "@slabdesk/contract/api/sheet-format.ts";
import type { SheetColumns } from "@slabdesk/contract/sheet/header.ts";
import { isOwnExport } from "@slabdesk/contract/sheet/layouts.ts";
import { parseSheet } from "@slabdesk/contract/sheet/sheet.ts";
import type { Chance } from "./chance.ts";
import { SHEETS, type ExpectedSheet } from "./expected.ts";

/*
 * The sheets of this folder with random changes whose results are known: other separators, quotes, line ends,
 * encodings, orders of lines and columns, and damaged or destroyed numbers.
 */

/** A line below the header: its cells, and the expected certificate. Null if it is not a row. */
export type SheetLine = { cells: string[]; cert: { label: string; isDestroyed: boolean } | null };

/** A sheet as lines of cells. `header` holds the lines above the rows; it is empty if the sheet has none. */
export type SheetModel = {
  file: string;
  isOwnExport: boolean;
  columns: SheetColumns;
  header: string[][];
  rows: SheetLine[];
};

/** The text sheets of the folder. */
export const MODELS: readonly SheetModel[] = SHEETS.filter(({ file }) => !file.endsWith(".xlsx")).map(modelOf);

function modelOf({ file, certs }: ExpectedSheet): SheetModel {
  const text = decodeSheet(readFileSync(fileURLToPath(new URL(file, import.meta.url))));
  const csv = parseCsv(text);
  const reading = parseSheet(text);
  if (!csv.ok || !reading.ok) throw new Error(`${file} cannot be read`);
  const first = (reading.mapping.headerLine ?? -1) + 1;
  return {
    file,
    isOwnExport: isOwnExport(reading.sheet.header),
    columns: reading.mapping.columns,
    header: csv.lines.slice(0, first).filter((cells) => cells.length > 0),
    rows: csv.lines.slice(first).map((cells, at) => {
      const label = certs[first + at + 1];
      return { cells, cert: label === undefined ? null : { label, isDestroyed: false } };
    }),
  };
}

/** Damage that can be repaired: the same certificate must be found. */
const REPAIRABLE: readonly [(number: string) => string, ...((number: string) => string)[]] = [
  (number) => `'${number}`,
  (number) => ` ${number}\u00a0`,
  (number) => `\u200b${number}`,
  (number) => `"${number}"`,
  (number) => `="${number}"`,
  (number) => `#${number}`,
  (number) => (/^[A-Z]/.test(number) ? number.toLowerCase() : `${number}.0`),
  (number) => (/^[A-Z]/.test(number) ? `Cert ${number}` : number.replaceAll(/\d{4}(?=\d)/g, "$& ")),
  (number) => (/^\d{10}$|^\d{13}$/.test(number) ? `${number.slice(0, -3)}-${number.slice(-3)}` : `cert: ${number}`),
  (number) => number.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
];

/** Damage that must never lead to a lookup. */
const DESTROYED: readonly [(number: string) => string, ...((number: string) => string)[]] = [
  (number) => `${number.slice(-1)}.45531E+08`,
  (number) => "#".repeat(number.length),
  () => "#REF!",
  (number) => `${number} (crack)`,
  (number) => `${number}-1`,
  (number) => `${number} / ${number}`,
  (number) => number.slice(0, 5),
  (number) => `${number.slice(0, -1)}O`,
];

/** Changes a sheet randomly; numbers stay intact, are damaged repairably, or are destroyed. */
export function mutate(model: SheetModel, chance: Chance): SheetModel {
  const rows = chance.isIn(0.3) ? chance.shuffled(model.rows) : model.rows;
  const kept = chance.isIn(0.3) ? rows.slice(0, Math.max(3, chance.below(rows.length))) : rows;
  const changed = { ...model, rows: kept.map((row, at) => damage(row, at, chance)) };
  const arranged = chance.isIn(0.3) ? withOtherOrder(changed, chance) : changed;
  return withOtherLines(arranged, chance);
}

function damage(row: SheetLine, at: number, chance: Chance): SheetLine {
  const number = row.cert?.label.slice(4) ?? "";
  const column = row.cells.indexOf(number);
  if (row.cert === null || column < 0 || chance.isIn(0.5)) return row;
  const isDestroyed = at > 0 && chance.isIn(0.2);
  const how = chance.pick(isDestroyed ? DESTROYED : REPAIRABLE);
  return { cells: row.cells.with(column, how(number)), cert: { ...row.cert, isDestroyed } };
}

function withOtherOrder(model: SheetModel, chance: Chance): SheetModel {
  const width = model.header.at(-1)?.length ?? 0;
  const order = chance.shuffled(Array.from({ length: width }, (_, column) => column));
  const arrange = (cells: string[]): string[] =>
    cells.every((cell) => cell === "") ? cells : [...order.map((column) => cells[column] ?? ""), ...cells.slice(width)];
  return {
    ...model,
    header: [...model.header.slice(0, -1), ...model.header.slice(-1).map(arrange)],
    rows: model.rows.map((row) => ({ ...row, cells: arrange(row.cells) })),
  };
}

/** Adds lines that are no rows, short and long lines, and repeated headers. */
function withOtherLines({ header, rows, ...model }: SheetModel, chance: Chance): SheetModel {
  const names = header.at(-1);
  const above = chance.isIn(0.2) && names ? [["Scanned on Friday"], [], ...header] : header;
  return {
    ...model,
    header: above,
    rows: rows.flatMap((row) => {
      const more: SheetLine[] = [];
      if (chance.isIn(0.05)) more.push({ cells: names && chance.isIn(0.5) ? ["", " ", ""] : [""], cert: null });
      if (names && chance.isIn(0.03)) more.push({ cells: names, cert: null });
      const isRagged = names !== undefined && chance.isIn(0.1);
      return [...more, isRagged ? { ...row, cells: ragged(row.cells, chance) } : row];
    }),
  };
}

function ragged(cells: string[], chance: Chance): string[] {
  if (chance.isIn(0.5)) return [...cells, "beyond", "the header"];
  return cells.slice(0, cells.findLastIndex((cell) => cell !== "") + 1);
}

/** How a sheet is written. `text` is null if the bytes are not text in any encoding. */
export type WrittenSheet = { text: string; bytes: Uint8Array; delimiter: Delimiter; linesBefore: number };

export function write({ header, rows }: SheetModel, chance: Chance): WrittenSheet {
  const delimiter = chance.pick(DELIMITERS);
  const quoting = chance.pick(["needed", "needed", "all", "some", "whole lines"]);
  const ends = chance.pick(["\n", "\r\n", "\r\n", "\r", "mixed"]);
  const isDeclared = chance.isIn(0.1);
  const lines = [...header, ...rows.map(({ cells }) => cells)].map((cells) => {
    const line = cells.map((cell) => quote(cell, quoting, delimiter, chance)).join(delimiter);
    const isWhole = quoting === "whole lines" && cells.length > 1;
    // An empty line that ends in LF would make the line before it end in CR.
    const end = ends !== "mixed" ? ends : line === "" ? "\r\n" : chance.pick(["\n", "\r\n", "\r"]);
    return (isWhole ? quoted(line) : line) + end;
  });
  const whole = (isDeclared ? `sep=${delimiter}\r\n` : "") + lines.join("");
  const text = chance.isIn(0.3) ? whole.replace(/[\r\n]+$/, "") : whole;
  return { text, bytes: encode(text, chance), delimiter, linesBefore: isDeclared ? 1 : 0 };
}

function quote(cell: string, quoting: string, delimiter: string, chance: Chance): string {
  const isNeeded = cell.includes(delimiter) || /^"|[\r\n]/.test(cell) || (cell.includes('"') && quoting !== "needed");
  return isNeeded || quoting === "all" || (quoting === "some" && chance.isIn(0.3)) ? quoted(cell) : cell;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

const WINDOWS_1252 = new Map(
  Array.from(
    { length: 256 },
    (_, byte) => [new TextDecoder("windows-1252").decode(Uint8Array.of(byte)), byte] as const,
  ),
);

export function encode(text: string, chance: Chance): Uint8Array {
  const encoding = chance.pick(["utf-8", "utf-8", "utf-8 marked", "utf-16le", "utf-16be", "windows-1252"]);
  if (encoding === "utf-16le" || encoding === "utf-16be") {
    const bytes = new Uint8Array(text.length * 2 + 2);
    const view = new DataView(bytes.buffer);
    for (const [at, letter] of [
      0xfeff,
      ...Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)),
    ].entries())
      view.setUint16(at * 2, letter, encoding === "utf-16le");
    return chance.isIn(0.5) ? bytes : bytes.subarray(2);
  }
  if (encoding === "windows-1252") {
    const bytes = Array.from(text, (letter) => WINDOWS_1252.get(letter));
    if (bytes.every((byte) => byte !== undefined)) return Uint8Array.from(bytes);
  }
  return new TextEncoder().encode(encoding === "utf-8 marked" ? `\ufeff${text}` : text);
}

/** Breaks a text randomly: loses, adds, and changes characters, and cuts, doubles, and swaps pieces. */
export function breakText(text: string, chance: Chance): string {
  const place = (): number => chance.below(text.length + 1);
  const [from, to] = [place(), place()].toSorted((a, b) => a - b) as [number, number];
  switch (chance.below(7)) {
    case 0:
      return text.slice(0, from);
    case 1:
      return text.slice(0, from) + text.slice(from + 1 + chance.below(3));
    case 2:
      return text.slice(0, to) + text.slice(from, Math.min(to, from + 200)) + text.slice(to);
    case 3:
      return text.slice(0, from) + text.slice(to) + text.slice(from, to);
    default:
      return (
        text.slice(0, from) +
        chance.pick(['"', '"', ",", ";", "\t", "|", "\r", "\n", "\0", "'", "9", "é", "=", " "]) +
        text.slice(from)
      );
  }
}
