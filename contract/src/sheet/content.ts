import { parseCertUrl } from "../certs/cert-text.ts";
import { companyIn, isNumberOf, parseCertNumber } from "../certs/cert-number.ts";
import { COMPANIES } from "../certs/company.ts";
import { MAX_SHEET_COLUMNS, type Lines } from "../api/sheet-format.ts";
import { plainName } from "./header.ts";
import { parsePrice } from "./price.ts";

/* Identifies columns by content if their names are inconclusive. */

const SAMPLE_ROWS = 200;
const ENOUGH = 0.8;

/** Columns with other numbers, which may look alike: bar codes have 13 digits, phone numbers 10, dates 8. */
const OTHER_NUMBERS =
  /phone|fax|mobile|telefon|whatsapp|order|invoice|receipt|rechnung|bestell|auftrag|upc|ean\b|ean$|isbn|gtin|barcode|epid|sku|zip|postal|plz|date|datum|time|created|updated|price|cost|value|amount|total|preis|betrag|estimate|quantity|qty|menge|population|customer|kunde|account|tracking|submission|itemnumber|itemno|itemid|ladder|image|photo|picture/;

/** The only column with cert numbers. Null if there is none or more than one candidate. */
export function certColumnOf(rows: Lines, header: readonly string[] = []): number | null {
  const [first, ...others] = certColumns(rows, header);
  return first !== undefined && others.every((other) => areSame(rows, first, other)) ? first : null;
}

/** All columns that may hold cert numbers. A sheet's only column may include damaged numbers. */
export function certColumns(rows: Lines, header: readonly string[]): number[] {
  const names = header.map(plainName);
  const filled = filledColumns(rows.slice(0, SAMPLE_ROWS));
  return filled
    .filter(({ column, cells }) => {
      // With their check digit, several bar codes are unlikely to be chance.
      const areBarCodes = cells.length > 1 && cells.every((cell) => isBarCode(cell.trim()));
      if (OTHER_NUMBERS.test(names[column] ?? "") || !cells.some(isCertLike) || areBarCodes) return false;
      return filled.length === 1 || isMost(cells, (cell) => isCertLike(cell) || isDamagedNumber(cell));
    })
    .map(({ column }) => column);
}

/** The only column whose cells begin with a grading company: "PSA", "PSA 10", "BGS 9.5". */
export function companyColumnOf(rows: Lines, certColumn: number): number | null {
  const [only, ...others] = filledColumns(rows.slice(0, SAMPLE_ROWS)).filter(
    ({ column, cells }) =>
      column !== certColumn && cells.filter((cell) => graderIn(cell) !== null).length * 2 >= cells.length,
  );
  return only !== undefined && others.length === 0 ? only.column : null;
}

/** Names of columns with what the user paid, as in "What I paid" and "Cost basis (USD)", but not "Shipping cost". */
const COST = /paid|cost|spent|bought|purchase|einkauf|bezahlt|gekauft|kosten/;
const OTHER_COST = /ship|porto|versand|fee|gebuhr|tax|steuer|date|datum|from|by$|order|source|grading|insur/;
/** Names of columns with other amounts: "Amount" may be the cost, "Market value" isn't. */
const OTHER_AMOUNT =
  /value|wert|market|markt|sold|sale|verkauf|ask|list|estimate|offer|avg|average|median|last|high|low|customer|retail|profit|total|tax|steuer|ship|versand|fee|grade|score|year|jahr|pop|qty|quantity|count|line|zeile|row|index|number|id$|^no$|^nr$/;

/** The only column named like a cost, else the only one with amounts of money. Null if none or several qualify. */
export function costColumnOf(rows: Lines, header: readonly string[], taken: readonly number[]): number | null {
  const nameOf = (column: number): string => plainName(header[column] ?? "");
  const amounts = filledColumns(rows.slice(0, SAMPLE_ROWS)).filter(
    ({ column, cells }) => !taken.includes(column) && isMost(cells, (cell) => parsePrice(cell).kind === "amount"),
  );
  const named = amounts.filter(({ column }) => COST.test(nameOf(column)) && !OTHER_COST.test(nameOf(column)));
  const money = amounts.filter(
    ({ column, cells }) => !OTHER_AMOUNT.test(nameOf(column)) && isMost(cells, (cell) => MONEY.test(cell.trim())),
  );
  const [only, ...others] = named.length > 0 ? named : money;
  return only !== undefined && others.length === 0 ? only.column : null;
}

