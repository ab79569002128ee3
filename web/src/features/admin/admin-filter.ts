import { OUTCOMES, type OutcomeCode } from "@slabdesk/contract/api/outcomes.ts";
import type { ChartCompany } from "@slabdesk/contract/api/stats.ts";
import { formatDay } from "./admin-time.ts";

/** The filter that a chart mark sets. Admin lists show what matches all fields; an empty filter matches everything. */
export type AdminFilter = {
  user?: { id: string; name: string };
  /** UTC, as YYYY-MM-DD. */
  day?: string;
  company?: ChartCompany;
  outcome?: OutcomeCode;
};

export type FilterChip = { label: string; /** The filter without this chip. */ rest: AdminFilter };

/** One chip for the user and one for the card filters: "CGC · Nov 12". */
export function filterChips(filter: AdminFilter): FilterChip[] {
  const { user, ...mark } = filter;
  const words = [
    mark.company === undefined ? null : companyMessage(mark.company),
    mark.outcome === undefined ? null : OUTCOMES[mark.outcome].title,
    mark.day === undefined ? null : formatDay(mark.day),
  ].filter((word) => word !== null);
  return [
    ...(user === undefined ? [] : [{ label: user.name, rest: mark }]),
    ...(words.length === 0 ? [] : [{ label: words.join(" · "), rest: user === undefined ? {} : { user } }]),
  ];
}

function companyMessage(company: ChartCompany): string {
  return company === "other" ? "No company" : company;
}
