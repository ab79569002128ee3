const MINUTE_MS = 60_000;

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
