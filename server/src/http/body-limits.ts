/** Enough for a form. Small, because clients that aren't signed in can send bodies too. */
export const LARGEST_FORM_BYTES = 16 * 1024;

/** Fits a text of some ten thousand characters, however it is written. */
export const LARGEST_TEXT_BYTES = 256 * 1024;

/** Fits 500 rows of a usual sheet. */
export const LARGEST_ADDITION_BYTES = 1024 * 1024;

/** Fits the ids of every row of the largest session: 100,000 ids of 15 digits. */
export const LARGEST_SELECTION_BYTES = 2 * 1024 * 1024;

/** How many problems of a body are reported. A large body can have a hundred thousand. */
export const MOST_PROBLEMS = 20;

/** Fits 100,000 rows of a wide sheet. */
export const LARGEST_UPLOAD_BYTES = 64 * 1024 * 1024;
