import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { Box, Group, Text } from "@mantine/core";
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
  headingRef: RefObject<HTMLHeadingElement | null>;
};

/** The selected session in one line: name, progress, and stop or resume. */
export function SessionLine({ session, owner, headingRef }: SessionLineProps) {
  const actions = useRunActions(session.id);
  const isRunning = session.status === "processing";
  return (
    <Panel aria-label="Chosen session" padding="flush" flex="none" px="md" py={11}>
      <Group gap="8px 20px">
        <Box flex="1 1 18rem" miw={0}>
          <SessionName key={session.id} session={session} headingRef={headingRef} />
          <p className={styles.about}>
            {owner !== null && <Tag variant="small">{owner}</Tag>}
            <Text span inherit truncate className={styles.file} title={session.csvFilename}>
              {session.csvFilename}
            </Text>
            <span className={styles.when}>{runMessage(session)}</span>
          </p>
        </Box>
        <Group gap="8px 16px">
          <StatusDot tone={STATUS_TONES[session.status]} isBusy={isRunning}>
            {session.status}
          </StatusDot>
          <Text fz="sm" c="dimmed" style={{ fontVariantNumeric: "tabular-nums" }}>
            <Text component="strong" fz="0.9375rem" fw={650} c="var(--sd-ink)">
              {sessionProgress(session)}
            </Text>{" "}
            cards
          </Text>
          {isRunning && (
            <Action isBusy={actions.isBusy} onPress={actions.stop}>
              Stop
            </Action>
          )}
          <GoOnActions session={session} actions={actions} isBusy={actions.isBusy} />
        </Group>
      </Group>
    </Panel>
  );
}
