import { sql, type Expression, type RawBuilder } from "kysely";
import type pg from "pg";
import type { ActivityFilter, ActivityType } from "@slabdesk/contract/api/activity.ts";
import type { Database } from "../../database/connection.ts";

/** One activity entry. `metadata` is a JSON object as text. */
export type NewEntry = {
  userId: string;
  activityType: ActivityType;
  description: string;
  metadata: string;
  timestamp: Date;
};

const INSERT = `
  INSERT INTO user_activity_logs (user_id, activity_type, description, metadata, timestamp)
  SELECT "userId", "activityType", description, metadata::jsonb, timestamp
  FROM ROWS FROM (
    jsonb_to_recordset($1::jsonb)
      AS ("userId" text, "activityType" text, description text, metadata text, timestamp timestamptz)
  ) WITH ORDINALITY AS entry ("userId", "activityType", description, metadata, timestamp, place)
  WHERE NOT ($2::boolean AND EXISTS (
    SELECT FROM user_activity_logs AS log
    WHERE log.user_id = entry."userId" AND log.activity_type = entry."activityType"
      AND log.timestamp = entry.timestamp AND log.description = entry.description
  ))
  ORDER BY place`;

/**
 * Inserts entries in order, in one statement.
 *
 * @param isRepeated an earlier statement may have inserted these entries before its connection failed; skips duplicates
 * @param signal aborts a waiting statement and closes its connection
 */
export async function insertActivities(
  pool: pg.Pool,
  entries: readonly NewEntry[],
  { isRepeated, signal }: { isRepeated: boolean; signal: AbortSignal },
): Promise<void> {
  const client = await pool.connect();
  const giveUp = (): void => void client.end();
  signal.addEventListener("abort", giveUp);
  let isFit = false;
  try {
    await client.query(INSERT, [JSON.stringify(entries), isRepeated]);
    isFit = true;
  } finally {
    signal.removeEventListener("abort", giveUp);
    // Discard the connection after an error. It may be broken, and the next try must not reuse it.
    client.release(!isFit);
  }
}

export type ActivityRecord = Awaited<ReturnType<typeof listActivity>>[number];

const DAY_MS = 86_400_000;

/**
 * Lists entries with their users, newest first. Entries with the same timestamp are ordered by id, highest first.
 *
 * @param before id of an entry that matches the filter; the list starts after it
 */
export async function listActivity(
  db: Database,
  filter: ActivityFilter,
  { before, limit }: { before: number | undefined; limit: number },
) {
  let entries = db.selectFrom("user_activity_logs").selectAll().limit(limit);
  for (const bound of boundsOf(filter, before)) entries = entries.where(bound);
  for (const [column] of filteredColumns(filter)) entries = entries.orderBy(column, "desc");
  return db
    .selectFrom(entries.orderBy("timestamp", "desc").orderBy("id", "desc").as("log"))
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
    .execute();
}

type FilteredColumn = [column: "user_id" | "activity_type", value: string];

function filteredColumns({ userId, type }: ActivityFilter): FilteredColumn[] {
  const all: ["user_id" | "activity_type", string | undefined][] = [
    ["user_id", userId],
    ["activity_type", type],
  ];
  return all.flatMap(([column, value]): FilteredColumn[] => (value === undefined ? [] : [[column, value]]));
}

/**
 * Builds a filter's lower and upper bound as row comparisons on the columns of one index. With plain equality,
 * PostgreSQL picks the time index for a rare combination of user and type; a page then takes a second in a table of a
 * million entries.
 */
function boundsOf(filter: ActivityFilter, before: number | undefined): RawBuilder<boolean>[] {
  const columns = filteredColumns(filter).map(([column]) => sql.ref(column));
  const values = filteredColumns(filter).map(([, value]) => sql.val(value));
  const row = (parts: readonly Expression<unknown>[]) => sql`(${sql.join(parts)})`;
  const time = sql.ref("timestamp");
  const { from, to } = filter;
  const end = to === undefined ? null : sql.val(new Date(Date.parse(to) + DAY_MS));
  const bounds: RawBuilder<boolean>[] = [];

  if (from !== undefined) {
    bounds.push(sql<boolean>`${row([...columns, time])} >= ${row([...values, sql.val(new Date(from))])}`);
  } else if (columns.length > 0) bounds.push(sql<boolean>`${row(columns)} >= ${row(values)}`);

  if (before !== undefined) {
    const until = end === null ? sql`` : sql` AND timestamp < ${end}`;
    const place = [
      sql`(SELECT timestamp FROM user_activity_logs WHERE id = ${before}${until})`,
      sql`${before}::bigint`,
    ];
    bounds.push(sql<boolean>`${row([...columns, time, sql.ref("id")])} < ${row([...values, ...place])}`);
  } else if (end !== null) {
    bounds.push(sql<boolean>`${row([...columns, time])} < ${row([...values, end])}`);
  } else if (columns.length > 0) bounds.push(sql<boolean>`${row(columns)} <= ${row(values)}`);

  return bounds;
}
