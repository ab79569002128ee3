import type { z } from "zod";
import { scanPlanRequestSchema } from "@slabdesk/contract/api/plans.ts";
import { addedRowsSchema, newScanSessionQuerySchema, newScanSessionSchema } from "@slabdesk/contract/api/sessions.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import { decodeSheet } from "@slabdesk/contract/sheet/csv.ts";
import { judgeRow } from "@slabdesk/contract/sheet/row.ts";
import { parseSheet } from "@slabdesk/contract/sheet/sheet.ts";
import { MOST_PROBLEMS } from "../http/body-limits.ts";

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

const SCHEMAS = { session: newScanSessionSchema, rows: addedRowsSchema, plan: plannedSheetSchema };

/** The body of an upload. A CSV body has its options in the query. */
export type Upload = { bytes: Uint8Array; isCsv: boolean; query: unknown; wanted: keyof typeof SCHEMAS };

/** What an upload has many of: the rows of a session, or the cards of a plan. */
export type UploadedItem = z.output<typeof newScanSessionSchema>["rows"][number] | PlannedCard;

/** What a sheet's upload contains, or what is wrong with it: a message, or a problem per field. */
export type UploadReading =
  | { kind: "read"; head: object; itemsAre: "rows" | "cards"; items: UploadedItem[] }
  | { kind: "unreadable"; message: string }
  | { kind: "invalid"; fields: Record<string, string> };

/** Parses and validates an upload. Runs in a process of its own unless the upload is small. */
export function readUpload({ bytes, isCsv, query, wanted }: Upload): UploadReading {
  const body = isCsv ? readCsv(bytes, query) : readJson(bytes);
  if (body.kind === "unreadable") return body;
  const { data, error } = SCHEMAS[wanted].safeParse(body.value);
  if (error) return { kind: "invalid", fields: problemsOf(error) };
  if ("cards" in data) {
    const { cards, ...head } = data;
    return { kind: "read", head, itemsAre: "cards", items: cards };
  }
  const { rows, ...head } = data;
  return { kind: "read", head, itemsAre: "rows", items: rows };
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

function problemsOf(error: z.ZodError): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const issue of error.issues.slice(0, MOST_PROBLEMS)) problems[issue.path.join(".") || "body"] ??= issue.message;
  return problems;
}
