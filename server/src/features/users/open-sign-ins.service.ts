import type { Profile, SignInEntry } from "@slabdesk/contract/api/people.ts";
import type { Database } from "../../database/connection.ts";
import { HttpError, noSuchThing } from "../../http/http-error.ts";
import type { ActivityService } from "../activity/activity.service.ts";
import * as repo from "./open-sign-ins.repo.ts";
import { findUser } from "./users.repo.ts";

/** Whose sign-ins are meant, by whom, and by which sign-in that one asks, which is never ended. */
export type SignInsQuestion = { viewer: Profile; signInId: string; userId: string };
export type SignInsAnswer = { signIns: SignInEntry[] };

export type OpenSignInsService = ReturnType<typeof createOpenSignInsService>;

/** Where people are signed in; routes of administrators name anybody, all others the viewer alone. */
export function createOpenSignInsService({ db, activity }: { db: Database; activity: ActivityService }) {
  async function list({ userId, signInId }: SignInsQuestion): Promise<SignInsAnswer> {
    const rows = await repo.listSignIns(db, userId);
    const signIns = rows.map((row) => ({
      id: row.id,
      createdAt: row.created_at.toISOString(),
      lastSeenAt: row.updated_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      address: row.ip_address || null,
      userAgent: row.user_agent || null,
      isCurrent: row.id === signInId,
    }));
    return { signIns };
  }

  async function emailOf(userId: string): Promise<string> {
    const person = await findUser(db, userId);
    if (!person) throw noSuchThing("user");
    return person.email;
  }

  async function note({ viewer, userId }: SignInsQuestion, email: string, count: number): Promise<void> {
    const what = count === 1 ? "a sign-in" : `${count} sign-ins`;
    const whose = viewer.id === userId ? "of their own" : `of ${email}`;
    await activity.log(viewer.id, "sign_ins_ended", `Ended ${what} ${whose}`, { userId, count });
  }

  return {
    /** Where somebody is signed in, the place seen last first. @throws HttpError 404 when there is no such user */
    async list(question: SignInsQuestion): Promise<SignInsAnswer> {
      await emailOf(question.userId);
      return list(question);
    },

    /** Ends all sign-ins but the one that asks; answers what is left. @throws HttpError 404 when there is no such user */
    async endAll(question: SignInsQuestion): Promise<SignInsAnswer> {
      const { userId, signInId } = question;
      const email = await emailOf(userId);
      const count = await db.transaction().execute((trx) => repo.endSignIns(trx, userId, signInId));
      if (count > 0) await note(question, email, count);
      return list(question);
    },

    /**
     * Ends one sign-in; answers what is left.
     *
     * @throws HttpError 400 for the one that asks, 404 when there is no such user, or no such sign-in any more
     */
    async end(question: SignInsQuestion, endedId: string): Promise<SignInsAnswer> {
      const { userId, signInId } = question;
      if (endedId === signInId)
        throw new HttpError(400, "bad_request", "This is where you are signed in now. Log out instead");
      const email = await emailOf(userId);
      const isEnded = await db.transaction().execute((trx) => repo.endSignIn(trx, userId, endedId));
      if (!isEnded) throw noSuchThing("sign-in");
      await note(question, email, 1);
      return list(question);
    },
  };
}
