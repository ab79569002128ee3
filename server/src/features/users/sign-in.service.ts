import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { APIError } from "better-auth/api";
import { parseCookies } from "better-auth/cookies";
import {
  DEACTIVATED_MESSAGE,
  EMAIL_PATTERN,
  type CurrentAuthSession,
  type SignIn,
} from "@slabdesk/contract/api/people.ts";
import type { Database } from "../../database/connection.ts";
import type { Credentials, ViewerAnswer } from "../../http/guards.ts";
import { badRequest, HttpError } from "../../http/http-error.ts";
import * as authService from "./auth.service.ts";
import * as authSessions from "./auth-sessions.repo.ts";
import type { Attempt } from "./password-limiter.service.ts";
import * as passwords from "./passwords.repo.ts";
import * as repo from "./users.repo.ts";

export type Caller = {
  address: string;
  userAgent: string | undefined;
  cookie: string | undefined;
  /** Aborts when the client disconnects. */
  gone: AbortSignal;
};

type PasswordAccepted = { token: string; userId: string; headers: Headers };
export type SignedIn = Pick<PasswordAccepted, "token" | "headers"> & CurrentAuthSession;
type FoundSession = { kind: "session"; answer: CurrentAuthSession } | Exclude<ViewerAnswer, { kind: "viewer" }>;
type Refusal = { wrong: boolean; value: HttpError };

export type SignInService = ReturnType<typeof createSignInService>;

/** The email of the backend's profile, under which the limiter counts wrong backend passwords. */
const BACKEND_ACCOUNT = "backend";
const SEEN_EVERY_MS = 60_000;
/** Proves that the account has signed in from this browser, so that other people's wrong passwords don't block it. */
const BROWSER_COOKIE = "slabdesk.known_browser";
const BROWSER_KNOWN_FOR_S = 365 * 24 * 60 * 60;
const SECRET_CHANGED = "AUTH_SECRET changed after you set up two-step sign-in. Ask an administrator to turn it off";
const CODE_NEEDED = "Enter the code from your authenticator app, or a recovery code";

export function createSignInService(parts: authService.UsersContext) {
  const { auth, db, limits, activity } = parts;
  const { BACKEND_PASSWORD: backendPassword, ADMIN_TWO_STEP, PUBLIC_URL } = parts.config;
  const attempt = logAttempts(parts);
  const service = {
    /**
     * Signs in with email and password. `headers` are better-auth's (cookie and bearer token). Marks a one-time
     * password as used. Ends the auth session that this browser had before.
     * @throws HttpError 400 for an invalid email, 401 for a wrong pair or an outdated one-time password, or
     *   `two_step_required`, 403 `deactivated`, 429 after too many tries, 503 after a change of AUTH_SECRET
     */
    async signIn(credentials: SignIn, caller: Caller): Promise<SignedIn> {
      const body = { ...credentials, email: credentials.email.toLowerCase() };
      const result = await attempt(body.email, caller, () => tryPassword(parts, body, caller));
      const before = await service.findSession({ cookie: caller.cookie }, false);
      if (before.kind === "session")
        await authSessions.endAuthSession(db, before.answer.user.id, before.answer.session.id);
      await authSessions.endSurplusAuthSessions(db, result.userId);
      const user = await recordLogin(parts, result.userId, caller.address);
      const { internalAdapter } = await auth.$context;
      const found = await internalAdapter.findSession(result.token);
      if (!found) throw notAdmitted("An administrator signed you out. Please sign in again");
      const browser = await proofOf(parts, body.email, randomUUID());
      const cookie = `${BROWSER_COOKIE}=${browser}; Max-Age=${BROWSER_KNOWN_FOR_S}; Path=/; HttpOnly; SameSite=Lax`;
      result.headers.append("set-cookie", PUBLIC_URL?.startsWith("https:") ? `${cookie}; Secure` : cookie);
      return { token: result.token, headers: result.headers, user, session: presentSession(found.session) };
    },

    /** Ends the auth session of the credentials, if there is one. Returns Set-Cookie values that clear the cookies. */
    async signOut(credentials: Credentials): Promise<string[]> {
      const session = await service.findSession(credentials);
      if (session.kind === "session") {
        const { user, session: ended } = session.answer;
        await authSessions.endAuthSession(db, user.id, ended.id);
        await activity.log(user.id, "logout", "User logged out");
      }
      // Without credentials, better-auth only clears the cookies.
      const { headers } = await auth.api.signOut({ headers: new Headers(), returnHeaders: true });
      return headers.getSetCookie();
    },

    /** Finds the auth session of the credentials. If the user is deactivated, ends all of the user's sessions. */
    async findSession(credentials: Credentials, isUse = true): Promise<FoundSession> {
      if (!credentials.cookie && !credentials.authorization) return { kind: "nobody", cookies: [] };
      // One query of ours instead of better-auth's, which take most of a short request's time.
      const token = await authService.findSessionToken(auth, credentials);
      const found = token && (await authSessions.findByToken(db, token, parts.now()));
      if (!found) {
        // better-auth clears the cookies, and deletes the auth session if it has expired.
        const { headers } = await auth.api.getSession({ headers: headersOf(credentials), returnHeaders: true });
        return { kind: "nobody", cookies: headers.getSetCookie() };
      }
      const { session, profile } = found;
      if (!profile.is_active) {
        await authSessions.endAuthSessions(db, profile.id);
        return { kind: "deactivated" };
      }
      if (session.createdAt.getTime() + limits.longestMs <= parts.now().getTime()) {
        await authSessions.endAuthSession(db, profile.id, session.id);
        return { kind: "nobody", cookies: [] };
      }
      if (isUse) await noteSeen(parts, session);
      return { kind: "session", answer: { session: presentSession(session), user: repo.presentProfile(profile) } };
    },

    async resolveViewer(credentials: Credentials, isUse?: boolean): Promise<ViewerAnswer> {
      const session = await service.findSession(credentials, isUse);
      if (session.kind !== "session") return session;
      const { user, session: signIn } = session.answer;
      const isPerson = user.id !== authSessions.BACKEND_ID;
      const mustSetUpTwoStep = ADMIN_TWO_STEP === "required" && isPerson && user.role === "admin" && !user.hasTwoStep;
      return { kind: "viewer", viewer: { ...user, mustSetUpTwoStep }, authSessionId: signIn.id };
    },

    /** @throws HttpError 503 if no backend password is set, 401 for a wrong one, 429 after too many wrong ones */
    async backendLogin(password: string, caller: Caller): Promise<{ token: string }> {
      const { address, userAgent = "" } = caller;
      if (backendPassword === undefined)
        throw new HttpError(503, "not_configured", "Backend login is not set up. Set BACKEND_PASSWORD to use it");
      await attempt(BACKEND_ACCOUNT, caller, async () => {
        const wrong = !isSame(password, backendPassword);
        return { wrong, value: wrong ? notAdmitted("Invalid password") : null };
      });
      const { internalAdapter } = await auth.$context;
      const device = { ipAddress: address, userAgent };
      const { token } = await internalAdapter.createSession(authSessions.BACKEND_ID, false, device);
      await activity.log(authSessions.BACKEND_ID, "login", "Signed in with the backend password", { address });
      return { token };
    },
  };
  return service;
}

