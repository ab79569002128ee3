import type { Source } from "@slabdesk/contract/api/sources.ts";
import { Box } from "@mantine/core";
import type { ReactNode } from "react";
import { StatusDot } from "../../../ui/StatusDot.tsx";
import { callMessage, endpointTimes, formatDuration, formatPercent, STATE_LABELS } from "./source-messages.ts";
import styles from "./sources.module.css";

/** An upstream's endpoints, one line each: state, since and until when, and today's calls. */
export function EndpointLines({ endpoints, nowMs }: Pick<Source, "endpoints"> & { nowMs: number }): ReactNode {
  return (
    <ul className={styles.endpoints}>
      {endpoints.map((endpoint) => (
        <li key={endpoint.name} className={styles.endpoint}>
          <Box component="span" fw={500}>
            {endpoint.title}
          </Box>
          <StatusDot tone={STATE_LABELS[endpoint.state].tone} isBusy={endpoint.state === "probing"}>
            {STATE_LABELS[endpoint.state].word}
          </StatusDot>
          <span className={styles.times}>{endpointTimes(endpoint, nowMs)}</span>
          <span className={styles.traffic}>
            {callMessage(endpoint.callsToday)}
            {endpoint.successRate !== null && ` · ${formatPercent(endpoint.successRate)} succeeded`}
            {endpoint.p50Ms !== null && ` · ${formatDuration(endpoint.p50Ms)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
