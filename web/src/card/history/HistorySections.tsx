import type { Provenance } from "@slabdesk/contract/api/provenance.ts";
import { formatDay, formatExactMoment } from "@slabdesk/contract/certs/dates.ts";
import { PRICE_SOURCE_NAMES } from "@slabdesk/contract/api/prices.ts";
import { Group, Text } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import { keyed } from "../../ui/keyed.ts";
import { Tag } from "../../ui/Tag.tsx";
import { Fact, Facts, Section } from "../CardParts.tsx";
import styles from "./History.module.css";
import {
  type Attempt,
  attemptOf,
  driftMessage,
  lineCells,
  modeMessage,
  noAttemptMessage,
  quoteMessage,
} from "./provenance-messages.ts";
import { legendOf, piecesOf } from "./whitespace.ts";

type PartProps = { provenance: Provenance };

/** The attempts, then the line as uploaded and what the row belongs to. `copy` copies all of it. */
export function HistorySections({ provenance, copy }: PartProps & { copy: ReactNode }) {
  return (
    <>
      <Attempts provenance={provenance} copy={copy} />
      <UploadedLine provenance={provenance} />
      <Reference provenance={provenance} />
    </>
  );
}

function UploadedLine({ provenance }: Pick<PartProps, "provenance">) {
  const cells = lineCells(provenance);
  const legend = legendOf(cells.map(({ cell }) => cell));
  return (
    <Section label={`Line ${provenance.row.line} as uploaded`}>
      <Facts variant="list">
        {keyed(cells, ({ name }) => name).map(({ key, item: { name, cell } }) => (
          <Fact key={key} name={name}>
            {cell === "" ? <Quiet>empty</Quiet> : <Cell cell={cell} />}
          </Fact>
        ))}
      </Facts>
      {legend !== null && (
        <Text c="dimmed" fz="xs" mt={6}>
          {legend}
        </Text>
      )}
    </Section>
  );
}

/** The cell exactly as typed, with significant white space shown as symbols. */
function Cell({ cell }: { cell: string }) {
  return keyed(piecesOf(cell), ({ text }) => text).map(({ key, item: { text, name } }) =>
    name === null ? (
      <Fragment key={key}>{text}</Fragment>
    ) : (
      <mark key={key} className={styles.sign} title={name}>
        {text}
      </mark>
    ),
  );
}

function Attempts({ provenance, copy }: PartProps & { copy: ReactNode }) {
  const attempts = provenance.lookUps.map((lookUp) => attemptOf(lookUp, provenance.row));
  return (
    <Section label="History" side={copy}>
      {attempts.length === 0 ? (
        <Text c="dimmed">{noAttemptMessage(provenance.row)}</Text>
      ) : (
        <ol className={styles.attempts}>
          {keyed(attempts, ({ at }) => at).map(({ key, item }) => (
            <AttemptLine key={key} attempt={item} />
          ))}
        </ol>
      )}
    </Section>
  );
}

function AttemptLine({ attempt: { at, asked, duration, chip, tone, message } }: { attempt: Attempt }) {
  return (
    <li className={styles.attempt}>
      <span className={styles.dot} style={{ background: `var(--sd-${tone})` }} aria-hidden="true" />
      <Group component="span" gap={8} wrap="nowrap">
        <Text span inherit fw={550}>
          {asked}
        </Text>
        <Tag tone={tone} variant="small">
          {chip}
        </Tag>
      </Group>
      {message !== null && <span>{message}</span>}
      <Quiet>
        <time dateTime={at}>{formatExactMoment(at)}</time>
        {duration !== null && ` · took ${duration}`}
      </Quiet>
    </li>
  );
}

/** What each fetch of the card's price returned, oldest first. */
export function PriceHistory({ provenance: { quotes } }: PartProps) {
  if (quotes.length === 0) return null;
  return (
    <Section label="Price history">
      <ul className={styles.lines}>
        {quotes.map((quote) => (
          <li key={`${quote.source} ${quote.fetchedAt}`}>
            <time dateTime={quote.fetchedAt} title={formatExactMoment(quote.fetchedAt)}>
              {formatDay(quote.fetchedAt)}
            </time>
            <span>{PRICE_SOURCE_NAMES[quote.source]}</span>
            <span className={styles.numbers}>{quoteMessage(quote)}</span>
          </li>
        ))}
      </ul>
      {driftMessage(quotes).map((message) => (
        <Text key={message} fz="sm" fw={550} mt={6}>
          {message}
        </Text>
      ))}
    </Section>
  );
}

function Reference({ provenance }: Pick<PartProps, "provenance">) {
  const { row, sessionName, csvFilename, processingMode, createdAt } = provenance;
  return (
    <Section label="Reference">
      <Facts variant="list">
        <Fact name="Session">{sessionName}</Fact>
        <Fact name="File">{`${csvFilename}, line ${row.line}`}</Fact>
        <Fact name="Data source">{modeMessage(processingMode)}</Fact>
        <Fact name="Uploaded">{formatExactMoment(createdAt)}</Fact>
        <Fact name="Row and session">{`${row.id} · ${row.sessionId}`}</Fact>
      </Facts>
    </Section>
  );
}

function Quiet({ children }: { children: ReactNode }) {
  return (
    <Text span inherit c="dimmed">
      {children}
    </Text>
  );
}
