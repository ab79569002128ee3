import type { ErrorCode } from "@slabdesk/contract/api/errors.ts";

type ApiErrorFacts = {
  status: number;
  code: ErrorCode | "unknown";
  requestId: string | null;
  fields?: Readonly<Record<string, string>> | undefined;
  retryAfterSeconds?: number | null;
  cause?: unknown;
};

/** The server answered, and its answer was an error. `message` is the server's words for staff. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** `unknown` when the answer did not carry our one error body (a proxy in between, for instance). */
  readonly code: ErrorCode | "unknown";
  /** Names the line in the server's log; null when the answer did not carry our error body. */
  readonly requestId: string | null;
  /** What is wrong with single fields of the request, by field name. */
  readonly fields: Readonly<Record<string, string>>;
  /** How long the server asks to wait before trying again; null when it said nothing. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, facts: ApiErrorFacts) {
    super(message, { cause: facts.cause });
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.fields = facts.fields ?? {};
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
  }
}

/** No answer arrived: the server is down, or the network is. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
}

/** The server did not answer within `timeoutMs`. */
export class RequestTimeoutError extends Error {
  override readonly name = "RequestTimeoutError";
  readonly timeoutMs: number;

  constructor(timeoutMs: number, options: ErrorOptions) {
    super(`Request timeout after ${timeoutMs}ms`, options);
    this.timeoutMs = timeoutMs;
  }
}

/** A success that is not what the contract says: browser and server are of different versions. */
export class UnexpectedAnswerError extends Error {
  override readonly name = "UnexpectedAnswerError";
}

/** Whether what was asked for is not there any more, or not for this user. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Whether the same request may well be answered in a moment: nobody answered, or a server that is busy or starting. */
export function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429;
  return error instanceof NetworkError || error instanceof RequestTimeoutError;
}
