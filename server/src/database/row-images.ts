import { setTimeout } from "node:timers/promises";
import { sql, type RawBuilder } from "kysely";
import { OWN_PHOTO_PATH } from "@slabdesk/contract/api/photos.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import type { Database, DatabaseTransaction } from "./connection.ts";
import { TAKING_LOCK } from "./lock-numbers.ts";
import { valuesOf } from "./statements.ts";

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

/** Call this before copying `same_sides`: `waitForTakers` then waits for this transaction, so that no copied row misses a flag. */
export async function beginTaking(trx: DatabaseTransaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(${TAKING_LOCK})`.execute(trx);
}

/**
 * Waits until every transaction that has already called `beginTaking` ends. Doesn't request the lock, because PostgreSQL
 * would make all later transactions wait behind that request.
 */
export async function waitForTakers(db: Database): Promise<void> {
  const earlier = new Set(await listTakers(db));
  const isEarlier = (taker: string): boolean => earlier.has(taker);
  while (earlier.size > 0 && (await listTakers(db)).some(isEarlier)) await setTimeout(TAKERS_CHECK_MS);
}

const TAKERS_CHECK_MS = 100;

function listTakers(db: Database): Promise<string[]> {
  return valuesOf<string>(db)`
    SELECT virtualtransaction FROM pg_locks
    WHERE locktype = 'advisory' AND classid = 0 AND objid = ${TAKING_LOCK} AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
}

export type Pair = readonly [RawBuilder<unknown>, RawBuilder<unknown>];

/** Whether two URLs are these two, in either order. */
export function areSides([front, back]: Pair, [one, other]: Pair): RawBuilder<boolean> {
  return sql`(${front}, ${back}) IN ((${one}, ${other}), (${other}, ${one}))`;
}
