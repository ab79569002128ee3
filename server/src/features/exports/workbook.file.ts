import type { Readable } from "node:stream";
import { inPieces, type Pause } from "../../concurrency/text-pieces.ts";
import type { StreamedRow } from "../sessions/sessions.service.ts";
import { imagesInOrder } from "./images-in-order.service.ts";
import { webAddress } from "./listings/listing-text.rules.ts";
import type { Table, TableColumn } from "./table.file.ts";
import * as xml from "./workbook-xml.file.ts";
import { zipFile, type ZipEntry } from "./zip.file.ts";

/** A small JPEG image with its size in pixels. All spreadsheet programs support JPEG. */
export type Thumbnail = { bytes: Buffer; width: number; height: number };

export type WorkbookOptions = {
  /** The approximate number of rows. It determines which columns are links. */
  rows: number;
  /** Fetches a row's front image. Throws HttpError if there is none. Null for a workbook without images. */
  thumbnailOf: ((rowId: string) => Promise<Thumbnail>) | null;
  onMissing: (missing: { count: number; reasons: string[] }) => void;
  pause?: Pause;
  now: Date;
};

/** Excel's maximum number of links per sheet. It reports a file with more as damaged. */
const MOST_LINKS = 65_530;
/** Excel's maximum link length. */
const LONGEST_LINK = 2_079;
/** Link columns by priority. See `linkedColumns`. Columns that aren't linked stay text. */
const LINKS_BY_USE = ["Image", "Cert URL", "Front Image URL", "Back Image URL"];
const REASONS_KEPT = 10;

const IMAGE_COLUMN: TableColumn = { header: "Image", kind: "link" };
const IMAGE_BOX = { width: 80, height: 112 };
const IMAGE_ROW_POINTS = 89;

type Pages = AsyncIterable<StreamedRow[]>;
type Sheet = {
  columns: readonly TableColumn[];
  links: { ref: string; url: string }[];
  /** The rows with an image, with their 0-based number in the sheet. */
  withImage: { rowId: string; row: number }[];
  lastRow: number;
};

/** Streams a table as XLSX. Images come after the cells, so that neither is held in memory. */
export function workbookFile(table: Table, pages: Pages, options: WorkbookOptions): Readable {
  return zipFile(options.now, workbookParts(table, pages, options));
}

async function* workbookParts(table: Table, pages: Pages, options: WorkbookOptions): AsyncGenerator<ZipEntry> {
  const columns = options.thumbnailOf ? [IMAGE_COLUMN, ...table.columns] : table.columns;
  const sheet: Sheet = { columns, links: [], withImage: [], lastRow: 1 };
  yield { path: "[Content_Types].xml", text: [xml.contentTypes(options.thumbnailOf !== null)] };
  yield { path: "_rels/.rels", text: xml.relations([{ type: "officeDocument", target: "xl/workbook.xml" }]) };
  yield { path: "xl/workbook.xml", text: [xml.WORKBOOK] };
  yield { path: "xl/_rels/workbook.xml.rels", text: xml.relations(WORKBOOK_PARTS) };
  yield { path: "xl/styles.xml", text: [xml.STYLES] };
  yield { path: "xl/worksheets/sheet1.xml", text: sheetXml(sheet, table, pages, options) };
  yield { path: "xl/worksheets/_rels/sheet1.xml.rels", text: xml.relations(sheetRelations(sheet, options)) };
  if (options.thumbnailOf) yield* imageParts(sheet.withImage, options.thumbnailOf, options.onMissing);
}

const WORKBOOK_PARTS = [
  { type: "worksheet", target: "worksheets/sheet1.xml" },
  { type: "styles", target: "styles.xml" },
];

