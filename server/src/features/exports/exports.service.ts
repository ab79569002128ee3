import { Readable } from "node:stream";
import type { EXPORT_FORMATS } from "@slabdesk/contract/api/sessions.ts";
import { formatCsv, formatCsvLines } from "@slabdesk/contract/sheet/csv.ts";
import { EXPORT_COLUMNS, exportCells, SESSION_EXPORT_COLUMNS } from "@slabdesk/contract/sheet/export-columns.ts";
import { resultsFileName, sessionFileName } from "@slabdesk/contract/sheet/session-name.ts";
import type { ScansService, Viewer } from "../scans/scans.service.ts";

type Format = (typeof EXPORT_FORMATS)[number];
export type ExportsService = ReturnType<typeof createExportsService>;

export function createExportsService(scans: Pick<ScansService, "authorize" | "streamRows">, now: () => Date) {
  return {
    /**
     * A session's rows as a file. The body is read from the database while it is sent; when that breaks, the stream
     * breaks too, so a short file is never taken for a whole one.
     *
     * @throws HttpError 404 when there is no such session or it is somebody else's
     */
    async file(viewer: Viewer, sessionId: string, format: Format): Promise<{ fileName: string; body: Readable }> {
      const session = await scans.authorize(viewer, sessionId);
      const columns = format === "csv" ? EXPORT_COLUMNS : SESSION_EXPORT_COLUMNS;
      async function* lines(): AsyncGenerator<string> {
        yield formatCsv([columns.map((column) => column.header)]);
        for await (const rows of scans.streamRows(session))
          yield formatCsvLines(rows.map((row) => exportCells(columns, row)));
      }
      const fileName = format === "csv" ? resultsFileName(now()) : sessionFileName(session.session_name, now());
      return { fileName, body: Readable.from(lines(), { objectMode: false }) };
    },
  };
}
