import { PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import type { Provenance } from "@slabdesk/contract/api/provenance.ts";
import type { Database } from "../../database/connection.ts";
import { presentRow, type RowRecord } from "../sessions/sessions.present.ts";
import type { LookupHistoryService } from "./lookup-history.service.ts";
import { listQuotes } from "./provenance.repo.ts";
import { getHeader, getSession, type Authorized, type Viewer } from "../sessions/sessions.service.ts";

export type ProvenanceService = ReturnType<typeof createProvenanceService>;
export type ProvenanceParts = { db: Database; lookupHistory: Pick<LookupHistoryService, "lookupHistoryOf"> };

export function createProvenanceService({ db, lookupHistory }: ProvenanceParts) {
  return {
    /**
     * Returns a row's original line, look-up attempts, quotes and look-up history. Quotes are those of the sources
     * requested for this row, from the day before the row was created.
     */
    async provenance(viewer: Viewer, row: Authorized<RowRecord>): Promise<Provenance> {
      const session = await getSession(db, row.session_id);
      const asked = PRICE_SOURCES.filter((source) => row.prices[source] !== undefined);
      return {
        row: presentRow(row),
        sessionName: session.session_name,
        csvFilename: session.csv_filename,
        processingMode: row.own_mode ?? session.processing_mode,
        header: await getHeader(db, row.session_id),
        cells: row.cells,
        createdAt: row.created_at.toISOString(),
        lookUps: row.look_ups,
        quotes: await listQuotes(db, row, asked),
        lookupHistory: await lookupHistory.lookupHistoryOf(viewer, row),
      };
    },
  };
}
