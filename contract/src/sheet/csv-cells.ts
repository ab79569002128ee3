/**
 * Splits CSV text into lines of cells like Excel. A quoted cell may contain delimiters, line ends and doubled quotes.
 * Each line may end in CR, LF or both, because concatenated files mix them.
 *
 * A quote that is neither doubled nor at the end of its cell (`"5" box"`) is part of the text if the cell stays on one
 * line. A cell that spans lines must be closed properly, because it could otherwise contain other rows. Reads at most
 * `most` lines, up to `openLine`, the line (from 1) of an unclosed quotation mark. Runs in time linear in the length.
 */
export function cutCells(text: string, delimiter: string, most = Number.POSITIVE_INFINITY) {
  const plain = new RegExp(`[^${delimiter === "|" ? "\\|" : delimiter}\\r\\n]*`, "y");
  const lines: string[][] = [];
  let cells: string[] = [];
  let at = 0;
  while (at < text.length && lines.length < most) {
    const quoted = text[at] === '"' ? readQuoted(text, at, delimiter) : null;
    if (quoted?.end === null) return { lines, openLine: text.slice(0, at).split(/\r\n|\r|\n/).length };
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

/** The value of a quoted cell and the offset after it. `end` is null if the cell isn't closed properly. */
type Quoted = { value: string; end: number } | { end: null };

function readQuoted(text: string, start: number, delimiter: string): Quoted {
  let stray: number | null = null;
  let isMargin = false;
  let reviewed = start;
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    isMargin ||= /[\r\n]/.test(text.slice(reviewed, at));
    reviewed = at;
    // Check this before skipping doubled quotes. Otherwise, each such cell is read to the end of the text.
    if (stray !== null && (isMargin || text[at - 1] === delimiter)) break;
    if (text[at + 1] === '"') {
      at += 1;
      continue;
    }
    if (endsCell(text, at + 1, delimiter)) return { value: unquoted(text, start, at), end: at + 1 };
    if (isMargin) return { end: null };
    stray ??= at;
  }
  return stray === null ? { end: null } : { value: `${unquoted(text, start, stray)}"`, end: stray + 1 };
}

function unquoted(text: string, start: number, end: number): string {
  return text.slice(start + 1, end).replaceAll('""', '"');
}

function endsCell(text: string, start: number, delimiter: string): boolean {
  const blanks = delimiter === "\t" ? " " : " \t";
  let at = start;
  while (at < text.length && blanks.includes(text.charAt(at))) at += 1;
  return at >= text.length || text[at] === delimiter || text[at] === "\r" || text[at] === "\n";
}
