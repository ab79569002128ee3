import "@mantine/core/styles/Drawer.layer.css";
import { Box, Button, Drawer, Group, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { useIsFetching, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { verifyAuth } from "../../api/account.ts";
import { errorMessage, errorReference } from "../../api/errors.ts";
import { getStatus } from "../../api/status.ts";
import { StatusDot } from "../../ui/StatusDot.tsx";

const PROBES = { queryKey: ["debug"] };

type Facts = Record<string, string>;

async function statusFacts(): Promise<Facts> {
  const { status, environment, version, upstreams, scraping } = await getStatus();
  return { Status: status, Environment: environment, Version: version, Upstreams: upstreams, Scraping: scraping };
}

async function verifyFacts(): Promise<Facts> {
  const { valid, user } = await verifyAuth();
  return {
    Valid: String(valid),
    User: user.fullName,
    Email: user.email,
    Role: user.role,
    Account: user.isActive ? "active" : "deactivated",
  };
}

export function DebugPanel({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const queryClient = useQueryClient();
  const isLoading = useIsFetching(PROBES) > 0;
  return (
    <Drawer opened={isOpen} onClose={onClose} title="Backend" size="26rem">
      <Stack gap="sm">
        <ProbeCard title="Backend status" path="status" okMessage="Server is responding" call={statusFacts} />
        <ProbeCard title="Auth verify" path="auth/verify" okMessage="Session is valid" call={verifyFacts} />
        <Button onClick={() => void queryClient.refetchQueries(PROBES)} disabled={isLoading}>
          Check again
        </Button>
      </Stack>
    </Drawer>
  );
}

type ProbeCardProps = { title: string; path: string; okMessage: string; call: () => Promise<Facts> };

/** One server call, made when the card is shown, and its result. */
function ProbeCard({ title, path, okMessage, call }: ProbeCardProps) {
  const { data, isFetching } = useQuery({
    queryKey: [...PROBES.queryKey, path],
    queryFn: () => probe(call),
    staleTime: 0,
    gcTime: 0,
  });
  const result = isFetching ? undefined : data;
  const facts = result?.answer.status === "fulfilled" ? result.answer.value : null;
  const failure = result?.answer.status === "rejected" ? result.answer : null;
  const reference = failure && errorReference(failure.reason);
  const titleId = useId();
  return (
    <Paper component="section" withBorder p="md" radius="lg" aria-labelledby={titleId} aria-busy={result === undefined}>
      <Group justify="space-between" align="baseline" wrap="nowrap">
        <div>
          <Title order={3} id={titleId} fw={600}>
            {title}
          </Title>
          <Text component="code" ff="monospace" fz="xs" c="dimmed">
            GET /api/{path}
          </Text>
        </div>
        {result !== undefined && (
          <Text span fz="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
            {result.durationMs} ms
          </Text>
        )}
      </Group>
      <Box component="output" display="block" mt="sm">
        {result === undefined && (
          <Group gap="xs" fz="md" c="dimmed">
            <Loader size={14} aria-hidden="true" /> Asking…
          </Group>
        )}
        {facts !== null && <StatusDot tone="good">{okMessage}</StatusDot>}
        {failure !== null && <StatusDot tone="bad">{errorMessage(failure.reason)}</StatusDot>}
      </Box>
      {reference !== null && (
        <Text ff="monospace" fz="xs" c="dimmed">
          {reference}
        </Text>
      )}
      {facts !== null && (
        <Box component="dl" mt="sm" mb={0} fz="sm">
          {Object.entries(facts).map(([name, value]) => (
            <Group
              key={name}
              justify="space-between"
              align="stretch"
              wrap="nowrap"
              py="0.4375rem"
              style={{ borderTop: "1px solid var(--sd-line)" }}
            >
              <dt style={{ color: "var(--sd-muted)" }}>{name}</dt>
              <Box component="dd" ta="right" style={{ overflowWrap: "anywhere" }}>
                {value}
              </Box>
            </Group>
          ))}
        </Box>
      )}
    </Paper>
  );
}

/** Makes one call and returns its result and duration. Never throws, because a failure is a valid result. */
async function probe(call: () => Promise<Facts>) {
  const startedAt = performance.now();
  const [answer] = await Promise.allSettled([call()]);
  return { answer, durationMs: Math.round(performance.now() - startedAt) };
}
