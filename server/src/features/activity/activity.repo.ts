import { sql, type Expression, type Insertable, type RawBuilder } from "kysely";
import type { ActivityFilter } from "@slabdesk/contract/api/activity.ts";
import type { Database } from "../../database/connection.ts";
import type { Schema } from "../../database/schema.ts";

/** Inserts an entry. `metadata` is a JSON object as text. */
export async function insertActivity(db: Database, entry: Insertable<Schema["user_activity_logs"]>): Promise<void> {
  await db.insertInto("user_activity_logs").values(entry).execute();
}

export type ActivityRecord = Awaited<ReturnType<typeof listActivity>>[number];

const DAY_MS = 86_400_000;

/** Lists entries with their users, newest first. `before`: id of a matching entry; the list starts after it. */
export async function listActivity(db: Database, filter: ActivityFilter, limit: number, before?: number) {
  let entries = db.selectFrom("user_activity_logs").selectAll().limit(limit);
  for (const bound of boundsOf(filter, before)) entries = entries.where(bound);
  for (const [column] of filteredColumns(filter)) entries = entries.orderBy(column, "desc");
  return db
    .selectFrom(entries.orderBy("timestamp", "desc").orderBy("id", "desc").as("log"))
    .innerJoin("user_profiles as person", "person.id", "log.user_id")
    .selectAll("log")
    .select(["person.email", "person.full_name"])
    .orderBy("log.timestamp", "desc")
    .orderBy("log.id", "desc")
    .execute();
}

function filteredColumns({ userId, type }: ActivityFilter) {
  const columns = [["user_id", userId] as const, ["activity_type", type] as const];
  return columns.flatMap(([column, value]) => (value === undefined ? [] : [[column, value] as const]));
}

/**
 * A filter's bounds as row comparisons on the columns of one index. With plain equality, PostgreSQL picks the time
 * index for a rare user and type, and a page takes a second in a table of a million entries.
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
