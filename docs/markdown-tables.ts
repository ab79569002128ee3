import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The checkout's top folder, with a trailing slash. */
export const HOUSE = fileURLToPath(new URL("../", import.meta.url));

export type TableRow = { heading: string; cells: string[] };

export function readHouseFile(path: string): string {
  return readFileSync(`${HOUSE}${path}`, "utf8");
}

/** The rows of every table in a Markdown text, without headers and rules, each with its heading. */
export function readTableRows(markdown: string): TableRow[] {
  const rows: TableRow[] = [];
  let heading = "";
  let isInTable = false;
  for (const line of markdown.split("\n")) {
    const title = /^#+ (.+)$/.exec(line)?.[1];
    heading = title ?? heading;
    if (!line.startsWith("|")) isInTable = false;
    else if (/^\|(?: *:?-+:? *\|)+ *$/.test(line)) isInTable = true;
    else if (isInTable) rows.push({ heading, cells: splitCells(line) });
  }
  return rows;
}

/** The first cells of the tables under a heading, without backticks. */
export function namesUnder(markdown: string, heading: string): string[] {
  return readTableRows(markdown)
    .filter((row) => row.heading === heading)
    .map((row) => plain(row.cells[0] ?? ""));
}

export function plain(cell: string): string {
  return cell.replace(/^`|`$/g, "");
}

function splitCells(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}
