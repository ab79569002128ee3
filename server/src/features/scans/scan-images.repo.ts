import { sql, type RawBuilder, type Transaction } from "kysely";
import { OWN_PHOTO_PATH } from "@slabdesk/contract/api/photos.ts";
import type { ImageSide } from "@slabdesk/contract/api/results.ts";
import type { Database } from "../../database/connection.ts";
import type { Schema } from "../../database/schema.ts";
import type { RowRecord } from "./scans.present.ts";

/*
 * A row's pictures: which it shows, people's own photos, and whether both sides were seen to be one. Whoever changes rows
 * holds the session's event number.
 */

type Trx = Transaction<Schema>;

const COLUMNS = { front: "front_image_url", back: "back_image_url" } as const satisfies Record<
  ImageSide,
  keyof RowRecord
>;

/** The row as it is under the session's lock; null when it has gone. */
export async function findRowInTurn(trx: Trx, rowId: number): Promise<RowRecord | null> {
  return (await trx.selectFrom("scan_results").selectAll().where("id", "=", rowId).executeTakeFirst()) ?? null;
}

/** Keeps a photo of a row's card; answers the address that shows it. */
export async function insertPhoto(
  trx: Trx,
  photo: { rowId: number; bytes: Buffer; replacedUrl: string | null },
): Promise<string> {
  const { id } = await trx
    .insertInto("photos")
    .values({ result_id: photo.rowId, bytes: photo.bytes, replaced_url: photo.replacedUrl })
    .returning("id")
    .executeTakeFirstOrThrow();
  return OWN_PHOTO_PATH + id;
}

/** Takes a photo of this row away; answers what it stood in place of, or null when there is no such photo. */
export async function deletePhoto(
  trx: Trx,
  rowId: number,
  photoId: string,
): Promise<{ replaced_url: string | null } | null> {
  const deleted = await trx
    .deleteFrom("photos")
    .where("id", "=", photoId)
    .where("result_id", "=", rowId)
    .returning("replaced_url")
    .executeTakeFirst();
  return deleted ?? null;
}

/** Lets a side of a row show this picture. Whether both sides are one is what was seen of the two addresses. */
export async function showPicture(
  trx: Trx,
  rowId: number,
  side: ImageSide,
  url: string | null,
  eventSeq: number,
): Promise<RowRecord> {
  await trx
    .updateTable("scan_results")
    .set({ [COLUMNS[side]]: url, event_seq: eventSeq })
    .where("id", "=", rowId)
    .execute();
  return trx
    .updateTable("scan_results as r")
    .set({
      same_sides: sql`EXISTS (
        SELECT 1 FROM known_certs AS k
        WHERE k.grading_company = r.grading_company AND k.cert_number = r.cert_number AND k.same_sides
          AND ${areAddresses(sql`k.card->>'imageUrl'`, sql`k.card->>'imageUrlBack'`)})`,
    })
    .where("r.id", "=", rowId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A photo for those who may see its row: its owner, or any admin. */
export async function findPhoto(
  db: Database,
  photoId: string,
  viewer: { id: string; role: string },
): Promise<Buffer | null> {
  let query = db
    .selectFrom("photos")
    .innerJoin("scan_results", "scan_results.id", "photos.result_id")
    .select("photos.bytes")
    .where("photos.id", "=", photoId);
  if (viewer.role !== "admin") query = query.where("scan_results.user_id", "=", viewer.id);
  return (await query.executeTakeFirst())?.bytes ?? null;
}

export async function findPhotoBytes(db: Database, photoId: string): Promise<Buffer | null> {
  const photo = await db.selectFrom("photos").select("bytes").where("id", "=", photoId).executeTakeFirst();
  return photo?.bytes ?? null;
}

/** What the grader shows where a row `r` shows this address; another row is not given somebody's photo of this one. */
export function gradersPicture(url: RawBuilder<unknown>): RawBuilder<string> {
  return sql`COALESCE((SELECT replaced_url FROM photos WHERE ${OWN_PHOTO_PATH} || id = ${url}), ${url})`;
}

export type Sides = { company: string; certNumber: string; front: string; back: string };

/** Notes of a card's known record that its two pictures are one. */
export async function markKnownSame(db: Database, { company, certNumber, front, back }: Sides): Promise<void> {
  await sql`
    UPDATE known_certs SET same_sides = true
    WHERE grading_company = ${company} AND cert_number = ${certNumber} AND card->>'imageUrl' = ${front}
      AND card->>'imageUrlBack' = ${back}`.execute(db);
}

/** Sessions with rows that show these two and do not know it: others may have taken the card while it was looked at. */
export async function listSessionsShowing(db: Database, sides: Sides): Promise<string[]> {
  const { rows } = await sql<{ session_id: string }>`
    SELECT DISTINCT r.session_id FROM scan_results AS r WHERE ${doNotKnow(sides)}`.execute(db);
  return rows.map(({ session_id }) => session_id);
}

/** Notes it of a session's rows. */
export async function markRowsSame(trx: Trx, sessionId: string, eventSeq: number, sides: Sides): Promise<void> {
  await sql`
    UPDATE scan_results AS r SET same_sides = true, event_seq = ${eventSeq}
    WHERE r.session_id = ${sessionId} AND ${doNotKnow(sides)}`.execute(trx);
}

function doNotKnow({ company, certNumber, front, back }: Sides): RawBuilder<boolean> {
  // The lengths as the index scan_results_cert has them (migration 0008), else it is not used.
  return sql`(r.grading_company = ${company} AND r.cert_number = ${certNumber} AND NOT r.same_sides
    AND length(r.grading_company) <= 100 AND length(r.cert_number) <= 100 AND ${areAddresses(sql`${front}`, sql`${back}`)})`;
}

/** Whether row `r` shows these two addresses, swapped or not. */
function areAddresses(front: RawBuilder<unknown>, back: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(r.front_image_url, r.back_image_url) IN ((${front}, ${back}), (${back}, ${front}))`;
}
