/** The exit codes. docs/cli.md describes them for script authors. */
export const EXIT = {
  found: 0,
  /** The run is complete and the file is written, but some rows failed. */
  rowsFailed: 1,
  /** Wrong usage, a file that can't be read or written, or a sheet that the server rejected. */
  refused: 2,
  /** The token is missing, expired or not authorized. */
  notSignedIn: 3,
  /** The server can't be reached, is out of service, or isn't a Slabdesk server. */
  unreachable: 4,
  /** Ctrl-C, or a user stopped the run. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The command failed. The message is for the terminal and never contains the token. */
export class CommandError extends Error {
  override name = "CommandError";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

export function systemCodeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** A temporary failure. `busy`: reported by the server or a proxy. `broken`: an invalid response. */
export class NotNow extends Error {
  override name = "NotNow";
  readonly kind: "unreached" | "busy" | "broken";
  readonly retryAfterMs: number | null;

  constructor(kind: NotNow["kind"], message: string, options: ErrorOptions & { retryAfterMs?: number | null } = {}) {
    super(message, options);
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
