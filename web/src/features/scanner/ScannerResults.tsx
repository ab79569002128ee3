import { resultsFileName } from "@slabdesk/contract/sheet/session-name.ts";
import { Button } from "@mantine/core";
import { type ComponentProps, useSyncExternalStore } from "react";
import { logActivity } from "../../api/activity.ts";
import { RepriceButton } from "../../run/run-actions.tsx";
import styles from "../../run/session-actions.module.css";
import { DownloadActions } from "../../table/download/DownloadActions.tsx";
import { ResultsTable } from "../../table/ResultsTable.tsx";
import { confirmDialog } from "../../ui/confirm-dialog.tsx";
import { counted } from "../../ui/format-numbers.ts";
import { rememberCleared } from "./remembered-session.ts";
import { isRunning } from "./scanner-state.ts";
import type { Scanner } from "./use-scanner.ts";

type ScannerResultsProps = Pick<
  ComponentProps<typeof ResultsTable>,
  "control" | "lookups" | "whenEmpty" | "takeFirstLine"
> & { scanner: Scanner };

export function ScannerResults({ scanner, ...rest }: ScannerResultsProps) {
  return (
    <ResultsTable
      {...rest}
      label="Results"
      tab="scanner"
      session={scanner.session}
      rows={scanner.shownRows}
      actions={<ResultActions scanner={scanner} />}
    />
  );
}

function ResultActions({ scanner }: Pick<ScannerResultsProps, "scanner">) {
  const { session, shownRows: rows, dispatch } = scanner;
  const rowCount = useSyncExternalStore(rows.subscribe, () => rows.getSnapshot().length);

  const clear = async (): Promise<void> => {
    const isSure = await confirmDialog({
      title: "Clear the results on this screen?",
      message: `This clears only the view. The ${counted(rowCount, "result")} of “${session?.sessionName ?? ""}” ${rowCount === 1 ? "stays" : "stay"} saved in your history${session?.status === "processing" ? ", and the run continues" : ""}.`,
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
      <RepriceButton session={session} rows={rows} />
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
