import {
  NEW_USER_MESSAGES,
  type OneTimePassword,
  type PasswordChange,
  type Profile,
} from "@slabdesk/contract/api/people.ts";
import type { Database } from "../../database/connection.ts";
import { HttpError, noSuchThing } from "../../http/http-error.ts";
import type { ActivityService } from "../activity/activity.service.ts";
import { endAuthSessions } from "./auth-sessions.repo.ts";
import { lockOther } from "./other-person.ts";
import { unlessSlowed, type Attempt, type PasswordLimiter } from "./password-limiter.ts";
import * as repo from "./passwords.repo.ts";
import { isTooShort, readablePassword, type Passwords } from "./passwords.ts";
import { findUser, presentProfile } from "./users.repo.ts";

export type PasswordsParts = {
  db: Database;
  limiter: PasswordLimiter;
  activity: ActivityService;
  passwords: Passwords;
  now: () => Date;
};

export type PasswordsService = ReturnType<typeof createPasswordsService>;

/** How somebody asks for another password of their own: by which sign-in, and from where. */
export type Asker = { viewer: Profile; authSessionId: string; address: string };

/** What is stored of a password before and after a change. */
type Hashes = { before: string; after: string };

const ONE_TIME_GOOD_FOR_MS = 7 * 24 * 60 * 60 * 1000;

export function createPasswordsService({ db, limiter, activity, passwords, now }: PasswordsParts) {
  /** What would be stored of the new password, with what is stored now; or what is wrong with the request. */
  async function tryChange(
    viewer: Profile,
    { currentPassword = "", newPassword }: PasswordChange,
  ): Promise<Attempt<HttpError | Hashes>> {
    const before = await repo.findHash(db, viewer.id);
    if (before === null) throw new Error(`${viewer.id} is signed in but has no password`);
    const isKnown = viewer.mustChangePassword || (await passwords.verify({ hash: before, password: currentPassword }));
    if (!isKnown) return { wrong: true, value: refused("currentPassword", "The current password is wrong") };
    if (await passwords.verify({ hash: before, password: newPassword }))
      return { wrong: false, value: refused("newPassword", "The new password is the same as the current one") };
    return { wrong: false, value: { before, after: await passwords.hash(newPassword) } };
  }

  return {
    /**
     * Gives oneself another password. The sign-in that asks stays, all others end. Whoever signed in with a one-time
     * password is not asked for it again.
     *
     * @throws HttpError 400 naming the field when the current one is wrong (which is slowed down as it is at sign-in: 429),
     *   or the new one too short or the same; 409 when the password was changed meanwhile
     */
    async change({ viewer, authSessionId, address }: Asker, wanted: PasswordChange): Promise<Profile> {
      if (isTooShort(wanted.newPassword)) throw refused("newPassword", NEW_USER_MESSAGES.password);
      const result = unlessSlowed(await limiter.attempt(viewer.email, address, () => tryChange(viewer, wanted)));
      if (result instanceof HttpError) throw result;
      const row = await db.transaction().execute(async (trx) => {
        const stored = await repo.lockPassword(trx, viewer.id);
        if (stored?.hash !== result.before)
          throw new HttpError(409, "conflict", "Your password was changed meanwhile. Please try again");
        await repo.setPassword(trx, viewer.id, result.after, null);
        await endAuthSessions(trx, viewer.id, authSessionId);
        return findUser(trx, viewer.id);
      });
      if (!row) throw noSuchThing("user");
      await activity.log(viewer.id, "password_changed", "Changed the own password");
      return presentProfile(row);
    },

    /**
     * Gives somebody else a password that is good for one sign-in within a week, and signs them out everywhere. It is
     * told here and nowhere else.
     *
     * @throws HttpError 400 for oneself, 404 when there is no such user, 403 when the caller was demoted meanwhile
     */
    async reset(viewer: Profile, userId: string): Promise<OneTimePassword> {
      if (userId === viewer.id)
        throw new HttpError(400, "bad_request", "Change your own password in your account instead");
      const password = readablePassword();
      const hash = await passwords.hash(password);
      const until = new Date(now().getTime() + ONE_TIME_GOOD_FOR_MS);
      const { email } = await db.transaction().execute(async (trx) => {
        const person = await lockOther(trx, viewer, userId);
        await repo.setPassword(trx, userId, hash, until);
        await endAuthSessions(trx, userId);
        return person;
      });
      await activity.log(viewer.id, "password_reset", `Gave ${email} a one-time password`, { userId });
      return { password, until: until.toISOString() };
    },
  };
}

function refused(field: keyof PasswordChange, message: string): HttpError {
  return new HttpError(400, "bad_request", message, { fields: { [field]: message } });
}
