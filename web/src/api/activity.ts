import {
  ACTIVITIES_PER_MINUTE,
  type ActivityFilter,
  type NewActivity,
  activityListSchema,
  type activityEntrySchema,
  type activityQuerySchema,
} from "@slabdesk/contract/api/activity.ts";
import type { z } from "zod";
import { apiUrl, request, requestJson } from "./http.ts";
import { logQuietly } from "./quiet-log.ts";

export type ActivityEntry = z.infer<typeof activityEntrySchema>;
export type ActivityList = z.infer<typeof activityListSchema>;
type ActivityQuery = ActivityFilter & Partial<Pick<z.infer<typeof activityQuerySchema>, "limit">> & { cursor?: string };

/** Lists all users' activity, newest first, 100 entries per page by default. `nextCursor` is null on the last page. */
export const listActivity = (query: ActivityQuery, signal: AbortSignal) =>
  request(activityListSchema, "admin/activity", { searchParams: query, signal });

export const activityExportUrl = (filter: ActivityFilter): string => apiUrl("admin/activity/export", filter);

/** Fewer than the server accepts in a minute, because a person may have several tabs open. */
const MOST_PER_MINUTE = ACTIVITIES_PER_MINUTE / 2;
let written: number[] = [];

/** Writes one activity-log entry, unless there were too many in the last minute. A failure goes to the console only; the user never sees it. */
export async function logActivity(activity: NewActivity): Promise<void> {
  const now = Date.now();
  written = written.filter((at) => now - at < 60_000);
  if (written.length >= MOST_PER_MINUTE) return;
  written.push(now);
  try {
    await requestJson("activity", { method: "post", json: activity });
  } catch (error) {
    logQuietly("Logging the activity failed", error);
  }
}
