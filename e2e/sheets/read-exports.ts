import { read, utils } from "@e965/xlsx";
import { parse } from "csv-parse/sync";
import { fromBuffer, type ZipFile } from "yauzl";

/* Reads exported files with third-party libraries. */

/** Lines of cells; throws on a misplaced quote or a line whose width differs from the first. */
export function readCsv(bytes: Buffer): string[][] {
  return parse(bytes, { bom: true });
}

/** The same for the user's own file, whose lines may have cells beyond the header. */
export function readOwnCsv(bytes: Buffer, delimiter: string): string[][] {
  return parse(bytes, { bom: true, delimiter, relax_column_count_more: true });
}

/** The first sheet's lines of cells, as text. */
export function readWorkbook(bytes: Buffer): string[][] {
  const { Sheets, SheetNames } = read(bytes, { type: "buffer" });
  const sheet = Sheets[SheetNames[0] ?? ""];
  return sheet ? utils.sheet_to_json<string[]>(sheet, { header: 1, raw: false, defval: "" }) : [];
}

/** The names in a ZIP file. */
export async function readZipNames(bytes: Buffer): Promise<string[]> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, opened) => (error ? reject(error) : resolve(opened)));
  });
  return new Promise((resolve, reject) => {
    const names: string[] = [];
    zip.on("entry", (entry: { fileName: string }) => {
      names.push(entry.fileName);
      zip.readEntry();
    });
    zip.on("end", () => resolve(names));
    zip.on("error", reject);
    zip.readEntry();
  });
}
