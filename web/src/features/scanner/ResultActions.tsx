import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { resultsFileName } from "@slabdesk/contract/sheet/session-name.ts";
import { Button } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { logActivity } from "../../api/client.ts";
import type { RowsStore } from "../../table/rows-store.ts";
import { confirmDialog } from "../../ui/confirm-dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { downloadSession } from "./download-session.ts";
import { ExportMenu } from "./ExportMenu.tsx";
import { RepriceButton } from "./RepriceButton.tsx";
import styles from "./ResultActions.module.css";
import { rememberSession } from "./remembered-session.ts";

/** SPEC section 5. */
const NOTHING_TO_DOWNLOAD_MESSAGE = "No results to download.";

type ResultActionsProps = {
  session: ScanSession | null;
  rows: RowsStore;
  /** The price sources that are on; null while that is not known. */
  priceSources: Status["priceSources"] | null;
  /** Prices were asked for: the session as the server answered it. */
  onRepriced: (session: ScanSession) => void;
  onCleared: () => void;
};

/** Reprice, Clear Results, Download Results CSV, and the other formats. */
export function ResultActions({ session, rows, priceSources, onRepriced, onCleared }: ResultActionsProps) {
  const rowCount = useSyncExternalStore(rows.subscribe, () => rows.getSnapshot().length);

  const download = (what: Parameters<typeof downloadSession>[1]): void => {
    if (!session || rowCount === 0) return toast.info({ id: "no-results", message: NOTHING_TO_DOWNLOAD_MESSAGE });
    void downloadSession(session, what, rowCount);
  };
  const clear = async (): Promise<void> => {
    const isSure = await confirmDialog({
      title: "Clear the results on this screen?",
      message: `This clears only the view. The ${rowCount.toLocaleString("en-US")} results of “${session?.sessionName ?? ""}” stay saved in your history${session?.status === "processing" ? ", and the run goes on" : ""}.`,
      confirmLabel: "Clear Results",
    });
    if (!isSure) return;
    rememberSession(null);
    onCleared();
    void logActivity({
      activityType: "results_cleared",
      description: "Cleared the results view",
      metadata: { sessionId: session?.id ?? null, rowCount },
    });
  };
  return (
    <>
      <RepriceButton session={rowCount === 0 ? null : session} priceSources={priceSources} onRepriced={onRepriced} />
      <Button size="xs" className={styles.action} disabled={rowCount === 0} onClick={() => void clear()}>
        Clear Results
      </Button>
      <span className={styles.download}>
        <Button
          size="xs"
          className={styles.action}
          variant="filled"
          onClick={() => download({ format: "csv", label: "Results CSV", fileName: resultsFileName(new Date()) })}
        >
          Download Results CSV
        </Button>
        <ExportMenu onChoose={download} />
      </span>
    </>
  );
}
