import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";

/** A session's owner. Only lists of all users' sessions include the owner. */
export function ownerName({ owner }: Pick<ScanSession, "owner">): string {
  return owner?.fullName || owner?.email || "Somebody";
}
