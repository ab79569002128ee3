import type { Company } from "@slabdesk/contract/certs/company.ts";
import { isError } from "@slabdesk/contract/review/row-state.ts";
import { judgeRow } from "@slabdesk/contract/sheet/row.ts";
import { isoDate } from "@slabdesk/contract/sheet/session-name.ts";
import { getScanSession, selectionExportUrl } from "../../api/sessions.ts";
import { announceSlowDownload, type Download } from "../../run/download/download-session.ts";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import { actOn, type SessionAction } from "../../run/session-requests.ts";
import { useAction } from "../../api/use-action.ts";
import { copyText } from "../../ui/copy-text.ts";
import { saveFromForm } from "../../ui/files/save-file.ts";
import { counted } from "../../ui/format-numbers.ts";
import { toast } from "../../ui/toast.tsx";

type Request = { title: string; send: () => Promise<unknown>; done?: string };

export type SelectionActions = ReturnType<typeof useSelectionActions>;

/** One request at a time: a second press while one is in progress does nothing. */
export function useSelectionActions() {
  const { run, isBusy } = useAction({
    send: ({ send }: Request) => send(),
    failure: ({ title }) => ({ id: "selection", title }),
    onDone: (_, { done }) => {
      if (done !== undefined) toast.done({ id: "selection-sent", message: done });
    },
  });
  const act = (rows: RowsSnapshot, title: string, done: string, ...[action, json]: SessionAction): void => {
    const send = (): Promise<unknown> => actOn(sessionOf(rows), action, { rowIds: idsOf(rows), ...json });
    run({ title, done, send });
  };
  return {
    isBusy,
    retry: (rows: RowsSnapshot) => act(rows, "Couldn't retry the cards", `Looking up ${cards(rows)} again`, "retry"),
    reprice: (rows: RowsSnapshot) =>
      act(rows, "Couldn't get the prices", `Getting the prices of ${cards(rows)}`, "reprice"),
    setCompany: (rows: RowsSnapshot, company: Company) =>
      act(rows, "Couldn't change the companies", `Looking up ${cards(rows)} at ${company}`, "companies", { company }),
    remove: (rows: RowsSnapshot) =>
      act(rows, "Couldn't remove the rows", `Removed ${counted(rows.length, "row")}`, "remove"),
    save: (rows: RowsSnapshot, choice: Download) =>
      run({ title: `Couldn't download ${choice.label}`, send: () => saveSelected(rows, choice) }),
  };
}

/** The failed rows of another company whose number can be this company's. */
export function fitting(rows: RowsSnapshot, gradingCompany: Company): RowsSnapshot {
  const fits = ({ certNumber, priceText: price }: RowsSnapshot[number]): boolean =>
    judgeRow({ certNumber, gradingCompany, price }, { acceptCompanies: false }).kind !== "invalid";
  return rows.filter((row) => isError(row) && row.gradingCompany !== gradingCompany && fits(row));
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

const sessionOf = (rows: RowsSnapshot): string => rows[0]?.sessionId ?? "";

const idsOf = (rows: RowsSnapshot): string[] => rows.map(({ id }) => id);

const cards = ({ length }: RowsSnapshot): string => counted(length, "card");

/** Copies cert numbers, one per line. */
export async function copyCerts(rows: RowsSnapshot): Promise<void> {
  const [first, ...others] = rows.map(({ certNumber }) => certNumber);
  if (first === undefined) return;
  if (others.length === 0) return copyText(first, first, ` The number is ${first}`);
  await copyText([first, ...others].join("\n"), counted(rows.length, "cert number"), "");
}
