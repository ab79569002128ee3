import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { sessionFileName } from "@slabdesk/contract/sheet/session-name.ts";
import { Box } from "@mantine/core";
import { IconCards, IconClick, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { statusQuery } from "../../api/status.ts";
import { DownloadActions } from "../../table/download/DownloadActions.tsx";
import { DELETED_MESSAGE, NOT_YOURS_MESSAGE } from "../../run/deleted-session.ts";
import { RepriceButton } from "../../run/RepriceButton.tsx";
import type { RowsLoading } from "../../run/open-session.ts";
import type { ShownSession } from "../../run/use-open-session.ts";
import { ResultsTable } from "../../table/ResultsTable.tsx";
import { useSessionLookupHistory } from "../../run/use-session-lookup-history.ts";
import { useTableControl } from "../../table/view/use-table-control.ts";
import { Boundary } from "../../ui/Boundary.tsx";
import { AccessDenied } from "../../place/AccessDenied.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { GhostRows } from "../../ui/Skeletons.tsx";
import { friendlyError } from "./friendly-error.ts";
import { SessionLine } from "./SessionLine.tsx";

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
    <Panel padding="flush" aria-label="Session results" flex={1} mih={0}>
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
  if (opened.loading.kind === "failed") return <Problem {...opened.loading} />;
  return <GhostRows count={8} rowHeight="3.5rem" label="Opening the session" />;
}

function Problem({ problem, retry }: Extract<RowsLoading, { kind: "failed" }>) {
  return (
    <Box p="md">
      <ErrorPanel message={problem} onRetry={retry} />
    </Box>
  );
}

/** The error box of the history. */
function describeError(row: ResultRow): { title: string; message: string } {
  return { title: "Processing Failed", message: friendlyError(row.error) };
}

type OpenSessionProps = Pick<SessionResultsProps, "owner"> & { opened: ShownSession; session: ScanSession };

function OpenSession({ opened: { rows, loading }, session, owner }: OpenSessionProps) {
  const status = useQuery(statusQuery).data;
  const control = useTableControl(session.id);
  const lookups = useSessionLookupHistory(session, loading.kind === "ready");
  const rowCount = useSyncExternalStore(rows.subscribe, () => rows.getSnapshot().length);
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
              <RepriceButton session={rowCount === 0 ? null : session} priceSources={status?.priceSources ?? null} />
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
  if (loading.kind === "failed") return <Problem {...loading} />;
  return (
    <EmptyState icon={<IconCards size={32} stroke={1.25} />} title="No results found for this session.">
      It has no cards.
    </EmptyState>
  );
}
