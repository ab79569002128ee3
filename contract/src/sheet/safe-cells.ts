/*
 * Prevents formula injection in CSV files. A spreadsheet runs text as a formula if the cell begins with = + - @ or one
 * of their full-width forms, possibly after blanks or quotation marks. The reader decides where a cell begins. For
 * example, a reader with the semicolon as its delimiter splits `"Nice;=1+1"` in a comma-delimited file into `"Nice` and
 * a formula, because it ignores a quotation mark in the middle of a cell. (LibreOffice 7.4 does this. Excel's delimiter
 * depends on the region.) Therefore all possible cell starts are guarded, after each delimiter and line end too.
 *
 * The guard is an apostrophe. It doesn't change the shown text, and nothing runs. Text that already looks guarded gets
 * another apostrophe, so that every text can be restored.
 */

const BLANK = String.raw`(?:(?![\t\r\n])[\s\p{Cc}\p{Cf}"])`;
const SIGN = String.raw`[=+\-@\uff1d\uff0b\uff0d\uff20]`;
const CUT = String.raw`[,;\t\|\r\n]`;
/** The apostrophes, if any, at each place that needs a guard. Some readers strip a leading tab or line end. */
const PLACES = new RegExp(String.raw`^('*)(?=[\t\r\n]|${BLANK}*${SIGN})|(?<=${CUT})('*)(?=${BLANK}*${SIGN})`, "gu");
/** Whether there is such a place. Most cells have none, and this is much faster than replacing them. */
const ANY_PLACE = new RegExp(String.raw`^'*[\t\r\n]|(?:^|${CUT})'*${BLANK}*${SIGN}`, "u");

/** Numbers and dashes aren't guarded, unless the following text could become part of their cell. */
const NUMBER_OR_DASHES = /^'*(?:-?\d+(?:\.\d+)?|-+)$/;
const ALL_BLANK = new RegExp(`^${BLANK}*$`, "u");
const OPEN_END = new RegExp(`${CUT}${BLANK}*$`, "u");
const FORMULA = new RegExp(String.raw`^'*(?:[\t\r\n]|${BLANK}*${SIGN})`, "u");

/** Guards the cells of one line for any delimiter that the reader uses. */
export function neutralizeLine(cells: readonly string[]): string[] {
  return cells.map(lineGuard());
}

/** Returns a function that guards the cells of one line, called in their order. */
export function lineGuard(): (cell: string) => string {
  let isFirst = true;
  return (cell) => {
    const isSafe = !ANY_PLACE.test(cell) || (!isFirst && NUMBER_OR_DASHES.test(cell));
    isFirst = opensNext(cell, isFirst);
    return isSafe ? cell : cell.replace(PLACES, "'$&");
  };
}

export function restoreLine(cells: readonly string[]): string[] {
  let isFirst = true;
  return cells.map((cell) => {
    const isGuarded = cell.includes("'") && (isFirst || !NUMBER_OR_DASHES.test(cell));
    const text = isGuarded ? cell.replace(PLACES, (apostrophes) => apostrophes.slice(1)) : cell;
    isFirst = opensNext(text, isFirst);
    return text;
  });
}

/** True for text that a spreadsheet would run as a formula if typed into a cell. */
export function isFormula(text: string): boolean {
  return !isPlain(text.charCodeAt(0)) && FORMULA.test(text) && !NUMBER_OR_DASHES.test(text);
}

/** True if a reader may start a cell at the next cell, because only blanks follow the last cut. */
function opensNext(cell: string, isFirst: boolean): boolean {
  if (cell === "") return isFirst;
  if (isPlain(cell.charCodeAt(cell.length - 1))) return false;
  return (isFirst && ALL_BLANK.test(cell)) || OPEN_END.test(cell);
}

/** Whether a character is an ASCII letter or digit. Most cells begin and end with one, which saves the patterns. */
function isPlain(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
