import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { toast } from "../ui/toast.tsx";

/** Only administrators can delete sessions (docs/conformance.md, 6-09). */
export const DELETED_MESSAGE = "This session was deleted by an administrator";

/** The server doesn't tell a user which of both is the case. */
export const NOT_YOURS_MESSAGE = "This session was deleted, or it belongs to somebody else.";

/** Tells the user, on any screen of this page, that their session was deleted. Shows the message once. */
export function announceDeletion({ id, sessionName }: Pick<ScanSession, "id" | "sessionName">): void {
  toast.info({ id: `deleted-${id}`, title: DELETED_MESSAGE, message: `${sessionName}, with its results` });
}
