import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { ActionIcon, Box, Group, Text, TextInput } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useCallback, useRef, useState } from "react";
import { LONGEST_SESSION_NAME } from "../../api/sessions.ts";
import { CopyLinkButton } from "../../place/CopyLinkButton.tsx";
import { Action } from "../../run/Action.tsx";
import { GoOnActions } from "../../run/GoOnActions.tsx";
import { rename } from "../../run/session-requests.ts";
import { runMessage, sessionProgress, STATUS_TONES } from "../../run/session-messages.ts";
import { useAction } from "../../run/use-action.ts";
import { useRunActions } from "../../run/use-run-actions.ts";
import { Panel } from "../../ui/Panel.tsx";
import { StatusDot } from "../../ui/StatusDot.tsx";
import { Tag } from "../../ui/Tag.tsx";
import styles from "./SessionLine.module.css";

type SessionLineProps = {
  session: ScanSession;
  /** The owner's name if the session belongs to another user. */
  owner: string | null;
};

/** The selected session in one line: name, progress, and stop or resume. */
export function SessionLine({ session, owner }: SessionLineProps) {
  const actions = useRunActions(session.id);
  const isRunning = session.status === "processing";
  return (
    <Panel aria-label="Chosen session" padding="flush" flex="none" px="md" py={11}>
      <Group gap="8px 20px">
        <Box flex="1 1 18rem" miw={0}>
          <SessionName key={session.id} session={session} />
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

/** A session's name with in-place editing: Enter saves, Esc cancels. */
function SessionName({ session }: { session: ScanSession }) {
  /** Null unless the name is edited. */
  const [draft, setDraft] = useState<string | null>(null);
  const [isMissing, setMissing] = useState(false);
  const renaming = useAction({ send: (name: string) => rename(session.id, name), onDone: () => setDraft(null) });
  const problem = isMissing ? "A session needs a name" : renaming.problem;
  const wasEdited = useRef(false);
  const focusAfterEditing = useCallback((pencil: HTMLButtonElement | null): void => {
    if (wasEdited.current) pencil?.focus();
  }, []);

  const edit = (name: string): void => {
    wasEdited.current = true;
    setDraft(name);
    setMissing(false);
    renaming.reset();
  };
  const save = (): void => {
    const name = draft?.trim() ?? "";
    setMissing(name === "");
    if (name === session.sessionName) setDraft(null);
    else if (name !== "") renaming.run(name);
  };

  if (draft === null) {
    return (
      <Group gap={4} wrap="nowrap">
        <Text
          component="h2"
          truncate
          fz="lg"
          fw={650}
          lh="1.75rem"
          style={{ outline: "none" }}
          tabIndex={-1}
          title={session.sessionName}
        >
          {session.sessionName}
        </Text>
        <ActionIcon
          ref={focusAfterEditing}
          size={28}
          aria-label="Rename session"
          title="Rename session"
          onClick={() => edit(session.sessionName)}
        >
          <IconPencil size={15} aria-hidden="true" />
        </ActionIcon>
        <CopyLinkButton session={session.id} />
      </Group>
    );
  }
  return (
    <TextInput
      ref={selectAtOnce}
      maw="32rem"
      // Keeps the text where it was before editing.
      ms={-13}
      styles={{ input: { height: 28, minHeight: 28, fontWeight: 600 } }}
      size="sm"
      aria-label="Session name"
      maxLength={LONGEST_SESSION_NAME}
      value={draft}
      readOnly={renaming.isBusy}
      error={problem}
      onChange={(event) => edit(event.currentTarget.value)}
      onBlur={() => {
        if (problem === null) save();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") save();
        else if (event.key === "Escape" && !renaming.isBusy) setDraft(null);
        else return;
        event.preventDefault();
      }}
    />
  );
}

function selectAtOnce(field: HTMLInputElement | null): void {
  field?.select();
}
