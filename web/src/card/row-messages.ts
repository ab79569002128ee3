import { type Entry, type ResultRow, NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import { formatClock, formatDay } from "@slabdesk/contract/certs/dates.ts";
import { OUTCOMES, type OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import { parseCompany } from "@slabdesk/contract/certs/company.ts";
import { hasPriceInDoubt, isError, isTotal, sheetFailureTitle } from "@slabdesk/contract/review/row-state.ts";
import { formatCount } from "../ui/format-numbers.ts";
import { imageFlagMessage, storedUrlOf } from "./images.ts";

/** A row's color: the background tint and the text. */
export type RowTone = "plain" | "good" | "warn" | "bad" | "busy" | "idle";

/** A row's message: a short label, a hint beside it, and the full text. */
export type RowMessage = { tone: RowTone; label: string | null; hint: string | null; fullMessage: string | null };

/** A failed row's error, shown in a box. */
export type ErrorBox = { title: string; message: string };

/** A field's value; null if the grader has none. */
export const knownValue = (field: string | null): string | null =>
  field === "" || field === NOT_AVAILABLE ? null : field;

/** A swap needs two different images, neither of them "N/A" (docs/conformance.md, 5-20). */
export function canSwap(row: Pick<ResultRow, "imageUrl" | "imageUrlBack">): boolean {
  const [front, back] = [storedUrlOf(row, "front"), storedUrlOf(row, "back")];
  return front !== null && back !== null && front !== back;
}

/** The row's notes. Those of a failed row begin with its error, which is shown elsewhere. */
export const notesOf = (row: ResultRow): string => (isError(row) ? row.sheetNotes : row.notes);

/** The row's name as shown and read out. Without a card, its error or queue label (docs/conformance.md, 8-06, 8-12). */
export function rowTitle(row: ResultRow): string | null {
  if (row.itemName !== null && row.itemName !== "") return row.itemName;
  if (isError(row)) return `Error: ${row.certNumber}`;
  if (row.status === "queued") return `Queued: ${row.certNumber}`;
  if (row.status === "waiting") return `Waiting: ${row.certNumber}`;
  return null;
}

const NO_HINT = { hint: null, fullMessage: null };

/** Labels: docs/conformance.md, 2.3-68 to 2.3-70. Without `isRunning`, a pending row was left by a stopped run. */
export function rowMessage(row: ResultRow, isRunning: boolean): RowMessage {
  switch (row.status) {
    case "pending":
      return { ...NO_HINT, tone: "idle", label: isRunning ? `In ${row.gradingCompany}'s queue` : "Not looked up" };
    case "processing":
      return { ...NO_HINT, tone: "busy", label: `Looking up at ${row.gradingCompany}…` };
    case "queued":
      return { tone: "warn", label: "Queued - Retrying...", hint: row.error, fullMessage: row.error };
    case "waiting":
      return waitingMessage(row);
    case "completed": {
      // A colleague's entry is never taken silently.
      const hint = row.entry !== null && row.source === "known" ? byHandMessage(row, row.entry) : null;
      return { tone: "plain", label: null, hint, fullMessage: null };
    }
    case "completed_retry":
      return { ...NO_HINT, tone: "good", label: "Completed (Retried)" };
    case "failed":
      return { tone: "bad", ...failureOf(row), label: "Retry Failed", fullMessage: row.error };
    case "error":
      return { tone: "bad", ...failureOf(row), fullMessage: row.error };
  }
}

/** Who entered a card by hand and when. A row filled from the cache says so. */
export function byHandMessage({ source }: Pick<ResultRow, "source">, { by, at }: Entry): string {
  const entered = `by hand by ${by} on ${formatDay(at)}`;
  return source === "known" ? `Saved result, entered ${entered}` : `Entered ${entered}`;
}

/** "204 · 12 higher"; null if nothing is known. Not every grader counts higher grades. */
export function populationMessage({ population, populationHigher }: ResultRow): string | null {
  const counts = [
    ...(population === null ? [] : [formatCount(population)]),
    ...(populationHigher === null ? [] : [`${formatCount(populationHigher)} higher`]),
  ];
  return counts.join(" · ") || null;
}

/** A remark's subject: a difference between registry and sheet, a repaired sheet value, or an image problem. */
export type Remark = { kind: "differs" | "repaired" | "image"; message: string };

/** Everything that staff should check on a row besides its state, most important first. */
export function rowRemarks(row: ResultRow): Remark[] {
  const as = (kind: Remark["kind"]) => (message: string) => ({ kind, message });
  return [
    ...row.mismatches.map(as("differs")),
    ...row.warnings.map(as("repaired")),
    ...imageFlagMessage(row).map(as("image")),
  ];
}

/** True if the number or the company was repaired. A doubtful price also has a warning but isn't repaired. */
export const isRepaired = (row: ResultRow): boolean => row.warnings.length > (hasPriceInDoubt(row) ? 1 : 0);

/** What happened at the company, and what to do about it. */
const FAILURES: Partial<Record<OutcomeCode, { title: (company: string) => string; hint: string }>> = {
  not_found: { title: (company) => `Not found at ${company}`, hint: "Check the number on the slab" },
  blocked: { title: (company) => `${company} blocked the request`, hint: "Retry later, or enter the card by hand" },
  quota_exhausted: { title: (company) => `${company}'s quota is used up`, hint: "Retry after the quota resets" },
  timeout: { title: (company) => `${company} didn't answer in time`, hint: "The number may be fine" },
  unavailable: { title: (company) => `${company} was down`, hint: "The number may be fine" },
  not_configured: { title: (company) => `${company} is not set up`, hint: "An administrator must add the credentials" },
  forbidden: {
    title: (company) => `${company} refused our credentials`,
    hint: "An administrator must check the credentials",
  },
};

function failureOf(row: ResultRow): Pick<RowMessage, "label" | "hint"> {
  const { outcome, error } = row;
  if (outcome === null) return { label: "Error", hint: error };
  if (outcome === "invalid_row" || outcome === "invalid_number")
    return { label: sheetFailureTitle(row), hint: sheetFailureHint(row) };
  const failure = FAILURES[outcome];
  const company = parseCompany(row.gradingCompany);
  return { label: (company && failure?.title(company)) ?? OUTCOMES[outcome].title, hint: failure?.hint ?? error };
}

/** What to do about a line of the sheet. Files have the whole message (docs/conformance.md, 5-10 and 5-12). */
function sheetFailureHint(row: ResultRow): string | null {
  if (isTotal(row)) return "This line is not a card";
  if (row.outcome === "invalid_number") return row.error;
  if (row.certNumber.trim() === "") return "Type it from the slab's label";
  return row.gradingCompany.trim() === "" ? "Choose it with Edit number" : row.error;
}

function waitingMessage({ waitingUntil, error }: ResultRow): RowMessage {
  const label = waitingUntil === null ? "Waiting" : `Waiting until ${formatClock(waitingUntil, Date.now())}`;
  const hint = error ?? "Resumes automatically";
  return { tone: "warn", label, hint, fullMessage: error === null ? hint : `${error} · resumes automatically` };
}
