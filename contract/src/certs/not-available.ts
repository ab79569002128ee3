/** The text for a missing grader value. */
export const NOT_AVAILABLE = "N/A";
