import { z } from "zod";
import {
  NEW_USER_MESSAGES,
  type newUserSchema,
  type NewUserPassword,
  type Profile,
  type Role,
  type UserChange,
} from "@slabdesk/contract/api/people.ts";
import type { Database } from "../../database/connection.ts";
import { HttpError } from "../../http/http-error.ts";
import type { ActivityService } from "../activity/activity.service.ts";
import { endAuthSessions } from "./auth-sessions.repo.ts";
import { lockOther } from "./other-person.ts";
import { insertPassword } from "./passwords.repo.ts";
import { isTooShort, readablePassword } from "./passwords.ts";
import * as repo from "./users.repo.ts";

export type UsersParts = {
  db: Database;
  activity: ActivityService;
  hashPassword: (password: string) => Promise<string>;
  /** What a new user gets when the administrator leaves the password empty; undefined = it must be given. */
  defaultPassword: string | undefined;
};

const ROLE_LABELS = { admin: "an administrator", user: "a user" } satisfies Record<Role, string>;
const PROFILE_NOT_STORED = "Profile error: The profile could not be stored. Please try again";
const PASSWORD_NOT_STORED = "Auth error: The password could not be stored. Please try again";

export type UsersService = ReturnType<typeof createUsersService>;

export function createUsersService({ db, activity, hashPassword, defaultPassword }: UsersParts) {
  return {
    /** A page of people, oldest first. */
    async list(cursor: number, limit: number): Promise<{ users: Profile[]; nextCursor: string | null }> {
      const rows = await repo.listUsers(db, cursor, limit + 1);
      const users = rows.slice(0, limit).map(repo.presentProfile);
      return { users, nextCursor: rows.length > limit ? String(cursor + limit) : null };
    },

    /** What fills the password of the form in which a user is added: the default one, else one made for this form. */
    newPassword(): NewUserPassword {
      return { password: defaultPassword ?? readablePassword(), isDefault: defaultPassword !== undefined };
    },

    /**
     * @throws HttpError 400 with SPEC's words when something is missing or wrong; with SPEC's prefixes: 409 when the email
     *   is taken, 500 when the profile or the password could not be stored
     */
    async create(viewer: Profile, input: z.output<typeof newUserSchema>): Promise<Profile> {
      const user = { ...input, email: input.email.toLowerCase(), password: input.password || (defaultPassword ?? "") };
      const fault = faultOf(user);
      if (fault) throw new HttpError(400, "bad_request", fault);
      const passwordHash = await hashPassword(user.password);
      const row = await db.transaction().execute(async (trx) => {
        const added = await unlessBroken(PROFILE_NOT_STORED, () => repo.insertProfile(trx, user));
        if (added) await unlessBroken(PASSWORD_NOT_STORED, () => insertPassword(trx, added.id, passwordHash));
        return added;
      });
      if (!row) throw new HttpError(409, "conflict", "Auth error: There is a user with this email already");
      const profile = repo.presentProfile(row);
      const about = { userId: profile.id, email: profile.email, role: profile.role };
      await activity.log(viewer.id, "user_created", `Created user ${profile.email}`, about);
      return profile;
    },

    /**
     * Lets a person in or shuts them out, or changes what they may do. Shut out, they are signed out everywhere in the
     * same moment; their runs go on. There is always an active administrator left: whoever calls this is one, is not
     * changed by it, and cannot be by anybody else meanwhile.
     *
     * @throws HttpError 400 for one's own account, 404 when there is no such user, 403 when the caller was shut out or
     *   demoted meanwhile (two administrators cannot do it to each other)
     */
    async change(viewer: Profile, userId: string, wanted: UserChange): Promise<Profile> {
      if (userId === viewer.id) throw new HttpError(400, "bad_request", "You cannot change your own account");
      const { row, change } = await db.transaction().execute(async (trx) => {
        const person = await lockOther(trx, viewer, userId);
        const change = differenceOf(person, wanted);
        if (change.isActive === undefined && change.role === undefined) return { row: person, change };
        if (change.isActive === false) await endAuthSessions(trx, userId);
        return { row: await repo.changeUser(trx, userId, change), change };
      });
      const profile = repo.presentProfile(row);
      const { isActive, role } = change;
      if (isActive !== undefined) {
        const deed = isActive ? "Activated" : "Deactivated";
        await activity.log(viewer.id, "user_status_changed", `${deed} user ${profile.email}`, { userId, isActive });
      }
      if (role !== undefined)
        await activity.log(viewer.id, "user_role_changed", `Made ${profile.email} ${ROLE_LABELS[role]}`, {
          userId,
          role,
        });
      return profile;
    },

    /** How the caller has arranged the results table; null: not yet. */
    tableView: (viewer: Profile): Promise<string | null> => repo.findTableView(db, viewer.id),

    keepTableView: (viewer: Profile, view: string | null): Promise<void> => repo.saveTableView(db, viewer.id, view),
  };
}

/** What is wrong with a new user in SPEC's words and order; null when nothing is. */
function faultOf(user: { email: string; password: string; fullName: string }): string | null {
  if (!user.email || !user.password.trim() || !user.fullName) return NEW_USER_MESSAGES.required;
  if (!z.email().safeParse(user.email).success) return NEW_USER_MESSAGES.email;
  return isTooShort(user.password) ? NEW_USER_MESSAGES.password : null;
}

function differenceOf(person: { is_active: boolean; role: Role }, { isActive, role }: UserChange): UserChange {
  return {
    isActive: isActive === person.is_active ? undefined : isActive,
    role: role === person.role ? undefined : role,
  };
}

async function unlessBroken<T>(message: string, store: () => Promise<T>): Promise<T> {
  try {
    return await store();
  } catch (error) {
    throw new HttpError(500, "internal", message, { cause: error });
  }
}
