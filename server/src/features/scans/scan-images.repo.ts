import { sql, type RawBuilder, type Transaction } from "kysely";
import { OWN_PHOTO_PATH } from "@slabdesk/contract/api/photos.ts";
import type { ImageSide } from "@slabdesk/contract/api/results.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
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

/**
 * Lets a side of a row show this picture. Whether both sides are one is what was seen of the two addresses; a row that
 * comes to show one picture twice needs a look again.
 */
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
  await beginTaking(trx);
  const isSame = areKnownSame(sql.ref("r.front_image_url"), sql.ref("r.back_image_url"));
  return trx
    .updateTable("scan_results as r")
    .set({ same_sides: isSame, reviewed_at: sql`CASE WHEN ${isSame} THEN NULL ELSE r.reviewed_at END` })
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

/** What photos stand in place of, by their ids; null where that was nothing. */
export async function listReplaced(db: Database, photoIds: readonly string[]): Promise<Map<string, string | null>> {
  const photos = await db
    .selectFrom("photos")
    .select(["id", "replaced_url"])
    .where(sql<boolean>`id = ANY(${photoIds}::uuid[])`)
    .execute();
  return new Map(photos.map(({ id, replaced_url }) => [id, replaced_url]));
}

/** What the grader shows where a row shows this address; another row is not given somebody's photo of this one. */
export function gradersPicture(url: RawBuilder<unknown>): RawBuilder<string> {
  const id = sql`substr(${url}, ${OWN_PHOTO_PATH.length + 1}::int)::uuid`;
  return sql`CASE WHEN starts_with(${url}, ${OWN_PHOTO_PATH})
    THEN COALESCE((SELECT replaced_url FROM photos WHERE id = ${id}), ${NOT_AVAILABLE}) ELSE ${url} END`;
}

/** Whether the known card of a row `r` says that the pictures behind these two addresses are one. */
export function areKnownSame(front: RawBuilder<unknown>, back: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`EXISTS (
    SELECT 1 FROM cached_certs AS k
    WHERE k.grading_company = r.grading_company AND k.cert_number = r.cert_number AND k.same_sides
      AND ${areSides([front, back], [sql`k.card->>'imageUrl'`, sql`k.card->>'imageUrlBack'`])})`;
}

/** Any number will do, as long as nothing else locks it. */
const TAKING_LOCK = 460_002;

/**
 * Comes before whatever gives rows what is known of pictures. Until the transaction ends, nobody lists the sessions that
 * show two which were just seen to be one: its rows, filled before that and seen by nobody yet, would never be told.
 */
export async function beginTaking(trx: Trx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(${TAKING_LOCK})`.execute(trx);
}

export type Sides = { company: string; certNumber: string; front: string; back: string };

/** Whether any session has a row of this card. */
export async function hasRowsOf(db: Database, card: Pick<Sides, "company" | "certNumber">): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM scan_results AS r WHERE ${isOf(card)} LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Notes of a card's known record that its two pictures are one. */
export async function markKnownSame(db: Database, { company, certNumber, front, back }: Sides): Promise<void> {
  const known: Two = [sql`card->>'imageUrl'`, sql`card->>'imageUrlBack'`];
  await sql`
    UPDATE cached_certs SET same_sides = true
    WHERE grading_company = ${company} AND cert_number = ${certNumber}
      AND ${areSides([sql`${front}`, sql`${back}`], known)}`.execute(db);
}

/**
 * Sessions with rows that show these two and do not know it: others may have taken the card while it was looked at. Comes
 * after `markKnownSame`, and waits for those who are taking cards at this moment.
 */
export async function listSessionsShowing(db: Database, sides: Sides): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(${TAKING_LOCK})`.execute(trx);
    const { rows } = await sql<{ session_id: string }>`
      SELECT DISTINCT r.session_id FROM scan_results AS r WHERE ${doNotKnow(sides)}`.execute(trx);
    return rows.map(({ session_id }) => session_id);
  });
}

/** Notes it of a session's rows, which need a look again. */
export async function markRowsSame(trx: Trx, sessionId: string, eventSeq: number, sides: Sides): Promise<void> {
  await sql`
    UPDATE scan_results AS r SET same_sides = true, reviewed_at = NULL, event_seq = ${eventSeq}
    WHERE r.session_id = ${sessionId} AND ${doNotKnow(sides)}`.execute(trx);
}

function doNotKnow({ company, certNumber, front, back }: Sides): RawBuilder<boolean> {
  return sql`(${isOf({ company, certNumber })} AND NOT r.same_sides
    AND ${areSides([sql.ref("r.front_image_url"), sql.ref("r.back_image_url")], [sql`${front}`, sql`${back}`])})`;
}

/** Rows `r` of a card. */
function isOf({ company, certNumber }: Pick<Sides, "company" | "certNumber">): RawBuilder<boolean> {
  // The lengths as the index scan_results_cert has them (migration 0008), else it is not used.
  return sql`(r.grading_company = ${company} AND r.cert_number = ${certNumber}
    AND length(r.grading_company) <= 100 AND length(r.cert_number) <= 100)`;
}

type Two = readonly [RawBuilder<unknown>, RawBuilder<unknown>];

/** Whether two addresses are these two, swapped or not. */
function areSides([front, back]: Two, [one, other]: Two): RawBuilder<boolean> {
  return sql`(${front}, ${back}) IN ((${one}, ${other}), (${other}, ${one}))`;
}
