import { companySchema, modeSchema } from "@slabdesk/contract/api/cards.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import { z } from "zod";
import { MAX_ADDED_ROWS } from "../../../api/station-client.ts";

/**
 * What the station has scanned into one session.
 *
 * A scan is `waiting` (it has not left this browser), `tried` (it was sent, and no answer told what became of it) or
 * `sent` (the server has it). A scan that is undone while it waits is gone; one that the server may have stands in
 * `leaving` until its row is taken out there.
 *
 * The session opens with the first scan alone, under a key that never opens a second one; whatever that request is, it
 * must be repeated as it was. All other scans are added to it by their lines, which are never used again.
 */
const scanSchema = z.object({
  line: z.number().int(),
  /** As it was scanned or typed. */
  text: z.string(),
  company: companySchema,
  certNumber: z.string(),
  /** What was repaired, in words; "" when nothing was. */
  repaired: z.string(),
  state: z.enum(["waiting", "tried", "sent"]),
});
export type Scan = z.infer<typeof scanSchema>;

export const ledgerSchema = z.object({
  /** The tab that scans into it. */
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

/** What of the options of a run is the station's too. */
export type StationOptions = Pick<Ledger, "mode" | "includePricing">;

export type Opening = Pick<Ledger, "owner" | "key" | "sessionName" | "mode" | "includePricing" | "startedAt">;

export function newLedger(opening: Opening): Ledger {
  return { ...opening, sessionId: null, nextLine: FIRST_LINE, scans: [], leaving: [] };
}

/** True when nothing was scanned into it yet: it can be opened under another name and with other options. */
export function isBlank({ sessionId, scans, leaving }: Ledger): boolean {
  return sessionId === null && scans.length === 0 && leaving.length === 0;
}

/** As which number a certificate was scanned already, counted from 1; null when it was not. */
export function numberOfCert(ledger: Ledger, company: Company, certNumber: string): number | null {
  const index = ledger.scans.findIndex((scan) => scan.certNumber === certNumber && scan.company === company);
  return index === -1 ? null : index + 1;
}

export function withScan(ledger: Ledger, read: Omit<Scan, "line" | "state">): { ledger: Ledger; scan: Scan } {
  const { nextLine, scans } = ledger;
  const scan: Scan = { ...read, line: nextLine, state: "waiting" };
  return { ledger: { ...ledger, nextLine: nextLine + 1, scans: [...scans, scan] }, scan };
}

/** Undo: without the last scan. */
export function withoutLast(ledger: Ledger): Ledger {
  const last = ledger.scans.at(-1);
  if (!last) return ledger;
  const leaving = last.state === "waiting" ? ledger.leaving : [...ledger.leaving, last];
  return { ...ledger, scans: ledger.scans.slice(0, -1), leaving };
}

export type Work =
  | { kind: "open"; scan: Scan }
  | { kind: "add"; sessionId: string; scans: Scan[] }
  | { kind: "remove"; sessionId: string; scan: Scan };

/** What is to be asked of the server next; null when it has everything. */
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

/** The scans of these lines, kept or leaving, are now in this state. */
export function withState(ledger: Ledger, lines: readonly number[], state: Scan["state"]): Ledger {
  const changed = new Set(lines);
  const mark = (scan: Scan): Scan => (changed.has(scan.line) ? { ...scan, state } : scan);
  return { ...ledger, scans: ledger.scans.map(mark), leaving: ledger.leaving.map(mark) };
}

export function withSession(ledger: Ledger, sessionId: string): Ledger {
  return { ...ledger, sessionId };
}

/** A row was taken out, or was found never to have been there. */
export function withoutLeaving(ledger: Ledger, line: number): Ledger {
  return { ...ledger, leaving: ledger.leaving.filter((scan) => scan.line !== line) };
}

/** Its session is gone from the server: what had not arrived goes into another one. */
export function inAnotherSession(ledger: Ledger, opening: Opening): Ledger {
  const scans = ledger.scans
    .filter(({ state }) => state !== "sent")
    .map((scan, index): Scan => ({ ...scan, line: FIRST_LINE + index, state: "waiting" }));
  return { ...newLedger(opening), nextLine: FIRST_LINE + scans.length, scans };
}

/** Scans that the server does not have yet, as far as is known. */
export function countWaiting({ scans }: Ledger): number {
  return scans.filter(({ state }) => state !== "sent").length;
}
