/**
 * Why the embedded database can't be used. The person who starts the server can fix each of these; the message says
 * how.
 */
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

/** The embedded database can't start or has stopped. The message is for the person who started the server. */
export class EmbeddedDatabaseError extends Error {
  override name = "EmbeddedDatabaseError";
  readonly problem: EmbeddedDatabaseProblem;

  constructor(problem: EmbeddedDatabaseProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

/** The alternative if this machine can't run the embedded database. */
export const OR_DATABASE_URL = "or set DATABASE_URL to a PostgreSQL 15 or newer";

const FULL = new Set(["ENOSPC", "EDQUOT"]);
const FORBIDDEN = new Set(["EACCES", "EPERM", "EROFS"]);
const NOT_A_FOLDER = new Set(["ENOTDIR", "EEXIST"]);

/** Explains a failed file operation on the data folder. Returns unexpected errors unchanged. */
export function explainFileError(error: unknown, folder: string): unknown {
  const code = codeOf(error);
  if (code === undefined || error instanceof EmbeddedDatabaseError) return error;
  if (FULL.has(code)) return diskFull(folder, error);
  if (FORBIDDEN.has(code)) {
    return new EmbeddedDatabaseError(
      "no_rights",
      `The data folder ${folder} cannot be written by this account. Start the server as the account that owns it, ` +
        `set DATA_DIR to a folder of your own, ${OR_DATABASE_URL}.`,
      { cause: error },
    );
  }
  if (NOT_A_FOLDER.has(code)) {
    return new EmbeddedDatabaseError("foreign_folder", `${folder} is not a folder. Set DATA_DIR to an empty folder.`, {
      cause: error,
    });
  }
  return error;
}

export function diskFull(folder: string, cause: unknown): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    "disk_full",
    `The disk of ${folder} is full. Free at least 200 MB or set DATA_DIR to a folder on another disk, then start again; ` +
      "nothing that was saved is lost.",
    { cause },
  );
}

/** The system error code (`ENOENT`, …), if there is one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
