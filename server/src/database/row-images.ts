import { sql, type RawBuilder } from "kysely";
import { OWN_PHOTO_PATH } from "@slabdesk/contract/api/photos.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import type { DatabaseTransaction } from "./connection.ts";
import { TAKING_LOCK } from "./lock-numbers.ts";

/* Parts of the statements that copy images to a row `r`, or flag duplicate images (`same_sides`). */

/** Returns the grader's URL in place of a user photo's. User photos are not copied to other rows. */
export function gradersImage(url: RawBuilder<unknown>): RawBuilder<string> {
  const id = sql`substr(${url}, ${OWN_PHOTO_PATH.length + 1}::int)::uuid`;
  return sql`CASE WHEN starts_with(${url}, ${OWN_PHOTO_PATH})
    THEN COALESCE((SELECT replaced_url FROM photos WHERE id = ${id}), ${NOT_AVAILABLE}) ELSE ${url} END`;
}

/** Whether the cached cert of row `r` flags these two URLs as the same image. */
export function areKnownSame(front: RawBuilder<unknown>, back: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`EXISTS (
    SELECT 1 FROM cached_certs AS k
    WHERE k.grading_company = r.grading_company AND k.cert_number = r.cert_number AND k.same_sides
      AND ${areSides([front, back], [sql`k.card->>'imageUrl'`, sql`k.card->>'imageUrlBack'`])})`;
}

/** Call this before copying `same_sides`: it blocks `endTaking` until commit, so that no copied row misses a flag. */
export async function beginTaking(trx: DatabaseTransaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(${TAKING_LOCK})`.execute(trx);
}

/** Waits for the transactions that called `beginTaking`, and blocks new ones until commit. */
export async function endTaking(trx: DatabaseTransaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${TAKING_LOCK})`.execute(trx);
}

export type Pair = readonly [RawBuilder<unknown>, RawBuilder<unknown>];

/** Whether two URLs are these two, in either order. */
export function areSides([front, back]: Pair, [one, other]: Pair): RawBuilder<boolean> {
  return sql`(${front}, ${back}) IN ((${one}, ${other}), (${other}, ${one}))`;
}
