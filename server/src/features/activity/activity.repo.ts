import type { Database } from "../../database/connection.ts";
import type { ActivityType } from "@slabdesk/contract/api/activity.ts";

export type NewActivityRow = {
  userId: string;
  activityType: ActivityType;
  description: string;
  metadata: Record<string, unknown>;
};

export async function insertActivity(db: Database, entry: NewActivityRow): Promise<void> {
  await db
    .insertInto("user_activity_logs")
    .values({
      user_id: entry.userId,
      activity_type: entry.activityType,
      description: entry.description,
      metadata: JSON.stringify(entry.metadata),
    })
    .execute();
}

/** The newest entries with the people they are about. */
export async function listActivity(db: Database, limit: number) {
  return db
    .selectFrom("user_activity_logs as log")
    .innerJoin("user_profiles as person", "person.id", "log.user_id")
    .select([
      "log.id",
      "log.user_id",
      "log.activity_type",
      "log.description",
      "log.metadata",
      "log.timestamp",
      "person.email",
      "person.full_name",
    ])
    .orderBy("log.timestamp", "desc")
    .orderBy("log.id", "desc")
    .limit(limit)
    .execute();
}
