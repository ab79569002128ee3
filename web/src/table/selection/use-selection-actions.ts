import type { Company } from "@slabdesk/contract/certs/company.ts";
import { isError } from "@slabdesk/contract/review/row-state.ts";
import { judgeRow } from "@slabdesk/contract/sheet/row.ts";
import { isoDate } from "@slabdesk/contract/sheet/session-name.ts";
import { getScanSession, selectionExportUrl } from "../../api/sessions.ts";
import { deleteRows, repriceAll, retryAll, setCompanyOf } from "../../run/session-requests.ts";
import { useAction } from "../../run/use-action.ts";
import { saveFromForm } from "../../ui/files/save-file.ts";
import { toast } from "../../ui/toast.tsx";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { announceSlowDownload, type Download } from "../../run/download/download-session.ts";
import { counted } from "../../ui/format-numbers.ts";

/** One request at a time: a second press while one is in progress does nothing. */
export function useSelectionActions() {
  const { run, isBusy } = useAction<{ title: string; send: () => Promise<unknown>; done?: string }>({
    send: ({ send }) => send(),
    failure: ({ title }) => ({ id: "selection", title }),
    onDone: (_, { done }) => {
      if (done !== undefined) toast.done({ id: "selection-sent", message: done });
    },
  });
  return {
    isBusy,
    retry: (rows: RowsSnapshot) =>
      run({
        title: "Couldn't retry the cards",
        send: () => retryAll(sessionOf(rows), idsOf(rows)),
        done: `Looking up ${cards(rows)} again`,
      }),
    reprice: (rows: RowsSnapshot) =>
      run({
        title: "Couldn't get the prices",
        send: () => repriceAll(sessionOf(rows), idsOf(rows)),
        done: `Getting the prices of ${cards(rows)}`,
      }),
    setCompany: (rows: RowsSnapshot, company: Company) =>
      run({
        title: "Couldn't change the companies",
        send: () => setCompanyOf(sessionOf(rows), idsOf(rows), company),
        done: `Looking up ${cards(rows)} at ${company}`,
      }),
    remove: (rows: RowsSnapshot) =>
      run({
        title: "Couldn't remove the rows",
        send: () => deleteRows(sessionOf(rows), idsOf(rows)),
        done: `Removed ${counted(rows.length, "row")}`,
      }),
    save: (rows: RowsSnapshot, choice: Download) =>
      run({ title: `Couldn't download ${choice.label}`, send: () => saveSelected(rows, choice) }),
  };
}

/** The failed rows of another company whose number can be this company's. */
export function fitting(rows: RowsSnapshot, company: Company): RowsSnapshot {
  return rows.filter(
    (row) =>
      isError(row) &&
      row.gradingCompany !== company &&
      judgeRow(
        { certNumber: row.certNumber, gradingCompany: company, price: row.priceText },
        { acceptCompanies: false },
      ).kind !== "invalid",
  );
}

/** Loads the session first, so that an error has a proper message before the browser starts the download. */
async function saveSelected(rows: RowsSnapshot, choice: Download): Promise<void> {
  const { format, hasThumbnails = false, isSlow = false, label, listing } = choice;
  const sessionId = sessionOf(rows);
  await getScanSession(sessionId);
  const id = `selection-${format}`;
  toast.hide(id);
  if (isSlow) announceSlowDownload(id, label);
  const wanted = {
    format,
    date: isoDate(new Date()),
    thumbnails: String(hasThumbnails),
    rowIds: idsOf(rows).join(","),
    ...(listing && { listAt: listing.listAt, listPercent: String(listing.listPercent) }),
  };
  saveFromForm(selectionExportUrl(sessionId), wanted, () => {
    toast.hide(id);
    toast.error({
      id: "selection",
      title: `Couldn't download ${label}`,
      message: "The server didn't send the file. Please try again.",
    });
  });
}

function sessionOf(rows: RowsSnapshot): string {
  return rows[0]?.sessionId ?? "";
}

function idsOf(rows: RowsSnapshot): string[] {
  return rows.map(({ id }) => id);
}

function cards({ length }: RowsSnapshot): string {
  return counted(length, "card");
}
