/** SPEC section 5. */
const WRONG_FILE_MESSAGE = "Please select a valid CSV file.";

/** What a file chooser offers. What a file really is, its bytes tell. */
const ENDINGS = [".csv", ".tsv", ".tab", ".txt", ".xlsx", ".xlsm", ".xls"] as const;
export const ACCEPTED_FILES = [...ENDINGS, "text/csv"].join(",");

/** SPEC takes the MIME type text/csv; sheets of the other kinds, and systems that do not know CSV by it, go by the name. */
export function isSheetFile({ name, type }: { name: string; type: string }): boolean {
  if (type === "text/csv") return true;
  return !/^(?:image|audio|video|font)\//.test(type) && ENDINGS.some((ending) => name.toLowerCase().endsWith(ending));
}

/** SPEC's words for files of which some are no sheets; of several, which they are. Null when all are sheets. */
export function refusalOf(files: readonly { name: string; type: string }[]): string | null {
  const wrong = files.filter((file) => !isSheetFile(file)).map(({ name }) => `“${name}”`);
  if (wrong.length === 0) return null;
  if (files.length === 1) return WRONG_FILE_MESSAGE;
  return `${WRONG_FILE_MESSAGE} ${wrong.join(", ")} ${wrong.length === 1 ? "is" : "are"} no CSV, Excel or text file.`;
}

/** A session's file name for several files: "a.csv + 2 more". */
export function joinedName(names: readonly [string, ...string[]]): string {
  return names.length === 1 ? names[0] : `${names[0]} + ${names.length - 1} more`;
}
