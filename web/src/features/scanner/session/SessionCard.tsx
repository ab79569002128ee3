import { PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { VisuallyHidden } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import type { RowsStore } from "../../../run/rows-store.ts";
import { Panel } from "../../../ui/Panel.tsx";
import { StatusDot } from "../../../ui/StatusDot.tsx";
import { Action } from "../../../run/Action.tsx";
import { RunControls, type TablePointer } from "./RunControls.tsx";
import {
  hasOnlyPricesLeft,
  leftOver,
  type Lanes,
  needYou,
  onlyLeft,
  type Pace,
  type Progress,
  progressOf,
  formatTimeLeft,
  tookMessage,
} from "../../../run/run-view.ts";
import { STATUS_TONES } from "../../../run/session-messages.ts";
import { useEndNotice } from "../news/use-end-notice.ts";
import { usePace } from "./use-pace.ts";
import type { RunActions } from "../../../run/use-run-actions.ts";
import styles from "./SessionCard.module.css";
import { Waits } from "./Waits.tsx";

type SessionCardProps = {
  session: ScanSession;
  rows: RowsStore;
  actions: RunActions;
  table: TablePointer;
  scraping: Status["scraping"];
  isLocked: boolean;
  /** False while the server is unreachable. */
  isReached: boolean;
};

/** The current session: progress, results, waits, and actions. */
export function SessionCard({ session, rows, actions, table, scraping, isLocked, isReached }: SessionCardProps) {
  const { pace, lanes } = usePace(session, rows);
  const progress = progressOf(session);
  const notice = useEndNotice();
  const heading = useRef<HTMLHeadingElement>(null);
  const isRunning = session.status === "processing";
  const hasPricesOnly = hasOnlyPricesLeft(session);
  return (
    <Panel aria-label="Current session" className={styles.card}>
      <div className={styles.head}>
        <h2 ref={heading} tabIndex={-1} className={styles.name} title={session.sessionName}>
          {session.sessionName}
        </h2>
        <StatusDot tone={STATUS_TONES[session.status]} isBusy={isRunning}>
          {session.status}
        </StatusDot>
        <p className={styles.total}>
          <strong className={styles.processed}>{count(progress.processed)}</strong>
          <span> / {count(progress.total)}</span>
          <span className={styles.percent}>{progress.percent}%</span>
        </p>
      </div>
      <ProgressBar progress={progress} />
      {hasPricesOnly && <PricesBar pending={session.prices.pending} lanes={lanes} />}
      <div className={styles.legend}>
        <Counts progress={progress} />
        <PricesToGo session={session} />
        {isReached && hasPricesOnly && <PricesPace pace={pace} />}
        {isReached && isRunning && !hasPricesOnly && <PaceMessage pace={pace} progress={progress} />}
        {isReached ? (
          <span className={styles.closing}>{closingMessage(session, progress)}</span>
        ) : (
          <output className={styles.closing} data-lost>
            {UNREACHED_MESSAGE}
          </output>
        )}
      </div>
      <FocusKeeper fallback={heading}>
        <Waits
          waits={session.waits}
          prices={session.prices}
          scraping={scraping}
          isBusy={actions.isBusy || isLocked}
          onLookUpByPage={actions.lookUpByPage}
        />
        <div className={styles.actions}>
          <RunControls session={session} progress={progress} actions={actions} table={table} isLocked={isLocked} />
          {isRunning && notice.canAsk && <Action onPress={notice.ask}>Notify me when it is done</Action>}
        </div>
      </FocusKeeper>
    </Panel>
  );
}

const UNREACHED_MESSAGE = "Connection lost. Reconnecting… The run continues on the server";

/** A button disappears once its work is done. Moves its focus to the card's heading instead of the top of the page. */
function FocusKeeper({ fallback, children }: { fallback: { current: HTMLElement | null }; children: ReactNode }) {
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    if (!hasFocus.current || document.activeElement !== document.body) return;
    hasFocus.current = false;
    fallback.current?.focus({ preventScroll: true });
  });
  return (
    <div
      onFocus={() => {
        hasFocus.current = true;
      }}
      onBlur={() => {
        hasFocus.current = false;
      }}
    >
      {children}
    </div>
  );
}

