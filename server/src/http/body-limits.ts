/** Fits the ids of every row of the largest session: 100,000 ids of 15 digits. */
export const LARGEST_SELECTION_BYTES = 2 * 1024 * 1024;
