import { z } from "zod";
import { MAX_SHEET_ROWS } from "../sheet/csv.ts";
import { DEFAULT_MODE, modeSchema } from "./cards.ts";
import { resultRowSchema, rowStatusSchema } from "./results.ts";

export const sessionStatusSchema = z.enum(["processing", "completed", "failed"]);
export type SessionStatus = z.infer<typeof sessionStatusSchema>;

/** A scan session on the wire. `counts` names only the states that rows are in. Times are ISO 8601 in UTC. */
export const scanSessionSchema = z.object({
  id: z.string(),
  sessionName: z.string(),
  csvFilename: z.string(),
  totalCards: z.number().int(),
  processedCards: z.number().int(),
  processingMode: modeSchema,
  includePricing: z.boolean(),
  status: sessionStatusSchema,
  startedAt: z.string(),
  completedAt: z.string().nullable(),
  uploadDate: z.string(),
  counts: z.partialRecord(rowStatusSchema, z.number().int()),
  eventSeq: z.number().int(),
  owner: z.object({ email: z.string(), fullName: z.string() }).optional(),
});
export type ScanSession = z.infer<typeof scanSessionSchema>;

const SHORT_TEXT = 500;
const CELL_TEXT = 5_000;

export const newSheetRowSchema = z.object({
  line: z.number().int().min(1),
  cells: z.array(z.string().max(CELL_TEXT)).max(500).default([]),
  certNumber: z.string().max(CELL_TEXT),
  gradingCompany: z.string().max(CELL_TEXT),
  price: z.union([z.string().max(CELL_TEXT), z.number()]).nullish(),
  notes: z.string().max(CELL_TEXT).nullish(),
});

/** SPEC's options of a run. `reuseKnown` off is SPEC's forceRefresh. */
export const runOptionsSchema = z.object({
  mode: modeSchema.default(DEFAULT_MODE),
  includePricing: z.boolean().default(false),
  reuseKnown: z.boolean().default(true),
});

export const newScanSessionSchema = runOptionsSchema.extend({
  sessionName: z.string().trim().max(SHORT_TEXT).optional(),
  csvFilename: z.string().trim().min(1).max(SHORT_TEXT),
  header: z.array(z.string().max(CELL_TEXT)).max(500),
  rows: z.array(newSheetRowSchema).min(1).max(MAX_SHEET_ROWS),
});
export type NewScanSession = z.input<typeof newScanSessionSchema>;

/** The same options in the query, for a body of type text/csv. */
export const newScanSessionQuerySchema = z.object({
  sessionName: z.string().trim().max(SHORT_TEXT).optional(),
  csvFilename: z.string().trim().max(SHORT_TEXT).optional(),
  mode: modeSchema.default(DEFAULT_MODE),
  includePricing: z.stringbool().default(false),
  reuseKnown: z.stringbool().default(true),
});

export const SESSION_SORTS = ["date", "name", "cards", "status"] as const;

/** `filter` matches session name or file name; SPEC's sort by Date/Name/Cards/Status, newest or oldest first. */
export const sessionListQuerySchema = z.object({
  filter: z.string().max(SHORT_TEXT).default(""),
  sort: z.enum(SESSION_SORTS).default("date"),
  order: z.enum(["asc", "desc"]).default("desc"),
  cursor: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export const sessionListSchema = z.object({ sessions: z.array(scanSessionSchema), nextCursor: z.string().nullable() });

/** One event of a session's stream: its state and the rows that changed. The event's id is `session.eventSeq`. */
export const scanEventSchema = z.object({ session: scanSessionSchema, results: z.array(resultRowSchema) });
export type ScanEvent = z.infer<typeof scanEventSchema>;

export const EXPORT_FORMATS = ["csv", "session-csv"] as const;
export const exportQuerySchema = z.object({ format: z.enum(EXPORT_FORMATS).default("csv") });
