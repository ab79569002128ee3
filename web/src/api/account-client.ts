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

/** Changes one's own password and ends all other sign-ins. @throws ApiError 400 with words and `fields` when it is refused. */
export function changePassword(change: PasswordChange): Promise<Profile> {
  return request(profileSchema, "account/password", { method: "post", json: change });
}

export const ownAuthSessionsQuery = queryOptions({
  queryKey: queryKeys.ownAuthSessions(),
  queryFn: async ({ signal }) => (await request(authSessionListSchema, "account/sign-ins", { signal })).authSessions,
  staleTime: 0,
});

/** Ends one other sign-in, or all others; answers what is left. */
export async function endOwnAuthSessions(authSessionId?: string): Promise<AuthSessionEntry[]> {
  const one = authSessionId === undefined ? "" : `/${encodeURIComponent(authSessionId)}`;
  return (await request(authSessionListSchema, `account/sign-ins${one}`, { method: "delete" })).authSessions;
}
