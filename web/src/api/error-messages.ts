import { ApiError, NetworkError, RequestTimeoutError, UnexpectedAnswerError } from "./errors.ts";

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
