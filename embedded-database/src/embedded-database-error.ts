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

const tellFull = (folder: string): string => `The disk of ${folder} is full.`;
export const forbiddenMessage = (folder: string): string => `This account cannot write to the data folder ${folder}.`;
const tellNoFolder = (folder: string): string => `${folder} is not a folder.`;

/** How a failed file operation on the data folder is explained, by system error code. */
const FILE_PROBLEMS: Readonly<Record<string, [EmbeddedDatabaseProblem, (folder: string) => string]>> = {
  ENOSPC: ["disk_full", tellFull],
  EDQUOT: ["disk_full", tellFull],
  EACCES: ["no_rights", forbiddenMessage],
  EPERM: ["no_rights", forbiddenMessage],
  EROFS: ["no_rights", forbiddenMessage],
  ENOTDIR: ["foreign_folder", tellNoFolder],
  EEXIST: ["foreign_folder", tellNoFolder],
};

/** Explains a failed file operation on the data folder. Returns unexpected errors unchanged. */
export function explainFileError(error: unknown, folder: string): unknown {
  if (error instanceof EmbeddedDatabaseError) return error;
  const [problem, tell] = FILE_PROBLEMS[codeOf(error) ?? ""] ?? [];
  return problem && tell ? new EmbeddedDatabaseError(problem, tell(folder), { cause: error }) : error;
}

export function diskFull(folder: string, cause: unknown): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError("disk_full", tellFull(folder), { cause });
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
