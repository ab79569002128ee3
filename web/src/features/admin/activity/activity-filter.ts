import { type ActivityFilter, type ActivityType, activityTypeSchema } from "@slabdesk/contract/api/activity.ts";
import type { AdminFilter } from "../admin-filter.ts";

/** What the activity log is narrowed to besides the desk's filter. Days are of UTC, as YYYY-MM-DD; "" is open. */
export type LogChoice = { type: ActivityType | null; from: string; to: string };

export const EVERYTHING: LogChoice = { type: null, from: "", to: "" };

/** The days in force: a mark's own day, or else those that were chosen. */
export function daysOf({ day }: AdminFilter, { from, to }: LogChoice): { from: string; to: string } {
  return day === undefined ? { from, to } : { from: day, to: day };
}

/** What is asked of the server. A range typed the wrong way round is meant the other way. */
export function activityQuery(filter: AdminFilter, choice: LogChoice): ActivityFilter {
  const { from, to } = daysOf(filter, choice);
  const [first, last] = from !== "" && to !== "" && to < from ? [to, from] : [from, to];
  return {
    ...(filter.user === undefined ? {} : { userId: filter.user.id }),
    ...(choice.type === null ? {} : { type: choice.type }),
    ...(first === "" ? {} : { from: first }),
    ...(last === "" ? {} : { to: last }),
  };
}

export function parseActivityType(value: string): ActivityType | null {
  const type = activityTypeSchema.safeParse(value);
  return type.success ? type.data : null;
}
