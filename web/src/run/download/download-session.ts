import { type ExportFormat, exportUrl, getScanSession } from "../../api/sessions.ts";
import { errorMessage } from "../../api/errors.ts";
import type { ListingPrice } from "@slabdesk/contract/api/prices.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { toast } from "../../ui/toast.tsx";
import { saveFrom } from "../../ui/files/save-file.ts";

export type ExportChoice = {
  format: ExportFormat;
  hasThumbnails?: true;
  label: string;
  note: string;
  /** A shop's listings, whose price is asked for. */
  isListing?: true;
  /** The file is generated while it is sent, image by image. */
  isSlow?: true;
};

export const EXPORT_CHOICES: readonly { title: string; choices: readonly ExportChoice[] }[] = [
  {
    title: "Spreadsheets",
    choices: [
      { format: "csv", label: "Results CSV", note: "All 31 columns" },
      { format: "session-csv", label: "Session CSV", note: "Without the CardsIQ columns" },
      { format: "original", label: "Your own file with results", note: "Your columns, with our results added" },
      { format: "xlsx", label: "Excel", note: "Numbers as text, links, fixed header" },
      {
        format: "xlsx",
        hasThumbnails: true,
        label: "Excel with thumbnails",
        note: "Includes a photo per row",
        isSlow: true,
      },
    ],
  },
  {
    title: "Shops",
    choices: [
      { format: "ebay", label: "eBay", note: "Seller Hub, create listings", isListing: true },
      { format: "shopify", label: "Shopify", note: "Products", isListing: true },
      { format: "whatnot", label: "Whatnot", note: "Listings", isListing: true },
    ],
  },
  {
    title: "More",
    choices: [
      { format: "images.zip", label: "Images (ZIP)", note: "Front and back, named by cert number", isSlow: true },
      { format: "json", label: "JSON", note: "For programs" },
    ],
  },
];

/** `fileName` is computed when the download starts, because it has the date (docs/conformance.md, 3.14). */
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
