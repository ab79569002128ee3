import type { StoredSource } from "@slabdesk/contract/api/cards.ts";
import { OUTCOMES } from "@slabdesk/contract/api/outcomes.ts";
import { PRICE_SOURCE_NAMES, PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import type { LookUp, Provenance, QuoteThen } from "@slabdesk/contract/api/provenance.ts";
import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { formatDay } from "@slabdesk/contract/certs/dates.ts";
import { driftOf } from "@slabdesk/contract/market/disagreement.ts";
import { isByHand, isFound } from "@slabdesk/contract/review/row-state.ts";
import { colleagueMessage, ownMessage, TWICE_OPEN_MESSAGE } from "../../run/lookup-history-messages.ts";
import { modeMessage } from "../../run/session-messages.ts";
import { money } from "../../ui/format-numbers.ts";
import { hasOwnPhoto, imageFlagMessage, SIDE_NAMES, SIDES, storedUrlOf } from "../images.ts";
import { formatPercent } from "../prices/price-messages.ts";
import { byHandMessage, knownValue, populationMessage, rowMessage, rowTitle } from "../row-messages.ts";
import { legendOf, visibleText } from "./whitespace.ts";

/* Messages of the card view and of the text for support. */

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

/** The card's lookup history without this row, one sentence each. */
function lookupHistoryMessages(history: Provenance["lookupHistory"]): string[] {
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

/** The card's history for support. Times are UTC, as in logs. URLs are cut at the query, which may contain keys. */
export function provenanceReport(provenance: Provenance, options: { isRunning: boolean; nowMs: number }): string {
  const { row } = provenance;
  const sections: [title: string, lines: string[]][] = [
    [`Line ${row.line} of ${provenance.csvFilename} as uploaded`, uploadedLines(provenance)],
    ["Repaired", row.warnings],
    ["Attempts", attemptLines(provenance)],
    ["Differs from your sheet", row.mismatches],
    ["Images", imageLines(row)],
    ["Population", populationLines(row)],
    ["Price history", priceLines(provenance)],
    ["Earlier lookups", lookupHistoryMessages(provenance.lookupHistory)],
    ["Reference", referenceLines(provenance, options.nowMs)],
  ];
  const slab = [row.gradingCompany, row.certNumber].filter(Boolean).join(" ");
  return [
    `Slabdesk: history of line ${row.line}`,
    [slab, rowTitle(row), knownValue(row.grade)].flatMap((message) => message?.trim() || []).join(" · "),
    stateMessage(row, options.isRunning),
    ...sections
      .filter(([, lines]) => lines.length > 0)
      .flatMap(([title, lines]) => ["", title, ...lines.map((line) => `  ${line}`)]),
    "",
  ].join("\n");
}

function uploadedLines(provenance: Provenance): string[] {
  const cells = lineCells(provenance);
  const legend = legendOf(cells.map(({ cell }) => cell));
  return [
    ...cells.map(({ name, cell }) => `${name}: ${visibleText(cell)}`.trimEnd()),
    ...(legend === null ? [] : [`(${legend})`]),
  ];
}

function attemptLines({ row, lookUps }: Provenance): string[] {
  if (lookUps.length === 0) return [noAttemptMessage(row)];
  return lookUps.flatMap((lookUp, index) => {
    const { at, asked, duration, chip, message } = attemptOf(lookUp, row);
    const head = [utc(at), asked, ...(duration === null ? [] : [duration]), chip].join(" · ");
    return [`${index + 1}. ${head}`, ...(message === null ? [] : [`   ${message}`])];
  });
}

function imageLines(row: ResultRow): string[] {
  const lineOf = (side: ImageSide): string => {
    const url = storedUrlOf(row, side);
    if (url === null) return `${SIDE_NAMES[side]}: none`;
    return `${SIDE_NAMES[side]}: ${hasOwnPhoto(row, side) ? "own photo" : withoutQuery(url)}`;
  };
  const hasAny = SIDES.some((side) => storedUrlOf(row, side) !== null);
  return [...(hasAny ? SIDES.map(lineOf) : []), ...imageFlagMessage(row)];
}

function populationLines(row: ResultRow): string[] {
  const message = populationMessage(row);
  if (message === null) return [];
  return [row.populationAsOf === null ? message : `${message} · as of ${utc(row.populationAsOf)}`];
}

function priceLines({ quotes }: Provenance): string[] {
  return [
    ...quotes.map((quote) => `${utc(quote.fetchedAt)} · ${PRICE_SOURCE_NAMES[quote.source]}: ${quoteMessage(quote)}`),
    ...driftMessage(quotes),
  ];
}

function referenceLines({ row, sessionName, processingMode, createdAt }: Provenance, nowMs: number): string[] {
  const certUrl = knownValue(row.certUrl);
  return [
    `Session ${row.sessionId} "${sessionName}" · ${modeMessage(processingMode)}`,
    `Row ${row.id} · ${row.status}${row.outcome === null ? "" : ` · ${row.outcome}`} · uploaded ${utc(createdAt)}`,
    ...(certUrl === null ? [] : [withoutQuery(certUrl)]),
    `Copied ${utc(new Date(nowMs).toISOString())}`,
  ];
}

/** "2026-11-21 14:05:12 UTC" */
const utc = (at: string): string => `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;

const withoutQuery = (url: string): string => url.replace(/[?#].*$/su, "");
