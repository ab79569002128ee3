import { sql } from "kysely";

/**
 * The rows of a session after the row `cursor`. Order a page of them by `session_id, id`. The condition is a range of the
 * index on these two columns: with `session_id = …`, the planner may read the whole table by `id`, including other
 * sessions' rows, because it assumes that each session's rows are spread over the table.
 */
export const rowsAfter = (sessionId: string, cursor: number) =>
  sql<boolean>`(session_id, id) > (${sessionId}, ${cursor}) AND session_id <= ${sessionId}`;
