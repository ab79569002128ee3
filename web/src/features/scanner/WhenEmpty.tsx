import { formatRecent } from "@slabdesk/contract/certs/dates.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { formatCsv } from "@slabdesk/contract/sheet/csv.ts";
import { SAMPLE_FILE_NAME, SAMPLE_LINES } from "@slabdesk/contract/sheet/session-name.ts";
import { Box, Button, Stack } from "@mantine/core";
import { IconCards, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queryKeys } from "../../api/query-keys.ts";
import { listScanSessions } from "../../api/sessions.ts";
import { DELETED_MESSAGE, NOT_YOURS_MESSAGE } from "../../run/session-messages.ts";
import { AccessDenied } from "../../place/AccessDenied.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";
import { GhostRows } from "../../ui/Skeletons.tsx";
import { counted } from "../../ui/format-numbers.ts";
import styles from "./WhenEmpty.module.css";
import type { Scanner } from "./use-scanner.ts";

/** Replaces the table if there are no rows: loading, failed, deleted, cleared, or none yet. */
export function WhenEmpty({ scanner: { state, session, loading, sheetChoice, dispatch } }: { scanner: Scanner }) {
  if (state.run === "searching" || (loading.kind === "loading" && !state.isCleared)) {
    return (
      <Box w="100%" style={{ alignSelf: "start" }}>
        <GhostRows count={8} rowHeight="3.5rem" label="Loading results" />
      </Box>
    );
  }
  if (loading.kind === "failed" && !state.isCleared)
    return <ErrorPanel message={loading.problem} onRetry={loading.retry} />;
  if (state.refused !== null) return <AccessDenied>{NOT_YOURS_MESSAGE}</AccessDenied>;
  if (state.deleted !== null) {
    return (
      <EmptyState icon={<IconTrash size={32} stroke={1.25} />} title={DELETED_MESSAGE}>
        Its results are gone too. You can process the sheet again.
      </EmptyState>
    );
  }
  if (state.isCleared && session !== null) {
    return (
      <NoResults>
        <Button size="xs" onClick={() => dispatch({ type: "view_restored" })}>
          Show the results of this run
        </Button>
      </NoResults>
    );
  }
  return (
    <NoResults>
      <Button
        size="xs"
        onClick={() =>
          sheetChoice.chooseFiles([new File([formatCsv(SAMPLE_LINES)], SAMPLE_FILE_NAME, { type: "text/csv" })])
        }
      >
        Try the sample sheet
      </Button>
      <LastSessions onShow={(chosen) => dispatch({ type: "session_shown", session: chosen })} />
    </NoResults>
  );
}

function NoResults({ children }: { children: ReactNode }) {
  return (
    <EmptyState
      icon={<IconCards size={32} stroke={1.25} />}
      title="No saved results yet. Complete a processing session to see results here."
      action={
        <Stack gap={18} align="center" maw="100%">
          {children}
        </Stack>
      }
    />
  );
}

const LAST_SESSIONS = { limit: 5 } as const;

/** Nothing while they load: the page works without them. */
function LastSessions({ onShow }: { onShow: (session: ScanSession) => void }) {
  const list = useQuery({
    queryKey: queryKeys.sessionList(LAST_SESSIONS),
    queryFn: () => listScanSessions(LAST_SESSIONS),
    staleTime: 0,
  });
  const sessions = list.data?.sessions ?? [];
  if (sessions.length === 0) return null;
  return (
    <Stack
      component="section"
      gap={0}
      w="30rem"
      maw="100%"
      bd="1px solid var(--sd-line)"
      bdrs="var(--sd-radius-control)"
      aria-label="Last sessions"
    >
      {sessions.map((session) => (
        <button key={session.id} type="button" className={styles.session} onClick={() => onShow(session)}>
          <span className={styles.name}>{session.sessionName}</span>
          <span>
            {counted(session.totalCards, "card")} · {formatRecent(session.startedAt)}
          </span>
        </button>
      ))}
    </Stack>
  );
}
