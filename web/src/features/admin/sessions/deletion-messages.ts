import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { ownerName } from "./owner-messages.ts";

/** The confirmation names the session and warns that its results will be deleted. */
export function deletionMessage(session: ScanSession): { title: string; message: string } {
  const { sessionName, totalCards, status } = session;
  const results = totalCards === 1 ? "its 1 result" : `its ${totalCards.toLocaleString("en-US")} results`;
  const sentences = [
    `${ownerName(session)}'s session and ${results} are deleted for everybody. This cannot be undone.`,
    status === "processing" ? "It is running: cards that are not looked up yet never will be." : null,
  ];
  return {
    title: `Delete “${sessionName}”?`,
    message: sentences.filter((sentence) => sentence !== null).join(" "),
  };
}
