/* The one way to write dates for people, in the reader's time zone. A time is ISO 8601 text or milliseconds. */

type Time = string | number;

function formatter(options: Intl.DateTimeFormatOptions): (time: Time) => string {
  const format = new Intl.DateTimeFormat("en-US", options);
  // Plain spaces, because not every terminal and spreadsheet shows the narrow one before "PM".
  return (time) => format.format(new Date(time)).replaceAll("\u202f", " ");
}

/** "Nov 21, 2026" */
export const formatDay = formatter({ dateStyle: "medium" });
/** "Nov 21, 2026", for a day in UTC */
export const formatUtcDay = formatter({ dateStyle: "medium", timeZone: "UTC" });
/** "Nov 21", for a day in UTC on the axis of a chart */
export const formatAxisDay = formatter({ month: "short", day: "numeric", timeZone: "UTC" });
/** "2:05 PM" */
const formatTime = formatter({ timeStyle: "short" });
/** "2:05:09 PM" */
export const formatSeconds = formatter({ timeStyle: "medium" });
/** "Nov 21, 2026, 2:05 PM" */
export const formatMoment = formatter({ dateStyle: "medium", timeStyle: "short" });
/** "Nov 21, 2026, 2:05 PM", for a time in UTC */
export const formatUtcMoment = formatter({ dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
/** "Nov 21, 2026, 2:05:09 PM" */
export const formatExactMoment = formatter({ dateStyle: "medium", timeStyle: "medium" });

/** "10:32 AM"; for a day other than today, "Nov 20, 2026, 10:32 AM". */
export function formatSince(since: string, nowMs: number): string {
  return daysBetween(nowMs, since) === 0 ? formatTime(since) : formatMoment(since);
}

/** A past time in a list: "10:32 AM"; for a day other than today, "Nov 20, 2026, 10:32 AM". */
export const formatRecent = (time: string): string => formatSince(time, Date.now());

/** "2:05 PM", "2:05 PM tomorrow", "Nov 23, 2026, 2:05 PM". */
export function formatClock(until: string, nowMs: number): string {
  const days = daysBetween(nowMs, until);
  if (days > 1) return formatMoment(until);
  return days === 1 ? `${formatTime(until)} tomorrow` : formatTime(until);
}

/** "at 2:05 PM", "tomorrow at 2:05 PM", "on Nov 23, 2026, 2:05 PM". */
export function formatAt(until: string, nowMs: number): string {
  const days = daysBetween(nowMs, until);
  if (days > 1) return `on ${formatMoment(until)}`;
  return days === 1 ? `tomorrow at ${formatTime(until)}` : `at ${formatTime(until)}`;
}

/** Calendar days, not 24-hour periods: at 11:55 PM, 12:05 AM is tomorrow. */
function daysBetween(from: Time, to: Time): number {
  const dayOf = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return (dayOf(new Date(to)) - dayOf(new Date(from))) / 86_400_000;
}
