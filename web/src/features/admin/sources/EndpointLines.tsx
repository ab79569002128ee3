import type { SourceEndpoint } from "@slabdesk/contract/api/sources.ts";
import type { ReactNode } from "react";
import { StatusDot } from "../../../ui/StatusDot.tsx";
import styles from "./EndpointLines.module.css";
import { callMessage, endpointTimes, formatDuration, formatPercent, STATE_LABELS } from "./source-messages.ts";

/** An upstream's endpoints, one line each: state, since and until when, and today's calls. */
export function EndpointLines({
  endpoints,
  nowMs,
}: {
  endpoints: readonly SourceEndpoint[];
  nowMs: number;
}): ReactNode {
  return (
    <ul className={styles.endpoints}>
      {endpoints.map((endpoint) => (
        <li key={endpoint.name} className={styles.endpoint}>
          <span className={styles.name}>{endpoint.title}</span>
          <StatusDot tone={STATE_LABELS[endpoint.state].tone} isBusy={endpoint.state === "probing"}>
            {STATE_LABELS[endpoint.state].word}
          </StatusDot>
          <span className={styles.sentence}>{endpointTimes(endpoint, nowMs)}</span>
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
