import { Box, Button } from "@mantine/core";
import { IconCards, IconTrash } from "@tabler/icons-react";
import { DELETED_MESSAGE } from "../../run/deleted-session.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { ErrorPanel } from "../../ui/ErrorPanel.tsx";
import { GhostRows } from "../../ui/Skeletons.tsx";
import type { Scanner } from "./use-scanner.ts";

const NO_RESULTS_MESSAGE = "No saved results yet. Complete a processing session to see results here.";

/** Replaces the table if there are no rows: loading, failed, deleted, cleared, or none yet. */
export function WhenEmpty({ scanner: { state, session, loading, dispatch } }: { scanner: Scanner }) {
  if (state.run === "looking" || (loading.kind === "loading" && !state.isCleared)) {
    return (
      <Box w="100%" style={{ alignSelf: "start" }}>
        <GhostRows count={8} rowHeight="3.5rem" label="Results are loading" />
      </Box>
    );
  }
  if (loading.kind === "failed" && !state.isCleared)
    return <ErrorPanel message={loading.problem} onRetry={loading.retry} />;
  if (state.deleted !== null) {
    return (
      <EmptyState icon={<IconTrash size={32} stroke={1.25} />} title={DELETED_MESSAGE}>
        Its results are deleted with it. A sheet that you still have can be processed again.
      </EmptyState>
    );
  }
  const canRestore = state.isCleared && session !== null;
  return (
    <EmptyState
      icon={<IconCards size={32} stroke={1.25} />}
      title={NO_RESULTS_MESSAGE}
      action={
        canRestore ? (
          <Button size="xs" onClick={() => dispatch({ type: "view_restored" })}>
            Show the results of this run
          </Button>
        ) : undefined
      }
    />
  );
}
