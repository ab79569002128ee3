import type { PlanLookupHistory } from "@slabdesk/contract/api/lookup-history.ts";
import { Box, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { count } from "../counts.ts";
import { companyShares, type LineNotes, type SheetSummary } from "../sheet/sheet-summary.ts";
import { NotedLines } from "./NotedLines.tsx";
import styles from "./PlanCard.module.css";
import { lookupHistoryCounts, type Message } from "./plan-messages.ts";

type CompaniesLineProps = {
  suggested: SheetSummary["suggested"];
  isAccepted: boolean;
  onAccept: (isAccepted: boolean) => void;
};

/** Rows with a suggested company: which company, and one button to accept them all. */
export function CompaniesLine({ suggested, isAccepted, onAccept }: CompaniesLineProps): ReactNode {
  if (suggested.count === 0) return null;
  const rows = `${count(suggested.count)} ${isAccepted ? "taken" : "proposed"} from the numbers`;
  const tone = isAccepted ? undefined : "warn";
  return (
    <div className={styles.companies} data-accepted={isAccepted || undefined}>
      <NotedLines title={`Companies: ${rows}`} label="Companies" notes={suggested} becomes="Proposed" tone={tone}>
        {rows} ·{" "}
      </NotedLines>
      <Group
        component="p"
        className={styles.offer ?? ""}
        justify="space-between"
        gap="4px 12px"
        m={0}
        pb={7}
        c="dimmed"
      >
        <span>{companyShares(suggested.byCompany)}</span>
        <button type="button" className={styles.accept} onClick={() => onAccept(!isAccepted)}>
          {isAccepted ? "Undo" : "Accept all"}
        </button>
      </Group>
    </div>
  );
}

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

export function SheetRemarks({
  summary: { repaired, damaged, unreadablePrices },
}: {
  summary: SheetSummary;
}): ReactNode {
  const remarks: { label: string; notes: LineNotes; message: string; more: string; tone?: Message["tone"] }[] = [
    { label: "Repaired", notes: repaired, message: repaired.count === 1 ? "number" : "numbers", more: "see what" },
    { label: "To fix", notes: damaged, message: damaged.count === 1 ? "row" : "rows", more: "see why", tone: "bad" },
    { label: "Prices", notes: unreadablePrices, message: "not readable", more: "see which", tone: "warn" },
  ];
  return remarks
    .filter(({ notes }) => notes.count > 0)
    .map(({ message, ...remark }) => (
      <NotedLines key={remark.label} title={`${remark.label}: ${count(remark.notes.count)}`} {...remark}>
        {count(remark.notes.count)} {message} ·{" "}
      </NotedLines>
    ));
}
