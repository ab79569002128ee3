import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import type { ResultRow, RowStatus } from "@slabdesk/contract/api/results.ts";
import type { ScanSession, SessionStatus } from "@slabdesk/contract/api/sessions.ts";
import type { Tone } from "../../ui/tone.ts";

/** The figures of the current-session card. `percent` is whole and reaches 100 only when every card is done. */
export type Progress = {
  done: number;
  queued: number;
  needYou: number;
  inFlight: number;
  pending: number;
  processed: number;
  total: number;
  percent: number;
};

export function progressOf(session: Pick<ScanSession, "counts" | "processedCards" | "totalCards">): Progress {
  const count = (...statuses: RowStatus[]): number =>
    statuses.reduce((sum, status) => sum + (session.counts[status] ?? 0), 0);
  const { processedCards: processed, totalCards: total } = session;
  return {
    done: count("completed", "completed_retry"),
    queued: count("queued", "waiting"),
    needYou: count("error", "failed"),
    inFlight: count("processing"),
    pending: count("pending"),
    processed,
    total,
    percent: total === 0 ? 0 : Math.floor((processed * 100) / total),
  };
}

/** SPEC's colors of a session: completed green, processing orange, failed red. There is no fourth status. */
export const STATUS_TONES: Record<SessionStatus, Tone> = { completed: "good", processing: "warn", failed: "bad" };

/** How many cards each company has settled and how many it still has to do, at one moment. */
export type Lanes = Record<Company, { settled: number; open: number }>;
export type PaceSample = { atMs: number; lanes: Lanes };

export function lanesOf(rows: readonly ResultRow[]): Lanes {
  const lanes: Lanes = { PSA: { settled: 0, open: 0 }, CGC: { settled: 0, open: 0 }, TAG: { settled: 0, open: 0 } };
  for (const row of rows) {
    const company = COMPANIES.find((name) => name === row.gradingCompany);
    if (!company) continue;
    const isSettled =
      row.status === "completed" ||
      row.status === "error" ||
      row.status === "completed_retry" ||
      row.status === "failed";
    lanes[company][isSettled ? "settled" : "open"] += 1;
  }
  return lanes;
}

/** The speed is the mean over this much of the past, so that it follows a pause and does not jump with each card. */
const WINDOW_MS = 120_000;
/** Below these nothing is said: a guess from two cards is worse than none. */
const SHORTEST_MS = 10_000;
const FEWEST_CARDS = 3;

/** Adds what is seen now and forgets what is older than the window. Samples stand in order of time. */
export function addSample(samples: readonly PaceSample[], sample: PaceSample): PaceSample[] {
  return [...samples.filter(({ atMs }) => sample.atMs - atMs <= WINDOW_MS), sample];
}

/** Cards a minute over all lanes, and the minutes left; each null until enough has been seen to say it. */
export type Pace = { perMinute: number | null; minutesLeft: number | null };

/**
 * The lanes of the companies run side by side and end apart, so the time left is that of the slowest one, never the
 * rest divided by the common speed. A lane with cards left and none settled lately has no known end.
 */
export function paceOf(samples: readonly PaceSample[]): Pace {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.atMs - first.atMs < SHORTEST_MS) return { perMinute: null, minutesLeft: null };

  const minutes = (last.atMs - first.atMs) / 60_000;
  const settledIn = (company: Company): number => last.lanes[company].settled - first.lanes[company].settled;
  const settled = COMPANIES.reduce((sum, company) => sum + settledIn(company), 0);
  if (settled < FEWEST_CARDS) return { perMinute: null, minutesLeft: null };

  const ends = COMPANIES.filter((company) => last.lanes[company].open > 0).map(
    (company) => (last.lanes[company].open / settledIn(company)) * minutes,
  );
  const longest = Math.max(0, ...ends);
  return { perMinute: settled / minutes, minutesLeft: Number.isFinite(longest) ? longest : null };
}

/** "3 min", "less than a minute", "2 h 10 min". */
function durationWords(exactMinutes: number): string {
  if (exactMinutes < 1) return "less than a minute";
  const minutes = Math.round(exactMinutes);
  const rest = minutes % 60;
  if (minutes < 60) return `${minutes} min`;
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}

/** "about 3 min", "less than a minute", "about 2 h 10 min". */
export function timeLeftWords(minutesLeft: number): string {
  return minutesLeft < 1 ? durationWords(minutesLeft) : `about ${durationWords(minutesLeft)}`;
}

/** "Took 6 min", "Took less than a minute"; times as the server gives them, ISO 8601. */
export function tookWords(startedAt: string, completedAt: string): string {
  const minutes = (Date.parse(completedAt) - Date.parse(startedAt)) / 60_000;
  return `Took ${durationWords(minutes)}`;
}

/** What a screen reader hears when a run begins or ends; never per card. */
export function announcementOf(session: ScanSession): string {
  const { done, needYou, pending, queued, inFlight } = progressOf(session);
  const open = pending + queued + inFlight;
  switch (session.status) {
    case "processing":
      return `Processing started: ${session.totalCards} cards`;
    case "completed":
      return `Processing completed: ${done} done, ${needYou} need you`;
    case "failed":
      return `Processing stopped: ${done} done, ${needYou} need you, ${open} not looked up`;
  }
}

/** The document's title while a session is shown; null leaves the title of the page. */
export function titleOf(
  session: Pick<ScanSession, "sessionName" | "counts" | "processedCards" | "totalCards" | "status">,
  pageTitle: string,
): string | null {
  if (session.status !== "processing") return null;
  return `${progressOf(session).percent}% · ${session.sessionName} · ${pageTitle}`;
}
