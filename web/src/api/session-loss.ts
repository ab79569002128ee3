/**
 * Why this page can no longer act for its user: the sign-in ended, or the account was deactivated. `must_change_password`:
 * the browser's sign-in is now one by a one-time password, made in another tab; it is good, but not for this page.
 */
export type SessionLoss = "signed_out" | "deactivated" | "must_change_password";

type LossListener = (loss: SessionLoss) => void;

const lossListeners = new Set<LossListener>();

/** Tells whoever holds the signed-in session that the server no longer accepts it. */
export function announceSessionLoss(loss: SessionLoss): void {
  for (const listener of lossListeners) listener(loss);
}

/** Only the signed-in part of the page listens: before that a 401 is an ordinary answer. Returns the way to stop. */
export function onSessionLoss(listener: LossListener): () => void {
  lossListeners.add(listener);
  return () => {
    lossListeners.delete(listener);
  };
}

const rightsListeners = new Set<() => void>();

/** Tells that the server refused what the user's role allowed a moment ago; the sign-in itself is good. */
export function announceLostRights(): void {
  for (const listener of rightsListeners) listener();
}

/** Returns the way to stop. */
export function onLostRights(listener: () => void): () => void {
  rightsListeners.add(listener);
  return () => {
    rightsListeners.delete(listener);
  };
}
