import { sql } from "kysely";
import type { SourceName } from "@slabdesk/contract/api/sources.ts";
import type { Database } from "../../database/connection.ts";
import { numberOf } from "../../database/statements.ts";

/*
 * A lane's place is the one after the latest started lookup or price request. New and resumed runs begin there. If they
 * began at place 0, they would delay every run that is further along.
 */

export const placeOfLane = (db: Database, lane: SourceName): Promise<number> =>
  numberOf(db)`SELECT place FROM lanes WHERE name = ${lane}`;

/** Records that the job at a place has started, at most once every `everyMs` milliseconds for each lane. */
export function createPlaceNotes(db: Database, everyMs: number) {
  const writtenAt = new Map<SourceName, number>();
  return async (lane: SourceName, place: number): Promise<void> => {
    if (performance.now() - (writtenAt.get(lane) ?? -Infinity) < everyMs) return;
    writtenAt.set(lane, performance.now());
    await sql`UPDATE lanes SET place = ${place + 1} WHERE name = ${lane} AND place <= ${place}`.execute(db);
  };
}
