import { statusSchema } from "@slabdesk/contract/api/status.ts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./http.ts";
import { queryKeys } from "./query-keys.ts";

/** What the server says about itself to everyone. A file of its own, because the sign-in page loads it. */
export const getStatus = () => request(statusSchema, "status");

/** The status rarely changes while a page is open. */
export const statusQuery = queryOptions({ queryKey: queryKeys.status(), queryFn: getStatus, staleTime: 5 * 60_000 });
