import { sql, type RawBuilder } from "kysely";
import type { LockedSession } from "../sessions/session-changes.service.ts";
import type { RowRecord } from "../sessions/sessions.present.ts";
import { valuesOf } from "../../database/statements.ts";

function chosen(sessionId: string, rowIds: readonly number[]) {
  return sql<boolean>`(r.session_id = ${sessionId} AND r.id = ANY(${rowIds}::bigint[]))`;
}

/** The price cells of the chosen rows that have a warning, which may be about the cell. */
export function listWarnedPrices({ trx, sessionId }: LockedSession, rowIds: readonly number[]) {
  return valuesOf<string>(trx)`
    SELECT DISTINCT r.price_text FROM scan_results AS r
    WHERE ${chosen(sessionId, rowIds)} AND r.price_text <> '' AND r.warnings <> '[]'`;
}

/** Updates the chosen rows that this changes. Returns their ids. */
function update(
  { trx, sessionId, eventSeq }: LockedSession,
  rowIds: readonly number[],
  columns: RawBuilder<unknown>,
  isChange: RawBuilder<unknown>,
): Promise<number[]> {
  return valuesOf<number>(trx)`
    UPDATE scan_results AS r SET ${columns}, event_seq = ${eventSeq} WHERE ${chosen(sessionId, rowIds)} AND ${isChange}
    RETURNING r.id`;
}

/** Sets what rows cost, and replaces the warnings about their price cells. Returns the ids of the rows that changed. */
export function setCosts(
  locked: LockedSession,
  rowIds: readonly number[],
  cost: Pick<RowRecord, "price" | "price_text" | "customer_price">,
  warnings: { before: readonly string[]; now: readonly string[] },
): Promise<number[]> {
  const columns = sql`price = ${cost.price}, price_text = ${cost.price_text}, customer_price = ${cost.customer_price},
    warnings = (r.warnings - ${warnings.before}::text[]) || ${JSON.stringify(warnings.now)}::jsonb`;
  return update(locked, rowIds, columns, sql`r.price_text <> ${cost.price_text}`);
}

/** Sets the own offers of rows, or removes them if null. Returns the ids of the rows that changed. */
export function setOffers(locked: LockedSession, rowIds: readonly number[], ownOffer: number | null) {
  const isChange = sql`r.own_offer IS DISTINCT FROM ${ownOffer}::numeric`;
  return update(locked, rowIds, sql`own_offer = ${ownOffer}`, isChange);
}

/** Sets the notes of rows and keeps those of their lookups. Returns the changed rows and their growth in characters. */
export async function setNotes({ trx, sessionId, eventSeq }: LockedSession, rowIds: readonly number[], notes: string) {
  const { rows } = await sql<{ id: number; growth: number }>`
    UPDATE scan_results AS r SET sheet_notes = ${notes}, event_seq = ${eventSeq},
      notes = CASE WHEN r.status IN ('error', 'failed') THEN r.notes
        ELSE concat_ws(' · ', NULLIF(${notes}::text, ''), NULLIF(substr(r.notes,
          CASE WHEN r.sheet_notes = '' THEN 1 ELSE length(r.sheet_notes || ' · ') + 1 END), '')) END
    FROM scan_results AS before
    WHERE ${chosen(sessionId, rowIds)} AND before.id = r.id AND r.sheet_notes <> ${notes}
    RETURNING r.id, length(r.sheet_notes) - length(before.sheet_notes) AS growth`.execute(trx);
  return { ids: rows.map(({ id }) => id), growth: rows.reduce((sum, row) => sum + row.growth, 0) };
}
