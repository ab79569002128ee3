import { createHash, timingSafeEqual } from "node:crypto";
import { APIError } from "better-auth/api";
import type { FastifyBaseLogger } from "fastify";
import { DEACTIVATED_MESSAGE, type AuthSession, type Profile } from "@slabdesk/contract/api/people.ts";
import type { Database } from "../../database/connection.ts";
import type { Credentials, ViewerAnswer } from "../../http/guards.ts";
import { HttpError } from "../../http/http-error.ts";
import type { ActivityService } from "../activity/activity.service.ts";
import { ADDRESS_HEADER, DEACTIVATED_CODE, profileOf, type Auth } from "./auth.ts";
import type { AttemptAnswer, PasswordLimiter } from "./password-limiter.ts";
import * as repo from "./users.repo.ts";

/** Where a request comes from, as the connection tells it. */
export type Caller = { address: string; userAgent: string | undefined };

export type SignedIn = { token: string; user: Profile; headers: Headers };
type Session = { kind: "session"; answer: AuthSession; cookies: string[] };

export type SignInParts = {
  auth: Auth;
  db: Database;
  limiter: PasswordLimiter;
  activity: ActivityService;
  backendPassword: string | undefined;
  now: () => Date;
  log: FastifyBaseLogger;
};

export type SignInService = ReturnType<typeof createSignInService>;

/** Under this name the limiter counts wrong backend passwords; no email can be equal to it. */
const BACKEND_ACCOUNT = "backend";

export function createSignInService(parts: SignInParts) {
  const { auth, db, limiter, activity, backendPassword } = parts;
  const service = {
    /**
     * Signs in with email and password; `headers` are better-auth's own (cookie and bearer token).
     *
     * @throws HttpError 401 for a wrong pair, 403 `deactivated`, 429 after too many wrong ones or while too many wait, 400 for no email
     */
    async signIn(credentials: { email: string; password: string }, caller: Caller): Promise<SignedIn> {
      const account = credentials.email.toLowerCase();
      const answer = await limiter.attempt(account, caller.address, async () => {
        const result = await tryPassword(auth, credentials, caller);
        return { wrong: result instanceof HttpError && result.status === 401, value: result };
      });
      const result = unlessSlowed(answer);
      if (result instanceof HttpError) throw result;
      const user = await recordLogin(parts, result.user);
      return { ...result, user };
    },

    /** Ends the session behind the credentials, if there is one. Answers the cookies to drop. */
    async signOut(credentials: Credentials): Promise<string[]> {
      const session = await service.findSession(credentials);
      if (session.kind === "session") await activity.log(session.answer.user.id, "logout", "User logged out");
      const { headers } = await auth.api.signOut({ headers: headersOf(credentials), returnHeaders: true });
      return headers.getSetCookie();
    },

    /** Who is signed in by these credentials. A deactivated person's sessions are ended on sight. */
    async findSession(credentials: Credentials): Promise<Session | Exclude<ViewerAnswer, { kind: "viewer" }>> {
      if (!credentials.cookie && !credentials.authorization) return { kind: "nobody", cookies: [] };
      const { headers, response } = await auth.api.getSession({
        headers: headersOf(credentials),
        returnHeaders: true,
      });
      const cookies = headers.getSetCookie();
      if (!response) return { kind: "nobody", cookies };
      const user = profileOf(response.user);
      if (!user.isActive) {
        await repo.deleteSessionsOf(db, user.id);
        return { kind: "deactivated" };
      }
      const { id, userId, createdAt, expiresAt } = response.session;
      const session = { id, userId, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
      return { kind: "session", answer: { session, user }, cookies };
    },

    async resolveViewer(credentials: Credentials): Promise<ViewerAnswer> {
      const session = await service.findSession(credentials);
      if (session.kind !== "session") return session;
      return { kind: "viewer", viewer: session.answer.user, cookies: session.cookies };
    },

    /**
     * SPEC's backend login: a session of the oldest active administrator for the one backend password.
     *
     * @throws HttpError 503 when no backend password is set, 401 for a wrong one, 429 after too many wrong ones
     */
    async backendLogin(password: string, caller: Caller): Promise<{ token: string }> {
      if (backendPassword === undefined) {
        throw new HttpError(503, "not_configured", "Backend login is not set up. Set BACKEND_PASSWORD to use it");
      }
      const answer = await limiter.attempt(BACKEND_ACCOUNT, caller.address, async () => {
        const right = isSame(password, backendPassword);
        return { wrong: !right, value: right };
      });
      if (!unlessSlowed(answer)) throw new HttpError(401, "unauthorized", "Invalid password");
      const admin = await repo.findOldestActiveAdmin(db);
      if (!admin) throw new HttpError(503, "not_configured", "There is no active administrator to act for");
      const { internalAdapter } = await auth.$context;
      const { token } = await internalAdapter.createSession(admin.id, false, {
        ipAddress: caller.address,
        userAgent: caller.userAgent ?? "",
      });
      return { token };
    },
  };
  return service;
}

/** Asks better-auth; its refusals are answers, anything else it throws is an outage. */
async function tryPassword(
  auth: Auth,
  body: { email: string; password: string },
  caller: Caller,
): Promise<SignedIn | HttpError> {
  try {
    const { headers, response } = await auth.api.signInEmail({
      body,
      headers: headersOf({}, caller),
      returnHeaders: true,
    });
    return { token: response.token, user: profileOf(response.user), headers };
  } catch (error) {
    if (!(error instanceof APIError) || error.statusCode >= 500) throw error;
    if (error.body?.code === DEACTIVATED_CODE) return new HttpError(403, "deactivated", DEACTIVATED_MESSAGE);
    if (error.statusCode === 401) return new HttpError(401, "unauthorized", error.message);
    return new HttpError(400, "bad_request", error.message);
  }
}

/** The sign-in holds even when this cannot be written down. */
async function recordLogin({ db, activity, now, log }: SignInParts, user: Profile): Promise<Profile> {
  await activity.log(user.id, "login", "User logged in successfully");
  try {
    return repo.presentProfile(await repo.recordLogin(db, user.id, now()));
  } catch (error) {
    log.error({ err: error, userId: user.id }, "The time of a sign-in could not be stored");
    return user;
  }
}

const TRY_LATER = {
  slowed: "Too many wrong passwords. Please wait a minute and try again",
  "too busy": "Too many people are signing in at this moment. Please try again",
};

function unlessSlowed<T>(answer: AttemptAnswer<T>): T {
  if (answer.kind === "checked") return answer.value;
  throw new HttpError(429, "too_many_requests", TRY_LATER[answer.kind], {
    headers: { "retry-after": String(answer.retryAfterS) },
  });
}

function headersOf({ cookie, authorization }: Credentials, caller?: Caller): Headers {
  const headers = new Headers();
  if (cookie) headers.set("cookie", cookie);
  if (authorization) headers.set("authorization", authorization);
  if (caller) headers.set(ADDRESS_HEADER, caller.address);
  if (caller?.userAgent) headers.set("user-agent", caller.userAgent);
  return headers;
}

/** Takes the same time whatever the two have in common. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
