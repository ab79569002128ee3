import { z } from "zod";
import { storableText } from "../certs/text.ts";

/** The required activity types (docs/conformance.md, 7.2-25 to 7.2-41), followed by Slabdesk's own. */
export const ACTIVITY_TYPES = [
  "app_access",
  "navigation",
  "csv_upload",
  "template_download",
  "scan_started",
  "scan_completed",
  "scan_stopped",
  "csv_download",
  "results_cleared",
  "image_swap",
  "pricing_fetch",
  "login",
  "logout",
  "scan_session_created",
  "user_created",
  "user_status_changed",
  "session_deleted",
  "user_role_changed",
  "password_changed",
  "password_reset",
  "two_step_changed",
  "auth_sessions_ended",
  "source_changed",
  "entry_saved",
  "entry_removed",
  "login_failed",
  "activity_exported",
  "session_opened",
  "rows_searched",
] as const;
export const activityTypeSchema = z.enum(ACTIVITY_TYPES);
export type ActivityType = z.infer<typeof activityTypeSchema>;

/** Types that a client may report. The server logs its own exports and all other types itself. */
export const BROWSER_ACTIVITY_TYPES = [
  "app_access",
  "navigation",
  "csv_upload",
  "template_download",
  "csv_download",
  "results_cleared",
] as const satisfies readonly ActivityType[];

const METADATA_KEYS_AT_MOST = 20;
/** What one person's browser may log: entries per minute, and the characters of an entry as JSON. */
export const ACTIVITIES_PER_MINUTE = 60;
const LONGEST_ACTIVITY = 2_000;

export const newActivitySchema = z
  .object({
    activityType: z.enum(BROWSER_ACTIVITY_TYPES),
    description: z.string().trim().min(1).max(500),
    metadata: z
      .record(z.string().max(100), z.union([z.string().max(1000), z.number(), z.boolean(), z.null()]))
      .refine((metadata) => Object.keys(metadata).length <= METADATA_KEYS_AT_MOST, {
        error: `must have at most ${METADATA_KEYS_AT_MOST} entries`,
      })
      .default({}),
  })
  .refine((activity) => JSON.stringify(activity).length <= LONGEST_ACTIVITY, {
    error: `must have at most ${LONGEST_ACTIVITY} characters. Shorten the description or the metadata`,
  });
export type NewActivity = z.input<typeof newActivitySchema>;

/** Filters by user, by type and by day (UTC, both days included). */
export const activityFilterSchema = z.object({
  userId: z.string().max(100).overwrite(storableText).optional(),
  type: activityTypeSchema.optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
});
export type ActivityFilter = z.infer<typeof activityFilterSchema>;
export const activityQuerySchema = activityFilterSchema.extend({
  cursor: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});

export const activityEntrySchema = z.object({
  id: z.string(),
  userId: z.string(),
  activityType: activityTypeSchema,
  description: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  timestamp: z.string(),
  user: z.object({ email: z.string(), fullName: z.string() }),
});
export const activityListSchema = z.object({
  activity: z.array(activityEntrySchema),
  nextCursor: z.string().nullable(),
});
