/** Logs a failure that the user must not see. Only this function writes to the browser console. */
export function logQuietly(message: string, error: unknown): void {
  console.warn(message, error);
}
