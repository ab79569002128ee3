import { sql } from "kysely";
import type { Database } from "../../database/connection.ts";
import { rowsOf } from "../../database/statements.ts";

/*
 * A lane's place is that of the latest started lookup. New and resumed runs begin there. If they began at place 0, they
 * would delay every run that is further along.
 */

/** The place of the lane of a row's company, in SQL. */
export const PLACE_OF_LANE = sql<number>`(SELECT place FROM lanes WHERE name = lower(grading_company))`;

export async function listPlaces(db: Database): Promise<Map<string, number>> {
  const lanes = await rowsOf<{ name: string; place: number }>(db)`SELECT name, place FROM lanes`;
  return new Map(lanes.map(({ name, place }) => [name, place]));
}

/** Records the places of started lookups, at most once every `everyMs` milliseconds for each lane. */
export function createPlaceNotes(db: Database, everyMs: number) {
  const writtenAt = new Map<string, number>();
  return async (lane: string, place: number): Promise<void> => {
    if (performance.now() - (writtenAt.get(lane) ?? -Infinity) < everyMs) return;
    writtenAt.set(lane, performance.now());
    await sql`UPDATE lanes SET place = ${place} WHERE name = ${lane} AND place < ${place}`.execute(db);
  };
}
