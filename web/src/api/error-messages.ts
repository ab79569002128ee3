import { ApiError, NetworkError, RequestTimeoutError, UnexpectedAnswerError } from "./errors.ts";

/** Shown for unexpected errors. */
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
    return "The server has a newer or older version than this page. Reload the page.";
  return UNEXPECTED_MESSAGE;
}

/** The support reference shown to staff; null if the error has no request ID. */
export function errorReference(error: unknown): string | null {
  return error instanceof ApiError && error.requestId !== null ? `Request ${error.requestId}` : null;
}

/** Sign-in shows the server's message as is, and a generic message for any other error. */
export function signInErrorMessage(error: unknown): string {
  return error instanceof ApiError ? error.message : UNEXPECTED_MESSAGE;
}
