/*
 * What keeps the text of a CSV file from running in a spreadsheet. Text runs where a cell begins with = + - @ or one of
 * their full-width forms, perhaps behind blanks or quotation marks. Where a cell begins is the reader's decision: one
 * whose list separator is the semicolon cuts `"Nice;=1+1"` in a file of commas into `"Nice` and a formula, as a
 * quotation mark in the middle of what it takes for a cell means nothing to it (LibreOffice 7.4 does; Excel's separator
 * is the country's). So every place is guarded that some reader may take for the beginning of a cell: behind each
 * separator and line end, and at the start of each cell.
 *
 * The guard is an apostrophe: it shows the same text and runs nothing. Text that looks as if it had been guarded gets
 * one more, so that no two texts become the same and each comes back as it was.
 */

const BLANK = String.raw`(?:(?![\t\r\n])[\s\p{Cc}\p{Cf}"])`;
const SIGN = String.raw`[=+\-@\uff1d\uff0b\uff0d\uff20]`;
const CUT = String.raw`[,;\t\|\r\n]`;
/** The apostrophes, or none, of a place that has to be guarded. A tab or a line end in front is taken off by some readers. */
const PLACES = new RegExp(String.raw`^('*)(?=[\t\r\n]|${BLANK}*${SIGN})|(?<=${CUT})('*)(?=${BLANK}*${SIGN})`, "gu");
/** Most cells have none of these. */
const ANY_PLACE = new RegExp(String.raw`^'*[\t\r\n]|${SIGN}`, "u");

/** A number keeps its minus and dashes run nothing, unless what stands behind them can become part of their cell. */
const NUMBER_OR_DASHES = /^'*(?:-?\d+(?:\.\d+)?|-+)$/;
const ALL_BLANK = new RegExp(`^${BLANK}*$`, "u");
const OPEN_END = new RegExp(`${CUT}${BLANK}*$`, "u");
const FORMULA = new RegExp(String.raw`^'*(?:[\t\r\n]|${BLANK}*${SIGN})`, "u");

/** Makes the cells of one line harmless, whatever a spreadsheet takes for the separator. */
export function neutralizeLine(cells: readonly string[]): string[] {
  let isFirst = true;
  return cells.map((cell) => {
    const safe = isFirst || !NUMBER_OR_DASHES.test(cell) ? guard(cell) : cell;
    isFirst = opensNext(cell, isFirst);
    return safe;
  });
}

/** The cells that `neutralizeLine` made into these; any others stay as they are. */
export function restoreLine(cells: readonly string[]): string[] {
  let isFirst = true;
  return cells.map((cell) => {
    const text = isFirst || !NUMBER_OR_DASHES.test(cell) ? unguard(cell) : cell;
    isFirst = opensNext(text, isFirst);
    return text;
  });
}

/** True for text that a spreadsheet would run if somebody typed it into a cell. */
export function isFormula(text: string): boolean {
  return FORMULA.test(text) && !NUMBER_OR_DASHES.test(text);
}

/** Whether some reader may take the next cell for the beginning of one: only blanks are between it and a cut. */
function opensNext(cell: string, isFirst: boolean): boolean {
  return (isFirst && ALL_BLANK.test(cell)) || OPEN_END.test(cell);
}

function guard(text: string): string {
  return ANY_PLACE.test(text) ? text.replace(PLACES, "'$&") : text;
}

function unguard(text: string): string {
  return text.includes("'") ? text.replace(PLACES, (apostrophes) => apostrophes.slice(1)) : text;
}
