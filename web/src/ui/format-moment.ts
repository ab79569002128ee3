const MOMENT = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });

const DAY = new Intl.DateTimeFormat("en-US", { dateStyle: "medium" });

/** "Nov 21, 2026" in the user's time zone, from a server timestamp. */
export function formatDay(time: string): string {
  return DAY.format(new Date(time));
}

/** "Nov 21, 2026, 2:05 PM" in the user's time zone, from a server timestamp. */
export function formatMoment(time: string): string {
  return MOMENT.format(new Date(time));
}
