import { PRICE_SOURCES } from "@slabdesk/contract/api/prices.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { formatClock } from "@slabdesk/contract/certs/dates.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { Box, Group, Progress as ProgressBar, Text } from "@mantine/core";
import { IconClockPause } from "@tabler/icons-react";
import { VisuallyHidden } from "../../../ui/text/VisuallyHidden.tsx";
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useIsConnected } from "../../../api/connection.ts";
import { CopyLinkButton } from "../../../place/CopyLinkButton.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { nextTickMs } from "../../../ui/wait-messages.ts";
import { Action } from "../../../run/run-actions.tsx";
import styles from "../../../run/session-actions.module.css";
import { RunControls, type RunControlsProps } from "./RunControls.tsx";
import type { RowsStore } from "../../../run/rows-store.ts";
import * as runProgress from "../../../run/run-progress.ts";
import { SessionStatusDot } from "../../../run/SessionStatusDot.tsx";
import { formatCount } from "../../../ui/format-numbers.ts";
import { useEndNotice } from "./use-run-news.ts";
import { canGoByPage, waitClockMessage, waitsOf } from "./waits.ts";

const COLORS = {
  good: "var(--sd-good)",
  warn: "var(--sd-warn)",
  bad: "var(--sd-bad)",
  busy: "var(--sd-accent)",
  idle: "var(--sd-fill)",
};
type CountTone = keyof typeof COLORS;

const HEADING = { maw: "100%", fw: 650, fz: "1.0625rem", lh: 1.5, lts: "-0.01em" } as const;
const TABULAR = { fontVariantNumeric: "tabular-nums" } as const;
const NUMBER = { color: "var(--sd-ink)", fontWeight: 650 } as const;

type SessionCardProps = RunControlsProps & { scraping: Status["scraping"] };

export function SessionCard({ session, rows, actions, table, scraping }: SessionCardProps) {
  const isConnected = useIsConnected();
  const { pace, fetchedPrices } = usePace(session, rows);
  const progress = runProgress.progressOf(session);
  const notice = useEndNotice();
  const heading = useRef<HTMLHeadingElement>(null);
  const isRunning = session.status === "processing";
  const { pending } = session.prices;
  const hasPricesOnly = runProgress.hasOnlyPricesLeft(session);
  return (
    <Panel aria-label="Current session" p="18px 20px 14px">
      <Group gap="4px 14px" align="baseline">
        <Text ref={heading} component="h2" {...HEADING} truncate tabIndex={-1} title={session.sessionName}>
          {session.sessionName}
        </Text>
        <CopyLinkButton session={session.id} />
        <SessionStatusDot status={session.status} />
        <Text c="dimmed" ms="auto" fz="md" style={{ ...TABULAR, whiteSpace: "nowrap" }}>
          <Text component="strong" c="var(--sd-ink)" fw={700} fz="1.3125rem" lts="-0.01em">
            {formatCount(progress.processed)}
          </Text>
          <span> / {formatCount(progress.total)}</span>
          <Text span inherit display="inline-block" miw="2.6em" ms="0.6em" ta="end">
            {progress.percent}%
          </Text>
        </Text>
      </Group>
      <CardsBar progress={progress} />
      {hasPricesOnly && (
        <Bar
          label="Prices fetched"
          unit="prices"
          settled={fetchedPrices}
          total={fetchedPrices + pending}
          parts={[["busy", fetchedPrices]]}
          isThin
        />
      )}
      <Group gap="4px 20px" c="dimmed" fz="sm" style={TABULAR}>
        <Counts progress={progress} />
        {/* Visible for a whole run with prices, so that the layout doesn't jump as prices arrive. */}
        {(pending > 0 || (session.includePricing && isRunning)) && (
          <span>
            <strong style={NUMBER}>{formatCount(pending)}</strong> {pending === 1 ? "price" : "prices"} left
          </span>
        )}
        {isConnected && (isRunning || hasPricesOnly) && <PaceMessage session={session} pace={pace} />}
        <Text span inherit ms="auto">
          {isConnected && closingMessage(session, progress)}
        </Text>
      </Group>
      <FocusKeeper fallback={heading}>
        <Waits session={session} scraping={scraping} actions={actions} />
        <Group className={styles.actions ?? ""} gap={8} mt={12}>
          <RunControls session={session} rows={rows} actions={actions} table={table} />
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
  const note = (isFocused: boolean) => () => {
    hasFocus.current = isFocused;
  };
  return (
    <div onFocus={note(true)} onBlur={note(false)}>
      {children}
    </div>
  );
}

/** Where they fit, so that they leave the table its height. */
const SIDE_BY_SIDE = { gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 340px), 1fr))", gap: 6 } as const;
const WAIT = { px: 10, py: 4, bdrs: "var(--sd-radius-control)", bg: "var(--sd-warn-row)", fz: "sm", lh: 1.4 } as const;
const CLOCK = { ...TABULAR, color: "var(--sd-warn)" } as const;

