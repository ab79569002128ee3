import { PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { formatClock } from "@slabdesk/contract/certs/dates.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { Group, Progress as ProgressBar, Text } from "@mantine/core";
import { VisuallyHidden } from "../../../ui/text/VisuallyHidden.tsx";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useIsConnected } from "../../../api/connection.ts";
import { CopyLinkButton } from "../../../place/CopyLinkButton.tsx";
import type { RowsStore } from "../../../run/rows-store.ts";
import { Panel } from "../../../ui/Panel.tsx";
import { StatusDot } from "../../../ui/StatusDot.tsx";
import { Action } from "../../../run/Action.tsx";
import { RunControls, type TablePointer } from "./RunControls.tsx";
import {
  hasOnlyPricesLeft,
  leftOver,
  type Lanes,
  toFix,
  onlyLeft,
  type Pace,
  type Progress,
  progressOf,
  formatTimeLeft,
  tookMessage,
} from "../../../run/run-progress.ts";
import { STATUS_TONES } from "../../../run/session-messages.ts";
import { count } from "../counts.ts";
import { useEndNotice } from "../news/end-notice.ts";
import { usePace } from "./use-pace.ts";
import type { RunActions } from "../../../run/use-run-actions.ts";
import styles from "./SessionCard.module.css";
import { Waits } from "./Waits.tsx";

type CountTone = "good" | "warn" | "bad" | "busy" | "idle";
const COLORS: Record<CountTone, string> = {
  good: "var(--sd-good)",
  warn: "var(--sd-warn)",
  bad: "var(--sd-bad)",
  busy: "var(--sd-accent)",
  idle: "var(--sd-fill)",
};

type SessionCardProps = {
  session: ScanSession;
  rows: RowsStore;
  actions: RunActions;
  table: TablePointer;
  scraping: Status["scraping"];
};

export function SessionCard({ session, rows, actions, table, scraping }: SessionCardProps) {
  const isConnected = useIsConnected();
  const { pace, lanes } = usePace(session, rows);
  const progress = progressOf(session);
  const notice = useEndNotice();
  const heading = useRef<HTMLHeadingElement>(null);
  const isRunning = session.status === "processing";
  const hasPricesOnly = hasOnlyPricesLeft(session);
  return (
    <Panel padding="flush" aria-label="Current session" className={styles.card}>
      <Group gap="4px 14px" align="baseline">
        <h2 ref={heading} tabIndex={-1} className={styles.name} title={session.sessionName}>
          {session.sessionName}
        </h2>
        <CopyLinkButton session={session.id} />
        <StatusDot tone={STATUS_TONES[session.status]} isBusy={isRunning}>
          {session.status}
        </StatusDot>
        <p className={styles.total}>
          <Text component="strong" c="var(--sd-ink)" fw={700} fz="1.3125rem" lts="-0.01em">
            {count(progress.processed)}
          </Text>
          <span> / {count(progress.total)}</span>
          <span className={styles.percent}>{progress.percent}%</span>
        </p>
      </Group>
      <CardsBar progress={progress} />
      {hasPricesOnly && <PricesBar pending={session.prices.pending} lanes={lanes} />}
      <Group gap="4px 20px" c="dimmed" fz="sm" className={styles.legend ?? ""}>
        <Counts progress={progress} />
        <PricesToGo session={session} />
        {isConnected && (isRunning || hasPricesOnly) && (
          <PaceMessage session={session} pace={pace} progress={progress} />
        )}
        <span className={styles.closing}>{isConnected && closingMessage(session, progress)}</span>
      </Group>
      <FocusKeeper fallback={heading}>
        <Waits session={session} scraping={scraping} actions={actions} />
        <Group className={styles.actions ?? ""} gap={8} mt={12}>
          <RunControls session={session} rows={rows} progress={progress} actions={actions} table={table} />
          {isRunning && notice.canAsk && <Action onPress={notice.ask}>Notify me when it is done</Action>}
        </Group>
      </FocusKeeper>
    </Panel>
  );
}

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

function CardsBar({ progress }: { progress: Progress }) {
  const { done, inFlight, queued, waiting, failures, processed, total, percent } = progress;
  const failed = failures.not_found + failures.outage + toFix(progress);
  return (
    <Bar
      label="Cards processed"
      message={`${processed} of ${total} cards`}
      percent={percent}
      total={total}
      parts={[
        ["good", done],
        ["warn", queued + waiting],
        ["bad", failed],
        ["busy", inFlight],
      ]}
    />
  );
}

