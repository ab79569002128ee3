import { Box, Group, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { queryKeys } from "../../../api/query-keys.ts";
import { listSources } from "../../../api/sources.ts";
import { GhostRows } from "../../../ui/Skeletons.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { StatusDot } from "../../../ui/StatusDot.tsx";
import { AdminLoadError } from "../AdminLoadError.tsx";
import { DemoNote } from "../StatusNotes.tsx";
import * as messages from "./source-messages.ts";
import type { Source } from "@slabdesk/contract/api/sources.ts";
import { useId } from "react";
import { Tag } from "../../../ui/Tag.tsx";
import { SourceActions } from "./SourceActions.tsx";
import styles from "./sources.module.css";
import { counted, formatCount } from "../../../ui/format-numbers.ts";

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
  const summary = messages.summaryOf(sources, nowMs);
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

const PEOPLE_SHOWN = 3;
/** Fraction of the daily quota below which the remaining calls are low: 500 of 2,500. */
const FEW_LEFT = 0.2;
const LEVEL_COLORS = { none: "var(--sd-bad)", few: "var(--sd-warn)" };

/** One upstream: state and actions on the left, then metrics and endpoints, then calls by user and terms of use. */
export function SourcePanel({ source, nowMs }: { source: Source; nowMs: number }) {
  const titleId = useId();
  const summary = messages.sourceSummary(source, nowMs);
  return (
    <Panel className={styles.source} aria-labelledby={titleId} data-tone={summary.tone}>
      <Stack gap={4} align="flex-start">
        <Group component="h2" id={titleId} gap="xs" w="100%" wrap="nowrap" fz="lg" fw={650} lts="-0.01em">
          <Box component="span" w={10} h={13} bdrs={3} bg={`var(--sd-${source.name}, var(--sd-control))`} aria-hidden />
          {source.title}
          <Box component="span" ml="auto" fz="sm" lts={0}>
            <StatusDot tone={summary.tone} isBusy={source.state === "probing"}>
              {summary.label}
            </StatusDot>
          </Box>
        </Group>
        <Text fz="sm" lh={1.45} {...((summary.tone === "good" || summary.tone === "neutral") && { c: "dimmed" })}>
          {summary.sentence}
        </Text>
        {[messages.waitingMessage(source), ...messages.refusalMessages(source, nowMs)]
          .filter((message) => message !== null)
          .map((message) => (
            <Text key={message} className={styles.remark}>
              <Tag tone="warn" variant="small">
                {message}
              </Tag>
            </Text>
          ))}
        <SourceActions source={source} />
      </Stack>
      <Stack gap={10} miw={0}>
        <Numbers source={source} />
        <Quota source={source} nowMs={nowMs} />
        <EndpointLines endpoints={source.endpoints} nowMs={nowMs} />
      </Stack>
      <div className={styles.facts}>
        <People source={source} />
        <p>
          <strong>Credentials</strong> {messages.credentialsMessage(source)}
          {source.credentials.problem !== null && (
            <Text span display="block" fz="inherit" c="var(--sd-bad)">
              {source.credentials.problem}.
            </Text>
          )}
        </p>
        <p>
          <strong>Terms</strong> {source.terms}
        </p>
        <p>
          <strong>You need</strong> {source.permission}
        </p>
      </div>
    </Panel>
  );
}

function Numbers({ source }: { source: Source }) {
  if (source.callsToday === 0 && source.successRate === null && source.cacheHitRate === null)
    return (
      <Text c="dimmed" fz="sm" lh="1.5rem">
        Not called in the last 24 hours
      </Text>
    );
  const slowest = messages.formatDuration(source.p95Ms);
  const known = messages.resultOf(source.name);
  const stats = [
    { name: "Calls today", value: formatCount(source.callsToday), hint: null },
    { name: "Succeeded", value: messages.formatPercent(source.successRate), hint: "in the last 24 hours" },
    { name: "Typical response", value: messages.formatDuration(source.p50Ms), hint: `95% within ${slowest}` },
    { name: "Served from cache", value: messages.formatPercent(source.cacheHitRate), hint: `${known}s already known` },
  ];
  return (
    <dl className={styles.numbers}>
      {stats.map(({ name, value, hint }) => (
        <div key={name}>
          <Text component="dt" c="dimmed" fz="xs">
            {name}
          </Text>
          <Text component="dd" fw={600} fz="lg" lts="-0.01em">
            {value}
            <Text span display="block" c="dimmed" fz={11} lh={1.35} lts={0}>
              {hint}
            </Text>
          </Text>
        </div>
      ))}
    </dl>
  );
}

function Quota({ source, nowMs }: { source: Source; nowMs: number }) {
  const message = messages.quotaMessage(source, nowMs);
  const forecast = messages.forecastMessage(source, nowMs);
  if (source.quota === null || message === null) return null;
  const { limit, remaining } = source.quota;
  const share = limit > 0 ? Math.min(1, Math.max(0, remaining / limit)) : 0;
  const level = share === 0 ? "none" : share < FEW_LEFT ? "few" : "enough";
  return (
    <div style={{ fontVariantNumeric: "tabular-nums" }} data-level={level}>
      <Progress
        mb={5}
        bg={level === "none" ? "var(--sd-bad-soft)" : "var(--sd-fill)"}
        color={level === "few" ? "var(--sd-warn)" : "var(--sd-good)"}
        value={100 * share}
        size={4}
        aria-hidden="true"
      />
      <Text fz="xs" fw={500} {...(level !== "enough" && { c: LEVEL_COLORS[level] })}>
        {message}
      </Text>
      {forecast !== null && (
        <Text c="dimmed" fz="xs">
          {forecast}
        </Text>
      )}
    </div>
  );
}

function EndpointLines({ endpoints, nowMs }: Pick<Source, "endpoints"> & { nowMs: number }) {
  return (
    <ul className={styles.endpoints}>
      {endpoints.map((endpoint) => (
        <li key={endpoint.name}>
          <span style={{ fontWeight: 500 }}>{endpoint.title}</span>
          <StatusDot tone={messages.STATE_LABELS[endpoint.state].tone} isBusy={endpoint.state === "probing"}>
            {messages.STATE_LABELS[endpoint.state].label}
          </StatusDot>
          <span className={styles.times} style={{ lineHeight: 1.4 }}>
            {messages.endpointTimes(endpoint, nowMs)}
          </span>
          <span className={styles.traffic}>
            {counted(endpoint.callsToday, "call")}
            {endpoint.successRate !== null && ` · ${messages.formatPercent(endpoint.successRate)} succeeded`}
            {endpoint.p50Ms !== null && ` · ${messages.formatDuration(endpoint.p50Ms)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

function People({ source }: { source: Source }) {
  const { byPerson } = source;
  if (byPerson.length === 0) return null;
  const rest = byPerson.slice(PEOPLE_SHOWN);
  const restCalls = rest.reduce((total, { calls }) => total + calls, 0);
  const others = { userId: "rest", fullName: counted(rest.length, "other"), calls: restCalls };
  const shown = [...byPerson.slice(0, PEOPLE_SHOWN), ...(rest.length > 0 ? [others] : [])];
  return (
    <Group gap={6} mb={6} wrap="nowrap" align="flex-start">
      <strong>Today</strong>
      <Group
        component="ul"
        gap="0 0.75rem"
        c="var(--sd-ink)"
        style={{ fontVariantNumeric: "tabular-nums" }}
        aria-label={`Calls to ${source.title} today, by person`}
      >
        {shown.map(({ userId, fullName, calls }) => (
          <li key={userId}>
            {fullName} <span style={{ color: "var(--sd-muted)" }}>{counted(calls, "call")}</span>
          </li>
        ))}
      </Group>
    </Group>
  );
}
