import type { Status } from "@slabdesk/contract/api/status.ts";
import { formatAt } from "@slabdesk/contract/certs/dates.ts";
import { PRICE_SOURCE_NAMES } from "@slabdesk/contract/api/prices.ts";
import type { ScanSession, ScanWait } from "@slabdesk/contract/api/sessions.ts";
import { counted } from "../../../ui/format-numbers.ts";
import { formatCountdown } from "../../../ui/wait-messages.ts";

/** Identifies a wait among a session's waits, whatever its time: an extended pause is the same wait. */
export function waitKey({ company, outcome }: ScanWait): string {
  return `${company} ${outcome}`;
}

/** "PSA's limit of 100 API calls per day is used up. 46 cards resume at 2:05 PM". A manual pause has no time. */
export function waitMessage({ company, message, count, until }: ScanWait, nowMs: number): string {
  const reason = message.replace(/[.:\s]+$/, "") || company;
  return `${reason}. ${resumeMessage(count, "card", until, nowMs)}`;
}

type PriceWait = ScanSession["prices"]["waits"][number];

/** "CardLadder's daily limit is used up. 120 prices resume at 3:05 PM". Without a count if several sources wait. */
export function priceWaitMessage({ waits, waiting }: ScanSession["prices"], wait: PriceWait, nowMs: number): string {
  const reason = wait.message.replace(/[.:;\s]+$/, "") || `${PRICE_SOURCE_NAMES[wait.source]} is paused`;
  return `${reason}. ${resumeMessage(waits.length === 1 ? waiting : null, "price", wait.until, nowMs)}`;
}

function resumeMessage(count: number | null, what: string, until: string | null, nowMs: number): string {
  const waiting = count === null ? `Its ${what}s` : counted(count, what);
  if (until === null) return `${waiting} ${count === 1 ? "waits" : "wait"} until someone resumes it`;
  return `${waiting} ${count === 1 ? "resumes" : "resume"} ${formatAt(until, nowMs)}`;
}

/** The countdown: "in 3 h 12 min", or that the time has come; null if the time is unknown. */
export function waitClockMessage({ until }: Pick<ScanWait, "until">, nowMs: number): string | null {
  if (until === null) return null;
  return formatCountdown(until, nowMs) ?? "any moment now";
}

/** True if PSA's website can replace its API, whose quota these rows wait for. */
export function canGoByPage({ canScrape }: ScanWait, scraping: Status["scraping"]): boolean {
  return scraping === "on" && canScrape;
}

type Waiting = Pick<ScanSession, "waits" | "prices">;

/** The screen-reader announcement of new waits, once each. */
export function newWaitsMessage(before: Waiting | null, now: Waiting, nowMs: number): string | null {
  const known = new Set(before?.waits.map(waitKey));
  const knownSources = new Set(before?.prices.waits.map(({ source }) => source));
  const messages = [
    ...now.waits.filter((wait) => !known.has(waitKey(wait))).map((wait) => waitMessage(wait, nowMs)),
    ...now.prices.waits
      .filter(({ source }) => !knownSources.has(source))
      .map((wait) => priceWaitMessage(now.prices, wait, nowMs)),
  ];
  return messages.join(". ") || null;
}
