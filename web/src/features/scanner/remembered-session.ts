/**
 * Which session to show again. A tab remembers what it showed last; the browser remembers a run whose end nobody has
 * seen yet, so that a tab opened after it finds it. The keys are the user's (see browser-storage.ts): they go when he
 * logs out. Storage may be forbidden; then nothing is remembered.
 */
const SHOWN_KEY = "slabdesk:scanner-session";
const UNFINISHED_KEY = "slabdesk:unfinished-session";

/** The session this tab showed last, else the run whose end nobody has seen; null when there is none. */
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

/** Notes that a run was seen going on, or that it was seen to be over. */
export function rememberUnfinished(sessionId: string, isRunning: boolean): void {
  guarded(() => {
    if (isRunning) localStorage.setItem(UNFINISHED_KEY, sessionId);
    else if (localStorage.getItem(UNFINISHED_KEY) === sessionId) localStorage.removeItem(UNFINISHED_KEY);
    return null;
  });
}

/** For a session that is deleted. */
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
