/**
 * Who in this page shows which session. One session may be open in two tabs of the page; what is changed in one of
 * them is looked for at once in the other.
 */
type Follower = { sessionId: string; look: () => void };

const followers = new Set<Follower>();

/** Returns the way out. */
export function joinFollowers(follower: Follower): () => void {
  followers.add(follower);
  return () => followers.delete(follower);
}

/** Something was changed in a session from here: everybody who shows it looks again. */
export function refreshSession(sessionId: string): void {
  for (const follower of followers) if (follower.sessionId === sessionId) follower.look();
}
