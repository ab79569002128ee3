import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { VisuallyHidden } from "@mantine/core";
import type { RowsStore } from "../../table/rows-store.ts";
import { Panel } from "../../ui/Panel.tsx";
import { StatusDot } from "../../ui/StatusDot.tsx";
import { type Progress, progressOf, STATUS_TONES, timeLeftWords, tookWords } from "./run-view.ts";
import { usePace } from "./use-pace.ts";
import styles from "./SessionCard.module.css";

const count = (value: number): string => value.toLocaleString("en-US");

/** The current session: how far it is, in which states its cards are, how fast it goes and how long it takes. */
export function SessionCard({ session, rows }: { session: ScanSession; rows: RowsStore }) {
  const pace = usePace(session, rows);
  const progress = progressOf(session);
  return (
    <Panel aria-label="Current session" className={styles.card}>
      <div className={styles.head}>
        <h2 className={styles.name} title={session.sessionName}>
          {session.sessionName}
        </h2>
        <StatusDot tone={STATUS_TONES[session.status]} isBusy={session.status === "processing"}>
          {session.status}
        </StatusDot>
        <p className={styles.total}>
          <strong className={styles.processed}>{count(progress.processed)}</strong>
          <span> / {count(progress.total)}</span>
          <span className={styles.percent}>{progress.percent}%</span>
        </p>
      </div>
      <ProgressBar progress={progress} />
      <div className={styles.legend}>
        <Count tone="good" value={progress.done} label="done" />
        <Count tone="warn" value={progress.queued} label="queued" />
        <Count tone="bad" value={progress.needYou} label="need you" />
        {pace.perMinute !== null && <span>{pace.perMinute.toFixed(1)} cards/min</span>}
        {pace.minutesLeft !== null && (
          <span>
            <strong>{timeLeftWords(pace.minutesLeft)}</strong> left
          </span>
        )}
        <span className={styles.closing}>{closingWords(session, progress)}</span>
      </div>
    </Panel>
  );
}

function ProgressBar({ progress }: { progress: Progress }) {
  const { done, queued, needYou, processed, total, percent } = progress;
  const share = (part: number): string => `${total === 0 ? 0 : (part / total) * 100}%`;
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
        <span className={styles.segment} data-tone="warn" style={{ width: share(queued) }} />
        <span className={styles.segment} data-tone="bad" style={{ width: share(needYou) }} />
      </div>
    </>
  );
}

function Count({ tone, value, label }: { tone: "good" | "warn" | "bad"; value: number; label: string }) {
  return (
    <span className={styles.count}>
      <span className={styles.swatch} data-tone={tone} aria-hidden="true" />
      <strong>{count(value)}</strong> {label}
    </span>
  );
}

function closingWords(session: ScanSession, { pending, queued, inFlight }: Progress): string {
  switch (session.status) {
    case "processing":
      return "You can close this tab: the run goes on";
    case "completed":
      return session.completedAt === null
        ? "Saved in your history"
        : `${tookWords(session.startedAt, session.completedAt)} · saved in your history`;
    case "failed":
      return `Stopped · ${count(pending + queued + inFlight)} not looked up`;
  }
}
