import { Box, Group, Loader, Paper, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { errorReference, errorMessage } from "../../api/error-messages.ts";
import { StatusDot } from "../../ui/StatusDot.tsx";

/** The queries of all cards. */
export const PROBES = { queryKey: ["debug"] };

type ProbeCardProps<Answer> = {
  title: string;
  /** In the API. */
  path: string;
  call: () => Promise<Answer>;
  okMessage: string;
  /** The response as name-value pairs. */
  facts: (answer: Answer) => readonly (readonly [string, string])[];
};

/** One server call, made when the card is shown, and its result. */
export function ProbeCard<Answer>({ title, path, call, okMessage, facts }: ProbeCardProps<Answer>): ReactNode {
  const { data, isFetching } = useQuery({
    queryKey: [...PROBES.queryKey, path],
    queryFn: () => probe(call),
    staleTime: 0,
    gcTime: 0,
  });
  const result = isFetching || data === undefined ? null : data;
  const titleId = useId();
  return (
    <Paper component="section" withBorder p="md" radius="lg" aria-labelledby={titleId} aria-busy={result === null}>
      <Group justify="space-between" align="baseline" wrap="nowrap">
        <div>
          <Title order={3} id={titleId} fw={600}>
            {title}
          </Title>
          <Text component="code" ff="monospace" fz="xs" c="dimmed">
            GET /api/{path}
          </Text>
        </div>
        {result !== null && (
          <Text span fz="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
            {result.durationMs} ms
          </Text>
        )}
      </Group>
      <Box component="output" display="block" mt="sm">
        {result === null && (
          <Group gap="xs" fz="md" c="dimmed">
            <Loader size={14} aria-hidden="true" /> Asking…
          </Group>
        )}
        {result?.isOk === true && <StatusDot tone="good">{okMessage}</StatusDot>}
        {result?.isOk === false && <StatusDot tone="bad">{errorMessage(result.error)}</StatusDot>}
      </Box>
      {result?.isOk === false && errorReference(result.error) !== null && (
        <Text ff="monospace" fz="xs" c="dimmed">
          {errorReference(result.error)}
        </Text>
      )}
      {result?.isOk === true && (
        <Box component="dl" mt="sm" mb={0} fz="sm">
          {facts(result.answer).map(([name, value]) => (
            <Group
              key={name}
              justify="space-between"
              align="stretch"
              wrap="nowrap"
              py="0.4375rem"
              style={{ borderTop: "1px solid var(--sd-line)" }}
            >
              <Box component="dt" c="dimmed">
                {name}
              </Box>
              <Box component="dd" m={0} ta="right" style={{ overflowWrap: "anywhere" }}>
                {value}
              </Box>
            </Group>
          ))}
        </Box>
      )}
    </Paper>
  );
}

type ProbeResult<Answer> =
  | { isOk: true; answer: Answer; durationMs: number }
  | { isOk: false; error: unknown; durationMs: number };

/** Makes one call and returns its result and duration. Never throws, because a failure is a valid result. */
async function probe<Answer>(call: () => Promise<Answer>): Promise<ProbeResult<Answer>> {
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  try {
    const answer = await call();
    return { isOk: true, answer, durationMs: elapsed() };
  } catch (error) {
    return { isOk: false, error, durationMs: elapsed() };
  }
}