/** Price progress after the cards are done: fetched prices of all prices requested in this session. */
function PricesBar({ pending, lanes }: { pending: number; lanes: Lanes | null }) {
  const fetched = lanes ? PRICE_SOURCES.reduce((sum, source) => sum + lanes[source].settled, 0) : 0;
  const total = fetched + pending;
  const percent = Math.floor((fetched * 100) / total);
  const message = `${fetched} of ${total} prices`;
  return (
    <Bar label="Prices fetched" message={message} percent={percent} total={100} parts={[["busy", percent]]} isThin />
  );
}

type BarProps = {
  label: string;
  message: string;
  percent: number;
  total: number;
  parts: [tone: CountTone, value: number][];
  isThin?: boolean;
};

function Bar({ label, message, percent, total, parts, isThin = false }: BarProps) {
  return (
    <>
      <VisuallyHidden>
        <progress aria-label={label} max={100} value={percent} aria-valuetext={`${message}, ${percent}%`} />
      </VisuallyHidden>
      <ProgressBar.Root
        className={styles.bar ?? ""}
        size={isThin ? 4 : 8}
        radius={4}
        mt={isThin ? -4 : 8}
        mb={10}
        transitionDuration={300}
        aria-hidden="true"
      >
        {parts.map(
          ([tone, value]) =>
            value > 0 && (
              <ProgressBar.Section key={tone} withAria={false} value={(value / total) * 100} color={COLORS[tone]} />
            ),
        )}
      </ProgressBar.Root>
    </>
  );
}

/** Visible for a whole run with prices, so that the layout doesn't jump as prices arrive. */
function PricesToGo({ session: { prices, includePricing, status } }: { session: ScanSession }) {
  if (prices.pending === 0 && !(includePricing && status === "processing")) return null;
  return (
    <span>
      <strong>{count(prices.pending)}</strong> {prices.pending === 1 ? "price" : "prices"} left
    </span>
  );
}

/** Every state that has cards. "Done" shows even at zero. */
function Counts({ progress }: { progress: Progress }) {
  const { done, inFlight, pending, queued, waiting, failures } = progress;
  const states: [tone: CountTone, value: number, label: string][] = [
    ["good", done, "done"],
    ["busy", inFlight, "in progress"],
    ["idle", pending, "pending"],
    ["warn", queued, "queued"],
    ["warn", waiting, "waiting"],
    ["bad", failures.not_found, "not found"],
    ["bad", failures.outage, "to retry"],
    ["bad", toFix(progress), "to fix"],
  ];
  return states.map(
    ([tone, value, label]) =>
      (value > 0 || label === "done") && (
        <Group component="span" key={label} gap={5}>
          <span className={styles.swatch} style={{ background: COLORS[tone] }} data-tone={tone} aria-hidden="true" />
          <strong>{count(value)}</strong> {label}
        </Group>
      ),
  );
}

type PaceMessageProps = { session: ScanSession; pace: Pace; progress: Progress };

/** Speed and time left of what can be fetched now. Waiting cards have their own countdown and no speed. */
function PaceMessage({ session, pace, progress }: PaceMessageProps) {
  const hasPricesOnly = hasOnlyPricesLeft(session);
  const rest = hasPricesOnly ? null : onlyLeft(progress);
  if (rest !== null)
    return <span>{rest === "waits" ? "Everything else is done" : "Everything else is done. Retrying"}</span>;
  const speed = hasPricesOnly ? pace.pricesPerMinute : pace.perMinute;
  return (
    <>
      {speed !== null && <span>{`${speed.toFixed(1)} ${hasPricesOnly ? "prices" : "cards"}/min`}</span>}
      {pace.minutesLeft !== null && (
        <span>
          <strong>{formatTimeLeft(pace.minutesLeft)}</strong> {afterwardsMessage(session)}
        </span>
      )}
    </>
  );
}

/** What follows the work that can be done now: nothing, or what waits and until when. */
function afterwardsMessage({ counts, waits, prices }: ScanSession): string {
  const untils = [...waits, ...prices.waits].map(({ until }) => until);
  if ((counts.waiting ?? 0) + (counts.queued ?? 0) + prices.waiting === 0) return "left";
  const last = Math.max(...untils.map((until) => (until === null ? Number.POSITIVE_INFINITY : Date.parse(until))));
  if (untils.length === 0) return "of work left, then retries";
  return Number.isFinite(last)
    ? `of work left, then waits until ${formatClock(new Date(last).toISOString(), Date.now())}`
    : "of work left, then waits";
}

function closingMessage(session: ScanSession, progress: Progress): string {
  switch (session.status) {
    case "processing":
      if (session.isPartial) return "Retrying failed cards. The others stay stopped";
      return "You can close this tab. The run continues";
    case "completed":
      return session.completedAt === null
        ? "Saved in your history"
        : `${tookMessage(session.startedAt, session.completedAt)} · saved in your history`;
    case "failed":
      return leftOver(progress) > 0 ? `Stopped · ${count(leftOver(progress))} not looked up` : "Stopped";
  }
}
