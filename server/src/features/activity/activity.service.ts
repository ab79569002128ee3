import type { FastifyBaseLogger } from "fastify";
import type { z } from "zod";
import type {
  activityEntrySchema,
  ActivityFilter,
  activityQuerySchema,
  ActivityType,
} from "@slabdesk/contract/api/activity.ts";
import { cutText, storableText } from "@slabdesk/contract/certs/text.ts";
import { SPREADSHEET, streamCsv } from "../../csv-stream.ts";
import type { Database } from "../../database/connection.ts";
import { insertActivity, listActivity, type ActivityRecord } from "./activity.repo.ts";

export type ActivityService = ReturnType<typeof createActivityService>;

/** Names of sessions and files can be longer, and nobody can delete entries. */
const LONGEST_TEXT = 200;
const EXPORTED_AT_ONCE = 1_000;
const EXPORT_HEADER = ["Time", "User", "Email", "Action", "Details", "Metadata"];

/** The log of who did what and when. It is append-only. */
export function createActivityService({ db, log, now }: { db: Database; log: FastifyBaseLogger; now: () => Date }) {
  /** A chain, which keeps the order and, unlike p-limit, tells when the entries logged so far are inserted. */
  let writing = Promise.resolve();

  async function* exportedPages(filter: ActivityFilter): AsyncGenerator<string[][]> {
    let before: number | undefined;
    for (;;) {
      const rows = await listActivity(db, filter, EXPORTED_AT_ONCE, before);
      yield rows.map(cellsOf);
      before = rows.at(-1)?.id;
      if (rows.length < EXPORTED_AT_ONCE) return;
    }
  }

  return {
    /** Logs an activity now. Resolves at once: the entry is inserted in the background, or else reported in the log. */
    log(userId: string, activityType: ActivityType, description: string, metadata: Record<string, unknown> = {}) {
      const about = { user_id: userId, activity_type: activityType, timestamp: now() };
      const entry = { ...about, description: entryText(description), metadata: storableJson(metadata) };
      writing = writing
        .then(() => insertActivity(db, entry))
        .catch((error: unknown) => log.error({ err: error, ...about }, "Failed to store an activity"));
      return Promise.resolve();
    },

    /** Resolves when the entries that this node has logged so far are inserted or reported. */
    written: (): Promise<void> => writing,

    /** Lists a page of the matching entries, newest first. Includes the entries that this node has just logged. */
    async list({ cursor, limit, ...filter }: z.output<typeof activityQuerySchema>) {
      await writing;
      const rows = await listActivity(db, filter, limit + 1, cursor);
      const activity = rows.slice(0, limit).map(presentEntry);
      return { activity, nextCursor: rows.length > limit ? (activity.at(-1)?.id ?? null) : null };
    },

    /** Exports the matching entries as CSV, newest first. Streams them; if a read fails, the body is aborted. */
    async exported(filter: ActivityFilter) {
      await writing;
      return {
        fileName: `activity-${now().toISOString().slice(0, 10)}.csv`,
        contentType: "text/csv; charset=utf-8",
        body: streamCsv([EXPORT_HEADER], exportedPages(filter), SPREADSHEET),
      };
    },
  };
}

function presentEntry(row: ActivityRecord): z.output<typeof activityEntrySchema> {
  return {
    id: String(row.id),
    userId: row.user_id,
    activityType: row.activity_type,
    description: row.description,
    metadata: row.metadata,
    timestamp: row.timestamp.toISOString(),
    user: { email: row.email, fullName: row.full_name },
  };
}

function cellsOf(row: ActivityRecord): string[] {
  const isBare = Object.keys(row.metadata).length === 0;
  return [
    row.timestamp.toISOString(),
    row.full_name,
    row.email,
    row.activity_type,
    row.description,
    isBare ? "" : JSON.stringify(row.metadata),
  ];
}

/** Characters that could hide a part of an entry: controls, line ends, and marks of the writing direction. */
const HIDING = /[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu;
const entryText = (text: string): string => storableText(cutText(text, LONGEST_TEXT)).replace(HIDING, " ");

/** Serializes metadata as JSON whose strings and property names PostgreSQL can store. */
function storableJson(metadata: Record<string, unknown>): string {
  return JSON.stringify(metadata, (_name, value: unknown) => {
    if (typeof value === "string") return entryText(value);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [entryText(name), entry]));
  });
}
