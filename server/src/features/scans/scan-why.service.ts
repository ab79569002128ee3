import { PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import type { QuoteThen, Why } from "@slabdesk/contract/api/why.ts";
import type { Database } from "../../database/connection.ts";
import { presentRow, type RowRecord } from "./scans.present.ts";
import { listQuotes, type QuoteRecord } from "./scan-why.repo.ts";
import { getSession, type Authorized, type Viewer } from "./scans.service.ts";

export type ScanWhyService = ReturnType<typeof createScanWhyService>;
export type ScanWhyParts = {
  db: Database;
  memory: { memoryOf(viewer: Viewer, row: Authorized<RowRecord>): Promise<Why["memory"]> };
};

/** Tells why a row is what it is. */
export function createScanWhyService({ db, memory }: ScanWhyParts) {
  return {
    /**
     * The line as it was uploaded, each attempt at its card, the prices as they were, and what is remembered of the
     * card. The prices are those of the sources that were asked for this row, from the day before it came to be.
     */
    async why(viewer: Viewer, row: Authorized<RowRecord>): Promise<Why> {
      const session = await getSession(db, row.session_id);
      const asked = PRICE_SOURCES.filter((source) => row[`${source}_state`] !== null);
      return {
        row: presentRow(row),
        sessionName: session.session_name,
        csvFilename: session.csv_filename,
        processingMode: row.own_mode ?? session.processing_mode,
        header: session.header,
        cells: row.cells,
        createdAt: row.created_at.toISOString(),
        lookUps: row.look_ups,
        quotes: (await listQuotes(db, row, asked)).map(presentQuote),
        memory: await memory.memoryOf(viewer, row),
      };
    },
  };
}

function presentQuote(quote: QuoteRecord): QuoteThen {
  const { source, words, price } = quote;
  const estimate = quote.source === "cardladder" ? quote.price?.cardladderEstimate : quote.price?.estimatedValue;
  const fetchedAt = quote.fetchedAt.toISOString();
  return { source, fetchedAt, estimate: estimate ?? null, lastSalePrice: price?.lastSalePrice ?? null, words };
}
