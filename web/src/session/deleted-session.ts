import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { toast } from "../ui/toast.tsx";

/** One's own session is deleted by nobody else (SPEC section 6). */
export const DELETED_MESSAGE = "This session was deleted by an administrator";

/** Says once in this page, wherever its user is in it, that a session of his is not there any more. */
export function tellDeleted({ id, sessionName }: Pick<ScanSession, "id" | "sessionName">): void {
  toast.info({ id: `deleted-${id}`, title: DELETED_MESSAGE, message: `${sessionName}, with its results` });
}
