import { formatUtcDay } from "@slabdesk/contract/certs/dates.ts";
import { OUTCOMES, type OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { ChartCompany } from "@slabdesk/contract/api/stats.ts";
import type { AdminSessionsQuery } from "../../api/sessions.ts";

/** The filter that a chart mark sets. Admin lists show what matches all fields; an empty filter matches everything. */
export type AdminFilter = {
  user?: { id: string; name: string };
  /** UTC, as YYYY-MM-DD. */
  day?: string;
  company?: ChartCompany;
  outcome?: OutcomeCode;
};

export type FilterProps = { filter: AdminFilter; onFilter: (filter: AdminFilter) => void };

/** The filter without its person, who is part of the place. */
export type AdminMarks = Omit<AdminFilter, "user">;

/** Builds the server query for the matching sessions. */
export function sessionsQuery({ user, ...mark }: AdminFilter): AdminSessionsQuery {
  return user === undefined ? mark : { ...mark, userId: user.id };
}

/** One chip for the user and one for the card filters: "CGC · Nov 12, 2026". `rest` is the filter without the chip. */
export function filterChips({ user, ...mark }: AdminFilter): { label: string; rest: AdminFilter }[] {
  const parts = [
    mark.company === "other" ? "No company" : mark.company,
    mark.outcome && OUTCOMES[mark.outcome].title,
    mark.day && formatUtcDay(mark.day),
  ].filter((word) => word !== undefined);
  return [
    ...(user ? [{ label: user.name, rest: mark }] : []),
    ...(parts.length > 0 ? [{ label: parts.join(" · "), rest: user ? { user } : {} }] : []),
  ];
}
