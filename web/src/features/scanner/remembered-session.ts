import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { isGone } from "../../api/errors.ts";
import { getScanSession, listScanSessions } from "../../api/sessions.ts";
import { readItem, writeItem } from "../../ui/stored-items.ts";

/**
 * Which session to show again. A tab remembers its last session. The browser remembers a run whose end no one has seen,
 * so that a new tab finds it, and what was cleared. The keys belong to the user and are removed at logout.
 */
const SHOWN_KEY = "slabdesk:scanner-session";
const UNFINISHED_KEY = "slabdesk:unfinished-session";
const CLEARED_KEY = "slabdesk:cleared-session";

/** The newest running session, else the remembered one, else the newest since the last clear in this browser. */
export async function findSessionToShow(): Promise<ScanSession | null> {
  const { sessions } = await listScanSessions({ limit: 50 });
  const remembered = readItem("sessionStorage", SHOWN_KEY) ?? readItem("localStorage", UNFINISHED_KEY);
  const known = sessions.find(({ status }) => status === "processing") ?? sessions.find(({ id }) => id === remembered);
  if (known) return known;
  if (remembered === null) return sessions.find(({ startedAt }) => startedAt > clearedAt()) ?? null;
  return getScanSession(remembered).catch((error: unknown) => {
    if (!isGone(error)) throw error;
    forgetSession(remembered);
    return null;
  });
}

/** After a clear, no session up to this one comes back by itself. */
export function rememberCleared({ startedAt }: ScanSession): void {
  rememberSession(null);
  if (startedAt > clearedAt()) writeItem("localStorage", CLEARED_KEY, startedAt);
}

function clearedAt(): string {
  return readItem("localStorage", CLEARED_KEY) ?? "";
}

export function rememberSession(sessionId: string | null): void {
  writeItem("sessionStorage", SHOWN_KEY, sessionId);
}

/** Records whether the run was last seen running or over. */
export function rememberUnfinished(sessionId: string, isRunning: boolean): void {
  if (isRunning) writeItem("localStorage", UNFINISHED_KEY, sessionId);
  else if (readItem("localStorage", UNFINISHED_KEY) === sessionId) writeItem("localStorage", UNFINISHED_KEY, null);
}

/** For a session that is deleted or belongs to another user. */
export function forgetSession(sessionId: string): void {
  rememberUnfinished(sessionId, false);
  if (readItem("sessionStorage", SHOWN_KEY) === sessionId) rememberSession(null);
}
