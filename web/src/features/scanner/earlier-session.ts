import { formatMoment } from "@slabdesk/contract/certs/dates.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { listScanSessions } from "../../api/sessions.ts";
import { confirmDialog } from "../../ui/confirm-dialog.tsx";

/** The newest of the user's sessions with the rows of this sheet. */
export async function findEarlierSession(sheetFingerprint: string): Promise<ScanSession | null> {
  const { sessions } = await listScanSessions({ sheetFingerprint, limit: 1 });
  return sessions[0] ?? null;
}

export function confirmAgain({ sessionName, startedAt }: ScanSession): Promise<boolean> {
  return confirmDialog({
    title: "Look up this sheet again?",
    message: `You looked up the same rows on ${formatMoment(startedAt)} as “${sessionName}”. Looking them up again creates a second session.`,
    confirmLabel: "Look up again",
  });
}
