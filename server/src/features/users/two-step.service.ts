import { APIError } from "better-auth/api";
import type { Profile, TwoStepSetup } from "@slabdesk/contract/api/people.ts";
import type { Credentials } from "../../http/guards.ts";
import { badField, badRequest, conflict } from "../../http/http-error.ts";
import { refusedCode, type UsersContext } from "./auth.service.ts";
import type { Attempt } from "./password-limiter.service.ts";
import { headersOf, type Caller } from "./sign-in.service.ts";
import { presentProfile, removeTwoStep } from "./users.repo.ts";
import { lockOther } from "./users.service.ts";

export type TwoStepService = ReturnType<typeof createTwoStepService>;

export type TwoStepRequest = { viewer: Profile; credentials: Credentials; caller: Caller };

/** Turning two-step sign-in on or off replaces the auth session: the returned headers have its cookie and token. */
export function createTwoStepService({ auth, db, limiter, activity }: UsersContext) {
  const note = (viewer: Profile, description: string, userId = viewer.id) =>
    activity.log(viewer.id, "two_step_changed", description, { userId });

  return {
    /**
     * Starts the setup: makes a secret and recovery codes. Nothing changes at sign-in until `confirm`.
     * @throws HttpError 400 for a wrong password, 429 after too many, 409 if two-step sign-in is already on
     */
    async begin({ viewer, credentials, caller }: TwoStepRequest, password: string): Promise<TwoStepSetup> {
      const headers = headersOf(credentials, caller);
      const made = await limiter.attempt(viewer.email, caller.address, () =>
        withPassword(() => auth.api.enableTwoFactor({ body: { password }, headers })),
      );
      if (made.method !== "totp") throw new Error(`better-auth set up ${made.method} instead of an authenticator app`);
      return { uri: made.totpURI, recoveryCodes: made.backupCodes };
    },

    /** Turns two-step sign-in on. @throws HttpError 400 for a wrong code, 409 if the setup wasn't started */
    async confirm({ viewer, credentials, caller }: TwoStepRequest, code: string): Promise<Headers> {
      const body = { code: code.replaceAll(/\s/g, "") };
      try {
        const request = { body, headers: headersOf(credentials, caller), returnHeaders: true } as const;
        const { headers } = await auth.api.verifyTOTP(request);
        await note(viewer, "Turned on two-step sign-in");
        return headers;
      } catch (error) {
        const refusal = refusedCode(error);
        if (refusal) throw badField("code", "This code is wrong. Check the clock of your phone and try the next code");
        if (error instanceof APIError && error.body?.code === "TOTP_NOT_ENABLED")
          throw conflict("Please start the setup again");
        throw error;
      }
    },

    /** Turns two-step sign-in off. @throws HttpError 400 for a wrong password, 429 after too many */
    async turnOff({ viewer, credentials, caller }: TwoStepRequest, password: string): Promise<Headers> {
      const request = { body: { password }, headers: headersOf(credentials, caller), returnHeaders: true } as const;
      const { headers } = await limiter.attempt(viewer.email, caller.address, () =>
        withPassword(() => auth.api.disableTwoFactor(request)),
      );
      await note(viewer, "Turned off two-step sign-in");
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

async function withPassword<T>(change: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { wrong: false, value: await change() };
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    if (error.body?.code === "INVALID_PASSWORD")
      return { wrong: true, value: badField("password", "The password is wrong") };
    if (error.body?.code !== "TOTP_ALREADY_ENABLED") throw error;
    return { wrong: false, value: conflict("Two-step sign-in is already on") };
  }
}
