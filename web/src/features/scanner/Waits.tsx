import type { ScanWait } from "@slabdesk/contract/api/sessions.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { IconClockPause } from "@tabler/icons-react";
import { Action } from "./RunControls.tsx";
import styles from "./SessionCard.module.css";
import { useClock } from "./use-clock.ts";
import { canGoByPage, waitClockWords, waitKey, waitWords } from "./wait-view.ts";

type WaitsProps = {
  waits: readonly ScanWait[];
  scraping: Status["scraping"];
  isBusy: boolean;
  onLookUpByPage: () => void;
};

/** What cards wait for, with a clock that counts down; spoken once, when a wait begins, and not here. */
export function Waits({ waits, scraping, isBusy, onLookUpByPage }: WaitsProps) {
  const nowMs = useClock(waits.map((wait) => wait.until));
  if (waits.length === 0) return null;
  return (
    <ul className={styles.waits} aria-label="Waits">
      {waits.map((wait) => (
        <li key={`${waitKey(wait)} ${wait.until}`} className={styles.wait}>
          <IconClockPause size={15} aria-hidden="true" className={styles.waitIcon} />
          <span className={styles.waitWords}>
            {waitWords(wait, nowMs)} <span className={styles.clock}>({waitClockWords(wait, nowMs)})</span>
          </span>
          {canGoByPage(wait, scraping) && (
            <Action isBusy={isBusy} onPress={onLookUpByPage}>
              Look up with web scraping
            </Action>
          )}
        </li>
      ))}
    </ul>
  );
}
