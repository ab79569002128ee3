import * as peopleApi from "@slabdesk/contract/api/people.ts";
import { queryOptions } from "@tanstack/react-query";
import { pagesOf, request } from "./http.ts";
import { ADMIN_POLLING } from "./stats.ts";

const PEOPLE_AT_ONCE = 1_000;

/** All accounts, oldest first. */
export const adminUsersQuery = queryOptions({
  queryKey: ["admin", "users"],
  queryFn: async ({ signal }) => {
    const users: peopleApi.AdminUser[] = [];
    const pages = pagesOf((cursor) =>
      request(peopleApi.userListSchema, "admin/users", { searchParams: { cursor, limit: PEOPLE_AT_ONCE }, signal }),
    );
    for await (const page of pages) users.push(...page.users);
    return users;
  },
  ...ADMIN_POLLING,
});

/** The initial password of the new-user form. A random one is generated once per form and kept while it is open. */
export const newUserPasswordQuery = queryOptions({
  queryKey: ["new-user-password"],
  queryFn: ({ signal }) => request(peopleApi.newUserPasswordSchema, "admin/users/new", { signal }),
  staleTime: Infinity,
  gcTime: 0,
});

/** @throws ApiError; the server's message says whether creating the account or the profile failed. */
export const createUser = (user: peopleApi.NewUser) =>
  request(peopleApi.profileSchema, "admin/users", { method: "post", json: user });

/** Changes another user's account. The caller's own account can't be changed this way. */
export const changeUser = (userId: string, change: peopleApi.UserChange) =>
  request(peopleApi.profileSchema, pathOf(userId), { method: "patch", json: change });

/** Ends all of a user's auth sessions and returns a one-time password. */
export const resetPassword = (userId: string) =>
  request(peopleApi.oneTimePasswordSchema, `${pathOf(userId)}/password`, { method: "post", json: {} });

/** Turns another user's two-step sign-in off. */
export const resetTwoStep = (userId: string) =>
  request(peopleApi.profileSchema, `${pathOf(userId)}/two-step`, { method: "delete" });

const pathOf = (userId: string): string => `admin/users/${encodeURIComponent(userId)}`;
