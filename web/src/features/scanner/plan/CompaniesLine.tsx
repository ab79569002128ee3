import type { ReactNode } from "react";
import { count } from "./plan-messages.ts";
import { companyShares, type SheetSummary } from "../sheet/sheet-summary.ts";
import { NotedLines } from "./NotedLines.tsx";
import styles from "./PlanCard.module.css";

type CompaniesLineProps = {
  suggested: SheetSummary["suggested"];
  isAccepted: boolean;
  onAccept: (isAccepted: boolean) => void;
};

/** Rows with a suggested company: which company, and one button to accept them all. */
export function CompaniesLine({ suggested, isAccepted, onAccept }: CompaniesLineProps): ReactNode {
  if (suggested.count === 0) return null;
  const rows = `${count(suggested.count)} ${isAccepted ? "taken" : "proposed"} from the numbers`;
  return (
    <div className={styles.companies} data-accepted={isAccepted || undefined}>
      <NotedLines
        title={`Companies: ${rows}`}
        notes={suggested}
        becomes="Proposed"
        tone={isAccepted ? undefined : "warn"}
      >
        <span className={styles.title}>Companies</span>
        <span className={styles.value} data-tone={isAccepted ? undefined : "warn"}>
          {rows} · <span className={styles.more}>see which</span>
        </span>
      </NotedLines>
      <p className={styles.offer}>
        <span>{companyShares(suggested.byCompany)}</span>
        <button type="button" className={styles.accept} onClick={() => onAccept(!isAccepted)}>
          {isAccepted ? "Undo" : "Accept all"}
        </button>
      </p>
    </div>
  );
}
