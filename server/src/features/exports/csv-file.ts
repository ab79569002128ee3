import type { Readable } from "node:stream";
import { streamCsv, type CsvForm } from "../../csv-stream.ts";
import type { StreamedRow } from "../sessions/sessions.service.ts";
import type { Table } from "./table.ts";

/** Streams a table as CSV. */
export function csvFile(table: Table, pages: AsyncIterable<StreamedRow[]>, form: CsvForm): Readable {
  async function* lines(): AsyncGenerator<string[][]> {
    for await (const rows of pages) yield rows.flatMap(table.linesOf);
  }
  const header = table.columns.map((column) => column.header);
  return streamCsv([...(table.preface ?? []), header], lines(), form);
}
