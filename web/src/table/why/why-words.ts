import type { Mode } from "@slabdesk/contract/api/cards.ts";
import { OUTCOMES, type OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import { PRICE_SOURCE_NAMES, PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { LookUp, QuoteThen, Why } from "@slabdesk/contract/api/why.ts";
import { isFound } from "@slabdesk/contract/look/row-state.ts";
import { driftOf } from "@slabdesk/contract/market/disagreement.ts";
import type { Tone } from "../../ui/tone.ts";
import { colleagueWords, lookUpDay, ownWords, TWICE_OPEN_WORDS } from "../memory-words.ts";
import { money, percentWords } from "../prices/price-words.ts";
import { rowWords } from "../row-words.ts";

/* What the drawer and the text for support say alike. */

/** SPEC's names of the data sources. */
const MODE_WORDS: Readonly<Record<Mode, string>> = {
  "api-with-fallback": "API with scraping fallback",
  api: "API only",
  scraping: "Web scraping only",
};

export function modeWords(mode: string): string {
  const known: Readonly<Record<string, string>> = MODE_WORDS;
  return known[mode] ?? mode;
}

/** A cell of the line with the name of its column; a column without a header is counted. */
type LineCell = { name: string; cell: string };

export function lineCells({ header, cells }: Pick<Why, "header" | "cells">): LineCell[] {
  return Array.from({ length: Math.max(header.length, cells.length) }, (_, index) => ({
    name: header[index]?.trim() || `Column ${index + 1}`,
    cell: cells[index] ?? "",
  }));
}

/** How the row stands, and what happens next by itself. */
export function stateWords(row: ResultRow, isRunning: boolean): string {
  const { label, hint, story } = rowWords(row, isRunning);
  const grader = row.gradingCompany;
  switch (row.status) {
    case "pending":
      return isRunning
        ? `Waits for its turn at ${grader}; nobody was asked yet.`
        : "Not looked up: the session was stopped. Resume takes it up.";
    case "processing":
      return `Is being looked up at ${grader} now.`;
    case "queued":
      return `${sentence(row.error ?? "No answer in time")} Asked again by itself, up to three times.`;
    case "waiting":
      return `${label ?? "Waiting"}. ${sentence(row.error ?? "")} Goes on by itself.`.replace("  ", " ");
    case "completed":
    case "completed_retry":
      return row.source === "known" ? "Found, from an earlier look-up." : `Found at ${grader}.`;
    case "error":
    case "failed":
      return [label, story ?? hint].flatMap((words) => (words === null ? [] : sentence(words))).join(" ");
  }
}

function sentence(words: string): string {
  return words === "" || /[.!?…]$/u.test(words) ? words : `${words}.`;
}

/** One attempt as it is shown: who was asked, what came of it, and what there is to say besides. */
export type Attempt = {
  at: string;
  asked: string;
  /** How long the answer took; null where nobody was asked. */
  duration: string | null;
  chip: string;
  tone: Tone;
  words: string | null;
};

export function attemptOf(lookUp: LookUp, { gradingCompany }: Pick<ResultRow, "gradingCompany">, now: number): Attempt {
  switch (lookUp.kind) {
    case "fresh":
      return {
        at: lookUp.at,
        asked: `${gradingCompany}'s ${lookUp.source === "api" ? "API" : "page"}`,
        duration: durationWords(lookUp.durationMs),
        chip: OUTCOMES[lookUp.outcome].title,
        tone: toneOf(lookUp.outcome),
        words: lookUp.words === "" ? null : lookUp.words,
      };
    case "cached": {
      const by = lookUp.source === "api" ? "API" : "page";
      return {
        at: lookUp.at,
        asked: "Nobody was asked",
        duration: null,
        chip: "Cached",
        tone: "accent",
        words: `From a look-up of ${lookUpDay(lookUp.fetchedAt, now)} by ${by}`,
      };
    }
    case "twin":
      return {
        at: lookUp.at,
        asked: "Nobody was asked again",
        duration: null,
        chip: `With line ${lookUp.line}`,
        tone: "accent",
        words: `The same certificate as line ${lookUp.line}: both took one answer`,
      };
  }
}

function toneOf(outcome: OutcomeCode): Tone {
  switch (OUTCOMES[outcome].group) {
    case "ok":
      return "good";
    case "outage":
      return "warn";
    case "not_found":
    case "needs_you":
      return "bad";
  }
}

/** "340 ms", "1.2 s", "30 s" */
function durationWords(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  return ms < 10_000 ? `${Math.round(ms / 100) / 10} s` : `${Math.round(ms / 1_000)} s`;
}

/** "estimate $410.00, last sale $420.00", or why there is none. */
export function quoteWords({ estimate, lastSalePrice, words }: QuoteThen): string {
  const figures = [
    ...(estimate === null ? [] : [`estimate ${money(estimate)}`]),
    ...(lastSalePrice === null ? [] : [`last sale ${money(lastSalePrice)}`]),
  ];
  return figures.length > 0 ? figures.join(", ") : words || "no price";
}

/** How far each source's estimate has moved between its first and its newest price. */
export function driftWords(quotes: readonly QuoteThen[], now: number): string[] {
  return PRICE_SOURCES.flatMap((source) => {
    const priced = quotes.filter((quote) => quote.source === source && quote.estimate !== null);
    const [first, last] = [priced[0], priced.at(-1)];
    if (!first || !last || first === last) return [];
    const drift = driftOf(last.estimate, first.estimate);
    if (drift === null || first.estimate === null || last.estimate === null) return [];
    const since = `since ${lookUpDay(first.fetchedAt, now)}`;
    if (drift.dollars === 0) return [`${PRICE_SOURCE_NAMES[source]}: unchanged ${since}`];
    const way = drift.dollars > 0 ? "up" : "down";
    const amounts = `${money(first.estimate)} then, ${money(last.estimate)} now`;
    return [`${PRICE_SOURCE_NAMES[source]}: ${way} ${percentWords(drift.percent)} % ${since}, ${amounts}`];
  });
}

/** What is remembered of the card besides this row, a sentence each. */
export function rememberedWords({ own, colleagues, isTwiceOpen }: Why["memory"], now: number): string[] {
  return [
    ...own.map((lookUp) => ownWords(lookUp, now)),
    ...colleagues.map((lookUp) => colleagueWords(lookUp, now)),
    ...(isTwiceOpen ? [TWICE_OPEN_WORDS] : []),
  ];
}

/** Why there is no attempt to show. */
export function noAttemptWords(row: ResultRow): string {
  if (isFound(row)) return "The attempts of this row were not kept.";
  return row.status === "pending" || row.status === "processing" || row.status === "waiting"
    ? "None yet."
    : "None: nobody was asked.";
}