/** What cards and prices wait for, with a countdown. Waits are announced elsewhere, once, when they start. */
function Waits({ session, scraping, actions }: Omit<SessionCardProps, "rows" | "table">) {
  const nowMs = useClock([...session.waits, ...session.prices.waits].flatMap(({ until }) => until ?? []));
  const waits = waitsOf(session, nowMs);
  if (waits.length === 0) return null;
  return (
    <Box component="ul" display="grid" mt={10} style={SIDE_BY_SIDE} aria-label="Waits">
      {waits.map((wait) => {
        const clock = waitClockMessage(wait, nowMs);
        return (
          <Group key={`${wait.key} ${wait.until}`} component="li" gap="6px 8px" {...WAIT}>
            <IconClockPause size={15} aria-hidden="true" style={{ flex: "none", color: "var(--sd-warn)" }} />
            <Box component="span" flex="1 1 200px" miw={0}>
              {wait.message} {clock !== null && <span style={CLOCK}>({clock})</span>}
            </Box>
            {canGoByPage(wait, scraping) && (
              <Action isBusy={actions.isBusy} onPress={actions.lookUpByPage}>
                Look up with web scraping
              </Action>
            )}
          </Group>
        );
      })}
    </Box>
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

function CardsBar({ progress }: { progress: runProgress.Progress }) {
  const { done, inFlight, queued, waiting, failures, processed, total } = progress;
  const parts: Part[] = [
    ["good", done],
    ["warn", queued + waiting],
    ["bad", failures.not_found + failures.outage + runProgress.toFix(progress)],
    ["busy", inFlight],
  ];
  return <Bar label="Cards processed" unit="cards" settled={processed} total={total} parts={parts} />;
}

const BAR = { bg: "var(--sd-fill)", radius: 4, mb: 10, transitionDuration: 300, style: { gap: 2 } } as const;

type Part = [tone: CountTone, value: number];
type BarProps = { label: string; unit: string; settled: number; total: number; parts: Part[]; isThin?: boolean };

function Bar({ label, unit, settled, total, parts, isThin = false }: BarProps) {
  const percent = Math.floor((settled * 100) / Math.max(total, 1));
  const message = `${settled} of ${total} ${unit}, ${percent}%`;
  return (
    <>
      <VisuallyHidden>
        <progress aria-label={label} max={100} value={percent} aria-valuetext={message} />
      </VisuallyHidden>
      <ProgressBar.Root {...BAR} size={isThin ? 4 : 8} mt={isThin ? -4 : 8} aria-hidden="true">
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

const SWATCH = { width: 8, height: 8, marginInlineEnd: 3, borderRadius: 2 } as const;

/** Every state that has cards. "Done" shows even at zero. */
function Counts({ progress }: { progress: runProgress.Progress }) {
  const { done, inFlight, pending, queued, waiting, failures } = progress;
  const states: [tone: CountTone, value: number, label: string][] = [
    ["good", done, "done"],
    ["busy", inFlight, "in progress"],
    ["idle", pending, "pending"],
    ["warn", queued, "queued"],
    ["warn", waiting, "waiting"],
    ["bad", failures.not_found, "not found"],
    ["bad", failures.outage, "to retry"],
    ["bad", runProgress.toFix(progress), "to fix"],
  ];
  return states.map(
    ([tone, value, label]) =>
      (value > 0 || label === "done") && (
        <Group component="span" key={label} gap={5}>
          <span
            style={{ ...SWATCH, background: COLORS[tone], border: tone === "idle" ? "1px solid var(--sd-control)" : 0 }}
            aria-hidden="true"
          />
          <strong style={NUMBER}>{formatCount(value)}</strong> {label}
        </Group>
      ),
  );
}

/** Speed and time left of what can be fetched now. Waiting cards have their own countdown and no speed. */
function PaceMessage({ session, pace }: { session: ScanSession; pace: runProgress.Pace }) {
  const hasPricesOnly = runProgress.hasOnlyPricesLeft(session);
  const rest = hasPricesOnly ? null : runProgress.onlyLeft(runProgress.progressOf(session));
  if (rest !== null)
    return <span>{rest === "waits" ? "Everything else is done" : "Everything else is done. Retrying"}</span>;
  const speed = hasPricesOnly ? pace.pricesPerMinute : pace.perMinute;
  return (
    <>
      {speed !== null && <span>{`${speed.toFixed(1)} ${hasPricesOnly ? "prices" : "cards"}/min`}</span>}
      {pace.minutesLeft !== null && (
        <span>
          <strong style={NUMBER}>{runProgress.formatTimeLeft(pace.minutesLeft)}</strong> {afterwardsMessage(session)}
        </span>
      )}
    </>
  );
}

/** What follows the work that can be done now: nothing, or what waits and until when. */
function afterwardsMessage({ counts, waits, prices }: ScanSession): string {
  const ends = [...waits, ...prices.waits].map(({ until }) => (until === null ? Infinity : Date.parse(until)));
  if ((counts.waiting ?? 0) + (counts.queued ?? 0) + prices.waiting === 0) return "left";
  if (ends.length === 0) return "of work left, then retries";
  const last = Math.max(...ends);
  return Number.isFinite(last)
    ? `of work left, then waits until ${formatClock(new Date(last).toISOString(), Date.now())}`
    : "of work left, then waits";
}

function closingMessage(session: ScanSession, progress: runProgress.Progress): string {
  switch (session.status) {
    case "processing":
      if (session.isPartial) return "Retrying failed cards. The others stay stopped";
      return "You can close this tab. The run continues";
    case "completed":
      return session.completedAt === null
        ? "Saved in your history"
        : `${runProgress.tookMessage(session.startedAt, session.completedAt)} · saved in your history`;
    case "failed":
      return runProgress.leftOver(progress) > 0
        ? `Stopped · ${formatCount(runProgress.leftOver(progress))} not looked up`
        : "Stopped";
  }
}

const SAMPLE_EVERY_MS = 2_000;
const NO_SAMPLES: readonly runProgress.PaceSample[] = [];

/** Speed, time left and fetched prices, as this tab measures them; unknown at first. The key must be the session's ID. */
function usePace(session: ScanSession, rows: RowsStore) {
  const [samples, setSamples] = useState(NO_SAMPLES);
  const { totalCards, includePricing } = session;
  // While only failed cards are retried, the rows don't tell which ones run.
  const isGoingOn = (session.status === "processing" && !session.isPartial) || session.prices.pending > 0;
  useEffect(() => {
    if (!isGoingOn) return;
    const timer = setInterval(() => {
      const snapshot = rows.getSnapshot();
      if (snapshot.length < totalCards) return;
      const sample = { atMs: performance.now(), lanes: runProgress.lanesOf(snapshot, includePricing) };
      setSamples((before) => runProgress.addSample(before, sample));
    }, SAMPLE_EVERY_MS);
    return () => {
      clearInterval(timer);
      setSamples(NO_SAMPLES);
    };
  }, [totalCards, includePricing, isGoingOn, rows]);
  const lanes = samples.at(-1)?.lanes;
  const fetchedPrices = lanes ? PRICE_SOURCES.reduce((sum, source) => sum + lanes[source].settled, 0) : 0;
  return { pace: useMemo(() => runProgress.paceOf(samples), [samples]), fetchedPrices };
}
