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

const UNEXPECTED_MESSAGE = "An unexpected error occurred. Please try again.";

/** Shown when the session ends while the user is working. */
export const AUTHENTICATION_FAILED_MESSAGE = "Authentication failed";

/** Turns any thrown value into one sentence for the user. Only this function does so. */
export function errorMessage(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof NetworkError) return "Could not connect to backend server. Please ensure it is running.";
  if (error instanceof RequestTimeoutError)
    return `The server did not respond within ${error.timeoutMs / 1000} seconds. Please try again.`;
  if (error instanceof UnexpectedAnswerError)
    return "This page and the server have different versions. Reload the page.";
  return UNEXPECTED_MESSAGE;
}

/** The support reference shown to staff; null if the error has no request ID. */
export function errorReference(error: unknown): string | null {
  return error instanceof ApiError && error.requestId !== null ? `Request ${error.requestId}` : null;
}

/** What a part of a page loads; a query of TanStack Query is one. */
export type Load = { error: unknown; isFetching: boolean; refetch: () => unknown };

/** The props of the `ErrorPanel` of a failed load. `failure` says what failed, before the reason. */
export function loadProblem({ error, isFetching, refetch }: Load, failure?: string) {
  const reason = errorMessage(error);
  return {
    message: failure === undefined ? reason : `${failure} ${reason}`,
    reference: errorReference(error),
    isRetrying: isFetching,
    onRetry: (): void => void refetch(),
  };
}

/** Sign-in shows the server's message as is, and a generic message for any other error. */
export function signInErrorMessage(error: unknown): string {
  return error instanceof ApiError ? error.message : UNEXPECTED_MESSAGE;
}
