import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import type { RefObject } from "react";
import { Action } from "../../run/Action.tsx";
import { GoOnActions } from "../../run/GoOnActions.tsx";
import { runMessage, sessionProgress, STATUS_TONES } from "../../run/session-messages.ts";
import { useRunActions } from "../../run/use-run-actions.ts";
import { Panel } from "../../ui/Panel.tsx";
import { StatusDot } from "../../ui/StatusDot.tsx";
import { Tag } from "../../ui/Tag.tsx";
import { SessionName } from "./SessionName.tsx";
import styles from "./SessionLine.module.css";

type SessionLineProps = {
  session: ScanSession;
  /** The owner's name if the session belongs to another user. */
  owner: string | null;
  /** False while the server is unreachable. */
  isReached: boolean;
  headingRef: RefObject<HTMLHeadingElement | null>;
};

/** The selected session in one line: name, progress, and stop or resume. */
export function SessionLine({ session, owner, isReached, headingRef }: SessionLineProps) {
  const actions = useRunActions(session.id);
  const isRunning = session.status === "processing";
  return (
    <Panel aria-label="Chosen session" padding="flush" className={styles.line}>
      <div className={styles.who}>
        <SessionName key={session.id} session={session} headingRef={headingRef} />
        <p className={styles.about}>
          {owner !== null && <Tag look="small">{owner}</Tag>}
          <span className={styles.file} title={session.csvFilename}>
            {session.csvFilename}
          </span>
          <span className={styles.when}>{runMessage(session)}</span>
        </p>
      </div>
      <div className={styles.state}>
        {!isReached && <output className={styles.lost}>Connection lost. Reconnecting…</output>}
        <StatusDot tone={STATUS_TONES[session.status]} isBusy={isRunning}>
          {session.status}
        </StatusDot>
        <p className={styles.progress}>
          <strong>{sessionProgress(session)}</strong> cards
        </p>
        {isRunning && (
          <Action isBusy={actions.isBusy} onPress={actions.stop}>
            Stop
          </Action>
        )}
        <GoOnActions session={session} actions={actions} isBusy={actions.isBusy} />
      </div>
    </Panel>
  );
}