/** Wrong passwords, deactivated accounts, and what the limiter refuses. An invalid email is no attempt. */
const LOGGED: ReadonlySet<number> = new Set([401, 403, 429]);

/** Checks passwords through the limiter and logs failures. */
function logAttempts(parts: authService.UsersContext) {
  const { db, limiter, failedAttempts } = parts;

  async function logFailure(account: string, address: string, error: HttpError): Promise<void> {
    if (!LOGGED.has(error.status)) return;
    const userId = await repo.findUserIdByEmail(db, account);
    const description = `Failed to sign in as ${account} from ${address}`;
    const isUncounted = error.message === CODE_NEEDED;
    await failedAttempts.log(userId, { account, address, error, description, isUncounted });
  }

  return async <T>(
    account: string,
    { address, cookie = "", gone }: Caller,
    check: () => Promise<Attempt<T>>,
  ): Promise<T> => {
    const browser = parseCookies(cookie).get(BROWSER_COOKIE) ?? "";
    const isKnown = isSame(browser, await proofOf(parts, account, browser.split(".", 1)[0] ?? ""));
    try {
      return await limiter.attempt(account, address, check, {
        caller: isKnown ? `browser ${browser}` : undefined,
        gone,
      });
    } catch (error) {
      if (error instanceof HttpError) await logFailure(account, address, error);
      throw error;
    }
  };
}

/**
 * The cookie of a browser. Each has an id, so that wrong passwords in one browser don't block the account's others. It is
 * valid until the password changes, so that it only admits attempts by those who know the password.
 */
async function proofOf({ auth, db }: authService.UsersContext, account: string, id: string): Promise<string> {
  const { secret } = await auth.$context;
  const hash = await passwords.findHashByEmail(db, account);
  return `${id}.${createHmac("sha256", secret).update(`known browser ${id} of ${account} ${hash}`).digest("base64url")}`;
}

type SessionTimes = { id: string; userId: string; createdAt: Date; expiresAt: Date };

