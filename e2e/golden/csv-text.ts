/**
 * Parses CSV by RFC 4180 into lines of cells. A separate parser, so that the product's own parser doesn't check
 * itself.
 */
export function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === "," || character === "\n") {
      cells.push(cell);
      cell = "";
      if (character === "\n") {
        lines.push(cells);
        cells = [];
      }
    } else if (character !== "\r") cell += character;
  }
  if (cell !== "" || cells.length > 0) lines.push([...cells, cell]);
  return lines;
}

/** A sheet as a spreadsheet would save it. */
export function writeSheet(rows: readonly (readonly string[])[]): Buffer {
  const quote = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = [["CertNumber", "GradingCompany", "Price", "Notes"], ...rows].map((cells) =>
    cells.map(quote).join(","),
  );
  return Buffer.from(`${lines.join("\n")}\n`);
}
