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

/**
 * The embedded database can't start or has stopped. The message says what is wrong. What to do depends on the
 * application's settings, so the application adds it for each problem.
 */
export class EmbeddedDatabaseError extends Error {
  override name = "EmbeddedDatabaseError";
  readonly problem: EmbeddedDatabaseProblem;

  constructor(problem: EmbeddedDatabaseProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

/** How a failed file operation on the data folder is explained, by system error code. */
const FILE_PROBLEMS: Readonly<Record<string, [EmbeddedDatabaseProblem, (folder: string) => string]>> = {
  ENOSPC: ["disk_full", tellFull],
  EDQUOT: ["disk_full", tellFull],
  EACCES: ["no_rights", tellForbidden],
  EPERM: ["no_rights", tellForbidden],
  EROFS: ["no_rights", tellForbidden],
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

function tellFull(folder: string): string {
  return `The disk of ${folder} is full.`;
}

function tellForbidden(folder: string): string {
  return `This account cannot write to the data folder ${folder}.`;
}

function tellNoFolder(folder: string): string {
  return `${folder} is not a folder.`;
}

/** The system error code (`ENOENT`, …), if there is one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
