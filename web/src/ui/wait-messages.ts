const MINUTE_MS = 60_000;

const CLOCK = new Intl.DateTimeFormat("en-US", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const WEEKDAY = new Intl.DateTimeFormat("en-US", { weekday: "short", month: "short", day: "numeric" });

/** "14:05", "14:05 tomorrow", "14:05 on Mon, Nov 23", in the user's time zone; `until` is ISO 8601. */
export function formatClock(until: string, nowMs: number): string {
  const time = new Date(until);
  const clock = CLOCK.format(time);
  const days = daysBetween(new Date(nowMs), time);
  if (days <= 0) return clock;
  return days === 1 ? `${clock} tomorrow` : `${clock} on ${WEEKDAY.format(time)}`;
}

/** "10:32"; for a day other than today, "Fri, Nov 20, 10:32". */
export function formatSince(since: string, nowMs: number): string {
  const time = new Date(since);
  const clock = CLOCK.format(time);
  return daysBetween(new Date(nowMs), time) === 0 ? clock : `${WEEKDAY.format(time)}, ${clock}`;
}

/** "in 3 h 12 min", "in 42 s"; null if the time has passed. */
export function formatCountdown(until: string, nowMs: number): string | null {
  const leftMs = Date.parse(until) - nowMs;
  if (leftMs <= 0) return null;
  if (leftMs <= MINUTE_MS) return `in ${Math.ceil(leftMs / 1_000)} s`;
  return `in ${formatMinutes(Math.ceil(leftMs / MINUTE_MS))}`;
}

/** "42 min", "2 h", "3 h 12 min". */
export function formatMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** Milliseconds until the text of any of these times changes; null if all have passed. */
export function nextTickMs(untils: readonly string[], nowMs: number): number | null {
  const ticks = untils.flatMap((until) => {
    const leftMs = Date.parse(until) - nowMs;
    if (leftMs <= 0) return [];
    const step = leftMs <= MINUTE_MS ? 1_000 : MINUTE_MS;
    return leftMs % step || step;
  });
  return ticks.length === 0 ? null : Math.min(...ticks);
}

/** Calendar days, not 24-hour periods: at 23:55, 00:05 is tomorrow. */
function daysBetween(from: Date, to: Date): number {
  const dayOf = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return (dayOf(to) - dayOf(from)) / 86_400_000;
}
