import type { ActivityList } from "../../../api/activity.ts";

/** The number of new entries: "1 new entry", "100+ new entries". Null if there are none. */
export function newsMessage(shown: ActivityList, newest: ActivityList): string | null {
  const known = new Set(shown.activity.map(({ id }) => id));
  const place = newest.activity.findIndex(({ id }) => known.has(id));
  const count = place === -1 ? newest.activity.length : place;
  if (count === 0) return null;
  const isMore = place === -1 && newest.nextCursor !== null;
  return `${count}${isMore ? "+" : ""} new ${count === 1 ? "entry" : "entries"}`;
}
