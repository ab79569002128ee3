/**
 * Which session to show again. A tab remembers its last session. The browser remembers a run whose end no one has seen,
 * so that a new tab finds it. The keys belong to the user and are removed at logout (see browser-storage.ts). If the
 * browser blocks storage, nothing is remembered.
 */
const SHOWN_KEY = "slabdesk:scanner-session";
const UNFINISHED_KEY = "slabdesk:unfinished-session";

/** This tab's last session, else the run whose end no one has seen, else null. */
export function rememberedSessionId(): string | null {
  return guarded(() => sessionStorage.getItem(SHOWN_KEY) ?? localStorage.getItem(UNFINISHED_KEY));
}

export function rememberSession(sessionId: string | null): void {
  guarded(() => {
    if (sessionId === null) sessionStorage.removeItem(SHOWN_KEY);
    else sessionStorage.setItem(SHOWN_KEY, sessionId);
    return null;
  });
}

/** Records whether the run was last seen running or over. */
export function rememberUnfinished(sessionId: string, isRunning: boolean): void {
  guarded(() => {
    if (isRunning) localStorage.setItem(UNFINISHED_KEY, sessionId);
    else if (localStorage.getItem(UNFINISHED_KEY) === sessionId) localStorage.removeItem(UNFINISHED_KEY);
    return null;
  });
}

/** For a deleted session. */
export function forgetSession(sessionId: string): void {
  rememberUnfinished(sessionId, false);
  if (guarded(() => sessionStorage.getItem(SHOWN_KEY)) === sessionId) rememberSession(null);
}

function guarded(access: () => string | null): string | null {
  try {
    return access();
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
