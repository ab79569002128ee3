import { APIError } from "better-auth/api";
import type { Profile, TwoStepSetup } from "@slabdesk/contract/api/people.ts";
import type { Database } from "../../database/connection.ts";
import { notify } from "../../database/notifications.ts";
import { SIGN_IN_MESSAGE, type Credentials } from "../../http/guards.ts";
import { badField, badRequest, conflict, HttpError } from "../../http/http-error.ts";
import { findSessionToken, refusedCode, type Auth, type UsersContext } from "./auth.service.ts";
import { endAuthSessions } from "./auth-sessions.repo.ts";
import type { Attempt } from "./password-limiter.service.ts";
import { attemptOwn } from "./passwords.service.ts";
import { headersOf, type Caller } from "./sign-in.service.ts";
import { lockUsers, presentProfile, removeTwoStep } from "./users.repo.ts";
import { lockOther } from "./users.service.ts";

export type TwoStepService = ReturnType<typeof createTwoStepService>;

export type TwoStepRequest = { viewer: Profile; authSessionId: string; credentials: Credentials; caller: Caller };
type Change<T> = (on: Auth, headers: Headers, trx: Database) => Promise<T>;

/**
 * Turning two-step sign-in on or off replaces the auth session: the returned headers have its cookie and token.
 *
 * better-auth checks the auth session and the password first and creates the new session last. So that a session which
 * is ended meanwhile isn't replaced, all of it is one transaction that locks the user, as everything does that ends
 * sessions or changes a password. `authOn` creates better-auth on a transaction.
 */
export function createTwoStepService(context: UsersContext, authOn: (db: Database) => Auth) {
  const { auth, db, limiter, activity } = context;

  async function locked<T>({ viewer, credentials, caller }: TwoStepRequest, change: Change<T>): Promise<T> {
    // Only the token that the guard verified: better-auth reads some headers differently.
    const token = await findSessionToken(auth, credentials);
    const headers = headersOf({ authorization: `Bearer ${token ?? ""}` }, caller);
    return db.transaction().execute(async (trx) => {
      await lockUsers(trx, [viewer.id]);
      await notify(trx, "auth_sessions", viewer.id);
      return change(authOn(trx), headers, trx);
    });
  }

  /** Makes a change with a password or a code, of which wrong ones count as at sign-in. */
  const limited = <T>(request: TwoStepRequest, change: Change<T>): Promise<T> =>
    attemptOwn(context, { viewer: request.viewer, address: request.caller.address }, () =>
      attempted(() => locked(request, change)),
    );

  const note = (viewer: Profile, description: string, userId = viewer.id) =>
    activity.log(viewer.id, "two_step_changed", description, { userId });

  return {
    /**
     * Starts the setup: makes a secret and recovery codes. Nothing changes at sign-in until `confirm`.
     * @throws HttpError 400 for a wrong password, 429 after too many, 409 if two-step sign-in is already on
     */
    async begin(request: TwoStepRequest, password: string): Promise<TwoStepSetup> {
      const made = await limited(request, (on, headers) => on.api.enableTwoFactor({ body: { password }, headers }));
      if (made.method !== "totp") throw new Error(`better-auth set up ${made.method} instead of an authenticator app`);
      return { uri: made.totpURI, recoveryCodes: made.backupCodes };
    },

    /**
     * Turns two-step sign-in on and ends the auth sessions made without a code. This code can't be used to sign in.
     * @throws HttpError 400 for a wrong code, 429 after too many, 409 if the setup wasn't started or it is already on
     */
    async confirm(request: TwoStepRequest, typed: string): Promise<Headers> {
      if (request.viewer.hasTwoStep) throw alreadyOn();
      const body = { code: typed.replaceAll(/\s/g, "") };
      const { headers } = await limited(request, async (on, sent, trx) => {
        await endAuthSessions(trx, request.viewer.id, request.authSessionId);
        return on.api.verifyTOTP({ body, headers: sent, returnHeaders: true });
      });
      await limiter.useCode(request.viewer.id, body.code);
      await note(request.viewer, "Turned on two-step sign-in");
      return headers;
    },

    /** Turns two-step sign-in off. @throws HttpError 400 for a wrong password, 429 after too many */
    async turnOff(request: TwoStepRequest, password: string): Promise<Headers> {
      const body = { password };
      const { headers } = await limited(request, (on, sent) =>
        on.api.disableTwoFactor({ body, headers: sent, returnHeaders: true }),
      );
      await note(request.viewer, "Turned off two-step sign-in");
      return headers;
    },

    /**
     * Turns another user's two-step sign-in off, for someone who lost the phone and the recovery codes.
     * @throws HttpError 400 for the viewer's own account and as `lockOther`
     */
    async reset(viewer: Profile, userId: string): Promise<Profile> {
      if (userId === viewer.id) throw badRequest("Turn off your own two-step sign-in in your account instead");
      const row = await db.transaction().execute(async (trx) => {
        await lockOther(trx, viewer, userId);
        return removeTwoStep(trx, userId);
      });
      await note(viewer, `Turned off the two-step sign-in of ${row.email}`, userId);
      return presentProfile(row);
    },
  };
}

async function attempted<T>(change: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { wrong: false, value: await change() };
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    if (refusedCode(error)) return { wrong: true, value: badField("code", WRONG_CODE) };
    const code = error.body?.code;
    if (code === "INVALID_PASSWORD") return { wrong: true, value: badField("password", "The password is wrong") };
    if (code === "TOTP_ALREADY_ENABLED") return { wrong: false, value: alreadyOn() };
    if (code === "TOTP_NOT_ENABLED") return { wrong: false, value: conflict("Please start the setup again") };
    // The auth session was ended between the guard and the lock.
    if (error.statusCode === 401) throw new HttpError(401, "unauthorized", SIGN_IN_MESSAGE);
    throw error;
  }
}

const WRONG_CODE = "This code is wrong. Check the clock of your phone and try the next code";
const alreadyOn = () => conflict("Two-step sign-in is already on");
