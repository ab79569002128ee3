import { sql, type RawBuilder } from "kysely";
import { OWN_PHOTO_PATH } from "@slabdesk/contract/api/photos.ts";
import type { Card } from "@slabdesk/contract/api/cards.ts";
import { NOT_AVAILABLE, type ImageSide } from "@slabdesk/contract/api/results.ts";
import type { CardColumn } from "../../database/card-columns.ts";
import type { Database } from "../../database/connection.ts";
import { areKnownSame, areSides, beginTaking, waitForTakers, type Pair } from "../../database/row-images.ts";
import { pricesOf } from "../../database/row-prices.ts";
import { firstOf, numberOf, valuesOf } from "../../database/statements.ts";
import type { ImageComparison } from "../../jobs/jobs.ts";
import type { LockedSession } from "../sessions/session-changes.service.ts";
import type { RowRecord } from "../sessions/sessions.present.ts";

/* A row's images: the URLs it shows, user photos, and the duplicate-image flag (`same_sides`). */

const COLUMNS = { front: "front_image_url", back: "back_image_url" } as const satisfies Record<ImageSide, CardColumn>;

/** Stores a photo of a row's card. Returns the URL that serves it. */
export async function insertPhoto(
  { trx }: LockedSession,
  photo: { result_id: number; bytes: Buffer; replaced_url: string | null },
): Promise<string> {
  const { id } = await trx.insertInto("photos").values(photo).returning("id").executeTakeFirstOrThrow();
  return OWN_PHOTO_PATH + id;
}

export function countPhotoBytes({ trx }: LockedSession, userId: string): Promise<number> {
  return numberOf(trx)`
    SELECT sum(octet_length(photos.bytes))::bigint AS bytes FROM photos
    JOIN scan_results ON scan_results.id = photos.result_id WHERE user_id = ${userId}`;
}

/** Deletes a photo of this row. Returns the URL it replaced, or undefined if there is no such photo. */
export function deletePhoto({ trx }: LockedSession, rowId: number, photoId: string) {
  const photo = trx.deleteFrom("photos").where("id", "=", photoId).where("result_id", "=", rowId);
  return photo.returning("replaced_url").executeTakeFirst();
}

/** Sets the image of one side of a row, and `same_sides`. Clears `reviewed_at` if both sides are now the same. */
export async function showImage(
  { trx, eventSeq }: LockedSession,
  rowId: number,
  side: ImageSide,
  url: string | null,
): Promise<RowRecord> {
  const shown = { [COLUMNS[side]]: url, event_seq: eventSeq };
  await trx.updateTable("scan_results").set(shown).where("id", "=", rowId).execute();
  await beginTaking(trx);
  const isSame = areKnownSame(sql.ref("r.front_image_url"), sql.ref("r.back_image_url"));
  return trx
    .updateTable("scan_results as r")
    .set({ same_sides: isSame, reviewed_at: sql`CASE WHEN ${isSame} THEN NULL ELSE r.reviewed_at END` })
    .where("r.id", "=", rowId)
    .returningAll()
    .returning(pricesOf("r").as("prices"))
    .executeTakeFirstOrThrow();
}

export function findPhoto(db: Database, photoId: string) {
  return firstOf<{ bytes: Buffer; result_id: number }>(db)`SELECT bytes, result_id FROM photos WHERE id = ${photoId}`;
}

/** Maps the URLs of photos to the URLs they replaced; null if the side had no image. */
export async function listReplaced(db: Database, photoUrls: readonly string[]): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ url: string; replaced_url: string | null }>`
    SELECT url, replaced_url FROM unnest(${photoUrls}::text[]) AS url
    JOIN photos ON photos.id = substr(url, ${OWN_PHOTO_PATH.length + 1}::int)::uuid`.execute(db);
  return new Map(rows.map(({ url, replaced_url }) => [url, replaced_url]));
}

export async function hasRowsOf(db: Database, card: ImageComparison): Promise<boolean> {
  return (await firstOf(db)`SELECT 1 FROM scan_results AS r WHERE ${isOf(card)} LIMIT 1`) !== null;
}

/** Flags a cached cert whose two images are the same. */
export async function markKnownSame(db: Database, { company, certNumber, front, back }: ImageComparison) {
  const known: Pair = [sql`card->>'imageUrl'`, sql`card->>'imageUrlBack'`];
  await sql`
    UPDATE cached_certs SET same_sides = true
    WHERE grading_company = ${company} AND cert_number = ${certNumber}
      AND ${areSides([sql`${front}`, sql`${back}`], known)}`.execute(db);
}

