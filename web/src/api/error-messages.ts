import { ApiError, NetworkError, RequestTimeoutError, UnexpectedAnswerError } from "./errors.ts";

/** SPEC's words for what nobody expected. */
const UNEXPECTED_MESSAGE = "An unexpected error occurred. Please try again.";

/** SPEC's words for a session that ended under the user's hands. */
export const AUTHENTICATION_FAILED_MESSAGE = "Authentication failed";

/** Turns whatever was thrown into one sentence for staff. The only place that does. */
export function errorMessage(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof NetworkError) return "Could not reach the server. Check the connection and try again.";
  if (error instanceof RequestTimeoutError)
    return `The server did not answer within ${error.timeoutMs / 1000} seconds. Please try again.`;
  if (error instanceof UnexpectedAnswerError)
    return "The server is of another version than this page. Reload the page.";
  return UNEXPECTED_MESSAGE;
}

/** The line staff can read to whoever looks after the server; null when there is nothing to look up. */
export function errorReference(error: unknown): string | null {
  return error instanceof ApiError && error.requestId !== null ? `Request ${error.requestId}` : null;
}

/** Sign-in shows what the server said as it said it, and SPEC's sentence for everything else. */
export function signInErrorMessage(error: unknown): string {
  return error instanceof ApiError ? error.message : UNEXPECTED_MESSAGE;
}
