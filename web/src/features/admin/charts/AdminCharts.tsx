import type { AdminCharts, AdminCharts as Charts } from "@slabdesk/contract/api/stats.ts";
import { useQuery } from "@tanstack/react-query";
import { adminChartsQuery } from "../../../api/stats.ts";
import type { FilterProps } from "../admin-filter.ts";
import { AdminLoadError } from "../AdminLoadError.tsx";
import styles from "./AdminCharts.module.css";
import { CallsChart, CompanyChart } from "./DayCharts.tsx";
import { ChartCard, GhostCharts } from "./ChartCard.tsx";
import { MarkButton, MarkContext } from "./MarkButton.tsx";
import { Box, Text } from "@mantine/core";
import { OUTCOMES } from "@slabdesk/contract/api/outcomes.ts";
import barStyles from "./BarCharts.module.css";
import { CARDS, formatShare, markColor, OUTCOME_TONES, type Part } from "./chart-series.ts";
import { counted, formatCount } from "../../../ui/format-numbers.ts";

/** Five charts of the last 90 days. Clicking a mark sets its filter. */
export default function AdminCharts(choice: FilterProps) {
  const query = useQuery(adminChartsQuery);
  if (query.data) return <FiveCharts charts={query.data} {...choice} />;
  return query.isError ? <AdminLoadError query={query} /> : <GhostCharts />;
}

export function FiveCharts({ charts, ...choice }: FilterProps & { charts: Charts }) {
  return (
    <MarkContext value={choice}>
      <div className={styles.charts}>
        <CompanyChart measure="cards" charts={charts} />
        <CompanyChart measure="value" charts={charts} />
        <CallsChart charts={charts} />
        <CausesChart causes={charts.causes} />
        <PeopleChart people={charts.people} />
      </div>
    </MarkContext>
  );
}

/** The share of cards found, and below it the failure causes on their own scale. */
function CausesChart({ causes }: Pick<Charts, "causes">) {
  const all = causes.reduce((total, { cards }) => total + cards, 0);
  if (all === 0) return <ChartCard title="Success by cause" nothing="No cards were processed in the last 90 days." />;
  const found = causes.find(({ outcome }) => outcome === "found")?.cards ?? 0;
  const bars = causes
    .filter(({ cards }) => cards > 0)
    .toSorted((one, other) => other.cards - one.cards)
    .map(({ outcome, cards }) => ({
      key: outcome,
      title: OUTCOMES[outcome].title,
      tone: OUTCOME_TONES[OUTCOMES[outcome].group],
      value: cards,
      hint: `${CARDS.long(cards)}, ${formatShare(cards, all)} of all`,
      mark: { outcome },
    }));
  const failures = bars.filter(({ key }) => key !== "found");
  return (
    <ChartCard title="Success by cause" total={formatShare(found, all)} totalOf="found">
      <BarList label="Found" layout="wide" most={all} bars={bars.filter(({ key }) => key === "found")} />
      <Text m="4px 0 2px" pt={6} c="dimmed" fz={11} style={{ borderTop: "1px solid var(--sd-line)" }}>
        {failures.length === 0 ? "Every card was found." : `${counted(all - found, "other")}, by cause`}
      </Text>
      <BarList label="Not found, by cause" layout="three" bars={failures} />
    </ChartCard>
  );
}

function PeopleChart({ people }: Pick<Charts, "people">) {
  const title = "Cards per user";
  if (people.length === 0) return <ChartCard title={title} nothing="Nobody has scanned a card in the last 90 days." />;
  const bars = people.slice(0, 10).map(({ userId, fullName, email, cards }) => ({
    key: userId,
    title: fullName,
    tone: "accent",
    value: cards,
    hint: email,
    mark: { user: { id: userId, name: fullName } },
  }));
  const count = people.length;
  const shown = count > 10 ? `the 10 busiest of ${formatCount(count)}` : counted(count, "person", "people");
  return (
    <ChartCard title={title} totalOf={shown}>
      <BarList label={title} layout="two" bars={bars} />
    </ChartCard>
  );
}

type BarListProps = {
  label: string;
  bars: readonly (Part & { value: number; hint: string })[];
  /** `wide` is one column; `two` and `three` are the maximum number of columns. */
  layout: "wide" | "two" | "three";
  /** The value of a full bar; defaults to the largest value. */
  most?: number;
};

/** A horizontal bar chart as a list of buttons, in columns if there is room. */
function BarList({ label, bars, layout, most }: BarListProps) {
  const whole = most ?? Math.max(1, ...bars.map(({ value }) => value));
  if (bars.length === 0) return null;
  return (
    <ol className={barStyles.list} data-layout={layout} aria-label={label}>
      {bars.map(({ key, title, tone, value, hint, mark }) => (
        <li key={key}>
          <MarkButton mark={mark} className={barStyles.bar} title={hint}>
            <Text span inherit truncate>
              {title}
            </Text>
            <Box
              component="span"
              h={10}
              bdrs={2}
              bg={markColor(tone)}
              style={{ width: `max(2px, ${((100 * value) / whole).toFixed(2)}%)` }}
              aria-hidden="true"
            />
            <Text span inherit miw="2.5rem" fw={500} ta="right" style={{ whiteSpace: "nowrap" }}>
              {formatCount(value)}
            </Text>
          </MarkButton>
        </li>
      ))}
    </ol>
  );
}
