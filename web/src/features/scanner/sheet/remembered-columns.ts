import { COMPANIES } from "@slabdesk/contract/certs/company.ts";
import { SHEET_FIELDS } from "@slabdesk/contract/sheet/header.ts";
import type { SheetMapping } from "@slabdesk/contract/sheet/sheet.ts";
import { z } from "zod";
import { parseStored, readItem, writeItem } from "../../../ui/stored-items.ts";
import { headerKey, NOTHING_REMEMBERED, type RememberedSheets, workbookKey } from "./remembered-sheets.ts";

const STORAGE_KEY = "slabdesk-sheets";
/** More headers than anyone has. The oldest answers are dropped. */
const MOST_ANSWERS = 50;

const mapping = z.object({
  columns: z.partialRecord(z.enum(SHEET_FIELDS), z.number().int().min(0).max(500)),
  company: z.enum(COMPANIES).nullable(),
});
const rememberedSchema = z.object({
  columns: z.record(z.string(), mapping),
  sheets: z.record(z.string(), z.array(z.string())),
});

export function readRemembered(): RememberedSheets {
  return parseRemembered(readItem("localStorage", STORAGE_KEY));
}

export function parseRemembered(text: string | null): RememberedSheets {
  return parseStored(rememberedSchema, text) ?? NOTHING_REMEMBERED;
}

export function rememberColumns(header: readonly string[], { columns, company }: SheetMapping): void {
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
  writeItem("localStorage", STORAGE_KEY, JSON.stringify(remembered));
}
