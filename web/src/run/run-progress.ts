import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import { OUTCOME_CODES, type OutcomeCode, OUTCOMES } from "@slabdesk/contract/api/outcomes.ts";
import { PRICE_SOURCES, type PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import { type ResultRow, type RowStatus, SETTLED_STATUSES } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { SHEET_OUTCOMES } from "@slabdesk/contract/review/row-state.ts";
import { formatMinutes } from "../ui/wait-messages.ts";
import { counted, formatCount } from "../ui/format-numbers.ts";

/** Kinds of failures by what staff do next: accept the result, retry, fix the sheet, or ask an administrator. */
export type FailureKind = "not_found" | "outage" | "invalid" | "needs_admin";

/** A missing outcome, or one in no other kind, needs an administrator: nothing indicates that a retry would help. */
export function failureKindOf(outcome: OutcomeCode | null): FailureKind {
  if (outcome === null) return "needs_admin";
  if (SHEET_OUTCOMES.includes(outcome)) return "invalid";
  const { group } = OUTCOMES[outcome];
  return group === "not_found" || group === "outage" ? group : "needs_admin";
}

/** The number of rows per state, with failed rows grouped by what staff do next. `percent` is 100 only at the end. */
export type Progress = ReturnType<typeof progressOf>;

export function progressOf(session: ScanSession) {
  const count = (...statuses: RowStatus[]): number =>
    statuses.reduce((sum, status) => sum + (session.counts[status] ?? 0), 0);
  const { processedCards: processed, totalCards: total } = session;
  return {
    done: count("completed", "completed_retry"),
    inFlight: count("processing"),
    pending: count("pending"),
    queued: count("queued"),
    waiting: count("waiting"),
    failures: failuresOf(session.causes, count("error", "failed")),
    processed,
    total,
    percent: total === 0 ? 0 : Math.floor((processed * 100) / total),
  };
}

/** Failed rows by kind. Rows without a known cause count like rows without an outcome. */
function failuresOf(causes: ScanSession["causes"], failed: number): Record<FailureKind, number> {
  const failures: Record<FailureKind, number> = { not_found: 0, outage: 0, invalid: 0, needs_admin: 0 };
  let named = 0;
  for (const outcome of OUTCOME_CODES) {
    const rows = causes[outcome] ?? 0;
    failures[failureKindOf(outcome)] += rows;
    named += rows;
  }
  failures[failureKindOf(null)] += Math.max(0, failed - named);
  return failures;
}

/** The number of failures that need a person: numbers to correct and credentials to add. */
export const toFix = ({ failures }: Progress): number => failures.invalid + failures.needs_admin;

/** The number of cards that a stopped run left behind. */
export function leftOver({ pending, queued, waiting, inFlight }: Progress): number {
  return pending + queued + waiting + inFlight;
}

/** What remains if no card can be looked up now; null while there is work, or if nothing remains. */
export function onlyLeft({ pending, inFlight, queued, waiting }: Progress): "waits" | "retries" | null {
  if (pending + inFlight > 0) return null;
  if (waiting > 0) return "waits";
  return queued > 0 ? "retries" : null;
}

/** True if prices are being fetched and no card is being looked up, whether done, waiting, or left by a stopped run. */
export function hasOnlyPricesLeft({ status, counts, prices }: ScanSession): boolean {
  const { pending = 0, processing = 0, queued = 0 } = counts;
  const open = status === "failed" ? processing : pending + processing + queued;
  return prices.pending > 0 && open === 0;
}

/** Settled and open cards and prices. Rows that wait count as neither, because lane speed doesn't affect them. */
export type Lanes = Record<Company | PriceSourceName, { settled: number; open: number }>;
const LANES = [...COMPANIES, ...PRICE_SOURCES];
export type PaceSample = { atMs: number; lanes: Lanes };

const SETTLED: ReadonlySet<RowStatus> = new Set(SETTLED_STATUSES);

/** If a source prices this run's found cards and no price of it waits, every open card counts as an open price. */
export function lanesOf(rows: readonly ResultRow[], includePricing: boolean): Lanes {
  const none = (): Lanes["PSA"] => ({ settled: 0, open: 0 });
  const lanes: Lanes = { PSA: none(), CGC: none(), TAG: none(), cardladder: none(), cardsiq: none() };
  const paused = new Set<PriceSourceName>();
  for (const row of rows) {
    const company = COMPANIES.find((name) => name === row.gradingCompany);
    if (!company) continue;
    if (SETTLED.has(row.status)) lanes[company].settled += 1;
    else if (row.status === "pending" || row.status === "processing") lanes[company].open += 1;
    for (const source of PRICE_SOURCES) {
      const { state } = row.prices[source];
      if (state === "waiting") paused.add(source);
      else if (state === "pending") lanes[source].open += 1;
      else if (state !== null) lanes[source].settled += 1;
    }
  }
  const openCards = COMPANIES.reduce((sum, company) => sum + lanes[company].open, 0);
  for (const source of PRICE_SOURCES) {
    const { settled, open } = lanes[source];
    if (includePricing && settled + open > 0 && !paused.has(source)) lanes[source].open += openCards;
  }
  return lanes;
}

/** The averaging window. The pace follows a slowdown but doesn't jump with each card. */
const WINDOW_MS = 120_000;
/** Minimum observation; an estimate from two cards would be misleading. */
const SHORTEST_MS = 10_000;
const FEWEST_CARDS = 3;

/** Adds the latest sample. Drops those older than the window, or from before settled cards were sent again. */
export function addSample(samples: readonly PaceSample[], sample: PaceSample): PaceSample[] {
  const last = samples.at(-1);
  const isSentAgain = LANES.some((lane) => last !== undefined && sample.lanes[lane].settled < last.lanes[lane].settled);
  if (isSentAgain) return [sample];
  return [...samples.filter(({ atMs }) => sample.atMs - atMs <= WINDOW_MS), sample];
}

/** Cards and prices per minute over all lanes, and the minutes left; each null until there is enough data. */
export type Pace = { perMinute: number | null; pricesPerMinute: number | null; minutesLeft: number | null };

const UNKNOWN_PACE: Pace = { perMinute: null, pricesPerMinute: null, minutesLeft: null };

/**
 * Lanes run in parallel, so the time left is the slowest lane's: its open cards times the median time of a card, so that
 * one that hangs doesn't change it. Unknown if a lane with open work has settled nothing recently.
 */
export function paceOf(samples: readonly PaceSample[]): Pace {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.atMs - first.atMs < SHORTEST_MS) return UNKNOWN_PACE;

  const minutes = (last.atMs - first.atMs) / 60_000;
  const speedOf = (lanes: readonly (keyof Lanes)[]): number | null => {
    const settled = lanes.reduce((sum, lane) => sum + last.lanes[lane].settled - first.lanes[lane].settled, 0);
    return settled < FEWEST_CARDS ? null : settled / minutes;
  };
  const perMinute = speedOf(COMPANIES);
  const pricesPerMinute = speedOf(PRICE_SOURCES);
  if (perMinute === null && pricesPerMinute === null) return UNKNOWN_PACE;

  const ends = LANES.filter((lane) => last.lanes[lane].open > 0).map(
    (lane) => last.lanes[lane].open * (medianMinutes(samples, lane) ?? Number.POSITIVE_INFINITY),
  );
  const longest = Math.max(0, ...ends);
  return { perMinute, pricesPerMinute, minutesLeft: Number.isFinite(longest) ? longest : null };
}

