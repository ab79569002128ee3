import { z } from "zod";
import { storableText } from "../certs/text.ts";
import { DELIMITERS, MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from "./sheet-format.ts";
import { recordOf, companySchema, DEFAULT_MODE, modeSchema } from "./cards.ts";
import { outcomeCodeSchema } from "./outcomes.ts";
import { listingPriceSchema, offerRuleSchema, priceWaitSchema } from "./prices.ts";
import { resultRowSchema, rowIdsSchema, rowStatusSchema } from "./results.ts";
import { cellTextSchema, typedCertNumberSchema, typedTextSchema } from "./typed-text.ts";

export const sessionStatusSchema = z.enum(["processing", "completed", "failed"]);
export type SessionStatus = z.infer<typeof sessionStatusSchema>;

/** Rows that wait until the same time; null during a manual pause. `canScrape`: only PSA's API is missing. */
export const scanWaitSchema = z.object({
  company: companySchema,
  outcome: outcomeCodeSchema,
  until: z.string().nullable(),
  count: z.number().int(),
  message: z.string(),
  canScrape: z.boolean(),
});
export type ScanWait = z.infer<typeof scanWaitSchema>;

export const sessionOwnerSchema = z.object({ id: z.string(), email: z.string(), fullName: z.string() });

/**
 * A scan session. Times are ISO 8601 in UTC. `counts` includes only states with rows. `causes` counts failed rows
 * (`error` or `failed`) by outcome. `waits` lists what the waiting rows wait for. Your own sessions have no `owner`.
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
  /** Failed rows of a stopped session are retried; its other rows don't run. */
  isPartial: z.boolean(),
  startedAt: z.string(),
  completedAt: z.string().nullable(),
  uploadDate: z.string(),
  counts: z.partialRecord(rowStatusSchema, z.number().int()),
  causes: z.partialRecord(outcomeCodeSchema, z.number().int()),
  waits: z.array(scanWaitSchema),
  /** Requested prices, one per row and source. A session can complete while prices are `waiting`. */
  prices: z.object({ pending: z.number().int(), waiting: z.number().int(), waits: z.array(priceWaitSchema) }),
  offerRule: offerRuleSchema.nullable(),
  eventSeq: z.number().int(),
  owner: sessionOwnerSchema.optional(),
});
export type ScanSession = z.infer<typeof scanSessionSchema>;

const shortText = z.string().trim().max(500).overwrite(storableText);
const LARGEST_LINE = 2 ** 31 - 1;

/** Of a cell that is compared with the grader's data. What matters is at its beginning. */
export const LONGEST_COMPARED = 1_000;
const cutCompared = (text: string): string => storableText(text.slice(0, LONGEST_COMPARED));

/** Compared with the grader's data. `company` is the cell that `gradingCompany` came from if it holds more. */
export const sheetCardSchema = z.object({
  company: typedTextSchema.overwrite(cutCompared).optional(),
  ...recordOf(["name", "grade", "year", "set"], (field) => [field, cellTextSchema.overwrite(cutCompared).optional()]),
});

/** A line is written in one piece to files and answers. Real ones are a thousand times shorter. */
const LONGEST_LINE = 1_000_000;
const TOO_LONG_LINE = `The cells of this line have more than ${LONGEST_LINE.toLocaleString("en-US")} characters. Shorten them`;
const fitsOneLine = (cells: readonly string[]): boolean =>
  cells.reduce((length, cell) => length + cell.length, 0) <= LONGEST_LINE;
const lineSchema = z.array(cellTextSchema).max(MAX_SHEET_COLUMNS).refine(fitsOneLine, TOO_LONG_LINE);

export const newSheetRowSchema = z.object({
  line: z.number().int().min(1).max(LARGEST_LINE),
  cells: lineSchema.default([]),
  certNumber: typedCertNumberSchema,
  gradingCompany: typedTextSchema,
  price: z.union([typedTextSchema, z.number()]).nullish(),
  notes: cellTextSchema.nullish(),
  sheetCard: sheetCardSchema.optional(),
});

/** `reuseKnown: false` is `forceRefresh` (docs/conformance.md, 7.1-21). `acceptCompanies` derives the company. */
export const runOptionsSchema = z.object({
  mode: modeSchema.default(DEFAULT_MODE),
  includePricing: z.boolean().default(false),
  reuseKnown: z.boolean().default(true),
  acceptCompanies: z.boolean().default(false),
});

/** The answer to a page of one user in a browser where another user has signed in meanwhile. */
export const OTHER_USER_MESSAGE = "Authentication error. Please refresh and login again.";

