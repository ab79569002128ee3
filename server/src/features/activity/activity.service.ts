import type { FastifyBaseLogger } from "fastify";
import type { z } from "zod";
import type { activityListSchema, ActivityType } from "@slabdesk/contract/api/activity.ts";
import type { Database } from "../../database/connection.ts";
import * as repo from "./activity.repo.ts";

/** SPEC section 9: what the log shows at once. */
const LISTED = 100;

export type ActivityService = ReturnType<typeof createActivityService>;

export function createActivityService({ db, log }: { db: Database; log: FastifyBaseLogger }) {
  return {
    /** Notes what somebody did. A failure is logged and never reaches the deed itself (SPEC section 8). */
    async log(
      userId: string,
      activityType: ActivityType,
      description: string,
      metadata: Record<string, unknown> = {},
    ): Promise<void> {
      try {
        await repo.insertActivity(db, { userId, activityType, description, metadata });
      } catch (error) {
        log.error({ err: error, userId, activityType }, "An activity could not be stored");
      }
    },

    /** The newest entries, newest first. */
    async list(): Promise<z.output<typeof activityListSchema>> {
      const rows = await repo.listActivity(db, LISTED);
      const activity = rows.map((row) => ({
        id: String(row.id),
        userId: row.user_id,
        activityType: row.activity_type,
        description: row.description,
        metadata: row.metadata,
        timestamp: row.timestamp.toISOString(),
        user: { email: row.email, fullName: row.full_name },
      }));
      return { activity, nextCursor: null };
    },
  };
}
