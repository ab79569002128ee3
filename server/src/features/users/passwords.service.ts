import type { OneTimePassword, PasswordChange, Profile } from "@slabdesk/contract/api/people.ts";
import { SIGN_IN_MESSAGE } from "../../http/guards.ts";
import { badField, badRequest, conflict, HttpError } from "../../http/http-error.ts";
import type { UsersContext } from "./auth.service.ts";
import { endAuthSessions, hasAuthSession } from "./auth-sessions.repo.ts";
import type { Attempt } from "./password-limiter.service.ts";
import * as repo from "./passwords.repo.ts";
import { faultOfChosen, oneTimeUntil, readablePassword } from "./passwords.rules.ts";
import { presentProfile } from "./users.repo.ts";
import { lockOther } from "./users.service.ts";

export type PasswordsService = ReturnType<typeof createPasswordsService>;

export type PasswordCaller = { viewer: Profile; authSessionId: string; address: string };

type Hashes = { before: string; after: string };

/** Checks a signed-in user's password or code through the limiter. Logs failures. @throws as `limiter.attempt` */
export async function attemptOwn<T>(
  { limiter, failedAttempts }: UsersContext,
  { viewer: { id, email }, address }: Pick<PasswordCaller, "viewer" | "address">,
  check: () => Promise<Attempt<T>>,
): Promise<T> {
  const description = `Failed a check of the password or a code while signed in, from ${address}`;
  const log = (error: HttpError) => failedAttempts.log(id, { account: email, address, error, description });
  const checkAndLog = async (): Promise<Attempt<T>> => {
    const attempt = await check();
    if (attempt.wrong && attempt.value instanceof HttpError) await log(attempt.value);
    return attempt;
  };
  try {
    return await limiter.attempt(email, `user ${id}`, checkAndLog, { caller: `user ${id}` });
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) await log(error);
    throw error;
  }
}

export function createPasswordsService(context: UsersContext) {
  const { db, activity, passwords, now } = context;

  async function tryChange(viewer: Profile, wanted: PasswordChange): Promise<Attempt<Hashes>> {
    const { currentPassword = "", newPassword } = wanted;
    const before = await repo.findHash(db, viewer.id);
    if (before === null) throw new HttpError(403, "not_allowed", "The backend service has no password to change");
    const isKnown = viewer.mustChangePassword || (await passwords.verify({ hash: before, password: currentPassword }));
    if (!isKnown) return { wrong: true, value: badField("currentPassword", "The current password is wrong") };
    if (await passwords.verify({ hash: before, password: newPassword }))
      return { wrong: false, value: badField("newPassword", "The new password is the same as the current one") };
    return { wrong: false, value: { before, after: await passwords.hash(newPassword) } };
  }

  return {
    /**
     * Changes the viewer's own password and ends all other auth sessions. A one-time password needn't be repeated.
     * @throws HttpError 400 with the field if the current password is wrong, or if the new one is easy to guess or the
     *   same; 429 after too many wrong passwords, as at sign-in; 409 if the password was changed meanwhile
     */
    async change(caller: PasswordCaller, wanted: PasswordChange): Promise<Profile> {
      const { viewer, authSessionId } = caller;
      const fault = faultOfChosen(wanted.newPassword, viewer.email);
      if (fault) throw badField("newPassword", fault);
      const { before, after } = await attemptOwn(context, caller, () => tryChange(viewer, wanted));
      const row = await db.transaction().execute(async (trx) => {
        const stored = await repo.lockPassword(trx, viewer.id);
        const isOutdated = stored?.hash !== before || (viewer.mustChangePassword && stored.oneTime === null);
        if (isOutdated) throw conflict("Your password has been changed in the meantime. Please try again");
        if (!(await hasAuthSession(trx, authSessionId))) throw new HttpError(401, "unauthorized", SIGN_IN_MESSAGE);
        await endAuthSessions(trx, viewer.id, authSessionId);
        return repo.setPassword(trx, viewer.id, after, null);
      });
      await activity.log(viewer.id, "password_changed", "Changed password");
      return presentProfile(row);
    },

    /**
     * Sets a one-time password for a week for another user and ends all of that user's auth sessions.
     * @throws HttpError 400 for the viewer's own account and as `lockOther`
     */
    async reset(viewer: Profile, userId: string): Promise<OneTimePassword> {
      if (userId === viewer.id) throw badRequest("Change your own password in your account instead");
      const password = readablePassword();
      const hash = await passwords.hash(password);
      const until = oneTimeUntil(now());
      const { email } = await db.transaction().execute(async (trx) => {
        await lockOther(trx, viewer, userId);
        await endAuthSessions(trx, userId);
        return repo.setPassword(trx, userId, hash, until);
      });
      await activity.log(viewer.id, "password_reset", `Gave ${email} a one-time password`, { userId });
      return { password, until: until.toISOString() };
    },
  };
}
