export const MAX_SHEET_ROWS = 100_000;

/** The maximum number of stored cells per line. Columns beyond it are ignored. */
export const MAX_SHEET_COLUMNS = 500;

/** The cells of each line, as typed. */
export type Lines = readonly (readonly string[])[];

export const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];
