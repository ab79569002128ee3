import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { queryKeys } from "../../../api/query-keys.ts";
import { listSources } from "../../../api/sources.ts";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { StatusDot } from "../../../ui/StatusDot.tsx";
import { AdminLoadError } from "../AdminLoadError.tsx";
import { DemoNote } from "../StatusNotes.tsx";
import { SourcePanel } from "./SourcePanel.tsx";
import { summaryOf } from "./source-messages.ts";

const REFRESH_MS = 5_000;

/** The current state of all upstreams: problems, when they end, and available actions. */
export function SourcesPanel() {
  const query = useQuery({
    queryKey: queryKeys.adminSources(),
    queryFn: ({ signal }) => listSources(signal),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  });
  if (query.isLoadingError) return <AdminLoadError query={query} />;
  if (query.data === undefined)
    return (
      <Panel aria-label="Sources">
        <GhostRows count={5} rowHeight="10rem" label="Loading the sources" />
      </Panel>
    );
  const { sources, checkedAt } = query.data;
  const nowMs = Date.parse(checkedAt);
  const summary = summaryOf(sources, nowMs);
  return (
    // Leaves room for DEBUG BACKEND below the last panel.
    <Stack gap="sm" pb={48}>
      <output>
        <StatusDot tone={summary.tone}>{summary.message}</StatusDot>
      </output>
      <DemoNote />
      {sources.map((source) => (
        <SourcePanel key={source.name} source={source} nowMs={nowMs} />
      ))}
    </Stack>
  );
}
