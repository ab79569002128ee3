import { z } from "zod";
import {
  MIN_PASSWORD_LENGTH,
  NEW_USER_MESSAGES,
  type newUserSchema,
  type Profile,
  type UserChange,
} from "@slabdesk/contract/api/people.ts";
import type { Database } from "../../database/connection.ts";
import { HttpError, noSuchThing } from "../../http/http-error.ts";
import type { ActivityService } from "../activity/activity.service.ts";
import * as repo from "./users.repo.ts";

export type UsersParts = {
  db: Database;
  activity: ActivityService;
  hashPassword: (password: string) => Promise<string>;
  /** What a new user gets when the administrator leaves the password empty; undefined = it must be given. */
  defaultPassword: string | undefined;
};

export type UsersService = ReturnType<typeof createUsersService>;

export function createUsersService({ db, activity, hashPassword, defaultPassword }: UsersParts) {
  return {
    /** A page of people, oldest first. */
    async list(cursor: number, limit: number): Promise<{ users: Profile[]; nextCursor: string | null }> {
      const rows = await repo.listUsers(db, cursor, limit + 1);
      const users = rows.slice(0, limit).map(repo.presentProfile);
      return { users, nextCursor: rows.length > limit ? String(cursor + limit) : null };
    },

    /** @throws HttpError 400 with SPEC's words when something is missing or wrong, 409 when the email is taken */
    async create(viewer: Profile, input: z.output<typeof newUserSchema>): Promise<Profile> {
      const user = { ...input, email: input.email.toLowerCase(), password: input.password || (defaultPassword ?? "") };
      const fault = faultOf(user);
      if (fault) throw new HttpError(400, "bad_request", fault);
      const passwordHash = await hashPassword(user.password);
      const row = await db.transaction().execute((trx) => repo.insertUser(trx, { ...user, passwordHash }));
      if (!row) throw new HttpError(409, "conflict", "There is a user with this email already");
      const profile = repo.presentProfile(row);
      const about = { userId: profile.id, email: profile.email, role: profile.role };
      await activity.log(viewer.id, "user_created", `Created user ${profile.email}`, about);
      return profile;
    },

    /**
     * Lets a person in or shuts them out; shut out, they are signed out everywhere in the same moment.
     *
     * @throws HttpError 400 for one's own account, 404 when there is no such user, 403 when the caller was shut out
     *   meanwhile (two administrators cannot shut out each other)
     */
    async change(viewer: Profile, userId: string, { isActive, role }: UserChange): Promise<Profile> {
      if (userId === viewer.id) throw new HttpError(400, "bad_request", "You cannot change your own account");
      const row = await db.transaction().execute(async (trx) => {
        const people = await repo.lockUsers(trx, [viewer.id, userId]);
        const caller = people.find((person) => person.id === viewer.id);
        if (!caller?.is_active || caller.role !== "admin") {
          throw new HttpError(403, "not_allowed", "Only an active administrator may do this");
        }
        if (!people.some((person) => person.id === userId)) throw noSuchThing("user");
        if (isActive === false) await repo.deleteSessionsOf(trx, userId);
        return repo.changeUser(trx, userId, { isActive, role });
      });
      const profile = repo.presentProfile(row);
      if (isActive !== undefined) {
        const deed = isActive ? "Activated" : "Deactivated";
        await activity.log(viewer.id, "user_status_changed", `${deed} user ${profile.email}`, { userId, isActive });
      }
      if (role !== undefined)
        await activity.log(viewer.id, "user_role_changed", `Made ${profile.email} ${role}`, { userId, role });
      return profile;
    },

    /** How the caller has arranged the results table; null: not yet. */
    tableView: (viewer: Profile): Promise<string | null> => repo.findTableView(db, viewer.id),

    keepTableView: (viewer: Profile, view: string | null): Promise<void> => repo.saveTableView(db, viewer.id, view),
  };
}

/** What is wrong with a new user in SPEC's words and order; null when nothing is. */
function faultOf(user: { email: string; password: string; fullName: string }): string | null {
  if (!user.email || !user.password || !user.fullName) return NEW_USER_MESSAGES.required;
  if (!z.email().safeParse(user.email).success) return NEW_USER_MESSAGES.email;
  return user.password.length < MIN_PASSWORD_LENGTH ? NEW_USER_MESSAGES.password : null;
}
