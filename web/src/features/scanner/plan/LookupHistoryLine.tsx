import type { PlanLookupHistory } from "@slabdesk/contract/api/lookup-history.ts";
import type { ReactNode } from "react";
import { count, lookupHistoryCounts } from "./plan-messages.ts";
import type { LineNotes } from "../sheet/sheet-summary.ts";
import { NotedLines } from "./NotedLines.tsx";
import styles from "./PlanCard.module.css";

/** The number of cards looked up before, by whom, and how many are in another open session. A click lists them. */
export function LookupHistoryLine({
  lookupHistory,
  notes,
}: {
  lookupHistory: PlanLookupHistory;
  notes: LineNotes;
}): ReactNode {
  const counts = lookupHistoryCounts(lookupHistory);
  if (counts.length === 0) return null;
  const title = lookupHistory.own + lookupHistory.colleagues > 0 ? "Looked up before" : "Open twice";
  return (
    <NotedLines title={`${title}: ${count(notes.count)}`} notes={notes}>
      <span className={styles.title}>{title}</span>
      <span className={styles.value}>
        {counts.map((message) => (
          <span key={message} className={styles.remembered}>
            {message}
          </span>
        ))}
        <span className={styles.more}>see which</span>
      </span>
    </NotedLines>
  );
}
