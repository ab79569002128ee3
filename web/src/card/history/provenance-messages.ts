import type { Mode, StoredSource } from "@slabdesk/contract/api/cards.ts";
import { formatDay } from "@slabdesk/contract/certs/dates.ts";
import { OUTCOMES } from "@slabdesk/contract/api/outcomes.ts";
import { PRICE_SOURCE_NAMES, PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { LookUp, QuoteThen, Provenance } from "@slabdesk/contract/api/provenance.ts";
import { isByHand, isFound } from "@slabdesk/contract/review/row-state.ts";
import { driftOf } from "@slabdesk/contract/market/disagreement.ts";
import { colleagueMessage, ownMessage, TWICE_OPEN_MESSAGE } from "../../run/lookup-history-messages.ts";
import { formatPercent } from "../prices/price-messages.ts";
import { money } from "../../ui/format-numbers.ts";
import { byHandMessage, rowMessage } from "../row-messages.ts";

/* Messages shared by the card view and the text for support. */

/** The specified names of the data sources. */
const MODE_LABELS: Readonly<Record<string, string>> = {
  "api-with-fallback": "API with scraping fallback",
  api: "API only",
  scraping: "Web scraping only",
} satisfies Record<Mode, string>;

export const modeMessage = (mode: string): string => MODE_LABELS[mode] ?? mode;

/** The cells of the line with their column names; a column without a header is numbered. */
export function lineCells({ header, cells }: Provenance) {
  return Array.from({ length: Math.max(header.length, cells.length) }, (_, index) => ({
    name: header[index]?.trim() || `Column ${index + 1}`,
    cell: cells[index] ?? "",
  }));
}

/** The row's state, and what happens next automatically. */
export function stateMessage(row: ResultRow, isRunning: boolean): string {
  const { label, hint, fullMessage } = rowMessage(row, isRunning);
  const grader = row.gradingCompany;
  switch (row.status) {
    case "pending":
      return isRunning
        ? `In ${grader}'s queue. Not looked up yet.`
        : "Not looked up, because the session was stopped. Resume the session to look it up.";
    case "processing":
      return `Looking up at ${grader} now.`;
    case "queued":
      return `${sentence(row.error ?? "No answer in time")} Retried automatically, up to three times.`;
    case "waiting":
      return `${label ?? "Waiting"}. ${sentence(row.error ?? "")} Resumes automatically.`.replace("  ", " ");
    case "completed":
    case "completed_retry":
      if (row.entry !== null && isByHand(row)) return `${byHandMessage(row, row.entry)}.`;
      return row.source === "known" ? "Found in an earlier lookup." : `Found at ${grader}.`;
    case "error":
    case "failed":
      return [label, fullMessage ?? hint].flatMap((message) => (message === null ? [] : sentence(message))).join(" ");
  }
}

const sentence = (message: string): string => (message === "" || /[.!?…]$/u.test(message) ? message : `${message}.`);

const SOURCE_LABELS: Readonly<Record<StoredSource, string>> = { api: "API", page: "website", hand: "hand" };
const GROUP_TONES = { ok: "good", outage: "warn", not_found: "bad", to_fix: "bad" } as const;

/** One attempt as shown: the source, the result and further notes. `duration` is null if no source was asked. */
export function attemptOf(lookUp: LookUp, { gradingCompany }: Pick<ResultRow, "gradingCompany">) {
  const { at } = lookUp;
  const unasked = { at, duration: null, tone: "accent" } as const;
  switch (lookUp.kind) {
    case "fresh":
      return {
        at,
        asked: `${gradingCompany}'s ${SOURCE_LABELS[lookUp.source]}`,
        duration: formatDuration(lookUp.durationMs),
        chip: OUTCOMES[lookUp.outcome].title,
        tone: GROUP_TONES[OUTCOMES[lookUp.outcome].group],
        message: lookUp.message || null,
      };
    case "cached": {
      const who = lookUp.by === undefined ? "" : ` by ${lookUp.by}`;
      const message =
        lookUp.source === "hand"
          ? `Entered by hand${who} on ${formatDay(lookUp.fetchedAt)}`
          : `From a lookup of ${formatDay(lookUp.fetchedAt)} by ${SOURCE_LABELS[lookUp.source]}`;
      return { ...unasked, asked: "Saved result", chip: "No lookup needed", message };
    }
    case "duplicate": {
      const message = `The same cert as line ${lookUp.line}; looked up once`;
      return { ...unasked, asked: "Duplicate", chip: `With line ${lookUp.line}`, message };
    }
    case "entered":
      return { ...unasked, asked: lookUp.by, chip: "By hand", message: "Entered the card by hand" };
    case "entry_removed":
      return { ...unasked, asked: lookUp.by, chip: "Removed", message: "Removed the card entered by hand" };
  }
}

/** "340 ms", "1.2 s", "30 s" */
function formatDuration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  return ms < 10_000 ? `${Math.round(ms / 100) / 10} s` : `${Math.round(ms / 1_000)} s`;
}

/** "estimate $410.00, last sale $420.00", or the reason for having none. */
export function quoteMessage({ estimate, lastSalePrice, message }: QuoteThen): string {
  const amounts = [
    estimate === null ? null : `estimate ${money(estimate)}`,
    lastSalePrice === null ? null : `last sale ${money(lastSalePrice)}`,
  ];
  return amounts.filter((amount) => amount !== null).join(", ") || message || "no price";
}

/** The change of each source's estimate between its first and latest price. */
export function driftMessage(quotes: readonly QuoteThen[]): string[] {
  return PRICE_SOURCES.flatMap((source) => {
    const priced = quotes.filter((quote) => quote.source === source && quote.estimate !== null);
    const [first, last] = [priced[0], priced.at(-1)];
    if (!first || !last || first === last) return [];
    const drift = driftOf(last.estimate, first.estimate);
    if (drift === null || first.estimate === null || last.estimate === null) return [];
    const since = `since ${formatDay(first.fetchedAt)}`;
    if (drift.dollars === 0) return [`${PRICE_SOURCE_NAMES[source]}: unchanged ${since}`];
    const direction = drift.dollars > 0 ? "up" : "down";
    const amounts = `${money(first.estimate)} then, ${money(last.estimate)} now`;
    return [`${PRICE_SOURCE_NAMES[source]}: ${direction} ${formatPercent(drift.percent)}% ${since}, ${amounts}`];
  });
}

/** The card's look-up history without this row, one sentence each. */
export function rememberedMessage(history: Provenance["lookupHistory"]): string[] {
  return [
    ...history.own.map((lookUp) => ownMessage(lookUp)),
    ...history.colleagues.map((lookUp) => colleagueMessage(lookUp)),
    ...(history.isTwiceOpen ? [TWICE_OPEN_MESSAGE] : []),
  ];
}

export function noAttemptMessage(row: ResultRow): string {
  if (isFound(row)) return "The attempts of this row were not kept.";
  return row.status === "pending" || row.status === "processing" || row.status === "waiting"
    ? "None yet."
    : "None. No lookup was made.";
}
