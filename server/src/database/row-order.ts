import { sql } from "kysely";

/**
 * The rows of a session after the row `cursor`, for a page of them: `ORDER BY session_id, id`. Written as a range of the
 * index on both. With `session_id = …`, the planner may read the whole table in the order of `id`, other sessions'
 * rows included, because it assumes that each session's rows are spread over all of it.
 */
export const rowsAfter = (sessionId: string, cursor: number) =>
  sql<boolean>`(session_id, id) > (${sessionId}, ${cursor}) AND session_id <= ${sessionId}`;
