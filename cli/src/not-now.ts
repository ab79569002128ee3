/**
 * A temporary failure. `unreached`: no response. `busy`: the server or a proxy reported that it is busy. `broken`: the
 * response was invalid, which may not repeat.
 */
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
