/**
 * The session this tab showed last, so that a reload shows it again. The key is the user's (see browser-memory.ts): it
 * goes when he logs out. Storage may be forbidden; then nothing is remembered.
 */
const STORAGE_KEY = "slabdesk:scanner-session";

export function rememberedSessionId(): string | null {
  return guarded(() => sessionStorage.getItem(STORAGE_KEY));
}

export function rememberSession(sessionId: string | null): void {
  guarded(() => {
    if (sessionId === null) sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, sessionId);
    return null;
  });
}

function guarded(access: () => string | null): string | null {
  try {
    return access();
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
