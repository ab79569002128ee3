import type { PlanMemory } from "@slabdesk/contract/api/memory.ts";
import type { ReactNode } from "react";
import { count, memoryCounts } from "../plan-words.ts";
import type { LineNotes } from "../sheet-summary.ts";
import { NotedLines } from "./NotedLines.tsx";
import styles from "./PlanCard.module.css";

/** How many cards were looked up before, by whom, and how many stand in another open session; a press lists them. */
export function MemoryLine({ memory, notes }: { memory: PlanMemory; notes: LineNotes }): ReactNode {
  const counts = memoryCounts(memory);
  if (counts.length === 0) return null;
  const title = memory.own + memory.colleagues > 0 ? "Looked up before" : "Open twice";
  return (
    <NotedLines title={`${title}: ${count(notes.count)}`} notes={notes}>
      <span className={styles.title}>{title}</span>
      <span className={styles.value}>
        {counts.map((words) => (
          <span key={words} className={styles.remembered}>
            {words}
          </span>
        ))}
        <span className={styles.more}>see which</span>
      </span>
    </NotedLines>
  );
}
