import type { PlanLookupHistory } from "@slabdesk/contract/api/lookup-history.ts";
import { Box } from "@mantine/core";
import type { ReactNode } from "react";
import { count } from "../counts.ts";
import type { LineNotes } from "../sheet/sheet-summary.ts";
import { NotedLines } from "./NotedLines.tsx";
import { lookupHistoryCounts } from "./plan-messages.ts";

type LookupHistoryLineProps = { lookupHistory: PlanLookupHistory; notes: LineNotes };

/** The number of cards looked up before, by whom, and how many are in another open session. A click lists them. */
export function LookupHistoryLine({ lookupHistory, notes }: LookupHistoryLineProps): ReactNode {
  const counts = lookupHistoryCounts(lookupHistory);
  if (counts.length === 0) return null;
  const label = lookupHistory.own + lookupHistory.colleagues > 0 ? "Looked up before" : "Open twice";
  return (
    <NotedLines title={`${label}: ${count(notes.count)}`} label={label} notes={notes}>
      {counts.map((message) => (
        <Box key={message} component="span" display="block">
          {message}
        </Box>
      ))}
    </NotedLines>
  );
}
