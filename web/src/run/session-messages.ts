import type { Mode } from "@slabdesk/contract/api/cards.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { formatMoment } from "@slabdesk/contract/certs/dates.ts";
import { leftOver, progressOf, tookMessage } from "./run-progress.ts";
import { formatCount } from "../ui/format-numbers.ts";
import { toast } from "../ui/toast.tsx";

/** The names of the data sources (docs/conformance.md, 2.3-13, 2.3-17 and 2.3-20). */
export const MODE_LABELS: Record<Mode, string> = {
  "api-with-fallback": "API with scraping fallback",
  api: "API only",
  scraping: "Web scraping only",
};

/** The name of a session's data source. A mode that isn't offered any more is shown as stored. */
export function modeMessage(mode: string): string {
  const labels: Readonly<Record<string, string>> = MODE_LABELS;
  return labels[mode] ?? mode;
}

/** "128 / 212" */
export function sessionProgress(session: ScanSession): string {
  return `${formatCount(session.processedCards)} / ${formatCount(session.totalCards)}`;
}

/** A run's start and its duration or time left: "Nov 21, 2026, 2:05 PM · Took 6 min". */
export function runMessage(session: ScanSession): string {
  const began = formatMoment(session.uploadDate);
  const left = leftOver(progressOf(session));
  if (session.status === "failed" && left > 0) return `${began} · ${formatCount(left)} not looked up`;
  return session.completedAt === null ? began : `${began} · ${tookMessage(session.startedAt, session.completedAt)}`;
}

/** Only administrators can delete sessions (docs/conformance.md, 6-09). */
export const DELETED_MESSAGE = "This session was deleted by an administrator";

/** The server doesn't tell a user which of both is the case. */
export const NOT_YOURS_MESSAGE = "This session was deleted, or it belongs to somebody else.";

/** Tells the user, on any screen of this page, that their session was deleted. Shows the message once. */
export function announceDeletion({ id, sessionName }: Pick<ScanSession, "id" | "sessionName">): void {
  toast.info({ id: `deleted-${id}`, title: DELETED_MESSAGE, message: `${sessionName}, with its results` });
}
