import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { DatabaseTransaction } from "../../database/connection.ts";
import { HttpError, noSuchThing } from "../../http/http-error.ts";
import { lockUsers, type ProfileRow } from "./users.repo.ts";

/**
 * Whom an administrator is about to change. Until the transaction ends nobody changes either of the two, so the caller
 * is still an active administrator when it does.
 *
 * @throws HttpError 403 when the caller was shut out or demoted meanwhile, 404 when there is no such user
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
