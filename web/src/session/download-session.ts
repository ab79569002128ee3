import { logActivity, exportUrl, getScanSession } from "../api/client.ts";
import { errorMessage } from "../api/error-messages.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { toast } from "../ui/toast.tsx";
import type { ExportChoice } from "./export-choices.ts";
import { saveFrom } from "../ui/save-file.ts";

/** What is downloaded; a file whose name SPEC gives is named at the moment: the day is in it. */
export type Download = Pick<ExportChoice, "format" | "hasThumbnails" | "isSlow" | "label"> & {
  fileName?: () => string;
};

/**
 * Has the browser download a session's file. The browser writes it to the disk as it comes, so that 100,000 rows and
 * their pictures need no memory here, and marks one that breaks off as failed. An answer that is no file would only be
 * a failed download without words: so the session is asked for first, which fails for the same reasons (signed out,
 * gone, the server away), and they are said.
 */
export async function downloadSession(session: ScanSession, download: Download, rowCount: number): Promise<void> {
  const { format, label, hasThumbnails, isSlow } = download;
  const fileName = download.fileName?.();
  const toastId = `download-${format}`;
  try {
    await getScanSession(session.id);
  } catch (error) {
    toast.error({ id: toastId, title: `${label} was not downloaded`, message: errorMessage(error) });
    return;
  }
  saveFrom(`${exportUrl(session.id, format)}${hasThumbnails ? "&thumbnails=true" : ""}`, fileName);
  if (isSlow) {
    toast.info({
      id: toastId,
      title: `${label} is on its way`,
      message:
        "It is made as it is sent, and the browser shows how far it is. One that breaks off is marked as failed.",
    });
  }
  await logActivity({
    activityType: "csv_download",
    description: `Downloaded ${fileName ?? `${label} of “${session.sessionName.slice(0, 300)}”`}`,
    metadata: { sessionId: session.id, rowCount, format },
  });
}
