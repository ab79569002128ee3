import {
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
type ActivityQuery = ActivityFilter & Partial<Pick<z.infer<typeof activityQuerySchema>, "cursor" | "limit">>;

/** Lists all users' activity, newest first, 100 entries per page by default. `nextCursor` is null on the last page. */
export function listActivity(query: ActivityQuery, signal: AbortSignal): Promise<ActivityList> {
  return request(activityListSchema, "admin/activity", { searchParams: query, signal });
}

/** The CSV download URL for all matching entries. */
export function activityExportUrl(filter: ActivityFilter): string {
  return apiUrl("admin/activity/export", filter);
}

/** Writes one activity-log entry. A failure goes to the console only; the user never sees it. */
export async function logActivity(activity: NewActivity): Promise<void> {
  try {
    await requestJson("activity", { method: "post", json: activity });
  } catch (error) {
    logQuietly("Logging the activity failed", error);
  }
}
