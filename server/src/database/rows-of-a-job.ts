import { sql } from "kysely";

/**
 * A card that a session has in more rows than this gets more jobs. Otherwise, one job could change all rows of a large
 * sheet, and everyone's other cards would wait for it.
 */
export const ROWS_OF_A_JOB = 1_000;
/** Numbers the parts of a card's rows that get a job each. */
export const PART_OF_CARD = sql`
  (row_number() OVER (PARTITION BY grading_company, cert_number ORDER BY id) - 1) / ${ROWS_OF_A_JOB}`;
