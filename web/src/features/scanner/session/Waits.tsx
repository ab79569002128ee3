import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { Group } from "@mantine/core";
import { IconClockPause } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import { Action } from "../../../run/Action.tsx";
import type { RunActions } from "../../../run/use-run-actions.ts";
import { nextTickMs } from "../../../ui/wait-messages.ts";
import styles from "./SessionCard.module.css";
import { canGoByPage, priceWaitMessage, waitClockMessage, waitKey, waitMessage } from "./waits.ts";

type WaitsProps = { session: ScanSession; scraping: Status["scraping"]; actions: RunActions };

/** What cards and prices wait for, with a countdown. Waits are announced elsewhere, once, when they start. */
export function Waits({ session: { waits, prices }, scraping, actions }: WaitsProps) {
  const nowMs = useClock([...waits, ...prices.waits].flatMap((wait) => wait.until ?? []));
  if (waits.length + prices.waits.length === 0) return null;
  return (
    <ul className={styles.waits} aria-label="Waits">
      {waits.map((wait) => (
        <Wait
          key={`${waitKey(wait)} ${wait.until}`}
          message={waitMessage(wait, nowMs)}
          clock={waitClockMessage(wait, nowMs)}
        >
          {canGoByPage(wait, scraping) && (
            <Action isBusy={actions.isBusy} onPress={actions.lookUpByPage}>
              Look up with web scraping
            </Action>
          )}
        </Wait>
      ))}
      {prices.waits.map((wait) => (
        <Wait
          key={`${wait.source} ${wait.until}`}
          message={priceWaitMessage(prices, wait, nowMs)}
          clock={waitClockMessage(wait, nowMs)}
        />
      ))}
    </ul>
  );
}

function Wait({ message, clock, children }: { message: string; clock: string | null; children?: ReactNode }) {
  return (
    <Group component="li" className={styles.wait ?? ""} gap="6px 8px">
      <IconClockPause size={15} aria-hidden="true" className={styles.waitIcon} />
      <span className={styles.waitMessage}>
        {message} {clock !== null && <span className={styles.clock}>({clock})</span>}
      </span>
      {children}
    </Group>
  );
}

/** The current time in milliseconds, updated as often as the countdowns change: every minute, near the end every second. */
function useClock(untils: readonly string[]): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  const times = untils.join(" ");
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = (): void => {
      const now = Date.now();
      setNowMs(now);
      const delay = nextTickMs(times === "" ? [] : times.split(" "), now);
      if (delay !== null) timer = setTimeout(tick, delay);
    };
    tick();
    return () => clearTimeout(timer);
  }, [times]);
  return nowMs;
}
