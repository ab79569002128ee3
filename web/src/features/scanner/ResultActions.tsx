import type { Status } from "@slabdesk/contract/api/status.ts";
import { resultsFileName } from "@slabdesk/contract/sheet/session-name.ts";
import { Button } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { logActivity } from "../../api/activity.ts";
import { confirmDialog } from "../../ui/confirm-dialog.tsx";
import { DownloadActions } from "../../table/download/DownloadActions.tsx";
import { RepriceButton } from "../../run/RepriceButton.tsx";
import { many } from "./counts.ts";
import styles from "../../run/session-actions.module.css";
import { rememberCleared } from "./remembered-session.ts";
import { isRunning } from "./scanner-state.ts";
import type { Scanner } from "./use-scanner.ts";

type ResultActionsProps = {
  scanner: Scanner;
  /** Enabled price sources; null while unknown. */
  priceSources: Status["priceSources"] | null;
};

/** Reprice, Clear Results, Download Results CSV, and the other formats. */
export function ResultActions({ scanner, priceSources }: ResultActionsProps) {
  const { session, shownRows: rows, dispatch } = scanner;
  const rowCount = useSyncExternalStore(rows.subscribe, () => rows.getSnapshot().length);

  const clear = async (): Promise<void> => {
    const isSure = await confirmDialog({
      title: "Clear the results on this screen?",
      message: `This clears only the view. The ${many(rowCount, "result")} of “${session?.sessionName ?? ""}” ${rowCount === 1 ? "stays" : "stay"} saved in your history${session?.status === "processing" ? ", and the run continues" : ""}.`,
      confirmLabel: "Clear Results",
    });
    if (!isSure) return;
    if (session) rememberCleared(session);
    dispatch({ type: "view_cleared", isRunning: isRunning(session) });
    void logActivity({
      activityType: "results_cleared",
      description: "Cleared the results view",
      metadata: { sessionId: session?.id ?? null, rowCount },
    });
  };
  return (
    <>
      <RepriceButton session={rowCount === 0 ? null : session} priceSources={priceSources} />
      <Button size="xs" className={styles.action} disabled={rowCount === 0} onClick={() => void clear()}>
        Clear Results
      </Button>
      <DownloadActions
        session={session}
        rows={rows}
        main={{ format: "csv", label: "Results CSV", fileName: () => resultsFileName(new Date()) }}
      >
        Download Results CSV
      </DownloadActions>
    </>
  );
}
