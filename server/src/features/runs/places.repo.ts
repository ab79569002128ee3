import { sql } from "kysely";
import type { Database } from "../../database/connection.ts";
import { rowsOf } from "../../database/statements.ts";

/*
 * The place at which a lane is. A new or resumed run begins there: from place 0, it would delay every run that has come
 * further, again and again.
 */

/** The lane's place for the company of a row, in SQL. */
export const PLACE_OF_LANE = sql<number>`(SELECT place FROM lanes WHERE name = lower(grading_company))`;

export async function listPlaces(db: Database): Promise<Map<string, number>> {
  const lanes = await rowsOf<{ name: string; place: number }>(db)`SELECT name, place FROM lanes`;
  return new Map(lanes.map(({ name, place }) => [name, place]));
}

/** Notes the places of started lookups, each lane's at most once in `everyMs`. */
export function createPlaceNotes(db: Database, everyMs: number) {
  const writtenAt = new Map<string, number>();
  return async (lane: string, place: number): Promise<void> => {
    if (performance.now() - (writtenAt.get(lane) ?? -Infinity) < everyMs) return;
    writtenAt.set(lane, performance.now());
    await sql`UPDATE lanes SET place = ${place} WHERE name = ${lane} AND place < ${place}`.execute(db);
  };
}
