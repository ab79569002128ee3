/** What the command ends with; docs/cli.md explains each to those who write scripts. */
export const EXIT = {
  /** Every row was found. */
  found: 0,
  /** The run is through and the file is written, but some rows failed. */
  rowsFailed: 1,
  /** Wrong usage, a file that cannot be read or written, or a sheet that the server refused. */
  refused: 2,
  /** No token, one that is not good any more, or one that may not do this. */
  notSignedIn: 3,
  /** The server cannot be reached, cannot serve, or is no Slabdesk server. */
  unreachable: 4,
  /** Ctrl-C, or somebody stopped the run. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command cannot do what was asked of it. The message is the words for the terminal, without the token. */
export class CommandError extends Error {
  override name = "CommandError";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The code of a system error like "ENOENT", which is all that can be said of it in one word. */
export function systemCodeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}
