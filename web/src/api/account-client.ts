import {
  type PasswordChange,
  profileSchema,
  type Profile,
  type AuthSessionEntry,
  authSessionListSchema,
} from "@slabdesk/contract/api/people.ts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./http.ts";
import { queryKeys } from "./query-keys.ts";

/**
 * Changes the caller's password and ends all of the caller's other sign-ins. @throws ApiError 400 with a message and
 * `fields`.
 */
export function changePassword(change: PasswordChange): Promise<Profile> {
  return request(profileSchema, "account/password", { method: "post", json: change });
}

export const ownAuthSessionsQuery = queryOptions({
  queryKey: queryKeys.ownAuthSessions(),
  queryFn: async ({ signal }) => (await request(authSessionListSchema, "account/sign-ins", { signal })).authSessions,
  staleTime: 0,
});

/** Ends one of the caller's other sign-ins, or all of them. Returns the remaining sign-ins. */
export async function endOwnAuthSessions(authSessionId?: string): Promise<AuthSessionEntry[]> {
  const one = authSessionId === undefined ? "" : `/${encodeURIComponent(authSessionId)}`;
  return (await request(authSessionListSchema, `account/sign-ins${one}`, { method: "delete" })).authSessions;
}
