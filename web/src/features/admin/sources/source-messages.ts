import type { Source, SourceEndpoint, SourceState } from "@slabdesk/contract/api/sources.ts";
import { formatAt, formatClock, formatDay, formatSince } from "@slabdesk/contract/certs/dates.ts";
import { formatCountdown } from "../../../ui/wait-messages.ts";
import type { Tone } from "../../../ui/tone.ts";
import { counted, formatCount } from "../../../ui/format-numbers.ts";

const LIST = new Intl.ListFormat("en-US", { type: "conjunction" });
const SECONDS = new Intl.NumberFormat("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** The state of an endpoint or of a whole upstream in one word. */
export const STATE_LABELS: Record<SourceState, { label: string; tone: Tone }> = {
  open: { label: "Working", tone: "good" },
  paused: { label: "Paused", tone: "bad" },
  probing: { label: "Checking", tone: "accent" },
  manually_paused: { label: "Paused", tone: "warn" },
  off: { label: "Off", tone: "neutral" },
};

/** Where an upstream's credentials come from: "Entered by Ana Ruiz, Nov 22, 2026". */
export function credentialsMessage({ credentials }: Source): string {
  const { fields, entered } = credentials;
  const isFromSettings = fields.some(({ isSet, lockedReason }) => isSet && lockedReason !== null);
  if (entered === null || fields.every(({ lockedReason }) => lockedReason !== null))
    return isFromSettings ? "From the server's settings" : "None";
  const rest = isFromSettings ? "; the rest is from the server's settings" : "";
  return `Entered by ${entered.by}, ${formatDay(entered.at)}${rest}`;
}

/** A source's state as shown on the page: what is wrong and until when. Times are in the user's time zone. */
export function sourceSummary(source: Source, nowMs: number): { tone: Tone; label: string; sentence: string } {
  const { manualPause, endpoints } = source;
  if (manualPause !== null) {
    const on = formatDay(manualPause.at) === formatDay(nowMs) ? "at" : "on";
    const sentence = `Paused by ${manualPause.by} ${on} ${formatSince(manualPause.at, nowMs)}`;
    return { ...STATE_LABELS.manually_paused, sentence };
  }
  if (source.state === "off")
    return { ...STATE_LABELS.off, sentence: endpoints.find(({ message }) => message)?.message ?? "Off" };
  const unavailable = endpoints.filter(({ state }) => state === "paused" || state === "probing");
  const off = endpoints.filter(({ state }) => state === "off").map(({ title }) => title);
  const exceptions = off.length === 0 ? "" : `, except ${LIST.format(off)}`;
  if (unavailable.length === 0) return { ...STATE_LABELS.open, sentence: `Working normally${exceptions}` };
  // Endpoints that were paused together have the same sentence.
  const sentence = [...new Set(unavailable.map((endpoint) => endpointSentence(endpoint, nowMs)))].join(" · ");
  return source.state === "open"
    ? { tone: "warn", label: "Partly working", sentence }
    : { ...STATE_LABELS[source.state], sentence };
}

/** When an endpoint was paused and when it is retried, or why it is off. Its upstream shows the reason for a pause. */
export function endpointTimes(endpoint: SourceEndpoint, nowMs: number): string {
  const { state, message } = endpoint;
  if (state === "open" || state === "manually_paused") return "";
  return state === "off" ? (message ?? "") : endpointSentence({ ...endpoint, message: null }, nowMs);
}

/** "PSA blocked the lookup (since 10:42 AM), next try at 10:57 AM (in 15 min)". The reason is the endpoint's own message. */
function endpointSentence({ state, since, until, message }: SourceEndpoint, nowMs: number): string {
  const reason = message?.replace(/[.:\s]+$/, "");
  const start = since ? `since ${formatSince(since, nowMs)}` : "";
  const begin = reason && start ? `${reason} (${start})` : reason || start;
  const end = state === "probing" ? "the next lookup checks again" : probeMessage(until, nowMs);
  const sentence = begin === "" ? end : `${begin}, ${end}`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function probeMessage(until: string | null, nowMs: number): string {
  if (until === null) return "until an administrator resumes it";
  const countdown = formatCountdown(until, nowMs);
  return countdown === null ? "next try now" : `next try ${formatAt(until, nowMs)} (${countdown})`;
}

/** For example "1,296 of 2,500 calls left, resets at 2:05 PM tomorrow (in 23 h 10 min)". */
export function quotaMessage({ quota, title }: Pick<Source, "quota" | "title">, nowMs: number): string | null {
  if (quota === null) return null;
  const assumed = quota.isConfirmed ? "" : ` (not confirmed by ${title} yet)`;
  const left = `${formatCount(quota.remaining)} of ${formatCount(quota.limit)} calls left${assumed}`;
  if (quota.resetsAt === null) return `${left}. The 24-hour window starts with the first call`;
  const countdown = formatCountdown(quota.resetsAt, nowMs);
  return countdown === null
    ? `${left}. The next call starts a new 24-hour window`
    : `${left}, resets ${formatAt(quota.resetsAt, nowMs)} (${countdown})`;
}

/** "At this week's rate, 100 calls a day last until 2:00 PM"; the server's message if there is no such future time. */
export function forecastMessage({ forecast, quota }: Pick<Source, "forecast" | "quota">, nowMs: number): string | null {
  if (forecast === null) return null;
  const { limit, lastsUntil, message } = forecast;
  if (lastsUntil === null || Date.parse(lastsUntil) <= nowMs || quota?.remaining === 0) return message;
  return `At this week's rate, ${counted(limit, "call")} a day last until ${formatClock(lastsUntil, nowMs)}`;
}

/** "Refuses CGC cards. Next try tomorrow at 2:05 PM", one sentence per company. */
export function refusalMessages({ refusals }: Pick<Source, "refusals">, nowMs: number): string[] {
  return refusals.map(({ company, until }) => `Refuses ${company} cards. Next try ${formatAt(until, nowMs)}`);
}

/** The cards (for a grader) or prices (for a price source) that wait; null if there are none. */
export function waitingMessage({ name, waitingRows }: Pick<Source, "name" | "waitingRows">): string | null {
  if (waitingRows === 0) return null;
  const what = resultOf(name);
  return counted(waitingRows, `${what} waits`, `${what}s wait`);
}

export function resultOf(name: Source["name"]): "card" | "price" {
  return name === "psa" || name === "cgc" || name === "tag" ? "card" : "price";
}

export function pauseMessage(source: Source): string {
  const waiting = waitingMessage(source);
  const now = waiting === null ? "" : ` ${waiting} now.`;
  return `New ${source.title} ${resultOf(source.name)}s will wait until someone resumes ${source.title}. Everything else continues.${now}`;
}

export function openMessage(source: Source): string {
  const waiting = waitingMessage(source);
  const blocked = source.manualPause === null ? ` ${source.title} may refuse again if this is too early.` : "";
  return waiting === null
    ? `Nothing waits for ${source.title}. The next card uses it again.${blocked}`
    : `${waiting} for ${source.title} and ${source.waitingRows === 1 ? "continues" : "continue"} immediately.${blocked}`;
}

/** "97%", or a dash if unknown. */
export function formatPercent(percent: number | null): string {
  return percent === null ? "–" : `${percent}%`;
}

export function formatDuration(ms: number | null): string {
  if (ms === null) return "–";
  return ms < 100 ? `${Math.round(ms)} ms` : `${SECONDS.format(ms / 1000)} s`;
}

/** The summary line above the sources: which ones need attention. */
export function summaryOf(sources: readonly Source[], nowMs: number): { tone: Tone; message: string } {
  const asked = sources.filter(({ state }) => state !== "off");
  const wrong = asked.filter((source) => sourceSummary(source, nowMs).tone !== "good").map(({ title }) => title);
  if (wrong.length > 0)
    return { tone: "warn", message: `${LIST.format(wrong)} ${wrong.length === 1 ? "needs" : "need"} attention` };
  if (asked.length === 0) return { tone: "neutral", message: "All sources are off" };
  return {
    tone: "good",
    message: asked.length === 1 ? "The one active source works" : `All ${asked.length} active sources work`,
  };
}
