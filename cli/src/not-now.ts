/**
 * A try that failed and may succeed later. `unreached`: no answer came. `busy`: the server says so itself, or something
 * in front of it. `broken`: an answer came and was of no use, which may happen again.
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
