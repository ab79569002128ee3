import { companySchema, modeSchema } from "@slabdesk/contract/api/cards.ts";
import { z } from "zod";
import { MAX_ADDED_ROWS } from "../../../api/rows.ts";

/**
 * The station's scans for one session.
 *
 * A scan is `waiting` (not sent), `tried` (sent without a response), or `sent` (the server has it). Undoing a waiting
 * scan deletes it. Undoing a scan that the server may have moves it to `leaving` until its row is removed there.
 *
 * The first scan alone opens the session, under an idempotency key that never opens a second one, so a retry must
 * repeat that request unchanged. All other scans are added by line, and lines are never reused.
 */
const scanSchema = z.object({
  line: z.number().int(),
  text: z.string(),
  company: companySchema,
  certNumber: z.string(),
  /** A message about the repair; "" if nothing was repaired. */
  repaired: z.string(),
  state: z.enum(["waiting", "tried", "sent"]),
});
export type Scan = z.infer<typeof scanSchema>;

export const ledgerSchema = z.object({
  owner: z.string(),
  key: z.string(),
  sessionName: z.string(),
  mode: modeSchema,
  includePricing: z.boolean().default(false),
  startedAt: z.string(),
  sessionId: z.string().nullable(),
  nextLine: z.number().int(),
  scans: z.array(scanSchema),
  leaving: z.array(scanSchema),
});
export type Ledger = z.infer<typeof ledgerSchema>;

/** The header is line 1 of the session's sheet. */
const FIRST_LINE = 2;

export type StationOptions = Pick<Ledger, "mode" | "includePricing">;

export type Opening = Pick<Ledger, "owner" | "key" | "sessionName" | "mode" | "includePricing" | "startedAt">;

export function newLedger(opening: Opening): Ledger {
  return { ...opening, sessionId: null, nextLine: FIRST_LINE, scans: [], leaving: [] };
}

/** True if nothing was scanned yet, so that the name and options can still change. */
export function isBlank({ sessionId, scans, leaving }: Ledger): boolean {
  return sessionId === null && scans.length === 0 && leaving.length === 0;
}

export function withScan(ledger: Ledger, read: Omit<Scan, "line" | "state">): { ledger: Ledger; scan: Scan } {
  const { nextLine, scans } = ledger;
  const scan: Scan = { ...read, line: nextLine, state: "waiting" };
  return { ledger: { ...ledger, nextLine: nextLine + 1, scans: [...scans, scan] }, scan };
}

export type Work =
  | { kind: "open"; scan: Scan }
  | { kind: "add"; sessionId: string; scans: Scan[] }
  | { kind: "remove"; sessionId: string; scan: Scan };

/** The next request to send; null if the server has everything. */
export function nextWork({ sessionId, scans, leaving }: Ledger): Work | null {
  if (sessionId === null) {
    const scan = [...leaving, ...scans].find(({ state }) => state === "tried") ?? scans[0];
    return scan ? { kind: "open", scan } : null;
  }
  const unsent = scans.filter(({ state }) => state !== "sent").slice(0, MAX_ADDED_ROWS);
  if (unsent.length > 0) return { kind: "add", sessionId, scans: unsent };
  const [gone] = leaving;
  return gone ? { kind: "remove", sessionId, scan: gone } : null;
}

export function linesOf(work: Work): number[] {
  return work.kind === "add" ? work.scans.map(({ line }) => line) : [work.scan.line];
}

/** Sets the state of these lines' scans, kept or leaving. */
export function withState(ledger: Ledger, lines: readonly number[], state: Scan["state"]): Ledger {
  const changed = new Set(lines);
  const mark = (scan: Scan): Scan => (changed.has(scan.line) ? { ...scan, state } : scan);
  return { ...ledger, scans: ledger.scans.map(mark), leaving: ledger.leaving.map(mark) };
}

/** The server's session is gone: moves the scans that had not arrived to another session. */
export function inAnotherSession(ledger: Ledger, opening: Opening): Ledger {
  const scans = ledger.scans
    .filter(({ state }) => state !== "sent")
    .map((scan, index): Scan => ({ ...scan, line: FIRST_LINE + index, state: "waiting" }));
  return { ...newLedger(opening), nextLine: FIRST_LINE + scans.length, scans };
}

/** Scans that the server is not known to have. */
export function countWaiting({ scans }: Ledger): number {
  return scans.filter(({ state }) => state !== "sent").length;
}
