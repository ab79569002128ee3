import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { counted } from "../../../ui/format-numbers.ts";

/** A session's owner. Only lists of all users' sessions include the owner. */
export function ownerName({ owner }: Pick<ScanSession, "owner">): string {
  return owner?.fullName || owner?.email || "Somebody";
}

/** The confirmation names the session and warns that its results will be deleted. */
export function deletionMessage(session: ScanSession): { title: string; message: string } {
  const { sessionName, totalCards, status } = session;
  const running =
    status === "processing" ? " It is still running. Cards that are not looked up yet never will be." : "";
  return {
    title: `Delete “${sessionName}”?`,
    message: `${ownerName(session)}'s session and its ${counted(totalCards, "result")} are deleted for everyone. This cannot be undone.${running}`,
  };
}
