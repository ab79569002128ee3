import { sql, type Transaction } from "kysely";
import type { CardSource } from "@slabdesk/contract/api/cards.ts";
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
      item_name = k.card->>'itemName', player_character = k.card->>'player', year = k.card->>'year',
      language = k.card->>'language', brand_set = k.card->>'brand', card_number = k.card->>'cardNumber',
      grade = k.card->>'grade', sport_game = k.card->>'sport', variety = k.card->>'variety',
      grader_notes = k.card->>'graderNotes', tag_score = COALESCE(k.card->>'tagScore', 'N/A'),
      front_image_url = k.card->>'imageUrl', back_image_url = k.card->>'imageUrlBack', cert_url = k.card->>'certUrl',
      inventory_name = k.card->>'inventoryName',
      notes = concat_ws(' · ', NULLIF(r.sheet_notes, ''), NULLIF(k.notes, '')),
      same_sides = k.same_sides, look_ups = ${lookUpsAnd(cached)}
    FROM cached_certs AS k
    WHERE r.session_id = ${sessionId} AND r.status = 'pending'
      AND k.grading_company = r.grading_company AND k.cert_number = r.cert_number
      AND ${serves(terms)}`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
