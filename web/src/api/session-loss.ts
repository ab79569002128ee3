/**
 * Why this page can no longer act for its user: the sign-in ended, or the account was deactivated.
 * `must_change_password`: another tab signed this browser in with a one-time password. That sign-in is valid, but not
 * for this page.
 */
export type SessionLoss = {
  reason: "signed_out" | "deactivated" | "must_change_password";
  /** For the login screen, in place of the usual message of the reason. */
  message?: string | undefined;
};

type LossListener = (loss: SessionLoss) => void;

const lossListeners = new Set<LossListener>();

/** Notifies listeners that the server no longer accepts the session. */
export function announceSessionLoss(loss: SessionLoss): void {
  for (const listener of lossListeners) listener(loss);
}

/**
 * Only the signed-in part of the page subscribes; before sign-in, a 401 is an ordinary response. Returns an unsubscribe
 * function.
 */
export function onSessionLoss(listener: LossListener): () => void {
  lossListeners.add(listener);
  return () => {
    lossListeners.delete(listener);
  };
}

const rightsListeners = new Set<() => void>();

/** Notifies listeners that the user has lost a role. The sign-in itself is still valid. */
export function announceLostRights(): void {
  for (const listener of rightsListeners) listener();
}

/** Returns an unsubscribe function. */
export function onLostRights(listener: () => void): () => void {
  rightsListeners.add(listener);
  return () => {
    rightsListeners.delete(listener);
  };
}
