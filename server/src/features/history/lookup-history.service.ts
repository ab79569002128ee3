import type { PlanLookupHistory } from "@slabdesk/contract/api/lookup-history.ts";
import { PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import type { Provenance } from "@slabdesk/contract/api/provenance.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import { chunksOf } from "../../concurrency/chunks.ts";
import type { Database } from "../../database/connection.ts";
import * as repo from "./lookup-history.repo.ts";
import { presentRow, type RowRecord } from "../sessions/sessions.present.ts";
import { findHeader, getSession, type Authorized, type Viewer } from "../sessions/sessions.service.ts";

export { listRowHistories as historyOfSession } from "./lookup-history.repo.ts";

type ListedCard = { company: Company; certNumber: string; lines: readonly [number, ...number[]] };

const CARDS_LISTED = 100;
/** The cards of one statement. Writing more into a statement delays other requests. */
const CARDS_AT_ONCE = 5_000;
const COUNTS = ["total", "own", "colleagues", "twiceOpen"] as const;
const LOOK_UPS_LISTED = 20;

/*
 * Reads who looked up a card before. A lookup is any row that found the card. Users see their own lookups in full,
 * and only the name and date of other users'. Admins see everything. Rows of the requested session don't count.
 */

/** Returns the lookup history of a sheet's cards, which are in sheet order. */
export async function historyOfSheet(db: Database, viewer: Viewer, cards: readonly ListedCard[]) {
  const all: PlanLookupHistory = { total: 0, own: 0, colleagues: 0, twiceOpen: 0, cards: [] };
  for (const part of chunksOf(cards, CARDS_AT_ONCE)) {
    const found = await repo.listCardHistories(db, viewer, part, CARDS_LISTED);
    for (const count of COUNTS) all[count] += found.counts[count];
    for (const { index, history } of found.cards) {
      const card = part[index];
      if (!card || all.cards.length === CARDS_LISTED) break;
      const { lines, company: gradingCompany, certNumber } = card;
      all.cards.push({ ...history, line: lines[0], gradingCompany, certNumber });
    }
  }
  return all;
}

/** Returns a row's original line, attempts and lookup history, and the quotes of the sources requested for it. */
export async function provenanceOf(db: Database, viewer: Viewer, row: Authorized<RowRecord>): Promise<Provenance> {
  const session = await getSession(db, row.session_id);
  const asked = PRICE_SOURCES.filter((source) => row.prices[source] !== undefined);
  const isInvalid = row.outcome === "invalid_row" || row.outcome === "invalid_number";
  const history = isInvalid ? null : await repo.findCardHistory(db, viewer, row, LOOK_UPS_LISTED);
  return {
    row: presentRow(row),
    sessionName: session.session_name,
    csvFilename: session.csv_filename,
    processingMode: row.own_mode ?? session.processing_mode,
    header: await findHeader(db, row.session_id),
    cells: row.cells,
    createdAt: row.created_at.toISOString(),
    lookUps: row.look_ups,
    quotes: await repo.listQuotes(db, row, asked),
    lookupHistory: history ?? { own: [], colleagues: [], isTwiceOpen: false },
  };
}
