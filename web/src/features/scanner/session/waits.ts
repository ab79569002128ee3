import type { Status } from "@slabdesk/contract/api/status.ts";
import { formatAt } from "@slabdesk/contract/certs/dates.ts";
import { PRICE_SOURCE_NAMES } from "@slabdesk/contract/api/prices.ts";
import type { ScanSession, ScanWait } from "@slabdesk/contract/api/sessions.ts";
import { counted } from "../../../ui/format-numbers.ts";
import { formatCountdown } from "../../../ui/wait-messages.ts";

/** "PSA's limit of 100 API calls per day is used up. 46 cards resume at 2:05 PM". A manual pause has no time. */
export function waitMessage({ company, message, count, until }: ScanWait, nowMs: number): string {
  return `${message.replace(/[.:\s]+$/, "") || company}. ${resumeMessage(count, "card", until, nowMs)}`;
}

type Prices = ScanSession["prices"];

/** "CardLadder's daily limit is used up. 120 prices resume at 3:05 PM". Without a count if several sources wait. */
export function priceWaitMessage({ waits, waiting }: Prices, wait: Prices["waits"][number], nowMs: number): string {
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
export function canGoByPage({ canScrape }: Pick<ScanWait, "canScrape">, scraping: Status["scraping"]): boolean {
  return scraping === "on" && canScrape;
}

type Waiting = Pick<ScanSession, "waits" | "prices">;

/** The waits of cards, then of prices. `key` identifies a wait, also if its time changes: a pause can be extended. */
export function waitsOf({ waits, prices }: Waiting, nowMs: number) {
  return [
    ...waits.map((wait) => ({ ...wait, key: `${wait.company} ${wait.outcome}`, message: waitMessage(wait, nowMs) })),
    ...prices.waits.map((wait) => ({
      ...wait,
      key: wait.source,
      message: priceWaitMessage(prices, wait, nowMs),
      canScrape: false,
    })),
  ];
}

/** The screen-reader announcement of new waits, once each. */
export function newWaitsMessage(before: Waiting | null, now: Waiting, nowMs: number): string | null {
  const known = new Set(before && waitsOf(before, nowMs).map(({ key }) => key));
  const started = waitsOf(now, nowMs).filter(({ key }) => !known.has(key));
  return started.map(({ message }) => message).join(". ") || null;
}
