import type { ErrorCode } from "@slabdesk/contract/api/errors.ts";

type ApiErrorFacts = Pick<ApiError, "status" | "code" | "requestId"> &
  Partial<Pick<ApiError, "fields" | "retryAfterSeconds">>;

/** The server returned an error response. `message` is the server's text for the user. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** `unknown` if the response didn't have the standard error body, for example from a proxy. */
  readonly code: ErrorCode | "unknown";
  /** Identifies the server log entry; null if the response didn't have the standard error body. */
  readonly requestId: string | null;
  /** Validation messages, by request field name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Seconds to wait before a retry, from the server; null if the server gave none. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, facts: ApiErrorFacts) {
    super(message);
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.fields = facts.fields ?? {};
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
  }
}

/** No response arrived: the server or the network is down. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
}

/** The server didn't respond within `timeoutMs`. */
export class RequestTimeoutError extends Error {
  override readonly name = "RequestTimeoutError";
  readonly timeoutMs: number;

  constructor(timeoutMs: number, options: ErrorOptions) {
    super(`Request timeout after ${timeoutMs}ms`, options);
    this.timeoutMs = timeoutMs;
  }
}

/** A successful response that doesn't match the contract, because the browser and server versions differ. */
export class UnexpectedAnswerError extends Error {
  override readonly name = "UnexpectedAnswerError";
}

/** True if the resource no longer exists or this user may not see it. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** True if a retry may succeed: no response arrived, or the server is busy or starting. */
export function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429;
  return error instanceof NetworkError || error instanceof RequestTimeoutError;
}