/** The median time that a card or price of the lane took; null if none was settled. */
function medianMinutes(samples: readonly PaceSample[], lane: keyof Lanes): number | null {
  const times: number[] = [];
  let last = samples[0];
  for (const sample of samples) {
    const settled = sample.lanes[lane].settled - (last?.lanes[lane].settled ?? 0);
    if (last === undefined || settled <= 0) continue;
    const each = (sample.atMs - last.atMs) / settled / 60_000;
    for (let card = 0; card < settled; card += 1) times.push(each);
    last = sample;
  }
  times.sort((one, other) => one - other);
  // `at` drops fractions: both are the same time if there is a middle one.
  const [low, high] = [times.at((times.length - 1) / 2), times.at(times.length / 2)];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** "3 min", "less than a minute", "2 h 10 min". */
function formatDuration(exactMinutes: number): string {
  return exactMinutes < 1 ? "less than a minute" : formatMinutes(Math.round(exactMinutes));
}

/** "about 3 min", "less than a minute", "about 2 h 10 min". */
export function formatTimeLeft(minutesLeft: number): string {
  return minutesLeft < 1 ? formatDuration(minutesLeft) : `about ${formatDuration(minutesLeft)}`;
}

/** "Took 6 min", "Took less than a minute"; takes ISO 8601 times. */
export function tookMessage(startedAt: string, completedAt: string): string {
  return `Took ${formatDuration((Date.parse(completedAt) - Date.parse(startedAt)) / 60_000)}`;
}

/** The counts of a finished run: "118 done, 5 not found, 14 to retry, 3 to fix". */
export function countsMessage(progress: Progress): string {
  const { done, failures } = progress;
  const failed: [number, string][] = [
    [failures.not_found, "not found"],
    [failures.outage, "to retry"],
    [toFix(progress), "to fix"],
  ];
  return [[done, "done"] as const, ...failed.filter(([count]) => count > 0)]
    .map(([count, message]) => `${formatCount(count)} ${message}`)
    .join(", ");
}

/** Announced when a run starts, resumes (`isAgain`: it had ended when last seen) or ends; nothing per card. */
export function announcementOf(session: ScanSession, isAgain: boolean): string {
  const progress = progressOf(session);
  const left = formatCount(leftOver(progress));
  switch (session.status) {
    case "processing":
      if (hasOnlyPricesLeft(session)) return `${counted(session.prices.pending, "price")} left`;
      return isAgain
        ? `Processing continues: ${left} cards to look up`
        : `Processing started: ${formatCount(session.totalCards)} cards`;
    case "completed":
      return `Processing completed: ${countsMessage(progress)}`;
    case "failed":
      return `Processing stopped: ${countsMessage(progress)}${leftOver(progress) > 0 ? `, ${left} not looked up` : ""}`;
  }
}

export const pricesLeft = ({ prices }: ScanSession): number => prices.pending + prices.waiting;

/** The document title; null keeps the page's. `isNews`: the user hasn't seen that the run ended. */
export function titleOf(session: ScanSession, pageTitle: string, isNews: boolean): string | null {
  if (session.status !== "processing") return isNews ? `Done · ${session.sessionName}` : null;
  const { percent } = progressOf(session);
  const progress = hasOnlyPricesLeft(session) ? `${counted(session.prices.pending, "price")} left` : `${percent}%`;
  return `${progress} · ${session.sessionName} · ${pageTitle}`;
}
