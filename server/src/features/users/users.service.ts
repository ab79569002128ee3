import type { z } from "zod";
import {
  newUserFaultOf,
  type newUserSchema,
  type NewUserPassword,
  type Profile,
  type Role,
  type UserChange,
} from "@slabdesk/contract/api/people.ts";
import type { Config } from "../../config.ts";
import type { Context } from "../../context.ts";
import type { Database, DatabaseTransaction } from "../../database/connection.ts";
import { badRequest, conflict, HttpError, noSuchThing } from "../../http/http-error.ts";
import { BACKEND_ID, endAuthSessions } from "./auth-sessions.repo.ts";
import { insertPassword } from "./passwords.repo.ts";
import { oneTimeUntil, readablePassword } from "./passwords.rules.ts";
import * as repo from "./users.repo.ts";

const ROLE_LABELS = { admin: "an administrator", user: "a user" } satisfies Record<Role, string>;
const PROFILE_NOT_STORED = "Profile error: The profile could not be stored. Please try again";
const LAST_ADMIN = "The last active administrator can't be deactivated or made a user";
const PASSWORD_NOT_STORED = "Auth error: The password could not be stored. Please try again";

export type UsersService = ReturnType<typeof createUsersService>;

export function createUsersService({ config, db, activity, passwords, now }: Context) {
  const { DEFAULT_USER_PASSWORD: defaultPassword } = config;

  return {
    async list(cursor: number, limit: number) {
      const rows = await repo.listUsers(db, cursor, limit + 1);
      const users = rows.slice(0, limit).map((row) => ({ ...repo.presentProfile(row), scanCount: row.scan_count }));
      return { users, nextCursor: rows.length > limit ? String(cursor + limit) : null };
    },

    /** Returns the initial password for the new-user form: the default password, or else a generated one. */
    newPassword(): NewUserPassword {
      return { password: defaultPassword ?? readablePassword(), isDefault: defaultPassword !== undefined };
    },

    /**
     * Creates a user. The messages of the errors are specified (docs/conformance.md, section 8).
     * @throws HttpError 400 for a missing or invalid field, 409 if the email is taken, 500 if it can't be stored
     */
    async create(viewer: Profile, input: z.output<typeof newUserSchema>): Promise<Profile> {
      const user = { ...input, email: input.email.toLowerCase(), password: input.password || (defaultPassword ?? "") };
      const fault = newUserFaultOf(user);
      if (fault) throw badRequest(fault.message);
      const passwordHash = await passwords.hash(user.password);
      const newProfile = { ...user, oneTimeUntil: user.mustChangePassword ? oneTimeUntil(now()) : null };
      const row = await db.transaction().execute(async (trx) => {
        const added = await unlessBroken(PROFILE_NOT_STORED, repo.insertProfile(trx, newProfile));
        if (added) await unlessBroken(PASSWORD_NOT_STORED, insertPassword(trx, added.id, passwordHash));
        return added;
      });
      if (!row) throw conflict("Auth error: A user with this email already exists");
      const profile = repo.presentProfile(row);
      const about = { userId: profile.id, email: profile.email, role: profile.role };
      await activity.log(viewer.id, "user_created", `Created user ${profile.email}`, about);
      return profile;
    },

    /**
     * Activates or deactivates a user, or changes the role. Deactivation ends all of the user's auth sessions in the
     * same transaction; the user's runs continue. At least one active administrator always remains: the caller, who is
     * locked and can't change their own account, or another one if the caller is the backend service, which isn't a person.
     * @throws HttpError 400 for the caller's own account, 409 from the backend service for the last one, and as `lockOther`
     */
    async change(viewer: Profile, userId: string, wanted: UserChange): Promise<Profile> {
      if (userId === viewer.id) throw badRequest("You cannot change your own account");
      const { row, change } = await db.transaction().execute(async (trx) => {
        const person = await lockOther(trx, viewer, userId);
        const change: UserChange = {
          isActive: wanted.isActive === person.is_active ? undefined : wanted.isActive,
          role: wanted.role === person.role ? undefined : wanted.role,
        };
        if (change.isActive === undefined && change.role === undefined) return { row: person, change };
        const isRemoved = person.is_active && person.role === "admin" && (change.isActive === false || change.role);
        if (isRemoved && viewer.id === BACKEND_ID && !(await repo.hasOtherAdmin(trx, userId)))
          throw conflict(LAST_ADMIN);
        if (change.isActive === false) await endAuthSessions(trx, userId);
        return { row: await repo.changeUser(trx, userId, change), change };
      });
      const profile = repo.presentProfile(row);
      const { isActive, role } = change;
      if (isActive !== undefined) {
        const deed = isActive ? "Activated" : "Deactivated";
        await activity.log(viewer.id, "user_status_changed", `${deed} user ${profile.email}`, { userId, isActive });
      }
      if (role !== undefined) {
        const deed = `Made ${profile.email} ${ROLE_LABELS[role]}`;
        await activity.log(viewer.id, "user_role_changed", deed, { userId, role });
      }
      return profile;
    },

    tableView: async (viewer: Profile) => (await repo.findUser(db, viewer.id))?.table_view ?? null,

    async keepTableView(viewer: Profile, view: string | null): Promise<void> {
      await repo.updateUser(db, viewer.id, { table_view: view });
    },
  };
}

/** `isGenerated`: the password was generated, because ADMIN_PASSWORD isn't set. */
export type FirstAdmin = { email: string; password: string; isGenerated: boolean };

/** Creates the first administrator unless there are users, on one node only. The caller must show the password. */
export async function createFirstAdmin(
  db: Database,
  { ADMIN_EMAIL, ADMIN_PASSWORD }: Pick<Config, "ADMIN_EMAIL" | "ADMIN_PASSWORD">,
  hashPassword: Context["passwords"]["hash"],
): Promise<FirstAdmin | null> {
  if (await repo.hasUsers(db)) return null;
  const [email, password] = [ADMIN_EMAIL.toLowerCase(), ADMIN_PASSWORD ?? readablePassword()];
  const passwordHash = await hashPassword(password);
  return db.transaction().execute(async (trx) => {
    await repo.lockFirstAdmin(trx);
    if (await repo.hasUsers(trx)) return null;
    const profile = { email, fullName: "Administrator", role: "admin", oneTimeUntil: null } as const;
    const admin = await repo.insertProfile(trx, profile);
    if (admin) await insertPassword(trx, admin.id, passwordHash);
    return { email, password, isGenerated: ADMIN_PASSWORD === undefined };
  });
}

function unlessBroken<T>(message: string, stored: Promise<T>): Promise<T> {
  return stored.catch((cause: unknown) => {
    throw new HttpError(500, "internal", message, { cause });
  });
}

/**
 * Locks the caller and the user to be changed, so that the caller is still an active administrator at commit.
 * @throws HttpError 403 if the caller was deactivated or demoted meanwhile, 404 if the user doesn't exist
 */
export async function lockOther(trx: DatabaseTransaction, viewer: Profile, userId: string): Promise<repo.ProfileRow> {
  const people = await repo.lockUsers(trx, [viewer.id, userId]);
  const caller = people.find(({ id }) => id === viewer.id);
  if (!caller?.is_active || caller.role !== "admin")
    throw new HttpError(403, "not_allowed", "Only an active administrator may do this");
  const other = people.find(({ id }) => id === userId);
  if (!other || other.is_service) throw noSuchThing("user");
  return other;
}
