/**
 * Why this page can no longer act for its user: the auth session ended, or the account was deactivated.
 * `must_change_password`: another tab signed this browser in with a one-time password. `must_set_up_two_step`:
 * administrators need two-step sign-in now. Those auth sessions are valid, but not for this page. `not_allowed`: the
 * user has lost a role; the auth session itself is still valid.
 */
export type SessionLoss = {
  reason: "signed_out" | "deactivated" | "must_change_password" | "must_set_up_two_step" | "not_allowed";
  /** For the login screen, in place of the usual message of the reason. */
  message?: string | undefined;
};

type Listener = (loss: SessionLoss) => void;

const listeners = new Set<Listener>();

export const announceSessionLoss: Listener = (loss) => listeners.forEach((listener) => listener(loss));

/** Only the signed-in page subscribes: before sign-in, a 401 is an ordinary response. Returns an unsubscribe function. */
export function onSessionLoss(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
