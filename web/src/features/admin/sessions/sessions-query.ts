import type { AdminSessionsQuery } from "../../../api/sessions.ts";
import type { AdminFilter } from "../admin-filter.ts";

/** Builds the server query for the matching sessions. */
export function sessionsQuery({ user, day, company, outcome }: AdminFilter): AdminSessionsQuery {
  return {
    ...(user === undefined ? {} : { userId: user.id }),
    ...(day === undefined ? {} : { day }),
    ...(company === undefined ? {} : { company }),
    ...(outcome === undefined ? {} : { outcome }),
  };
}
