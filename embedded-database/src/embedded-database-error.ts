/** Why the embedded database can't be used. Whoever starts the application can fix each of these. */
export type EmbeddedDatabaseProblem =
  | "data_folder_in_use"
  | "disk_full"
  | "foreign_folder"
  | "no_account"
  | "no_rights"
  | "other_version"
  | "path_too_long"
  | "start_failed"
  | "stopped_by_itself"
  | "unsupported_platform";

/** The message says what is wrong. The application adds what to do, which depends on its settings. */
export class EmbeddedDatabaseError extends Error {
  override name = "EmbeddedDatabaseError";
  readonly problem: EmbeddedDatabaseProblem;

  constructor(problem: EmbeddedDatabaseProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

const FILE_MESSAGES = {
  disk_full: (folder: string) => `The disk of ${folder} is full.`,
  no_rights: (folder: string) => `This account cannot write to the data folder ${folder}.`,
  foreign_folder: (folder: string) => `${folder} is not a folder.`,
};

/** A failed file operation on the data folder. */
export function fileError(problem: keyof typeof FILE_MESSAGES, folder: string, cause: unknown): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(problem, FILE_MESSAGES[problem](folder), { cause });
}

const FILE_PROBLEMS: Readonly<Record<string, keyof typeof FILE_MESSAGES>> = {
  ENOSPC: "disk_full",
  EDQUOT: "disk_full",
  EACCES: "no_rights",
  EPERM: "no_rights",
  EROFS: "no_rights",
  ENOTDIR: "foreign_folder",
  EEXIST: "foreign_folder",
};

/** Explains a failed file operation on the data folder. Returns unexpected errors unchanged. */
export function explainFileError(error: unknown, folder: string): unknown {
  const problem = FILE_PROBLEMS[codeOf(error) ?? ""];
  return problem ? fileError(problem, folder, error) : error;
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Returns the result of the work, or `instead` if it fails with one of these system error codes. */
export async function unlessFailed<T, U>(codes: string[], instead: U, work: () => Promise<T>): Promise<T | U> {
  try {
    return await work();
  } catch (error) {
    if (codes.includes(codeOf(error) ?? "")) return instead;
    throw error;
  }
}
