import type { SessionListQuery } from "./client.ts";

/** Every key of the query cache. The first word is what a whole family is invalidated by. */
export const queryKeys = {
  profile: () => ["profile"] as const,
  status: () => ["status"] as const,
  sessionLists: () => ["scan-sessions"] as const,
  sessionList: (query: SessionListQuery) => ["scan-sessions", query] as const,
  session: (sessionId: string) => ["scan-session", sessionId] as const,
  results: (sessionId: string) => ["scan-session", sessionId, "results"] as const,
};
