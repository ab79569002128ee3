import { sql, type RawBuilder } from "kysely";
import type { LookUp } from "@slabdesk/contract/api/provenance.ts";

/* The attempts in a row's `look_ups`, oldest first. The statement that updates the row also appends its attempts. */

const MOST_KEPT = 20;

/** The current time, in the format of the attempts. */
export const AT_NOW = atText(sql`now()`);

/** Formats a timestamp as JSON does: ISO 8601 in UTC with milliseconds. */
export function atText(time: RawBuilder<unknown>): RawBuilder<string> {
  return sql`to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Appends attempts to `look_ups` and keeps the newest `MOST_KEPT`. */
export function lookUpsAnd(more: readonly LookUp[] | RawBuilder<unknown>, before = sql.ref("look_ups")) {
  const added = "toOperationNode" in more ? more : sql`${JSON.stringify(more)}::jsonb`;
  return sql<string>`jsonb_path_query_array(${before} || ${added}, ${`$[last - ${MOST_KEPT - 1} to last]`}::jsonpath)`;
}
