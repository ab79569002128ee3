import { columnsByName, plainName } from "./header.ts";
import type { Sheet } from "./sheet.ts";

export type NamedSheet = { fileName: string; sheet: Sheet };

export const ORIGIN_COLUMNS = ["File", "Line"] as const;

/** Concatenates sheets: merges columns by name, adds each row's file and line, and renumbers the lines. */
export function combineSheets(sheets: readonly [NamedSheet, ...NamedSheet[]]): Sheet {
  const [{ sheet: first }, ...others] = sheets;
  if (others.length === 0) return first;
  const header: string[] = [...ORIGIN_COLUMNS];
  const rows: Sheet["rows"] = [];
  for (const { fileName, sheet } of sheets) {
    const places = placeColumns(header, sheet);
    for (const row of sheet.rows) {
      const cells = [fileName, String(row.line)];
      for (const [index, cell] of row.cells.entries()) cells[places[index] ?? header.length] = cell;
      const filled = Array.from({ length: cells.length }, (_, at) => cells[at] ?? "");
      rows.push({ ...row, line: rows.length + 2, cells: filled });
    }
  }
  return { header, rows, delimiter: first.delimiter };
}

/** Each column's place in the combined sheet, which has one cert and one company column, so that it can be uploaded. */
function placeColumns(header: string[], sheet: Sheet): number[] {
  const taken = new Set<number>([0, 1]);
  const known = columnsByName(header);
  const own = columnsByName(sheet.header);
  const width = sheet.rows.reduce((widest, row) => Math.max(widest, row.cells.length), sheet.header.length);
  return Array.from({ length: width }, (_, index) => {
    const name = sheet.header[index] ?? "";
    const field = (["certNumber", "gradingCompany"] as const).find((each) => own[each] === index);
    const found = (field && known[field]) ?? header.findIndex((other, at) => !taken.has(at) && isSameName(other, name));
    const place = found >= 0 && !taken.has(found) ? found : header.push(name) - 1;
    taken.add(place);
    return place;
  });
}

/** Compares names without letters or digits ("#", "$") literally. */
function isSameName(one: string, other: string): boolean {
  const plain = plainName(one);
  return plain === plainName(other) && (plain !== "" || one.trim() === other.trim());
}

/** A row's origin: "line 17", or "b.csv, line 17" in a combined sheet. */
export function originOf(header: readonly string[], row: { line: number; cells: readonly string[] }): string {
  const isCombined = ORIGIN_COLUMNS.every((name, index) => header[index] === name);
  return isCombined ? `${row.cells[0]}, line ${row.cells[1]}` : `line ${row.line}`;
}
