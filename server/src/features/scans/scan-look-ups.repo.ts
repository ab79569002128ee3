import { sql, type RawBuilder } from "kysely";
import type { LookUp } from "@slabdesk/contract/api/provenance.ts";

/* The attempts at a row's card, in `look_ups`, oldest first: written by the very statements that move the row. */

const MOST_KEPT = 20;

/** The moment of a statement as it is written among the attempts. */
export const AT_NOW = atText(sql`now()`);

/** A time of the database as JSON holds times: ISO 8601 in UTC, to the millisecond. */
export function atText(time: RawBuilder<unknown>): RawBuilder<string> {
  return sql`to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** What `look_ups` becomes when attempts come to it. The newest are kept. */
export function lookUpsAnd(more: readonly LookUp[] | RawBuilder<unknown>, before = sql.ref("look_ups")) {
  const added = "toOperationNode" in more ? more : sql`${JSON.stringify(more)}::jsonb`;
  return sql<string>`jsonb_path_query_array(${before} || ${added}, ${`$[last - ${MOST_KEPT - 1} to last]`}::jsonpath)`;
}
