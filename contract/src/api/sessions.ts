import { z } from "zod";
import { DELIMITERS, MAX_SHEET_ROWS } from "../sheet/csv.ts";
import { storableText } from "../sheet/text.ts";
import { companySchema, DEFAULT_MODE, modeSchema } from "./cards.ts";
import { outcomeCodeSchema } from "./outcomes.ts";
import { offerRuleSchema, priceWaitSchema } from "./prices.ts";
import { resultRowSchema, rowIdsSchema, rowStatusSchema } from "./results.ts";

export const sessionStatusSchema = z.enum(["processing", "completed", "failed"]);
export type SessionStatus = z.infer<typeof sessionStatusSchema>;

/** Rows of a company that wait for the same time: how many, why, in words for staff. `until` is null while an administrator has paused it. */
export const scanWaitSchema = z.object({
  company: companySchema,
  outcome: outcomeCodeSchema,
  until: z.string().nullable(),
  count: z.number().int(),
  message: z.string(),
});
export type ScanWait = z.infer<typeof scanWaitSchema>;

/**
 * A scan session on the wire. `counts` names only the states that rows are in, `causes` what failed rows (`error` or
 * `failed`) came to, `waits` what waiting rows wait for. Times are ISO 8601 in UTC.
 */
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
  causes: z.partialRecord(outcomeCodeSchema, z.number().int()),
  waits: z.array(scanWaitSchema),
  /** Prices asked for, one a row and source; a session completes without those that are `waiting`. */
  prices: z.object({ pending: z.number().int(), waiting: z.number().int(), waits: z.array(priceWaitSchema) }),
  offerRule: offerRuleSchema.nullable(),
  eventSeq: z.number().int(),
  owner: z.object({ email: z.string(), fullName: z.string() }).optional(),
});
export type ScanSession = z.infer<typeof scanSessionSchema>;

const shortText = z.string().trim().max(500).overwrite(storableText);
/** What a spreadsheet holds in a cell. */
const cellText = z.string().max(32_767).overwrite(storableText);
/**
 * A cell that is read: a NUL in it, which cannot be stored, stays as another character that cannot be seen, so that it
 * is told of like any other and the cell reads as it did in the browser.
 */
const readText = z
  .string()
  .max(32_767)
  .overwrite((text) => storableText(text.replaceAll("\0", "\u200b")));
const LARGEST_LINE = 2 ** 31 - 1;

/**
 * What a sheet itself says of a card, as typed; compared with what the grader says. `company` is the cell that
 * `gradingCompany` was read out of, where that holds more than the company.
 */
export const sheetCardSchema = z.object({
  company: readText.optional(),
  name: cellText.optional(),
  grade: cellText.optional(),
  year: cellText.optional(),
  set: cellText.optional(),
});

export const newSheetRowSchema = z.object({
  line: z.number().int().min(1).max(LARGEST_LINE),
  cells: z.array(cellText).max(500).default([]),
  certNumber: readText,
  gradingCompany: readText,
  price: z.union([readText, z.number()]).nullish(),
  notes: cellText.nullish(),
  sheetCard: sheetCardSchema.optional(),
});

/**
 * SPEC's options of a run. `reuseKnown` off is SPEC's forceRefresh. `acceptCompanies` takes the grading company from
 * the number's form where its cell is empty or contradicts the number.
 */
export const runOptionsSchema = z.object({
  mode: modeSchema.default(DEFAULT_MODE),
  includePricing: z.boolean().default(false),
  reuseKnown: z.boolean().default(true),
  acceptCompanies: z.boolean().default(false),
});

export const newScanSessionSchema = runOptionsSchema.extend({
  sessionName: shortText.optional(),
  csvFilename: shortText.min(1),
  header: z.array(cellText).max(500),
  /** What separated the cells of the sheet; its own file is given back with the same. */
  delimiter: z.enum(DELIMITERS).default(","),
  rows: z.array(newSheetRowSchema).min(1).max(MAX_SHEET_ROWS),
});
export type NewScanSession = z.input<typeof newScanSessionSchema>;

/** The same options in the query, for a body of type text/csv. */
export const newScanSessionQuerySchema = z.object({
  sessionName: shortText.optional(),
  csvFilename: shortText.optional(),
  mode: modeSchema.default(DEFAULT_MODE),
  includePricing: z.stringbool().default(false),
  reuseKnown: z.stringbool().default(true),
  acceptCompanies: z.stringbool().default(false),
});

/** Rows that are added to a session, as a scanner reads them. A line that the session has already is not added again. */
export const addedRowsSchema = z.object({ rows: z.array(newSheetRowSchema).min(1).max(500) });

/**
 * Which failed rows to look up again: those of one outcome, or the row or rows named, or, without a body, all whose
 * failure may pass by itself (`retryable`). Rows whose number is damaged are put right one by one instead.
 */
export const retryRequestSchema = z
  .object({
    outcome: outcomeCodeSchema.optional(),
    rowId: z.string().max(20).optional(),
    rowIds: rowIdsSchema.optional(),
  })
  .refine((ways) => Object.values(ways).filter((way) => way !== undefined).length <= 1, {
    error: "takes one of outcome, rowId and rowIds",
  })
  .nullish();

/** Which found cards to price again; without rows, all of the session. */
export const repriceRequestSchema = z.object({ rowIds: rowIdsSchema.optional() }).nullish();

/** Signs that cannot be seen are no name. */
const newNameSchema = shortText.refine((name) => /[^\s\p{Cf}]/u.test(name), { error: "Type a name" });

/** What a person changes about a session; a null rule takes it away. */
export const sessionChangeSchema = z
  .object({ offerRule: offerRuleSchema.nullable().optional(), sessionName: newNameSchema.optional() })
  .refine(({ offerRule, sessionName }) => offerRule !== undefined || sessionName !== undefined, {
    error: "takes sessionName or offerRule",
  });
export type SessionChange = z.infer<typeof sessionChangeSchema>;

/** Sends the rows that wait for PSA's API on by its page. */
export const sendWaitingSchema = z.object({ mode: z.literal("scraping") });

export const SESSION_SORTS = ["date", "name", "cards", "status"] as const;

/** `filter` matches session name or file name; SPEC's sort by Date/Name/Cards/Status, newest or oldest first. */
export const sessionListQuerySchema = z.object({
  filter: shortText.default(""),
  sort: z.enum(SESSION_SORTS).default("date"),
  order: z.enum(["asc", "desc"]).default("desc"),
  cursor: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export const sessionListSchema = z.object({ sessions: z.array(scanSessionSchema), nextCursor: z.string().nullable() });

/** One event of a session's stream: its state and the rows that changed. The event's id is `session.eventSeq`. */
export const scanEventSchema = z.object({ session: scanSessionSchema, results: z.array(resultRowSchema) });
export type ScanEvent = z.infer<typeof scanEventSchema>;

/** What a session can be given back as. */
export const EXPORT_FORMATS = [
  "csv",
  "session-csv",
  "xlsx",
  "original",
  "ebay",
  "shopify",
  "whatnot",
  "images.zip",
  "json",
] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** `thumbnails` puts the pictures into the XLSX file. */
export const exportQuerySchema = z.object({
  format: z.enum(EXPORT_FORMATS).default("csv"),
  thumbnails: z.stringbool().default(false),
});

/** The same of chosen rows alone. */
export const exportRequestSchema = z.object({
  format: z.enum(EXPORT_FORMATS).default("csv"),
  thumbnails: z.boolean().default(false),
  rowIds: rowIdsSchema,
});
