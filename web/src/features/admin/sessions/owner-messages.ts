import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";

/** Whose a session is. Lists of everybody's sessions have the owner; without one nobody is named. */
export function ownerName({ owner }: Pick<ScanSession, "owner">): string {
  return owner?.fullName || owner?.email || "Somebody";
}
