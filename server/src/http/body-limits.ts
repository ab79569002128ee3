/** Fits the ids of every row of the largest session: 100,000 ids of 15 digits. */
export const LARGEST_SELECTION_BYTES = 2 * 1024 * 1024;

/** Fits 100,000 rows of a wide sheet. */
export const LARGEST_UPLOAD_BYTES = 64 * 1024 * 1024;