/**
 * Lists sessions with rows that show these two images without the flag. Call it after `markKnownSame`. Waits for open
 * transactions that copy cached certs (`beginTaking`), because other sessions can use the card during the comparison.
 */
export function listSessionsShowing(db: Database, sides: ImageComparison): Promise<string[]> {
  return listSessions(db, doNotKnow(sides));
}

/** Flags the session's rows that show these images and clears their `reviewed_at`. */
export async function markRowsSame({ trx, sessionId, eventSeq }: LockedSession, sides: ImageComparison): Promise<void> {
  await sql`
    UPDATE scan_results AS r SET same_sides = true, reviewed_at = NULL, event_seq = ${eventSeq}
    WHERE r.session_id = ${sessionId} AND ${doNotKnow(sides)}`.execute(trx);
}

function doNotKnow(sides: ImageComparison): RawBuilder<boolean> {
  const shown: Pair = [sql.ref("r.front_image_url"), sql.ref("r.back_image_url")];
  return sql`(${isOf(sides)} AND NOT r.same_sides AND ${areSides(shown, [sql`${sides.front}`, sql`${sides.back}`])})`;
}

function isOf({ company, certNumber }: Pick<ImageComparison, "company" | "certNumber">): RawBuilder<boolean> {
  // The length conditions must match the predicate of scan_results_cert; otherwise it is not used.
  return sql`(r.grading_company = ${company} AND r.cert_number = ${certNumber}
    AND length(r.grading_company) <= 100 AND length(r.cert_number) <= 100)`;
}

/** Lists sessions with rows of a cached cert that have no image. Waits for open transactions that copy the cert. */
export function listSessionsWithoutImages(db: Database, { gradingCompany, certNumber }: Card): Promise<string[]> {
  return listSessions(db, sql`${isOf({ company: gradingCompany, certNumber })} AND ${HAS_NO_IMAGE}`);
}

async function listSessions(db: Database, rowsMeant: RawBuilder<unknown>): Promise<string[]> {
  await waitForTakers(db);
  return valuesOf<string>(db)`
    SELECT DISTINCT r.session_id FROM scan_results AS r WHERE ${rowsMeant}`;
}

const HAS_NO_IMAGE = sql<boolean>`(r.outcome = 'found'
  AND (r.front_image_url = ${NOT_AVAILABLE} OR r.back_image_url = ${NOT_AVAILABLE}))`;

/** Shows a card's late images in the session's rows, and replaces the card's note unless someone changed it. */
export async function showLateImages(
  { trx, sessionId, eventSeq }: LockedSession,
  { card, before, notes }: { card: Card; before: string; notes: string },
): Promise<void> {
  const { gradingCompany, certNumber, imageUrl, imageUrlBack } = card;
  const sideOf = (column: string, url: string) =>
    sql`${sql.ref(column)} = CASE WHEN ${sql.ref(`r.${column}`)} = ${NOT_AVAILABLE} THEN ${url} ELSE ${sql.ref(`r.${column}`)} END`;
  const withNote = (note: string) => sql`concat_ws(' · ', NULLIF(r.sheet_notes, ''), NULLIF(${note}::text, ''))`;
  await sql`
    UPDATE scan_results AS r SET ${sideOf("front_image_url", imageUrl)}, ${sideOf("back_image_url", imageUrlBack)},
      notes = CASE WHEN r.notes = ${withNote(before)} THEN ${withNote(notes)} ELSE r.notes END, event_seq = ${eventSeq}
    WHERE r.session_id = ${sessionId} AND ${isOf({ company: gradingCompany, certNumber })} AND ${HAS_NO_IMAGE}
    `.execute(trx);
}

/** Swaps a row's front and back images. Returns null unless both exist and differ. */
export function swapImages({ trx, eventSeq }: LockedSession, rowId: number): Promise<RowRecord | null> {
  return firstOf<RowRecord>(trx)`
    UPDATE scan_results AS r SET front_image_url = back_image_url, back_image_url = front_image_url,
      event_seq = ${eventSeq}
    WHERE id = ${rowId} AND front_image_url <> ${NOT_AVAILABLE} AND back_image_url <> ${NOT_AVAILABLE}
      AND front_image_url <> back_image_url
    RETURNING r.*, ${pricesOf("r")} AS prices`;
}
