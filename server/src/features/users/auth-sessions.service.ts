import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { Context } from "../../context.ts";
import type { DatabaseTransaction } from "../../database/connection.ts";
import { changeSetting, keepSetting } from "../../database/server-settings.ts";
import { badRequest, noSuchThing } from "../../http/http-error.ts";
import * as repo from "./auth-sessions.repo.ts";
import { findUser, lockUsers } from "./users.repo.ts";

/** A request by `viewer` about `userId`'s auth sessions. `authSessionId` is the viewer's own; it is never ended. */
export type AuthSessionsRequest = { viewer: Profile; authSessionId: string; userId: string };

export type AuthSessionsService = ReturnType<typeof createAuthSessionsService>;

/** Lists and ends auth sessions. Only administrator routes pass a `userId` other than the viewer's. */
export function createAuthSessionsService({ db, activity }: Context) {
  async function list({ userId, authSessionId }: AuthSessionsRequest) {
    const rows = await repo.listAuthSessions(db, userId);
    const authSessions = rows.map((row) => ({
      id: row.id,
      createdAt: row.created_at.toISOString(),
      lastSeenAt: row.updated_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      address: row.ip_address || null,
      userAgent: row.user_agent || null,
      isCurrent: row.id === authSessionId,
    }));
    return { authSessions };
  }

  /** Ends auth sessions while the user is locked, so that none of them is being replaced by another one. */
  const whileLocked = <T>(userId: string, end: (trx: DatabaseTransaction) => Promise<T>) =>
    db.transaction().execute(async (trx) => {
      const [person] = await lockUsers(trx, [userId]);
      if (!person) throw noSuchThing("user");
      return { email: person.email, ended: await end(trx) };
    });

  async function note({ viewer, userId }: AuthSessionsRequest, email: string, count: number): Promise<void> {
    const what = count === 1 ? "a device" : `${count} devices`;
    const whose = viewer.id === userId ? "of their own" : `of ${email}`;
    await activity.log(viewer.id, "auth_sessions_ended", `Signed out ${what} ${whose}`, { userId, count });
  }

  return {
    /** Lists a user's auth sessions, most recently used first. @throws HttpError 404 if the user doesn't exist */
    async list(request: AuthSessionsRequest) {
      if (!(await findUser(db, request.userId))) throw noSuchThing("user");
      return list(request);
    },

    /** Ends all auth sessions except the caller's; returns the rest. @throws HttpError 404 if the user doesn't exist */
    async endAll(request: AuthSessionsRequest) {
      const { userId, authSessionId } = request;
      const { email, ended } = await whileLocked(userId, (trx) => repo.endAuthSessions(trx, userId, authSessionId));
      if (ended > 0) await note(request, email, ended);
      return list(request);
    },

    /** Ends one; returns the rest. @throws HttpError 400 for the caller's current session, 404 if it doesn't exist */
    async end(request: AuthSessionsRequest, endedId: string) {
      const { userId, authSessionId } = request;
      if (endedId === authSessionId) throw badRequest("This is the device you are using. Log out instead");
      const { email, ended } = await whileLocked(userId, (trx) => repo.endAuthSession(trx, userId, endedId));
      if (!ended) throw noSuchThing("device");
      await note(request, email, 1);
      return list(request);
    },
  };
}

/** Ends the auth sessions that an earlier AUTH_SECRET or BACKEND_PASSWORD admitted. A hash of each is kept to compare. */
export async function endSessionsOfOldSecrets({ db, config, passwords }: Context, authSecret: string) {
  const { BACKEND_PASSWORD: backendPassword = "" } = config;
  const unlessSame = (name: string, secret: string, end: (trx: DatabaseTransaction) => Promise<unknown>) =>
    db.transaction().execute(async (trx) => {
      const hash = await passwords.hash(secret);
      // Locks the setting, so that nodes that start together end the sessions once.
      const kept = await keepSetting(trx, name, hash);
      if (await passwords.verify({ hash: kept, password: secret })) return;
      await changeSetting(trx, name, hash);
      await end(trx);
    });
  await unlessSame("auth_secret_hash", authSecret, repo.endAllAuthSessions);
  await unlessSame("backend_password_hash", backendPassword, (trx) => repo.endAuthSessions(trx, repo.BACKEND_ID));
}
