import type { AdminSessionsQuery } from "../../../api/admin-sessions-client.ts";
import type { AdminFilter } from "../admin-filter.ts";

/** What is asked of the server for the sessions that match. */
export function sessionsQuery({ user, day, company, outcome }: AdminFilter): AdminSessionsQuery {
  return {
    ...(user === undefined ? {} : { userId: user.id }),
    ...(day === undefined ? {} : { day }),
    ...(company === undefined ? {} : { company }),
    ...(outcome === undefined ? {} : { outcome }),
  };
}
