import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { parseCompany } from "@slabdesk/contract/certs/company.ts";
import { formatDay, formatMoment } from "@slabdesk/contract/certs/dates.ts";
import { isByHand, isError, isFound } from "@slabdesk/contract/review/row-state.ts";
import { Box } from "@mantine/core";
import { Fact, Facts, Remark } from "./CardParts.tsx";
import { stateMessage } from "./history/provenance-messages.ts";
import { knownValue, populationMessage, rowRemarks } from "./row-messages.ts";

/** What the grader says about the card. */
export function CardFacts({ row }: { row: ResultRow }) {
  const { populationAsOf: asOf } = row;
  const facts = [
    { name: "Population", value: populationMessage(row), note: asOf && `as of ${formatDay(asOf)}` },
    { name: "Player/Character", value: knownValue(row.player) },
    { name: "Year", value: knownValue(row.year) },
    { name: "Card number", value: knownValue(row.cardNumber) },
    { name: "Variety", value: knownValue(row.variety) },
    { name: "TAG score", value: knownValue(row.tagScore) },
    { name: "Grader notes", value: knownValue(row.graderNotes) },
    { name: "Looked up", value: sourceOf(row), note: row.processedAt && formatMoment(row.processedAt) },
  ];
  if (!isFound(row)) return null;
  return (
    <Facts variant="grid">
      {facts
        .filter((fact) => fact.value !== null)
        .map((fact) => (
          <Fact key={fact.name} name={fact.name}>
            {fact.value}
            {fact.note && (
              <Remark span display="block">
                {fact.note}
              </Remark>
            )}
          </Fact>
        ))}
    </Facts>
  );
}

function sourceOf({ source, gradingCompany }: ResultRow): string | null {
  const company = parseCompany(gradingCompany) ?? gradingCompany;
  const names = {
    api: `${company}'s API`,
    page: `${company}'s website`,
    hand: "Entered by hand",
    known: "Saved result",
  };
  return source && names[source];
}

/** The card's set and game, in one line. */
export const originOf = ({ sport, brand, language }: ResultRow): string =>
  [sport, brand, language].flatMap((text) => knownValue(text) ?? []).join(" · ");

const STATE = { p: "8px 12px", bdrs: "md", bg: "var(--tone-soft)", c: "var(--tone-text)", fz: "sm", lh: 1.45 };

type CardStateProps = { row: ResultRow; isRunning: boolean; reasons: readonly { message: string }[] };

/** Why the card needs attention: the row's state if it has no card, else what to review. */
export function CardState({ row, isRunning, reasons }: CardStateProps) {
  const remarks = rowRemarks(row).map(({ message }) => message);
  const messages = isError(row) ? remarks : [...new Set([...reasons.map(({ message }) => message), ...remarks])];
  const state = isFound(row) && !isByHand(row) ? null : stateMessage(row, isRunning);
  if (state === null && messages.length === 0) return null;
  const isWarning = isFound(row) ? reasons.length > 0 : row.status === "queued" || row.status === "waiting";
  const tone = isError(row) ? "bad" : isWarning ? "warn" : "neutral";
  return (
    <Box {...STATE} style={{ overflowWrap: "anywhere" }} data-tone={tone} role="note">
      {state !== null && <p>{state}</p>}
      {messages.length > 0 && (
        <ul aria-label={reasons.length > 0 && isFound(row) ? "Needs review" : "Remarks"}>
          {messages.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </Box>
  );
}
