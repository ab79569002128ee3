import { COMPANIES } from "@slabdesk/contract/certs/company.ts";
import { SHEET_FIELDS } from "@slabdesk/contract/sheet/header.ts";
import { z } from "zod";
import {
  headerKey,
  NOTHING_REMEMBERED,
  type RememberedColumns,
  type RememberedSheets,
  workbookKey,
} from "./remembered-sheets.ts";

const STORAGE_KEY = "slabdesk-sheets";
/** More headers than anyone has. The oldest answers are dropped. */
const MOST_ANSWERS = 50;

const column = z.number().int().min(0).max(500);
const lookupHistorySchema = z.object({
  columns: z.record(
    z.string(),
    z.object({
      columns: z.partialRecord(z.enum(SHEET_FIELDS), column),
      company: z.enum(COMPANIES).nullable(),
    }),
  ),
  sheets: z.record(z.string(), z.array(z.string())),
});

export function readRemembered(): RememberedSheets {
  return parseRemembered(guarded(() => localStorage.getItem(STORAGE_KEY)));
}

/** Ignores any text that this page didn't write. */
export function parseRemembered(text: string | null): RememberedSheets {
  if (text === null) return NOTHING_REMEMBERED;
  try {
    return lookupHistorySchema.safeParse(JSON.parse(text)).data ?? NOTHING_REMEMBERED;
  } catch (error) {
    if (error instanceof SyntaxError) return NOTHING_REMEMBERED;
    throw error;
  }
}

export function rememberColumns(header: readonly string[], { columns, company }: RememberedColumns): void {
  const key = headerKey(header);
  if (key === null) return;
  const remembered = readRemembered();
  write({ ...remembered, columns: withLast(remembered.columns, key, { columns, company }) });
}

export function rememberSheets(fileName: string, sheetNames: readonly string[], taken: readonly string[]): void {
  const remembered = readRemembered();
  write({ ...remembered, sheets: withLast(remembered.sheets, workbookKey(fileName, sheetNames), [...taken]) });
}

function withLast<T>(answers: Record<string, T>, key: string, answer: T): Record<string, T> {
  const others = Object.entries(answers).filter(([other]) => other !== key);
  return Object.fromEntries([...others.slice(1 - MOST_ANSWERS), [key, answer]]);
}

function write(remembered: RememberedSheets): void {
  guarded(() => {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(remembered));
    return null;
  });
}

/** If the browser blocks storage, nothing is remembered. */
function guarded(access: () => string | null): string | null {
  try {
    return access();
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
