import { sql } from "kysely";

/**
 * The most rows of a session with the same cert that share a job. Without a limit, one job could change all rows of a
 * large sheet while everyone else's cards wait for it.
 */
export const ROWS_OF_A_JOB = 1_000;
/** Numbers the parts of a card's rows. Each part gets a job. */
export const PART_OF_CARD = sql`
  (row_number() OVER (PARTITION BY grading_company, cert_number ORDER BY id) - 1) / ${ROWS_OF_A_JOB}`;
