import { sql, type Transaction } from "kysely";
import { CARD_FIELDS } from "@slabdesk/contract/api/card-fields.ts";
import type { CardSource } from "@slabdesk/contract/api/cards.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import { CARD_COLUMNS } from "../../database/card-columns.ts";
import type { Database } from "../../database/connection.ts";
import { beginTaking } from "../../database/row-pictures.ts";
import type { Schema } from "../../database/schema.ts";
import { AT_NOW, atText, lookUpsAnd } from "./attempts.repo.ts";

type Trx = Transaction<Schema>;

/** The cached certs that a run may use: those from `sources`, fetched in the last `days` days. */
export type KnownTerms = { sources: readonly CardSource[]; days: number };

function serves({ sources, days }: KnownTerms) {
  return sql`k.source = ANY(${sources}) AND k.fetched_at > now() - make_interval(days => ${days})`;
}

export type CertKey = { company: string; certNumber: string };

/** Returns those of these certs that the cache would fill, as "PSA 12345678". */
export async function listCached(db: Database, certs: readonly CertKey[], terms: KnownTerms): Promise<Set<string>> {
  const { rows } = await sql<{ cert: string }>`
    SELECT k.grading_company || ' ' || k.cert_number AS cert
    FROM jsonb_to_recordset(${JSON.stringify(certs)}::jsonb) AS asked (company text, "certNumber" text)
    JOIN cached_certs AS k ON k.grading_company = asked.company AND k.cert_number = asked."certNumber"
    WHERE ${serves(terms)}`.execute(db);
  return new Set(rows.map((row) => row.cert));
}

const CARD_FROM_CACHE = sql.join(
  CARD_FIELDS.map(
    (field) => sql`${sql.ref(CARD_COLUMNS[field])} = COALESCE(k.card->>${sql.lit(field)}, ${sql.lit(NOT_AVAILABLE)})`,
  ),
);

/** Fills pending rows from cached certs in one statement, without external calls. Returns the number of rows filled. */
export async function fillCachedRows(
  trx: Trx,
  sessionId: string,
  eventSeq: number,
  terms: KnownTerms,
): Promise<number> {
  const cached = sql`jsonb_build_object(
    'kind', 'cached', 'at', ${AT_NOW}, 'source', k.source, 'fetchedAt', ${atText(sql`k.fetched_at`)})`;
  await beginTaking(trx);
  const { numAffectedRows } = await sql`
    UPDATE scan_results AS r
    SET status = 'completed', outcome = 'found', source = 'known', job_id = NULL, processed_at = now(),
      event_seq = ${eventSeq},
      ${CARD_FROM_CACHE},
      notes = concat_ws(' · ', NULLIF(r.sheet_notes, ''), NULLIF(k.notes, '')),
      same_sides = k.same_sides, look_ups = ${lookUpsAnd(cached)}
    FROM cached_certs AS k
    WHERE r.session_id = ${sessionId} AND r.status = 'pending'
      AND k.grading_company = r.grading_company AND k.cert_number = r.cert_number
      AND ${serves(terms)}`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
