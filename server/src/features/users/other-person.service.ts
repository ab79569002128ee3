import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { DatabaseTransaction } from "../../database/connection.ts";
import { HttpError, noSuchThing } from "../../http/http-error.ts";
import { lockUsers, type ProfileRow } from "./users.repo.ts";

/**
 * Locks the caller and the user to be changed until the transaction ends, so that the caller is still an active
 * administrator at commit. Returns the user.
 *
 * @throws HttpError 403 if the caller was deactivated or demoted meanwhile, 404 if the user doesn't exist
 */
export async function lockOther(trx: DatabaseTransaction, viewer: Profile, userId: string): Promise<ProfileRow> {
  const people = await lockUsers(trx, [viewer.id, userId]);
  const caller = people.find(({ id }) => id === viewer.id);
  if (!caller?.is_active || caller.role !== "admin") {
    throw new HttpError(403, "not_allowed", "Only an active administrator may do this");
  }
  const other = people.find(({ id }) => id === userId);
  if (!other) throw noSuchThing("user");
  return other;
}
