import type { Source } from "@slabdesk/contract/api/sources.ts";
import { ADMIN_CACHE_MS } from "@slabdesk/contract/api/stats.ts";
import type { Status } from "@slabdesk/contract/api/status.ts";
import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useIsConnected } from "../../api/connection.ts";
import { listSources } from "../../api/sources.ts";
import { getStatus } from "../../api/status.ts";
import { queryKeys } from "../../api/query-keys.ts";
import { StatusDot } from "../../ui/StatusDot.tsx";

/** The server status card for admins. It refreshes and includes the sources' states. */
export function ServerCard() {
  const status = useQuery({ queryKey: queryKeys.status(), queryFn: getStatus, refetchInterval: ADMIN_CACHE_MS });
  const sources = useQuery({
    queryKey: ["server-sources"],
    queryFn: ({ signal }) => listSources(signal),
    refetchInterval: ADMIN_CACHE_MS,
  });
  const isConnected = useIsConnected();
  if (status.isPending) return null;
  return (
    <ServerLine status={isConnected && !status.isError ? status.data : null} sources={sources.data?.sources ?? []} />
  );
}

type ServerLineProps = {
  /** Null if the server doesn't respond. */
  status: Status | null;
  sources: readonly Pick<Source, "title" | "state">[];
};

export function ServerLine({ status, sources }: ServerLineProps) {
  const unavailable = sources.filter(
    ({ state }) => state === "paused" || state === "manually_paused" || state === "probing",
  );
  return (
    <Group
      component="section"
      gap="2px 12px"
      mb={12}
      px={12}
      py={8}
      bd="1px solid var(--sd-line)"
      bdrs="var(--sd-radius-control)"
      bg="var(--sd-surface)"
      fz="sm"
      aria-label="Server"
    >
      {status ? (
        <>
          <StatusDot tone="good">Server online</StatusDot>
          <Text span inherit c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {status.environment} · {status.version}
          </Text>
        </>
      ) : (
        <StatusDot tone="bad">Server is not responding</StatusDot>
      )}
      {unavailable.length > 0 && (
        <StatusDot tone="warn">{`${unavailable.map(({ title }) => title).join(", ")} paused`}</StatusDot>
      )}
    </Group>
  );
}
