import type { AdminSession } from "@slabdesk/contract/api/stats.ts";
import { counted } from "../../../ui/format-numbers.ts";

/** A session's owner. */
export function ownerName({ owner }: Pick<AdminSession, "owner">): string {
  return owner.fullName || owner.email;
}

type DoomedSession = Pick<AdminSession, "owner" | "sessionName" | "status" | "totalCards">;

/** The confirmation names the session and warns that its results will be deleted. */
export function deletionMessage(session: DoomedSession): { title: string; message: string } {
  const { sessionName, totalCards, status } = session;
  const running =
    status === "processing" ? " It is still running. Cards that are not looked up yet never will be." : "";
  return {
    title: `Delete “${sessionName}”?`,
    message: `${ownerName(session)}'s session and its ${counted(totalCards, "result")} are deleted for everyone. This cannot be undone.${running}`,
  };
}
