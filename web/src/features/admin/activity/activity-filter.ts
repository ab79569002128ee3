import type { ActivityFilter, ActivityType } from "@slabdesk/contract/api/activity.ts";
import type { AdminFilter } from "../admin-filter.ts";

/** Activity filters beyond the shared admin filter. Days are UTC, as YYYY-MM-DD; "" means unbounded. */
export type LogChoice = { type?: ActivityType | undefined; from: string; to: string };

export const EVERYTHING: LogChoice = { from: "", to: "" };

export function daysOf({ day }: AdminFilter, { from, to }: LogChoice): { from: string; to: string } {
  return day === undefined ? { from, to } : { from: day, to: day };
}

/** Builds the server query. Swaps the dates of a reversed range. */
export function activityQuery(filter: AdminFilter, choice: LogChoice): ActivityFilter {
  const { from, to } = daysOf(filter, choice);
  const [first, last] = from !== "" && to !== "" && to < from ? [to, from] : [from, to];
  return {
    ...(filter.user && { userId: filter.user.id }),
    ...(choice.type && { type: choice.type }),
    ...(first && { from: first }),
    ...(last && { to: last }),
  };
}
