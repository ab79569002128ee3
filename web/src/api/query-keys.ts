import type { ActivityFilter } from "@slabdesk/contract/api/activity.ts";
import type { Mode } from "@slabdesk/contract/api/cards.ts";
import type { AdminSessionsQuery, SessionListQuery } from "./sessions.ts";

/** All query-cache keys. The first element invalidates a whole family. */
export const queryKeys = {
  profile: () => ["profile"] as const,
  tablePreferences: (userId: string) => ["table-preferences", userId] as const,
  status: () => ["status"] as const,
  /** Source states, separate from the server status. The admin tab refetches them on its own. */
  serverSources: () => ["server-sources"] as const,
  sessionLists: () => ["scan-sessions"] as const,
  sessionList: (query: SessionListQuery) => ["scan-sessions", query] as const,
  /** Listed sessions, refetched on their own while they run. */
  runningSessions: (sessionIds: readonly string[]) => ["running-sessions", sessionIds] as const,
  /** Changes as rows arrive and when the run ends. */
  sessionLookupHistory: (sessionId: string, rowCount: number, isRunning: boolean) =>
    ["session-lookup-history", sessionId, rowCount, isRunning] as const,
  /** `sheet` is the number of a sheet in this tab. `after` identifies the last run, which can change what is cached. */
  scanPlan: (
    sheet: number,
    after: string | null,
    options: { mode: Mode; reuseKnown: boolean; includePricing: boolean },
  ) => ["scan-plan", sheet, after, options] as const,
  /** The effect of a choice of columns in a dialog. */
  columnsCheck: (dialogId: string, mapping: object) => ["columns-check", dialogId, mapping] as const,
  psaQuota: () => ["psa-quota"] as const,
  /** All admin data. */
  admin: () => ["admin"] as const,
  adminStats: () => ["admin", "stats"] as const,
  adminCharts: () => ["admin", "charts"] as const,
  adminSources: () => ["admin", "sources"] as const,
  adminUsers: () => ["admin", "users"] as const,
  /** All users' sessions, paged, for any filter. */
  adminSessionLists: () => ["admin", "sessions", "list"] as const,
  adminSessionList: (query: AdminSessionsQuery) => ["admin", "sessions", "list", query] as const,
  /** The newest matching sessions. */
  newestSessions: (query: AdminSessionsQuery) => ["admin", "sessions", "newest", query] as const,
  activityLog: (filter: ActivityFilter) => ["admin", "activity", "log", filter] as const,
  newestActivity: (filter: ActivityFilter) => ["admin", "activity", "newest", filter] as const,
  /** Log pages before a given entry never change. */
  olderActivity: (filter: ActivityFilter, cursor: string | null) => ["older-activity", filter, cursor] as const,
  newUserPassword: () => ["new-user-password"] as const,
  /** Without `userId`, the caller's own. */
  authSessions: (userId?: string) => (userId === undefined ? ["sign-ins"] : ["admin", "sign-ins", userId]),
};
