import { sql } from "kysely";
import type { Card } from "@slabdesk/contract/api/cards.ts";
import { type Entry, NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import type { PriceState } from "@slabdesk/contract/api/prices.ts";
import { numberOf } from "../../database/statements.ts";
import type { LockedSession } from "../sessions/session-changes.service.ts";
import { cardColumns } from "./row-columns.rules.ts";
import { assigned, FAILED_CARD, lookUpsAnd } from "./rows.repo.ts";

/* Rows whose card a person entered by hand. A change applies to all rows of the session with the same cert. */

/** How often an entry's text is stored in a row: as the entry, as the card, and for search. */
const COPIES = 3;

/** The failure of a removed entry whose row was found without a name. A retry may help. */
const NO_DETAILS = "The grader gave no details of this card";

function isSameCert(sessionId: string, rowId: number) {
  return sql`(r.session_id = ${sessionId} AND (r.grading_company, r.cert_number)
    = (SELECT grading_company, cert_number FROM scan_results WHERE id = ${rowId}))`;
}

/** Returns about how many bytes the entries of the event's rows take. */
export function sizeOfNewEntries({ trx, sessionId, eventSeq }: LockedSession): Promise<number> {
  return numberOf(trx)`
    SELECT COALESCE(${COPIES} * sum(octet_length(entry::text)), 0)::bigint AS bytes FROM scan_results
    WHERE session_id = ${sessionId} AND event_seq = ${eventSeq} AND source = 'hand'`;
}

/** Returns whether row `rowId` took the entry, how many waiting rows settled, and about how many bytes the rows grew. */
export async function saveEntry(
  { trx, sessionId, eventSeq }: LockedSession,
  rowId: number,
  { card, notes, entry }: { card: Card; notes: string; entry: Entry },
): Promise<{ isChanged: boolean; settled: number; bytes: number }> {
  const { front_image_url: _front, back_image_url: _back, ...columns } = cardColumns(card);
  const attempt = lookUpsAnd([{ kind: "entered", at: entry.at, by: entry.by }], sql.ref("r.look_ups"));
  const { rows } = await sql<{ id: number; status_before: string; bytes: number }>`
    WITH meant AS MATERIALIZED (
      SELECT r.id, r.status AS status_before, r.source IS NOT DISTINCT FROM 'hand' AS is_entered,
        COALESCE(octet_length(r.entry::text), 0) AS bytes_before
      FROM scan_results AS r
      WHERE ${isSameCert(sessionId, rowId)} AND (r.status IN ('error', 'failed', 'waiting') OR r.source = 'hand'
        OR (r.outcome = 'found' AND r.item_name = ${NOT_AVAILABLE}))
    )
    UPDATE scan_results AS r SET ${assigned(columns)},
      front_image_url = CASE WHEN r.outcome = 'found' THEN r.front_image_url ELSE COALESCE(r.entry->>'front', ${NOT_AVAILABLE}) END,
      back_image_url = CASE WHEN r.outcome = 'found' THEN r.back_image_url ELSE COALESCE(r.entry->>'back', ${NOT_AVAILABLE}) END,
      status = 'completed', outcome = 'found', source = 'hand', waiting_until = NULL, processing_error = NULL,
      processed_at = now(), reviewed_at = NULL, event_seq = ${eventSeq}, look_ups = ${attempt},
      notes = concat_ws(' · ', NULLIF(r.sheet_notes, ''), ${notes}::text),
      entry = ${JSON.stringify(entry)}::jsonb || jsonb_build_object('before', CASE WHEN is_entered THEN r.entry->'before'
        WHEN r.outcome = 'found'
          THEN jsonb_build_object('status', 'error', 'outcome', 'unavailable', 'error', ${NO_DETAILS}::text)
        ELSE jsonb_build_object('status', CASE WHEN r.status = 'failed' THEN 'failed' ELSE 'error' END,
          'outcome', r.outcome, 'error', r.processing_error) END)
    FROM meant WHERE r.id = meant.id
    RETURNING r.id, status_before, octet_length(r.entry::text) - bytes_before AS bytes`.execute(trx);
  return {
    isChanged: rows.some(({ id }) => id === rowId),
    bytes: COPIES * rows.reduce((sum, { bytes }) => sum + bytes, 0),
    settled: rows.filter(({ status_before }) => status_before === "waiting").length,
  };
}

/**
 * Restores the failures that the entry of row `rowId` replaced, and deletes the rows' prices and photos. Returns when it
 * was made, the states that the prices leave, and about how many bytes the rows shrank; null if the row has no own entry.
 */
export async function removeEntry(
  { trx, sessionId, eventSeq }: LockedSession,
  rowId: number,
  removal: { by: string; at: string },
): Promise<{ at: string; prices: PriceState[]; bytes: number } | null> {
  const attempt = lookUpsAnd([{ kind: "entry_removed", ...removal }], sql.ref("r.look_ups"));
  const { rows } = await sql<{ id: number; at: string; bytes: number }>`
    WITH meant AS MATERIALIZED (
      SELECT r.id, r.entry FROM scan_results AS r WHERE ${isSameCert(sessionId, rowId)} AND r.source = 'hand'
        AND EXISTS (SELECT 1 FROM scan_results WHERE id = ${rowId} AND source = 'hand')
    )
    UPDATE scan_results AS r SET ${FAILED_CARD},
      status = meant.entry->'before'->>'status', outcome = meant.entry->'before'->>'outcome',
      processing_error = meant.entry->'before'->>'error',
      notes = 'Error: ' || COALESCE(meant.entry->'before'->>'error', ''), entry = NULL, same_sides = false,
      reviewed_at = NULL, market_value = 0, processed_at = now(), event_seq = ${eventSeq}, look_ups = ${attempt}
    FROM meant WHERE r.id = meant.id
    RETURNING r.id, meant.entry->>'at' AS at, octet_length(meant.entry::text) AS bytes`.execute(trx);
  const at = rows.find(({ id }) => id === rowId)?.at;
  if (at === undefined) return null;
  const ids = rows.map(({ id }) => id);
  const isTheirs = sql<boolean>`result_id = ANY(${ids}::bigint[])`;
  await trx.deleteFrom("photos").where(isTheirs).execute();
  const prices = await trx.deleteFrom("result_prices").where(isTheirs).returning("state").execute();
  const bytes = COPIES * rows.reduce((sum, row) => sum + row.bytes, 0);
  return { at, prices: prices.map(({ state }) => state), bytes };
}
