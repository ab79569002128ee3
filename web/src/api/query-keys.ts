import type { ActivityFilter } from "@slabdesk/contract/api/activity.ts";
import type { Mode } from "@slabdesk/contract/api/cards.ts";
import type { AdminSessionsQuery } from "./admin-sessions-client.ts";
import type { SessionListQuery } from "./client.ts";

/** Every key of the query cache. The first word is what a whole family is invalidated by. */
export const queryKeys = {
  profile: () => ["profile"] as const,
  status: () => ["status"] as const,
  /** How the sources stand, beside the server's own status; the desk asks for them by itself. */
  serverSources: () => ["server-sources"] as const,
  sessionLists: () => ["scan-sessions"] as const,
  sessionList: (query: SessionListQuery) => ["scan-sessions", query] as const,
  /** A session of the list that is asked for by itself while it runs. */
  listedSession: (sessionId: string) => ["listed-session", sessionId] as const,
  session: (sessionId: string) => ["scan-session", sessionId] as const,
  /** It changes as rows come, and when the run ends. */
  sessionLookupHistory: (sessionId: string, rowCount: number, isRunning: boolean) =>
    ["session-lookup-history", sessionId, rowCount, isRunning] as const,
  results: (sessionId: string) => ["scan-session", sessionId, "results"] as const,
  /** `sheet` is the number of a sheet in this tab, `after` what was run last: it changes what is known. */
  scanPlan: (
    sheet: number,
    after: string | null,
    options: { mode: Mode; reuseKnown: boolean; acceptCompanies: boolean; includePricing: boolean },
  ) => ["scan-plan", sheet, after, options] as const,
  psaQuota: () => ["psa-quota"] as const,
  /** All of the admin's desk. */
  admin: () => ["admin"] as const,
  adminStats: () => ["admin", "stats"] as const,
  adminCharts: () => ["admin", "charts"] as const,
  adminSources: () => ["admin", "sources"] as const,
  adminUsers: () => ["admin", "users"] as const,
  /** Everybody's sessions in pages, whatever they have to match. */
  adminSessionLists: () => ["admin", "sessions", "list"] as const,
  adminSessionList: (query: AdminSessionsQuery) => ["admin", "sessions", "list", query] as const,
  /** The first few that match. */
  newestSessions: (query: AdminSessionsQuery) => ["admin", "sessions", "newest", query] as const,
  activityLog: (filter: ActivityFilter) => ["admin", "activity", "log", filter] as const,
  newestActivity: (filter: ActivityFilter) => ["admin", "activity", "newest", filter] as const,
  /** The log before an entry never changes. */
  olderActivity: (filter: ActivityFilter, cursor: string | null) => ["older-activity", filter, cursor] as const,
  newUserPassword: () => ["new-user-password"] as const,
  adminAuthSessions: (userId: string) => ["admin", "sign-ins", userId] as const,
  ownAuthSessions: () => ["own-sign-ins"] as const,
};
