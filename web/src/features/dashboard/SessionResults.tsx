import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { sessionFileName } from "@slabdesk/contract/sheet/session-name.ts";
import { ActionIcon, Box, Group, Text, TextInput } from "@mantine/core";
import { IconCards, IconClick, IconPencil, IconTrash } from "@tabler/icons-react";
import { useCallback, useRef, useState } from "react";
import { LONGEST_SESSION_NAME } from "../../api/sessions.ts";
import { CopyLinkButton } from "../../place/CopyLinkButton.tsx";
import { Action, GoOnActions, RepriceButton, useRunActions } from "../../run/run-actions.tsx";
import { changeSession } from "../../run/session-requests.ts";
import { SessionStatusDot } from "../../run/SessionStatusDot.tsx";
import { DELETED_MESSAGE, NOT_YOURS_MESSAGE, runMessage, sessionProgress } from "../../run/session-messages.ts";
import { useAction } from "../../api/use-action.ts";
import { DownloadActions } from "../../table/download/DownloadActions.tsx";
import type { RowsLoading, ShownSession } from "../../run/open-session.ts";
import { ResultsTable } from "../../table/ResultsTable.tsx";
import { useSessionLookupHistory } from "../../run/use-session-lookup-history.ts";
import { useTableControl } from "../../table/filter/use-table-control.ts";
import { Boundary } from "../../ui/Boundary.tsx";
import { AccessDenied } from "../../place/AccessDenied.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { GhostRows } from "../../ui/Skeletons.tsx";
import { Tag } from "../../ui/Tag.tsx";
import { friendlyError } from "./friendly-error.ts";
import styles from "./DashboardTab.module.css";

type SessionResultsProps = {
  /** Null if no session is chosen. */
  opened: ShownSession | null;
  /** The session that was deleted while it was open. */
  gone: ScanSession | null;
  /** The owner's name if the session belongs to another user. */
  owner: string | null;
  isAdmin: boolean;
};

/** For another user's session. */
const GONE_MESSAGE = "This session doesn't exist anymore";

/** The selected session with its results, or a placeholder. */
export function SessionResults(props: SessionResultsProps) {
  const { opened } = props;
  if (opened !== null && opened.session !== null && opened.loading.kind !== "gone")
    return <OpenSession opened={opened} session={opened.session} owner={props.owner} />;
  return (
    <Panel aria-label="Session results" flex={1} mih={0}>
      <NoSession {...props} />
    </Panel>
  );
}

function NoSession({ opened, gone, owner, isAdmin }: SessionResultsProps) {
  if (gone !== null || (isAdmin && opened?.loading.kind === "gone"))
    return (
      <EmptyState
        icon={<IconTrash size={32} stroke={1.25} />}
        title={gone !== null && owner === null ? DELETED_MESSAGE : GONE_MESSAGE}
      >
        Its results were deleted too. Choose another session.
      </EmptyState>
    );
  if (opened === null)
    return (
      <EmptyState icon={<IconClick size={32} stroke={1.25} />} title="Select a session to view results">
        Or search all scans by cert number, item, player, brand or company.
      </EmptyState>
    );
  if (opened.loading.kind === "gone") return <AccessDenied>{NOT_YOURS_MESSAGE}</AccessDenied>;
  if (opened.loading.kind === "failed")
    return <ErrorPanel m="md" message={opened.loading.problem} onRetry={opened.loading.retry} />;
  return <GhostRows count={8} rowHeight="3.5rem" label="Opening the session" />;
}

/** The error box of the history. */
function describeError(row: ResultRow): { title: string; message: string } {
  return { title: "Processing Failed", message: friendlyError(row.error) };
}

type OpenSessionProps = Pick<SessionResultsProps, "owner"> & { opened: ShownSession; session: ScanSession };

function OpenSession({ opened: { rows, loading }, session, owner }: OpenSessionProps) {
  const control = useTableControl(session.id);
  const lookups = useSessionLookupHistory(session, loading.kind === "ready");
  return (
    <>
      <SessionLine session={session} owner={owner} />
      <Boundary name="The table">
        <ResultsTable
          label="Session results"
          tab="dashboard"
          rows={rows}
          control={control}
          lookups={lookups}
          describeError={describeError}
          session={session}
          whenEmpty={<WhenEmpty loading={loading} />}
          actions={
            <>
              <RepriceButton session={session} rows={rows} />
              <DownloadActions
                session={session}
                rows={rows}
                main={{
                  format: "session-csv",
                  label: "Session CSV",
                  fileName: () => sessionFileName(session.sessionName, new Date()),
                }}
              >
                Download Session CSV
              </DownloadActions>
            </>
          }
        />
      </Boundary>
    </>
  );
}

/** Replaces the table if there are no rows. */
function WhenEmpty({ loading }: { loading: RowsLoading }) {
  if (loading.kind === "loading") return <GhostRows count={8} rowHeight="3.5rem" label="Loading results" />;
  if (loading.kind === "failed") return <ErrorPanel m="md" message={loading.problem} onRetry={loading.retry} />;
  return (
    <EmptyState icon={<IconCards size={32} stroke={1.25} />} title="No results found for this session.">
      It has no cards.
    </EmptyState>
  );
}

/** The selected session in one line: name, progress, and stop or resume. */
function SessionLine({ session, owner }: Omit<OpenSessionProps, "opened">) {
  const actions = useRunActions(session.id);
  return (
    <Panel aria-label="Chosen session" flex="none" px="md" py={11}>
      <Group gap="8px 20px">
        <Box flex="1 1 18rem" miw={0}>
          <SessionName key={session.id} session={session} />
          <Group component="p" wrap="nowrap" gap="4px 5px" c="dimmed" fz="sm" className={styles.about ?? ""}>
            {owner !== null && <Tag variant="small">{owner}</Tag>}
            <Text span inherit truncate className={styles.file} title={session.csvFilename}>
              {session.csvFilename}
            </Text>
            <span className={styles.when}>{runMessage(session)}</span>
          </Group>
        </Box>
        <Group gap="8px 16px">
          <SessionStatusDot status={session.status} />
          <Text fz="sm" c="dimmed" style={{ fontVariantNumeric: "tabular-nums" }}>
            <Text component="strong" fz="0.9375rem" fw={650} c="var(--sd-ink)">
              {sessionProgress(session)}
            </Text>{" "}
            cards
          </Text>
          {session.status === "processing" && (
            <Action isBusy={actions.isBusy} onPress={actions.stop}>
              Stop
            </Action>
          )}
          <GoOnActions session={session} actions={actions} />
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
  const renaming = useAction({
    send: (sessionName: string) => changeSession(session.id, { sessionName }),
    onDone: () => setDraft(null),
  });
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
