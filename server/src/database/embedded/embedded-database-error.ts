/**
 * Why the embedded database cannot be used. Each names something the person starting the server can change; the
 * message says what.
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

/** The embedded database cannot start or go on. The message is written for the person who started the server. */
export class EmbeddedDatabaseError extends Error {
  override name = "EmbeddedDatabaseError";
  readonly problem: EmbeddedDatabaseProblem;

  constructor(problem: EmbeddedDatabaseProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

/** The way out where this machine cannot run the embedded database at all. */
export const OR_DATABASE_URL = "or set DATABASE_URL to a PostgreSQL 15 or newer";

const FULL = new Set(["ENOSPC", "EDQUOT"]);
const FORBIDDEN = new Set(["EACCES", "EPERM", "EROFS"]);
const NOT_A_FOLDER = new Set(["ENOTDIR", "EEXIST"]);

/** Turns a failed file operation on the data folder into what to do about it; anything unexpected is returned as it is. */
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

/** The system's code of a failed operation (`ENOENT`, …), if it has one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
