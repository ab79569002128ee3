import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { useRef, useState } from "react";
import { logActivity } from "../../api/activity.ts";
import { getScanSession, repriceSelected, retrySelected, selectionExportUrl } from "../../api/sessions.ts";
import { errorMessage } from "../../api/error-messages.ts";
import { saveFromForm } from "../../ui/save-file.ts";
import { toast } from "../../ui/toast.tsx";
import type { RowsSnapshot } from "../rows-store.ts";
import type { SelectionExport } from "./selection-export.ts";

/** One request at a time: a second press while one is in progress does nothing. */
export type SelectionActions = {
  isBusy: boolean;
  retry: (rows: RowsSnapshot) => void;
  reprice: (rows: RowsSnapshot) => void;
  save: (rows: RowsSnapshot, choice: SelectionExport) => void;
};

/** `onRowsSent` is called when the server has accepted rows to look up or price again. */
export function useSelectionActions(onRowsSent: (() => void) | undefined): SelectionActions {
  const [isBusy, setIsBusy] = useState(false);
  const isUnderWay = useRef(false);

  const once = async (failure: string, work: () => Promise<void>): Promise<void> => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setIsBusy(true);
    try {
      await work();
    } catch (error) {
      toast.error({ id: "selection", title: failure, message: errorMessage(error) });
    } finally {
      isUnderWay.current = false;
      setIsBusy(false);
    }
  };
  const sending =
    (call: (sessionId: string, rowIds: readonly string[]) => Promise<ScanSession>, failure: string, done: string) =>
    (rows: RowsSnapshot): void =>
      void once(failure, async () => {
        await call(sessionOf(rows), idsOf(rows));
        onRowsSent?.();
        toast.done({ id: "selection-sent", message: `${done} ${cards(rows)}` });
      });
  return {
    isBusy,
    retry: sending(retrySelected, "The cards were not sent again", "Looking up again:"),
    reprice: sending(repriceSelected, "The prices were not asked for", "Asking for the prices of"),
    save: (rows, choice) => void once(`${choice.label} was not downloaded`, () => saveSelected(rows, choice)),
  };
}

/** Loads the session first, so that an error has a proper message before the browser starts the download. */
async function saveSelected(rows: RowsSnapshot, choice: SelectionExport): Promise<void> {
  const { format, hasThumbnails = false, isSlow = false, label } = choice;
  const sessionId = sessionOf(rows);
  await getScanSession(sessionId);
  const id = `selection-${format}`;
  toast.hide(id);
  if (isSlow) {
    toast.info({
      id,
      title: `${label} is on its way`,
      message:
        "It is made as it is sent, and the browser shows how far it is. One that breaks off is marked as failed.",
    });
  }
  const wanted = { format, thumbnails: String(hasThumbnails), rowIds: idsOf(rows).join(",") };
  saveFromForm(selectionExportUrl(sessionId), wanted, () => {
    toast.hide(id);
    toast.error({
      id: "selection",
      title: `${label} was not downloaded`,
      message: "The server did not give the file. Please try again.",
    });
  });
  await logActivity({
    activityType: "csv_download",
    description: `Downloaded ${label} of ${cards(rows)}`,
    metadata: { sessionId, rowCount: rows.length, format },
  });
}

function sessionOf(rows: RowsSnapshot): string {
  return rows[0]?.sessionId ?? "";
}

function idsOf(rows: RowsSnapshot): string[] {
  return rows.map(({ id }) => id);
}

function cards({ length }: RowsSnapshot): string {
  return `${length.toLocaleString("en-US")} ${length === 1 ? "card" : "cards"}`;
}
