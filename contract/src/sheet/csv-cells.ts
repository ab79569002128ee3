/** A text cut into lines of cells. `openLine` is the line of a quotation mark that is not closed; then nothing after it is read. */
export type CutText = { lines: string[][]; openLine: number | null };

/**
 * Cuts CSV text into lines of cells as Excel reads it: a quoted cell may hold separators, line ends and doubled quotes,
 * and each line may end in its own way (CR, LF or both), as files put together from several do.
 *
 * A quote that is neither doubled nor at the end of its cell (`"5" box"`) belongs to the text as long as the cell stays
 * in its line. A cell that goes on over its line end has to be closed properly, as it would swallow other rows.
 * Reads at most `most` lines. Time grows with the text's length alone, whatever it holds.
 */
export function cutCells(text: string, delimiter: string, most = Number.POSITIVE_INFINITY): CutText {
  const plain = new RegExp(`[^${delimiter === "|" ? "\\|" : delimiter}\\r\\n]*`, "y");
  const lines: string[][] = [];
  let cells: string[] = [];
  let at = 0;
  while (at < text.length && lines.length < most) {
    const quoted = text[at] === '"' ? readQuoted(text, at, delimiter) : null;
    if (quoted?.end === null) return { lines, openLine: lineAt(text, at) };
    plain.lastIndex = quoted?.end ?? at;
    const rest = plain.exec(text)?.[0] ?? "";
    cells.push(quoted === null ? rest : quoted.value + (rest.trim() === "" ? "" : rest));
    at = plain.lastIndex;
    if (text[at] === delimiter) {
      at += 1;
      if (at < text.length) continue;
      cells.push("");
    }
    at += text.startsWith("\r\n", at) ? 2 : 1;
    lines.push(cells);
    cells = [];
  }
  return { lines, openLine: null };
}

/** What a quoted cell holds, and where the text after it begins; null where it is not closed as it should be. */
type Quoted = { value: string; end: number } | { end: null };

function readQuoted(text: string, start: number, delimiter: string): Quoted {
  let stray: number | null = null;
  let isMargin = false;
  let reviewed = start;
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    isMargin ||= hasLineEnd(text, reviewed, at);
    reviewed = at;
    if (text[at + 1] === '"') {
      at += 1;
      continue;
    }
    if (stray !== null && (isMargin || text[at - 1] === delimiter)) break;
    if (endsCell(text, at + 1, delimiter)) return { value: unquoted(text, start, at), end: at + 1 };
    if (isMargin) return { end: null };
    stray ??= at;
  }
  return stray === null ? { end: null } : { value: `${unquoted(text, start, stray)}"`, end: stray + 1 };
}

function unquoted(text: string, start: number, end: number): string {
  return text.slice(start + 1, end).replaceAll('""', '"');
}

function hasLineEnd(text: string, start: number, end: number): boolean {
  return /[\r\n]/.test(text.slice(start, end));
}

/** True where nothing but blanks stands before the next separator or line end. */
function endsCell(text: string, start: number, delimiter: string): boolean {
  const blanks = delimiter === "\t" ? " " : " \t";
  let at = start;
  while (at < text.length && blanks.includes(text.charAt(at))) at += 1;
  return at >= text.length || text[at] === delimiter || text[at] === "\r" || text[at] === "\n";
}

/** The line of the file, counted from 1 as an editor counts them. */
function lineAt(text: string, at: number): number {
  return text.slice(0, at).split(/\r\n|\r|\n/).length;
}
