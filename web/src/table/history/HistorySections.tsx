import type { Provenance } from "@slabdesk/contract/api/provenance.ts";
import { formatDay, formatExactMoment } from "@slabdesk/contract/certs/dates.ts";
import { PRICE_SOURCE_NAMES } from "@slabdesk/contract/api/prices.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import { isError } from "@slabdesk/contract/review/row-state.ts";
import { Group, Text } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import { keyed } from "../../ui/keyed.ts";
import { Tag } from "../../ui/Tag.tsx";
import { CertLink, Fact, Facts, Section } from "../row/DrawerParts.tsx";
import { imageFlagMessage } from "../row/image-messages.ts";
import styles from "./HistoryDrawer.module.css";
import {
  type Attempt,
  attemptOf,
  driftMessage,
  lineCells,
  modeMessage,
  noAttemptMessage,
  quoteMessage,
  rememberedMessage,
  stateMessage,
} from "./provenance-messages.ts";
import { legendOf, piecesOf } from "./whitespace.ts";

type PartProps = { provenance: Provenance };

/** A row's provenance in chronological order. */
export function HistorySections({ provenance, isRunning }: PartProps & { isRunning: boolean }) {
  const { row } = provenance;
  const tone = isError(row) ? "bad" : row.status === "queued" || row.status === "waiting" ? "warn" : null;
  return (
    <>
      <Text
        size="sm"
        p="9px 12px"
        bdrs="md"
        bg={tone ? `var(--sd-${tone}-soft)` : "var(--sd-canvas)"}
        c={`var(--sd-${tone ?? "ink"})`}
        style={{ overflowWrap: "anywhere" }}
      >
        {stateMessage(row, isRunning)}
      </Text>
      <UploadedLine provenance={provenance} />
      <Notes title="Repaired" messages={row.warnings} />
      <Attempts provenance={provenance} />
      <Notes title="The sheet says otherwise" messages={row.mismatches} tone="warn" />
      <Notes title="Pictures" messages={imageFlagMessage(row)} tone="warn" />
      <PricesThen provenance={provenance} />
      <Notes title="Remembered" messages={rememberedMessage(provenance.lookupHistory)} />
      <Reference provenance={provenance} />
    </>
  );
}

/** Sentences, one per line; no section if there are none. */
function Notes({ title, messages, tone }: { title: string; messages: readonly string[]; tone?: "warn" }) {
  if (messages.length === 0) return null;
  return (
    <Section label={title}>
      <ul className={styles.notes} data-tone={tone}>
        {messages.map((message) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </Section>
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

function Attempts({ provenance }: PartProps) {
  const attempts = provenance.lookUps.map((lookUp) => attemptOf(lookUp, provenance.row));
  return (
    <Section label="Attempts">
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

function PricesThen({ provenance: { quotes } }: PartProps) {
  if (quotes.length === 0) return null;
  return (
    <Section label="Prices then">
      <ul className={styles.quotes}>
        {quotes.map((quote) => (
          <li key={`${quote.source} ${quote.fetchedAt}`}>
            <Quiet>
              <time dateTime={quote.fetchedAt} title={formatExactMoment(quote.fetchedAt)}>
                {formatDay(quote.fetchedAt)}
              </time>
            </Quiet>
            <span>{PRICE_SOURCE_NAMES[quote.source]}</span>
            <span className={styles.prices}>{quoteMessage(quote)}</span>
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
        {row.certUrl !== null && row.certUrl !== NOT_AVAILABLE && (
          <Fact name="Certificate">
            <CertLink href={row.certUrl} />
          </Fact>
        )}
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
