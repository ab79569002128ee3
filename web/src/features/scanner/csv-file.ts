/** SPEC section 5. */
export const WRONG_FILE_MESSAGE = "Please select a valid CSV file.";

/** What Windows says of a .csv file when Excel is installed, and what browsers say when they know no type. */
const UNSURE_TYPES = ["application/vnd.ms-excel", ""];

/** SPEC takes the MIME type text/csv. Where the system does not know CSV by that type, the file's name decides. */
export function isCsvFile(file: { name: string; type: string }): boolean {
  if (file.type === "text/csv") return true;
  return UNSURE_TYPES.includes(file.type) && file.name.toLowerCase().endsWith(".csv");
}
