/**
 * Views of this page that show a session. If a session is open in two tabs of the page, a change in one refreshes the
 * other.
 */
type Follower = { sessionId: string; look: () => void };

const followers = new Set<Follower>();

/** Registers a follower; returns a function that unregisters it. */
export function joinFollowers(follower: Follower): () => void {
  followers.add(follower);
  return () => followers.delete(follower);
}

/** Refreshes all views of a session after this page changed it. */
export function refreshSession(sessionId: string): void {
  for (const follower of followers) if (follower.sessionId === sessionId) follower.look();
}
