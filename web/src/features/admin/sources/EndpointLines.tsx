import type { SourceEndpoint } from "@slabdesk/contract/api/sources.ts";
import type { ReactNode } from "react";
import { StatusDot } from "../../../ui/StatusDot.tsx";
import classes from "./EndpointLines.module.css";
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
    <ul className={classes.endpoints}>
      {endpoints.map((endpoint) => (
        <li key={endpoint.name} className={classes.endpoint}>
          <span className={classes.name}>{endpoint.title}</span>
          <StatusDot tone={STATE_LABELS[endpoint.state].tone} isBusy={endpoint.state === "probing"}>
            {STATE_LABELS[endpoint.state].word}
          </StatusDot>
          <span className={classes.sentence}>{endpointTimes(endpoint, nowMs)}</span>
          <span className={classes.traffic}>
            {callMessage(endpoint.callsToday)}
            {endpoint.successRate !== null && ` · ${formatPercent(endpoint.successRate)} succeeded`}
            {endpoint.p50Ms !== null && ` · ${formatDuration(endpoint.p50Ms)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
