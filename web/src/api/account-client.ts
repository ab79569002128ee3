import {
  type PasswordChange,
  profileSchema,
  type Profile,
  type SignInEntry,
  signInListSchema,
} from "@slabdesk/contract/api/people.ts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./http.ts";
import { queryKeys } from "./query-keys.ts";

/** Changes one's own password and ends all other sign-ins. @throws ApiError 400 with words and `fields` when it is refused. */
export function changePassword(change: PasswordChange): Promise<Profile> {
  return request(profileSchema, "account/password", { method: "post", json: change });
}

export const ownSignInsQuery = queryOptions({
  queryKey: queryKeys.ownSignIns(),
  queryFn: async ({ signal }) => (await request(signInListSchema, "account/sign-ins", { signal })).signIns,
  staleTime: 0,
});

/** Ends one other sign-in, or all others; answers what is left. */
export async function endOwnSignIns(signInId?: string): Promise<SignInEntry[]> {
  const one = signInId === undefined ? "" : `/${encodeURIComponent(signInId)}`;
  return (await request(signInListSchema, `account/sign-ins${one}`, { method: "delete" })).signIns;
}
