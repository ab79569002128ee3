import type { ActivityFilter } from "@slabdesk/contract/api/activity.ts";
import type { AdminSessionsQuery, SessionListQuery } from "./sessions.ts";

/** The query-cache keys that several places use. The first element invalidates a whole family. */
export const queryKeys = {
  profile: () => ["profile"] as const,
  status: () => ["status"] as const,
  sessionLists: () => ["scan-sessions"] as const,
  sessionList: (query: SessionListQuery) => ["scan-sessions", query] as const,
  admin: () => ["admin"] as const,
  adminSources: () => ["admin", "sources"] as const,
  /** All users' sessions, paged, for any filter. */
  adminSessionLists: () => ["admin", "sessions", "list"] as const,
  adminSessionList: (query: AdminSessionsQuery) => ["admin", "sessions", "list", query] as const,
  /** The newest matching sessions. */
  newestSessions: (query: AdminSessionsQuery) => ["admin", "sessions", "newest", query] as const,
  activityLog: (filter: ActivityFilter) => ["admin", "activity", "log", filter] as const,
  newestActivity: (filter: ActivityFilter) => ["admin", "activity", "newest", filter] as const,
  /** Without `userId`, the caller's own. */
  authSessions: (userId?: string) => (userId === undefined ? ["auth-sessions"] : ["admin", "auth-sessions", userId]),
};
