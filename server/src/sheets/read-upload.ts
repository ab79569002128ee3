import { createHash } from "node:crypto";
import type { z } from "zod";
import { scanPlanRequestSchema } from "@slabdesk/contract/api/plans.ts";
import { addedRowsSchema, newScanSessionQuerySchema, newScanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import { decodeSheet } from "@slabdesk/contract/sheet/csv.ts";
import { judgeRow } from "@slabdesk/contract/sheet/row.ts";
import { parseSheet } from "@slabdesk/contract/sheet/sheet.ts";
import { MOST_PROBLEMS } from "../http/body-limits.ts";
import { judgeRows, sizeOfRows, type UploadedRow } from "./new-row.ts";
import { slicesOf } from "./slices.ts";

export type PlannedCard = { company: Company; certNumber: string; lines: [number, ...number[]] };

/** A sheet to plan, with its certs in row order. Doesn't build the rows, which is most of the work for large sheets. */
export const plannedSheetSchema = scanPlanRequestSchema.transform(({ rows, ...options }) => {
  const cards = new Map<string, PlannedCard>();
  let toFix = 0;
  for (const { line, certNumber: typed, gradingCompany } of rows) {
    const verdict = judgeRow({ certNumber: typed, gradingCompany, price: "" }, options);
    if (verdict.kind === "invalid") {
      toFix += 1;
      continue;
    }
    const { company, certNumber } = verdict;
    const name = `${company} ${certNumber}`;
    const card = cards.get(name);
    if (card) card.lines.push(line);
    else cards.set(name, { company, certNumber, lines: [line] });
  }
  return { ...options, totalRows: rows.length, toFix, cards: [...cards.values()] };
});

/** The body of an upload. A CSV body has its options in the query. `isHashed`: it has an idempotency key. */
export type Upload = {
  bytes: Uint8Array;
  isCsv: boolean;
  query: unknown;
  wanted: "session" | "rows" | "plan";
  isHashed?: boolean;
};

/** The rows of a new session: their number, size for the quota, and the hash of the whole upload if wanted. */
export type SheetSummary = { count: number; bytes: number; hash: string | null };

/** What is wrong with an upload: a message, or a problem per field. */
export type Problem = { kind: "unreadable"; message: string } | { kind: "invalid"; fields: Record<string, string> };

/** What an upload contains. The rows of a session are JSON chunks for the database; other items are for the service. */
export type UploadReading =
  | Problem
  | { kind: "sheet"; head: object; sheet: SheetSummary; parts: Iterable<string> }
  | { kind: "items"; head: object; itemsAre: "rows" | "cards"; parts: Iterable<UploadedItem[]> };

export type UploadedItem = UploadedRow | PlannedCard;

/** Rows are inserted in chunks of this size. */
const CHUNK = { mostItems: 2_000, mostCharacters: 1_500_000 };

/** Parses and validates an upload. Runs in a process of its own unless the upload is small. */
export function readUpload({ bytes, isCsv, query, wanted, isHashed = false }: Upload): UploadReading {
  const body = isCsv ? readCsv(bytes, query) : readJson(bytes);
  if (body.kind === "unreadable") return body;
  if (wanted === "session") {
    const { data, error } = newScanSessionSchema.safeParse(body.value);
    return error ? invalid(error) : sheetOf(data, isHashed);
  }
  if (wanted === "rows") {
    const { data, error } = addedRowsSchema.safeParse(body.value);
    return error ? invalid(error) : { kind: "items", head: {}, itemsAre: "rows", parts: slicesOf(data.rows) };
  }
  const { data, error } = plannedSheetSchema.safeParse(body.value);
  if (error) return invalid(error);
  const { cards, ...head } = data;
  return { kind: "items", head, itemsAre: "cards", parts: slicesOf(cards) };
}

function sheetOf(scan: NewScan, isHashed: boolean): UploadReading {
  const { rows, ...head } = scan;
  const sheet = { count: rows.length, bytes: sizeOfRows(rows), hash: isHashed ? hashOf(scan) : null };
  return { kind: "sheet", head, sheet, parts: chunksOf(scan) };
}

function* chunksOf(scan: NewScan): Generator<string, undefined> {
  for (const rows of slicesOf(judgeRows(scan.rows, scan), CHUNK)) yield JSON.stringify(rows);
}

type NewScan = z.output<typeof newScanSessionSchema>;

/** Hashes an upload's JSON. Includes newer options only if they differ from the default, so that stored hashes still match. */
function hashOf({ rows, delimiter, acceptCompanies, ...options }: NewScan): string {
  const later = { ...(delimiter !== "," && { delimiter }), ...(acceptCompanies && { acceptCompanies }) };
  const hash = createHash("sha256").update(`${JSON.stringify(options).slice(0, -1)},"rows":[`);
  let separator = "";
  for (const slice of slicesOf(rows)) {
    hash.update(separator + JSON.stringify(slice).slice(1, -1));
    separator = ",";
  }
  const end = Object.keys(later).length === 0 ? "}" : `,${JSON.stringify(later).slice(1)}`;
  return hash.update(`]${end}`).digest("hex");
}

type Body = { kind: "body"; value: unknown } | { kind: "unreadable"; message: string };

function readJson(bytes: Uint8Array): Body {
  const text = new TextDecoder().decode(bytes);
  if (text === "") return { kind: "body", value: undefined };
  try {
    return { kind: "body", value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { kind: "unreadable", message: "The request could not be read" };
  }
}

/** Converts a CSV upload to the JSON body that the browser sends. */
function readCsv(bytes: Uint8Array, query: unknown): Body {
  const options = newScanSessionQuerySchema.safeParse(query);
  if (!options.success) {
    const message = options.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    return { kind: "unreadable", message: message.join("; ") };
  }
  const reading = parseSheet(decodeSheet(bytes));
  if (!reading.ok) return { kind: "unreadable", message: reading.message };
  const { csvFilename, sessionName, ...run } = options.data;
  const value: z.input<typeof newScanSessionSchema> = {
    ...run,
    ...(sessionName === undefined ? {} : { sessionName }),
    csvFilename: csvFilename || "upload.csv",
    ...reading.sheet,
  };
  return { kind: "body", value };
}

function invalid({ issues }: z.ZodError): Problem {
  const fields: Record<string, string> = {};
  for (const issue of issues.slice(0, MOST_PROBLEMS)) fields[issue.path.join(".") || "body"] ??= issue.message;
  return { kind: "invalid", fields };
}
