import { formatMoment } from "@slabdesk/contract/certs/dates.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { z } from "zod";
import { confirmDialog } from "../../ui/confirm-dialog.tsx";
import { parseStored, readItem, writeItem } from "../../ui/stored-items.ts";

/** The sheets started in this browser, newest last. The key belongs to the user and is removed at logout. */
const STORAGE_KEY = "slabdesk:started-sheets";
const MOST_SHEETS = 50;

const startedSchema = z.object({ fingerprint: z.string(), sessionName: z.string(), startedAt: z.string() });
const storedSchema = z.array(startedSchema);
export type StartedSheet = z.infer<typeof startedSchema>;

export function findStarted(fingerprint: string): StartedSheet | null {
  return readStarted().findLast((sheet) => sheet.fingerprint === fingerprint) ?? null;
}

export function rememberStarted(fingerprint: string, { sessionName, startedAt }: ScanSession): void {
  const others = readStarted().filter((sheet) => sheet.fingerprint !== fingerprint);
  const sheets = [...others.slice(1 - MOST_SHEETS), { fingerprint, sessionName, startedAt }];
  writeItem("localStorage", STORAGE_KEY, JSON.stringify(sheets));
}

export function confirmAgain({ sessionName, startedAt }: StartedSheet): Promise<boolean> {
  return confirmDialog({
    title: "Look up this sheet again?",
    message: `You looked up the same rows on ${formatMoment(startedAt)} as “${sessionName}”. Looking them up again creates a second session.`,
    confirmLabel: "Look up again",
  });
}

function readStarted(): StartedSheet[] {
  return parseStored(storedSchema, readItem("localStorage", STORAGE_KEY)) ?? [];
}
