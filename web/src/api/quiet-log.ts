/**
 * For failures that SPEC section 8 keeps from the user: they stand in the browser's console and nowhere else. The only
 * place that writes there.
 */
export function logQuietly(message: string, error: unknown): void {
  console.warn(message, error);
}
