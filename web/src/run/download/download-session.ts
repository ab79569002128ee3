import { exportUrl, getScanSession } from "../../api/sessions.ts";
import { errorMessage } from "../../api/error-messages.ts";
import type { ListingPrice } from "@slabdesk/contract/api/prices.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { toast } from "../../ui/toast.tsx";
import type { ExportChoice } from "./export-choices.ts";
import { saveFrom } from "../../ui/files/save-file.ts";

/** A download. `fileName` is computed when the download starts, because the specified names contain the date. */
export type Download = Pick<ExportChoice, "format" | "hasThumbnails" | "isSlow" | "label"> & {
  fileName?: () => string;
  listing?: ListingPrice;
};

/** Downloads a session's file. Loads the session first, because browsers show no message for an error response. */
export async function downloadSession(session: ScanSession, download: Download): Promise<void> {
  const { format, label, hasThumbnails = false, isSlow, listing } = download;
  const fileName = download.fileName?.();
  const toastId = `download-${format}`;
  try {
    await getScanSession(session.id);
  } catch (error) {
    toast.error({ id: toastId, title: `Couldn't download ${label}`, message: errorMessage(error) });
    return;
  }
  saveFrom(exportUrl(session.id, { format, ...(hasThumbnails && { thumbnails: "true" }), ...listing }), fileName);
  if (isSlow) announceSlowDownload(toastId, label);
}

/** For a file that is generated while it is sent. */
export function announceSlowDownload(id: string, label: string): void {
  toast.info({
    id,
    title: `Downloading ${label}`,
    message: "Your browser shows the progress and marks the file as failed if the download is interrupted.",
  });
}