function presentSession({ id, userId, createdAt, expiresAt }: SessionTimes): CurrentAuthSession["session"] {
  return { id, userId, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
}

/** Signs in through better-auth. Returns its 4xx errors as refusals; rethrows all other errors. */
async function tryPassword(
  parts: authService.UsersContext,
  given: SignIn,
  caller: Caller,
): Promise<Attempt<PasswordAccepted>> {
  const { auth, db, limiter } = parts;
  const { code: typed, ...body } = given;
  if (!EMAIL_PATTERN.test(body.email)) return { wrong: false, value: badRequest("Invalid email") };
  const hash = await passwords.findHashByEmail(db, body.email);
  try {
    const request = {
      body: { ...body, email: authService.encodeEmail(body.email) },
      headers: headersOf({}, caller),
      returnHeaders: true,
    } as const;
    const first = await auth.api.signInEmail(request);
    const code = "twoFactorRedirect" in first.response ? authService.plainCode(typed ?? "") : null;
    if (code === "") return { wrong: false, value: authService.twoStepRequired(CODE_NEEDED) };
    const { headers, response } =
      "twoFactorRedirect" in first.response && code !== null
        ? await authService.verifyCode(auth, code, headersOf({ cookie: cookiesIn(first.headers) }, caller))
        : first;
    const { token, user } = response;
    if (!token) throw new Error("better-auth accepted a code without signing in");
    const isReused = code !== null && !(await limiter.useCode(user.id, code));
    const refusal = await judge(db, { userId: user.id, token, hash, hasCode: code !== null, isReused });
    return refusal ?? { wrong: false, value: { token, userId: user.id, headers } };
  } catch (error) {
    return refusalFor(error);
  }
}

function refusalFor(error: unknown): Refusal {
  if (error instanceof Error && error.message === "invalid tag")
    return { wrong: false, value: new HttpError(503, "not_configured", SECRET_CHANGED) };
  if (!(error instanceof APIError) || error.statusCode >= 500) throw error;
  if (error.body?.code === authService.DEACTIVATED_CODE)
    return { wrong: false, value: new HttpError(403, "deactivated", DEACTIVATED_MESSAGE) };
  const refused = authService.refusedCode(error);
  if (refused) return { wrong: true, value: refused };
  if (error.statusCode === 401) return { wrong: true, value: notAdmitted(error.message) };
  return { wrong: false, value: badRequest(error.message) };
}

/** The cookies that a response sets, as a request sends them. */
const cookiesIn = (headers: Headers): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");

type NewSignIn = { userId: string; token: string; hash: string | null; hasCode: boolean; isReused: boolean };

/**
 * The last checks before the token is returned: meanwhile, neither the password changed nor two-step sign-in was turned
 * on; a one-time password and the code are unused. The lock ensures that only one of two sign-ins can use them.
 */
async function judge(db: Database, { userId, token, hash, hasCode, isReused }: NewSignIn): Promise<Refusal | null> {
  return db.transaction().execute(async (trx) => {
    const stored = await passwords.lockPassword(trx, userId);
    const refusal = isReused ? { wrong: true, value: authService.wrongCode() } : refusalOf(stored, hash, hasCode);
    if (refusal) await authSessions.takeBackSignIn(trx, token);
    else if (stored?.oneTime === "given") await repo.updateUser(trx, userId, { one_time_password: "used" });
    return refusal;
  });
}

function refusalOf(stored: passwords.StoredPassword | null, hash: string | null, hasCode: boolean): Refusal | null {
  if (stored === null || stored.hash !== hash) return { wrong: true, value: notAdmitted("Invalid email or password") };
  if (stored.hasTwoStep && !hasCode) return { wrong: false, value: authService.twoStepRequired(CODE_NEEDED) };
  if (stored.oneTime !== "used" && !stored.isOutdated) return null;
  const state = stored.oneTime === "used" ? "already been used" : "expired";
  const message = `This one-time password has ${state}. Please ask an administrator for a new one`;
  return { wrong: false, value: notAdmitted(message) };
}

const notAdmitted = (message: string) => new HttpError(401, "unauthorized", message);

/** Records that the auth session is in use, at most once a minute. Logs failures; never throws. */
async function noteSeen(
  { db, limits, now, log }: authService.UsersContext,
  { id, updatedAt }: { id: string; updatedAt: Date },
) {
  if (now().getTime() - updatedAt.getTime() < SEEN_EVERY_MS) return;
  await authSessions.noteSeen(db, id, limits).catch((error: unknown) => {
    log.error({ err: error }, "Failed to update an auth session's last use");
  });
}

/** Stores the time of the last login. Logs failures, so that the sign-in still succeeds. */
async function recordLogin({ db, activity, now, log }: authService.UsersContext, userId: string, address: string) {
  await activity.log(userId, "login", "User logged in successfully", { address });
  try {
    return repo.presentProfile(await repo.updateUser(db, userId, { last_login: now() }));
  } catch (error) {
    log.error({ err: error, userId }, "Failed to store the time of the last login");
    const row = await repo.findUser(db, userId);
    if (!row) throw error;
    return repo.presentProfile(row);
  }
}

export function headersOf({ cookie, authorization }: Credentials, caller?: Caller): Headers {
  const headers = new Headers();
  if (cookie) headers.set("cookie", cookie);
  if (authorization) headers.set("authorization", authorization);
  if (caller) headers.set(authService.ADDRESS_HEADER, caller.address);
  if (caller?.userAgent) headers.set("user-agent", caller.userAgent);
  return headers;
}

/** Compares two texts in constant time. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
