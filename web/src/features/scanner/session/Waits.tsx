import type { ScanSession, ScanWait } from "@slabdesk/contract/api/sessions.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { IconClockPause } from "@tabler/icons-react";
import { Action } from "../../../run/Action.tsx";
import styles from "./SessionCard.module.css";
import { useClock } from "./use-clock.ts";
import { canGoByPage, priceWaitMessage, waitClockMessage, waitKey, waitMessage } from "./wait-view.ts";

type WaitsProps = {
  waits: readonly ScanWait[];
  prices: ScanSession["prices"];
  scraping: Status["scraping"];
  isBusy: boolean;
  onLookUpByPage: () => void;
};

/** What cards and prices wait for, with a countdown. Waits are announced elsewhere, once, when they start. */
export function Waits({ waits, prices, scraping, isBusy, onLookUpByPage }: WaitsProps) {
  const nowMs = useClock([...waits, ...prices.waits].flatMap((wait) => wait.until ?? []));
  if (waits.length + prices.waits.length === 0) return null;
  return (
    <ul className={styles.waits} aria-label="Waits">
      {waits.map((wait) => (
        <li key={`${waitKey(wait)} ${wait.until}`} className={styles.wait}>
          <IconClockPause size={15} aria-hidden="true" className={styles.waitIcon} />
          <span className={styles.waitMessage}>
            {waitMessage(wait, nowMs)} <Clock message={waitClockMessage(wait, nowMs)} />
          </span>
          {canGoByPage(wait, scraping) && (
            <Action isBusy={isBusy} onPress={onLookUpByPage}>
              Look up with web scraping
            </Action>
          )}
        </li>
      ))}
      {prices.waits.map((wait) => (
        <li key={`${wait.source} ${wait.until}`} className={styles.wait}>
          <IconClockPause size={15} aria-hidden="true" className={styles.waitIcon} />
          <span className={styles.waitMessage}>
            {priceWaitMessage(prices, wait, nowMs)} <Clock message={waitClockMessage(wait, nowMs)} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Clock({ message }: { message: string | null }) {
  return message === null ? null : <span className={styles.clock}>({message})</span>;
}
