/**
 * Why this page can no longer act for its user: the sign-in ended, or the account was deactivated.
 * `must_change_password`: another tab signed this browser in with a one-time password. `must_set_up_two_step`:
 * administrators need two-step sign-in now. Those sign-ins are valid, but not for this page.
 */
export type SessionLoss = {
  reason: "signed_out" | "deactivated" | "must_change_password" | "must_set_up_two_step";
  /** For the login screen, in place of the usual message of the reason. */
  message?: string | undefined;
};

function createAnnouncement<Args extends unknown[]>() {
  const listeners = new Set<(...args: Args) => void>();
  return {
    announce: (...args: Args): void => listeners.forEach((listener) => listener(...args)),
    /** Returns an unsubscribe function. */
    subscribe: (listener: (...args: Args) => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/**
 * The server no longer accepts the session. Only the signed-in part of the page subscribes; before sign-in, a 401 is an
 * ordinary response.
 */
export const { announce: announceSessionLoss, subscribe: onSessionLoss } = createAnnouncement<[SessionLoss]>();

/** The user has lost a role. The sign-in itself is still valid. */
export const { announce: announceLostRights, subscribe: onLostRights } = createAnnouncement<[]>();
