import { Readable } from "node:stream";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { StreamedRow } from "../sessions/sessions.service.ts";

/** Streams `{session, results: [...]}` as the API returns them, with one row per line. */
export function jsonFile(session: ScanSession, pages: AsyncIterable<StreamedRow[]>): Readable {
  async function* pieces(): AsyncGenerator<string> {
    yield `{"session":${JSON.stringify(session)},"results":[`;
    let before = "\n";
    for await (const rows of pages) {
      if (rows.length === 0) continue;
      yield before + rows.map(({ row }) => JSON.stringify(row)).join(",\n");
      before = ",\n";
    }
    yield "\n]}\n";
  }
  return Readable.from(pieces(), { objectMode: false });
}
