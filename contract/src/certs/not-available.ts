/** What stands where a grader has no value. */
export const NOT_AVAILABLE = "N/A";