/** Yields the sheet's XML. Collects the links and the rows with an image in `sheet`. */
async function* sheetXml(sheet: Sheet, table: Table, pages: Pages, { rows, thumbnailOf, pause }: WorkbookOptions) {
  const { columns } = sheet;
  const names = columns.map((_, index) => xml.columnName(index));
  const isLinked = linkedColumns(columns, rows);
  yield xml.sheetStart(columns.map(widthOf));
  function* header(): Generator<string> {
    yield xml.rowStart(1, null);
    for (const [index, column] of columns.entries()) yield xml.headerCell(`${names[index]}1`, column.header);
    yield xml.ROW_END;
  }
  yield* inPieces(header(), pause);

  const cellOf = (text: string, index: number): string => {
    const ref = `${names[index] ?? xml.columnName(index)}${sheet.lastRow}`;
    const url = isLinked[index] && sheet.links.length < MOST_LINKS ? webAddress(text) : null;
    if (url === null || url.length > LONGEST_LINK) return xml.sheetCell(ref, columns[index]?.kind ?? "text", text);
    sheet.links.push({ ref, url });
    return xml.linkCell(ref, text);
  };
  /** Yields the rows' XML cell by cell. */
  function* rowsOf(page: readonly StreamedRow[]): Generator<string> {
    for (const row of page) {
      const url = thumbnailOf ? (webAddress(row.row.imageUrl) ?? "") : "";
      for (const cells of table.linesOf(row)) {
        sheet.lastRow += 1;
        if (url !== "") sheet.withImage.push({ rowId: row.row.id, row: sheet.lastRow - 1 });
        const all = thumbnailOf ? [url, ...cells] : cells;
        yield xml.rowStart(sheet.lastRow, url === "" ? null : IMAGE_ROW_POINTS);
        for (const [index, text] of all.entries()) yield cellOf(text, index);
        yield xml.ROW_END;
      }
    }
  }
  for await (const page of pages) yield* inPieces(rowsOf(page), pause);
  yield* xml.sheetEnd({
    range: `A1:${names.at(-1) ?? "A"}${sheet.lastRow}`,
    links: sheet.links.map(({ ref }) => ref),
    drawingId: thumbnailOf ? sheet.links.length + 1 : null,
  });
}

/** Selects the columns to link, by priority: as many as MOST_LINKS allows for all rows, but at least one. */
function linkedColumns(columns: readonly TableColumn[], rows: number): boolean[] {
  const room = Math.max(1, Math.floor(MOST_LINKS / Math.max(1, rows)));
  const linked = LINKS_BY_USE.filter((name) => columns.some(({ header, kind }) => kind === "link" && header === name));
  return columns.map(({ header, kind }) => kind === "link" && linked.slice(0, room).includes(header));
}

function* sheetRelations({ links }: Sheet, { thumbnailOf }: WorkbookOptions) {
  for (const { url } of links) yield { type: "hyperlink", target: url, isExternal: true };
  if (thumbnailOf) yield { type: "drawing", target: "../drawings/drawing1.xml" };
}

async function* imageParts(
  withImage: Sheet["withImage"],
  thumbnailOf: (rowId: string) => Promise<Thumbnail>,
  onMissing: WorkbookOptions["onMissing"],
): AsyncGenerator<ZipEntry> {
  const placed: xml.PlacedImage[] = [];
  const missing = { count: 0, reasons: new Set<string>() };
  for await (const [{ row }, fetched] of imagesInOrder(withImage, ({ rowId }) => thumbnailOf(rowId))) {
    if (fetched.kind === "missing") {
      missing.count += 1;
      if (missing.reasons.size < REASONS_KEPT) missing.reasons.add(fetched.reason);
      continue;
    }
    const { bytes, width, height } = fetched.image;
    const scale = Math.min(IMAGE_BOX.width / width, IMAGE_BOX.height / height);
    placed.push({ row, width: Math.round(width * scale), height: Math.round(height * scale) });
    yield { path: `xl/media/image${placed.length}.jpeg`, bytes };
  }
  yield { path: "xl/drawings/drawing1.xml", text: xml.drawing(placed) };
  const relationships = placed.map((_, index) => ({ type: "image", target: `../media/image${index + 1}.jpeg` }));
  yield { path: "xl/drawings/_rels/drawing1.xml.rels", text: xml.relations(relationships) };
  if (missing.count > 0) onMissing({ count: missing.count, reasons: [...missing.reasons] });
}

const WIDE = new Set(["Item Name", "Inventory Name"]);

function widthOf({ header, kind }: TableColumn): number {
  if (header === IMAGE_COLUMN.header && kind === "link") return 12;
  if (WIDE.has(header)) return 52;
  return kind === "link" ? 36 : Math.min(36, Math.max(12, header.length + 4));
}