const MONEY = /^[$€£]|[$€£]$|^\d[\d.,]*[.,]\d\d$/;

/** Grading companies found in sheets. Unsupported ones are named in the row's error. */
const GRADERS = ["PSA", "CGC", "TAG", "BGS", "BVG", "SGC", "CSG", "HGA", "ACE", "ARS", "GMA", "KSA", "RAW"];

/** Full company names, as marketplaces write them. */
const FULL_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^professional sports authenticator/i, "PSA"],
  [/^certified guaranty/i, "CGC"],
  [/^technical authentication/i, "TAG"],
];

/** The company in a cell, like "PSA 10" or "Professional Sports Authenticator (PSA) - (ID: 275010)", else null. */
export function graderIn(cell: string): string | null {
  const text = cell.slice(0, 200);
  const word = /^\s*([a-z]{3})(?![a-z])/i.exec(text)?.[1] ?? /\(([a-z]{3})\)/i.exec(text)?.[1];
  if (word !== undefined && GRADERS.includes(word.toUpperCase())) return word;
  return FULL_NAMES.find(([pattern]) => pattern.test(text.trim()))?.[1] ?? null;
}

const LONGEST_LOOKED_AT = 300;
const FEWEST_DIGITS = 7;

/** True if the cell can only be a cert number and needs no guess. */
export function isCertLike(cell: string): boolean {
  if (cell.length > LONGEST_LOOKED_AT || digitCount(cell) < FEWEST_DIGITS) return false;
  const text = cell.trim();
  if (parseCertUrl(text)) return true;
  if (isDate(text)) return false;
  if (companyIn(text) !== null && !/\d{6}/.test(text)) return false;
  return COMPANIES.some((company) => isNumberOf(company, text));
}

/** True if the cell parses as a cert number of any company, even if it needs a guess. */
export function isAnyCert(cell: string): boolean {
  if (cell.length > LONGEST_LOOKED_AT || digitCount(cell) < FEWEST_DIGITS - 1) return false;
  return COMPANIES.some((company) => parseCertNumber(company, cell).ok);
}

function digitCount(text: string): number {
  return text.match(/\p{Nd}/gu)?.length ?? 0;
}

function isDamagedNumber(cell: string): boolean {
  if (!/^\d[.,]\d+E\+?0?(?:7|8|9|12)$/i.test(cell.trim())) return false;
  const reading = parseCertNumber("PSA", cell);
  return !reading.ok && reading.reason === "digits_lost";
}

/** Dates like "20240131", "31012024" and "01312024" also have eight digits. */
function isDate(text: string): boolean {
  if (/^\d{4}-\d\d-\d\d/.test(text)) return true;
  const [, y1, a1, b1, a2, b2, y2] = /^(?:((?:19|20)\d\d)(\d\d)(\d\d)|(\d\d)(\d\d)((?:19|20)\d\d))$/.exec(text) ?? [];
  const [a, b] = [Number(a1 ?? a2), Number(b1 ?? b2)];
  const isDayAndMonth = a > 0 && b > 0 && Math.min(a, b) <= 12 && Math.max(a, b) <= 31;
  return (y1 ?? y2) !== undefined && isDayAndMonth;
}

function isBarCode(text: string): boolean {
  if (!/^\d{13}$/.test(text)) return false;
  const sum = Array.from(text, Number).reduce((sum, digit, at) => sum + (at % 2 === 0 ? digit : 3 * digit), 0);
  return sum % 10 === 0;
}

function areSame(rows: Lines, first: number, other: number): boolean {
  return rows.slice(0, SAMPLE_ROWS).every((cells) => numberIn(cells[first] ?? "") === numberIn(cells[other] ?? ""));
}

function numberIn(cell: string): string | null {
  const reading = COMPANIES.map((company) => parseCertNumber(company, cell)).find(({ ok }) => ok);
  return reading?.ok ? reading.certNumber : null;
}

function isMost(cells: readonly string[], fits: (cell: string) => boolean): boolean {
  return cells.filter(fits).length >= cells.length * ENOUGH;
}

function filledColumns(rows: Lines): { column: number; cells: string[] }[] {
  const widest = rows.reduce((width, cells) => Math.max(width, cells.length), 0);
  return Array.from({ length: Math.min(widest, MAX_SHEET_COLUMNS) }, (_, column) => ({
    column,
    cells: rows.map((cells) => cells[column] ?? "").filter((cell) => cell.trim() !== ""),
  })).filter(({ cells }) => cells.length > 0);
}
