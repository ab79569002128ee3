import { OUTCOME_CODES, OUTCOMES } from "@slabdesk/contract/api/outcomes.ts";
import { formatRecent } from "@slabdesk/contract/certs/dates.ts";
import { PRICE_SOURCE_NAMES } from "@slabdesk/contract/api/prices.ts";
import type { ScanSession, ScanWait } from "@slabdesk/contract/api/sessions.ts";
import type { Screen } from "./screen.ts";

const CARDS_OF_A_PACE = 2;
const BAR_CELLS = 20;

/** Shows the run's state, new waits, and the remaining time based on the pace since the command started watching. */
export function createProgress(screen: Screen, nowMs: () => number) {
  let start: { done: number; atMs: number } | null = null;
  const shownWaits = new Set<string>();
  return (session: ScanSession): void => {
    start ??= { done: session.processedCards, atMs: nowMs() };
    for (const wait of session.waits) {
      const key = `${wait.company} ${wait.outcome} ${wait.until}`;
      if (!shownWaits.has(key)) screen.say(waitMessage(wait));
      shownWaits.add(key);
    }
    const done = session.processedCards - start.done;
    const left = session.totalCards - session.processedCards;
    const leftMs = done < CARDS_OF_A_PACE || left === 0 ? null : ((nowMs() - start.atMs) / done) * left;
    screen.status(progressMessage(session, leftMs));
  };
}

/** One line: bar, rows done, failures, waits, time left. While rows wait, the time left is unknown. */
export function progressMessage(session: ScanSession, leftMs: number | null): string {
  const { totalCards, processedCards, waits, prices } = session;
  const filled = totalCards === 0 ? BAR_CELLS : Math.floor((processedCards / totalCards) * BAR_CELLS);
  const failed = failedRows(session);
  const waiting = waits.reduce((sum, wait) => sum + wait.count, 0);
  const firstUntil = waits.flatMap((wait) => wait.until ?? []).toSorted()[0] ?? null;
  return [
    `${"█".repeat(filled)}${"░".repeat(BAR_CELLS - filled)} ${processedCards}/${totalCards}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(waiting === 0 ? [] : [`${waiting} waiting${untilMessage(firstUntil)}`]),
    ...(prices.pending > 0 ? [`${prices.pending} prices left`] : []),
    ...(waiting === 0 && leftMs !== null ? [`${formatDuration(leftMs)} left`] : []),
  ].join(" · ");
}

function waitMessage({ company, count, until, message, outcome }: ScanWait): string {
  const rows = count === 1 ? "1 row waits" : `${count} rows wait`;
  return `${company}: ${rows}${untilMessage(until)}. ${message || OUTCOMES[outcome].title}`;
}

function untilMessage(until: string | null): string {
  return until === null ? "" : ` until ${formatRecent(until)}`;
}

/** The prices missing from the file because their source is paused. Null if no price waits. */
export function priceWaitMessage({ prices }: ScanSession): string | null {
  if (prices.waiting === 0) return null;
  const count = prices.waiting === 1 ? "1 price waits" : `${prices.waiting} prices wait`;
  const reason = prices.waits.map(({ source, until, message }) => {
    return `${PRICE_SOURCE_NAMES[source]}${untilMessage(until)}${message === "" ? "" : ` (${message})`}`;
  });
  return `${count}: ${reason.join(", ") || "they will be fetched soon"}. Run the command again with --session to get a file with them.`;
}

function formatDuration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return "less than a minute";
  if (minutes < 60) return `about ${minutes} min`;
  return `about ${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function failedRows({ counts }: ScanSession): number {
  return (counts.error ?? 0) + (counts.failed ?? 0);
}

/** The causes use the browser's texts: "3 of 10 rows failed: not found 2, invalid number 1". */
export function failureMessage(session: ScanSession): string {
  const causes = OUTCOME_CODES.flatMap((code) => {
    const count = session.causes[code] ?? 0;
    return count === 0 ? [] : [`${OUTCOMES[code].title.toLowerCase()} ${count}`];
  });
  return `${failedRows(session)} of ${session.totalCards} rows failed: ${causes.join(", ")}`;
}