const sheetFingerprintSchema = z.string().min(1).max(100).overwrite(storableText);

export const newScanSessionSchema = runOptionsSchema.extend({
  sessionName: shortText.optional(),
  csvFilename: shortText.min(1),
  header: lineSchema,
  /** The sheet's delimiter. The user's own file is exported with the same delimiter. */
  delimiter: z.enum(DELIMITERS).default(","),
  /** Stored with the session: the same sheet has the same fingerprint, whatever its file is called. */
  sheetFingerprint: sheetFingerprintSchema.optional(),
  rows: z.array(newSheetRowSchema).min(1).max(MAX_SHEET_ROWS),
});
export type NewScanSession = z.input<typeof newScanSessionSchema>;

export const newScanSessionQuerySchema = z.object({
  sessionName: shortText.optional(),
  csvFilename: shortText.optional(),
  mode: modeSchema.default(DEFAULT_MODE),
  includePricing: z.stringbool().default(false),
  reuseKnown: z.stringbool().default(true),
  acceptCompanies: z.stringbool().default(false),
});

/** Rows to add to a session, for example from a scanner. Lines that the session already has are skipped. */
export const addedRowsSchema = z.object({ rows: z.array(newSheetRowSchema).min(1).max(500) });

/** The failed rows to look up again; without a body, the `retryable` ones. Damaged numbers are corrected instead. */
export const retryRequestSchema = z
  .object({
    outcome: outcomeCodeSchema.optional(),
    rowId: z.string().max(20).optional(),
    rowIds: rowIdsSchema.optional(),
  })
  .refine((ways) => Object.values(ways).filter((way) => way !== undefined).length <= 1, {
    error: "takes only one of outcome, rowId, and rowIds",
  })
  .nullish();

/** Failed rows to look up at `company`, else at the one that their numbers name. Without `rowIds`: all such rows. */
export const companiesRequestSchema = z
  .object({ rowIds: rowIdsSchema.optional(), company: companySchema.optional() })
  .refine(({ rowIds, company }) => company === undefined || rowIds !== undefined, {
    error: "needs rowIds with company",
  })
  .nullish();

export const removedRowsSchema = z.object({ rowIds: rowIdsSchema });

/** Found cards whose prices are refreshed. Without `rowIds`, all found cards of the session. */
export const repriceRequestSchema = z.object({ rowIds: rowIdsSchema.optional() }).nullish();

const newNameSchema = shortText.refine((name) => /[^\s\p{Cf}]/u.test(name), { error: "Type a name" });

export const sessionChangeSchema = z
  .object({ offerRule: offerRuleSchema.nullable().optional(), sessionName: newNameSchema.optional() })
  .refine(({ offerRule, sessionName }) => offerRule !== undefined || sessionName !== undefined, {
    error: "needs sessionName or offerRule",
  });
export type SessionChange = z.infer<typeof sessionChangeSchema>;

export const sendWaitingSchema = z.object({ mode: z.literal("scraping") });

export const SESSION_SORTS = ["date", "name", "cards", "status"] as const;

/** `filter` matches the session name or file name, `sheetFingerprint` exactly what the upload sent. Sorts by date, name, cards or status, ascending or descending. */
export const sessionListQuerySchema = z.object({
  filter: shortText.default(""),
  sheetFingerprint: sheetFingerprintSchema.optional(),
  sort: z.enum(SESSION_SORTS).default("date"),
  order: z.enum(["asc", "desc"]).default("desc"),
  cursor: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export const sessionListSchema = z.object({ sessions: z.array(scanSessionSchema), nextCursor: z.string().nullable() });

/** One event of a session's stream: the session's state and the changed rows. The event id is `session.eventSeq`. */
export const scanEventSchema = z.object({ session: scanSessionSchema, results: z.array(resultRowSchema) });
export type ScanEvent = z.infer<typeof scanEventSchema>;

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

/** `thumbnails` embeds images in XLSX. `date` is the day in the file's name: the caller's, not the server's. */
export const exportQuerySchema = z.object({
  format: z.enum(EXPORT_FORMATS).default("csv"),
  date: z.iso.date().optional(),
  thumbnails: z.stringbool().default(false),
  listAt: listingPriceSchema.shape.listAt,
  listPercent: z.preprocess(
    (text) => (typeof text === "string" && text.trim() !== "" ? Number(text) : text),
    listingPriceSchema.shape.listPercent,
  ),
});

export const exportRequestSchema = listingPriceSchema.extend({
  format: z.enum(EXPORT_FORMATS).default("csv"),
  date: z.iso.date().optional(),
  thumbnails: z.boolean().default(false),
  rowIds: rowIdsSchema,
});
