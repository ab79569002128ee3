import type { Profile } from "@slabdesk/contract/api/people.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { VisuallyHidden } from "@mantine/core";
import { ResultsTable } from "../../table/ResultsTable.tsx";
import { ResultActions } from "./ResultActions.tsx";
import { ScannerRail } from "./ScannerRail.tsx";
import styles from "./ScannerTab.module.css";
import { isRunning, sessionOf } from "./scanner-state.ts";
import { SessionCard } from "./SessionCard.tsx";
import { useRunNews } from "./use-run-news.ts";
import { useScanner } from "./use-scanner.ts";
import { WhenEmpty } from "./WhenEmpty.tsx";

type ScannerTabProps = {
  profile: Profile | null;
  status: Status | null;
  /** A run has begun or ended: totals elsewhere on the page have changed, and change on while one is running. */
  onRunChanged: (isRunning: boolean) => void;
};

/** SPEC's Scanner tab: the four steps at the left, the current session and its results at the right. */
export function ScannerTab({ profile, status, onRunChanged }: ScannerTabProps) {
  const scanner = useScanner(profile);
  const { state, dispatch, rows, shownRows } = scanner;
  const session = sessionOf(state.run);
  const announcement = useRunNews(state.run, onRunChanged);

  return (
    <div className={styles.scanner}>
      <VisuallyHidden>
        <h1>Scanner</h1>
        <output aria-live="polite">{announcement}</output>
      </VisuallyHidden>
      <div className={styles.rail}>
        <ScannerRail scanner={scanner} scraping={status?.scraping ?? "on"} />
      </div>
      <div className={styles.results}>
        {session && <SessionCard key={session.id} session={session} rows={rows} />}
        <ResultsTable
          label="Results"
          rows={shownRows}
          isRunning={isRunning(state.run)}
          whenEmpty={<WhenEmpty scanner={scanner} />}
          actions={
            <ResultActions session={session} rows={shownRows} onCleared={() => dispatch({ type: "view_cleared" })} />
          }
        />
      </div>
    </div>
  );
}
