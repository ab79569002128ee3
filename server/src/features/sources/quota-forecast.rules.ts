import type { Quota } from "../../upstreams/breaker-rules.ts";

/** An endpoint's calls in the last 7 days by hour of day (UTC, 24 numbers). `days` is less than 7 in the first week. */
export type Week = { callsByHour: readonly number[]; days: number };

const count = new Intl.NumberFormat("en-US");

const HOUR_MS = 3_600_000;
const WINDOW_MS = 24 * HOUR_MS;

/** Forecasts how long the window's quota lasts at last week's calls per hour of day. An unopened window starts now. */
export function forecastOf(quota: Pick<Quota, "limit" | "remaining" | "resetsAt">, week: Week, now: Date) {
  const days = Math.max(1, week.days);
  const perHour = Array.from({ length: 24 }, (_, hour) => (week.callsByHour[hour] ?? 0) / days);
  const callsADay = Math.round(perHour.reduce((sum, calls) => sum + calls, 0));
  const end = quota.resetsAt?.getTime() ?? now.getTime() + WINDOW_MS;
  const lastsUntil = usedUpAt(quota.remaining, perHour, now.getTime(), end)?.toISOString() ?? null;
  return { callsADay, limit: quota.limit, lastsUntil, message: messageOf(quota, callsADay, lastsUntil !== null) };
}

/** Returns when `calls` are used up at this pace. Null if some are left at `endMs`. */
function usedUpAt(calls: number, perHour: readonly number[], fromMs: number, endMs: number): Date | null {
  if (calls <= 0) return new Date(fromMs);
  let left = calls;
  for (let atMs = fromMs; atMs < endMs;) {
    const nextMs = Math.min(endMs, (Math.floor(atMs / HOUR_MS) + 1) * HOUR_MS);
    const rate = perHour[new Date(atMs).getUTCHours()] ?? 0;
    const made = (rate * (nextMs - atMs)) / HOUR_MS;
    if (made >= left) return new Date(Math.round(atMs + (left / rate) * HOUR_MS));
    left -= made;
    atMs = nextMs;
  }
  return null;
}

function messageOf({ limit, remaining }: Pick<Quota, "limit" | "remaining">, callsADay: number, isShort: boolean) {
  const quota = `${count.format(limit)} ${limit === 1 ? "call" : "calls"}`;
  const average = `about ${count.format(callsADay)} a day`;
  if (remaining <= 0) return `The quota of ${quota} is used up. This week's rate is ${average}`;
  const rate = `this week's rate (${average})`;
  if (isShort) return `${quota} a day won't last at ${rate}`;
  return `${quota} a day is enough at ${rate}`;
}
