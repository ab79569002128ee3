type Listener = () => void;

const listeners = new Set<Listener>();

/** Tells whoever holds the signed-in session that the server no longer accepts it (a 401 or 403 on any call). */
export function announceSessionLoss(): void {
  for (const listener of listeners) listener();
}

/** Only the signed-in part of the page listens: before that a 401 is an ordinary answer. Returns the way to stop. */
export function onSessionLoss(listener: Listener): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
