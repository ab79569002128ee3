/** A body that names every row of the largest session: a hundred thousand ids of fifteen digits. */
export const LARGEST_SELECTION_BYTES = 2 * 1024 * 1024;
