/** A session's path in the API. */
export function sessionPath(sessionId: string, action?: string): string {
  return `scan-sessions/${encodeURIComponent(sessionId)}${action === undefined ? "" : `/${action}`}`;
}

/** A row's path in the API. */
export function rowPath(rowId: string, action?: string): string {
  return `scan-results/${encodeURIComponent(rowId)}${action === undefined ? "" : `/${action}`}`;
}
