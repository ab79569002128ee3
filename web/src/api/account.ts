import * as peopleApi from "@slabdesk/contract/api/people.ts";
import { z } from "zod";
import { request, requestJson } from "./http.ts";

const currentAuthSessionSchema = z.object({ user: z.object({ id: z.string(), email: z.string() }) }).nullable();

/** Signs in. The server sets the session cookie. @throws ApiError with the server's message if sign-in is refused. */
export const signIn = (credentials: peopleApi.SignIn) =>
  requestJson("auth/sign-in/email", { method: "post", json: credentials, isAboutSession: true });

export const signOut = () => requestJson("auth/sign-out", { method: "post", json: {}, isAboutSession: true });

/** The auth session of this browser's cookie, or null if no one is signed in. */
export const getAuthSession = () => request(currentAuthSessionSchema, "auth/get-session", { isAboutSession: true });

export const verifyAuth = () => request(peopleApi.verifyAnswerSchema, "auth/verify");

/** The signed-in user's profile. @throws ApiError 403 `deactivated`. */
export const getProfile = () => request(peopleApi.ownProfileSchema, "profile");

/** Changes the caller's password and ends the caller's other auth sessions. @throws ApiError 400 with a message and `fields` */
export const changePassword = (change: peopleApi.PasswordChange) =>
  request(peopleApi.profileSchema, "account/password", { method: "post", json: change });

/** Starts setting up two-step sign-in. @throws ApiError 400 with `fields.password` for a wrong password */
export const beginTwoStep = (password: string) =>
  request(peopleApi.twoStepSetupSchema, "account/two-step", { method: "post", json: { password } });

/** Turns two-step sign-in on. @throws ApiError 400 with `fields.code` for a wrong code */
export const confirmTwoStep = (code: string) =>
  requestJson("account/two-step/confirm", { method: "post", json: { code } });

/** Turns two-step sign-in off. @throws ApiError 400 with `fields.password` for a wrong password */
export const turnOffTwoStep = (password: string) =>
  requestJson("account/two-step/turn-off", { method: "post", json: { password } });

/** A user's auth sessions, for administrators; without `userId`, the caller's own. */
export const listAuthSessions = async (userId: string | undefined, signal: AbortSignal) =>
  (await request(peopleApi.authSessionListSchema, authSessionsPath(userId), { signal })).authSessions;

/** Ends one auth session, or all except the caller's current one. Returns the remaining ones. */
export async function endAuthSessions(userId: string | undefined, authSessionId: string | undefined) {
  const one = authSessionId === undefined ? "" : `/${encodeURIComponent(authSessionId)}`;
  const path = `${authSessionsPath(userId)}${one}`;
  return (await request(peopleApi.authSessionListSchema, path, { method: "delete" })).authSessions;
}

function authSessionsPath(userId: string | undefined): string {
  return userId === undefined ? "account/auth-sessions" : `admin/users/${encodeURIComponent(userId)}/auth-sessions`;
}

/** The signed-in user's saved table layout, as a browser serialized it; null if none was saved. */
export async function getTableView(): Promise<string | null> {
  return (await request(peopleApi.tableViewSchema, "table-view")).view;
}

/** The browser completes the request even if the page is closing. */
export async function putTableView(view: string): Promise<void> {
  await request(peopleApi.tableViewSchema, "table-view", { method: "put", json: { view }, keepalive: true });
}
