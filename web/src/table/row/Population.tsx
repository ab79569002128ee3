import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { formatDay } from "@slabdesk/contract/certs/dates.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { Text } from "@mantine/core";
import { NoValue } from "./cells.tsx";
import styles from "./cells.module.css";
import { populationMessage } from "../../card/row-messages.ts";

/** The table cell: "Pop 204 · 12 higher", or a dash if the grader gave no population. */
export function Population({ row }: { row: ResultRow }) {
  const counts = populationMessage(row);
  if (counts === null) return isFound(row) ? <NoValue /> : null;
  const message = row.population === null ? counts : `Pop ${counts}`;
  return (
    <span className={styles.cut} title={message}>
      {message}
    </span>
  );
}

/** The drawer's line: the population and the day on which it was read. */
export function PopulationFact({ row }: { row: ResultRow }) {
  if (!isFound(row)) return null;
  const counts = populationMessage(row);
  return (
    <p>
      <Text span inherit c="dimmed">
        Population
      </Text>{" "}
      {counts ?? <NoValue />}
      {row.populationAsOf !== null && (
        <Text span inherit c="dimmed">
          {" "}
          as of <time dateTime={row.populationAsOf}>{formatDay(row.populationAsOf)}</time>
        </Text>
      )}
    </p>
  );
}
