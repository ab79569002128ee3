import type { Status } from "@slabdesk/contract/api/status.ts";
import type { ScanWait } from "@slabdesk/contract/api/sessions.ts";
import { clockWords, countdownWords } from "../../table/wait-words.ts";

/** One wait among the waits of a session, whatever its time: a pause that is made longer is still the same wait. */
export function waitKey({ company, outcome }: ScanWait): string {
  return `${company} ${outcome}`;
}

/** "PSA's limit of 100 API calls a day is used up: 46 cards wait until 14:05" */
export function waitWords({ company, words, count, until }: ScanWait, nowMs: number): string {
  const why = words.replace(/[.:\s]+$/, "") || company;
  const cards = `${count.toLocaleString("en-US")} ${count === 1 ? "card waits" : "cards wait"}`;
  return `${why}: ${cards} until ${clockWords(until, nowMs)}`;
}

/** The clock beside it: "in 3 h 12 min", or that the time has come. */
export function waitClockWords({ until }: ScanWait, nowMs: number): string {
  return countdownWords(until, nowMs) ?? "any moment now";
}

/** True when PSA's pages can be read in place of its API, whose quota these rows wait for. */
export function canGoByPage({ company, outcome }: ScanWait, scraping: Status["scraping"]): boolean {
  return scraping === "on" && company === "PSA" && outcome === "quota_exhausted";
}

/** What a screen reader hears when waits begin: those that were not there before, once. */
export function newWaitsWords(before: readonly ScanWait[], now: readonly ScanWait[], nowMs: number): string | null {
  const known = new Set(before.map(waitKey));
  const words = now.filter((wait) => !known.has(waitKey(wait))).map((wait) => waitWords(wait, nowMs));
  return words.length === 0 ? null : words.join(". ");
}
