import type { AdminSession } from "@slabdesk/contract/api/stats.ts";
import { counted } from "../../../ui/format-numbers.ts";
import { nameOf } from "../users/user-messages.ts";

type DoomedSession = Pick<AdminSession, "owner" | "sessionName" | "status" | "totalCards">;

/** The confirmation names the session and warns that its results will be deleted. */
export function deletionMessage({ owner, sessionName, totalCards, status }: DoomedSession) {
  const running =
    status === "processing" ? " It is still running. Cards that are not looked up yet never will be." : "";
  return {
    title: `Delete “${sessionName}”?`,
    message: `${nameOf(owner)}'s session and its ${counted(totalCards, "result")} are deleted for everyone. This cannot be undone.${running}`,
  };
}
