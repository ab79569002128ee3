const WRONG_FILE_MESSAGE = "Please select a valid CSV file.";

/** The file chooser's filter. The file's type is detected from its bytes. */
const ENDINGS = [".csv", ".tsv", ".tab", ".txt", ".xlsx", ".xlsm", ".xls"] as const;
export const ACCEPTED_FILES = [...ENDINGS, "text/csv"].join(",");

/** Accepts the MIME type text/csv. Other sheet types, and systems without that MIME type, match by file extension. */
export function isSheetFile({ name, type }: { name: string; type: string }): boolean {
  if (type === "text/csv") return true;
  return !/^(?:image|audio|video|font)\//.test(type) && ENDINGS.some((ending) => name.toLowerCase().endsWith(ending));
}

/** The error for files that aren't sheets; names them if several files were chosen. Null if all are sheets. */
export function refusalOf(files: readonly { name: string; type: string }[]): string | null {
  const wrong = files.filter((file) => !isSheetFile(file)).map(({ name }) => `“${name}”`);
  if (wrong.length === 0) return null;
  if (files.length === 1) return WRONG_FILE_MESSAGE;
  return `${WRONG_FILE_MESSAGE} ${wrong.join(", ")} ${wrong.length === 1 ? "isn't a CSV, Excel or text file" : "aren't CSV, Excel or text files"}.`;
}

/** The session file name for several files: "a.csv + 2 more". */
export function joinedName(names: readonly [string, ...string[]]): string {
  return names.length === 1 ? names[0] : `${names[0]} + ${names.length - 1} more`;
}
