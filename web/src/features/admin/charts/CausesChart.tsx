import { OUTCOMES } from "@slabdesk/contract/api/outcomes.ts";
import type { AdminCharts } from "@slabdesk/contract/api/stats.ts";
import type { ReactNode } from "react";
import { BarList } from "./BarList.tsx";
import { CARDS, formatCount, formatShare, OUTCOME_TONES } from "./chart-formats.ts";
import styles from "./BarList.module.css";
import { ChartCard } from "./ChartCard.tsx";

const TITLE = "Success by cause";

/** The share of cards found, and below it the failure causes on their own scale. */
export function CausesChart({ causes }: Pick<AdminCharts, "causes">): ReactNode {
  const all = causes.reduce((total, { cards }) => total + cards, 0);
  if (all === 0) return <ChartCard title={TITLE} nothing="No card came to an end in the last 90 days." />;
  const found = causes.find(({ outcome }) => outcome === "found")?.cards ?? 0;
  const bars = causes
    .filter(({ cards }) => cards > 0)
    .toSorted((one, other) => other.cards - one.cards)
    .map(({ outcome, cards }) => ({
      key: outcome,
      title: OUTCOMES[outcome].title,
      tone: OUTCOME_TONES[OUTCOMES[outcome].group],
      value: cards,
      figure: formatCount(cards),
      hint: `${CARDS.long(cards)}, ${formatShare(cards, all)} of all`,
      mark: { outcome },
    }));
  const failures = bars.filter(({ key }) => key !== "found");
  return (
    <ChartCard
      title={TITLE}
      figure={
        <>
          <strong>{formatShare(found, all)}</strong> found
        </>
      }
    >
      <BarList label="Found" layout="wide" most={all} bars={bars.filter(({ key }) => key === "found")} />
      <p className={styles.rest}>
        {failures.length === 0
          ? "Every card was found."
          : `${formatCount(all - found)} ${all - found === 1 ? "other" : "others"}, by cause`}
      </p>
      <BarList label="Not found, by cause" layout="three" bars={failures} />
    </ChartCard>
  );
}