function ProgressBar({ progress }: { progress: Progress }) {
  const { done, inFlight, queued, waiting, failures, processed, total, percent } = progress;
  const share = (part: number): string => `${total === 0 ? 0 : (part / total) * 100}%`;
  const failed = failures.not_found + failures.outage + needYou(progress);
  return (
    <>
      <VisuallyHidden>
        <progress
          aria-label="Cards processed"
          max={100}
          value={percent}
          aria-valuetext={`${processed} of ${total} cards, ${percent}%`}
        />
      </VisuallyHidden>
      <div className={styles.bar} aria-hidden="true">
        <span className={styles.segment} data-tone="good" style={{ width: share(done) }} />
        <span className={styles.segment} data-tone="warn" style={{ width: share(queued + waiting) }} />
        <span className={styles.segment} data-tone="bad" style={{ width: share(failed) }} />
        <span className={styles.segment} data-tone="busy" style={{ width: share(inFlight) }} />
      </div>
    </>
  );
}

/** Price progress after the cards are done: fetched prices of all prices requested in this session. */
function PricesBar({ pending, lanes }: { pending: number; lanes: Lanes | null }) {
  const fetched = lanes ? PRICE_SOURCES.reduce((sum, source) => sum + lanes[source].settled, 0) : 0;
  const percent = Math.floor((fetched * 100) / (fetched + pending));
  return (
    <>
      <VisuallyHidden>
        <progress
          aria-label="Prices fetched"
          max={100}
          value={percent}
          aria-valuetext={`${fetched} of ${fetched + pending} prices, ${percent}%`}
        />
      </VisuallyHidden>
      <div className={styles.bar} data-thin aria-hidden="true">
        <span className={styles.segment} data-tone="busy" style={{ width: `${percent}%` }} />
      </div>
    </>
  );
}

/** Visible for a whole run with prices, so that the layout doesn't jump as prices arrive. */
function PricesToGo({ session: { prices, includePricing, status } }: { session: ScanSession }) {
  if (prices.pending === 0 && !(includePricing && status === "processing")) return null;
  return (
    <span>
      Prices: <strong>{count(prices.pending)}</strong> to go
    </span>
  );
}

function PricesPace({ pace: { pricesPerMinute, minutesLeft } }: { pace: Pace }) {
  return (
    <>
      {pricesPerMinute !== null && <span>{pricesPerMinute.toFixed(1)} prices/min</span>}
      {minutesLeft !== null && (
        <span>
          <strong>{formatTimeLeft(minutesLeft)}</strong> left
        </span>
      )}
    </>
  );
}

/** Every state that has cards. "Done" shows even at zero. */
function Counts({ progress }: { progress: Progress }) {
  const { done, inFlight, pending, queued, waiting, failures } = progress;
  const states: [tone: string, value: number, label: string][] = [
    ["busy", inFlight, "in flight"],
    ["idle", pending, "pending"],
    ["warn", queued, "queued"],
    ["warn", waiting, "waiting"],
    ["bad", failures.not_found, "not found"],
    ["bad", failures.outage, failures.outage === 1 ? "outage" : "outages"],
    ["bad", needYou(progress), needYou(progress) === 1 ? "needs you" : "need you"],
  ];
  return (
    <>
      <Count tone="good" value={done} label="done" />
      {states.map(([tone, value, label]) => value > 0 && <Count key={label} tone={tone} value={value} label={label} />)}
    </>
  );
}

function Count({ tone, value, label }: { tone: string; value: number; label: string }) {
  return (
    <span className={styles.count}>
      <span className={styles.swatch} data-tone={tone} aria-hidden="true" />
      <strong>{count(value)}</strong> {label}
    </span>
  );
}

/** Speed and time left for the cards that can be looked up now. Waiting cards have their own countdown and no speed. */
function PaceMessage({ pace, progress }: { pace: Pace; progress: Progress }) {
  const rest = onlyLeft(progress);
  if (rest !== null) return <span>{rest === "waits" ? "Only waits are left" : "Only retries are left"}</span>;
  const isAll = progress.waiting + progress.queued === 0;
  return (
    <>
      {pace.perMinute !== null && <span>{pace.perMinute.toFixed(1)} cards/min</span>}
      {pace.minutesLeft !== null && (
        <span>
          <strong>{formatTimeLeft(pace.minutesLeft)}</strong> {isAll ? "left" : "of work left, then waits"}
        </span>
      )}
    </>
  );
}

function closingMessage(session: ScanSession, progress: Progress): string {
  switch (session.status) {
    case "processing":
      return "You can close this tab: the run goes on";
    case "completed":
      return session.completedAt === null
        ? "Saved in your history"
        : `${tookMessage(session.startedAt, session.completedAt)} · saved in your history`;
    case "failed":
      return leftOver(progress) > 0 ? `Stopped · ${count(leftOver(progress))} not looked up` : "Stopped";
  }
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
