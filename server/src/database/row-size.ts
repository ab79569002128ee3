import { sql } from "kysely";

/* A sheet can fill a row with megabytes of text, so whatever reads many rows is limited by their texts too. */

/** The most text to read at a time. Usual rows have a few hundred characters. */
export const MOST_TEXT = 1_500_000;

/** The text that a sheet and its lookup put into a row of `scan_results`. Reading sizes reads no long values. */
export const ROW_TEXT = sql<number>`(cells_size + octet_length(cert_number) + octet_length(grading_company)
  + octet_length(price_text) + octet_length(notes) + octet_length(sheet_notes) + octet_length(COALESCE(item_name, ''))
  + octet_length(COALESCE(processing_error, '')))`;
