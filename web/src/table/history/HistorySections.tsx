import { PRICE_SOURCE_NAMES } from "@slabdesk/contract/api/prices.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import type { Provenance } from "@slabdesk/contract/api/provenance.ts";
import { IconExternalLink } from "@tabler/icons-react";
import { Fragment, type ReactNode } from "react";
import { Tag } from "../../ui/Tag.tsx";
import { imageFlagMessage } from "../row/image-messages.ts";
import { legendOf, piecesOf } from "./whitespace.ts";
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
import styles from "./HistoryDrawer.module.css";

const MOMENT = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** A row's provenance in chronological order. */
export function HistorySections({
  provenance,
  isRunning,
  nowMs,
}: {
  provenance: Provenance;
  isRunning: boolean;
  nowMs: number;
}) {
  const { row } = provenance;
  const remembered = rememberedMessage(provenance.lookupHistory, nowMs);
  return (
    <>
      <p className={styles.state} data-status={row.status}>
        {stateMessage(row, isRunning)}
      </p>
      <UploadedLine provenance={provenance} />
      <Note title="Repaired" message={row.warnings} />
      <Attempts provenance={provenance} nowMs={nowMs} />
      <Note title="The sheet says otherwise" message={row.mismatches} tone="warn" />
      <Note title="Pictures" message={imageFlagMessage(row)} tone="warn" />
      <PricesThen provenance={provenance} nowMs={nowMs} />
      <Note title="Remembered" message={remembered} />
      <Reference provenance={provenance} />
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className={styles.heading}>{title}</h3>
      {children}
    </section>
  );
}

/** Sentences, one per paragraph; no section if there are none. */
function Note({ title, message, tone }: { title: string; message: readonly string[]; tone?: "warn" }) {
  if (message.length === 0) return null;
  return (
    <Section title={title}>
      <ul className={styles.message} data-tone={tone}>
        {message.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </Section>
  );
}

function UploadedLine({ provenance }: { provenance: Provenance }) {
  const cells = lineCells(provenance);
  const legend = legendOf(cells.map(({ cell }) => cell));
  return (
    <Section title={`Line ${provenance.row.line} as uploaded`}>
      <dl className={styles.cells}>
        {keyed(cells, ({ name }) => name).map(({ key, item: { name, cell } }) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd>{cell === "" ? <span className={styles.quiet}>empty</span> : <Cell cell={cell} />}</dd>
          </div>
        ))}
      </dl>
      {legend !== null && <p className={styles.legend}>{legend}</p>}
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

function Attempts({ provenance, nowMs }: { provenance: Provenance; nowMs: number }) {
  const attempts = provenance.lookUps.map((lookUp) => attemptOf(lookUp, provenance.row, nowMs));
  return (
    <Section title="Attempts">
      {attempts.length === 0 ? (
        <p className={styles.quiet}>{noAttemptMessage(provenance.row)}</p>
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

function AttemptLine({ attempt }: { attempt: Attempt }) {
  const { at, asked, duration, chip, tone, message } = attempt;
  return (
    <li className={styles.attempt} data-tone={tone}>
      <span className={styles.attemptLine}>
        <span className={styles.asked}>{asked}</span>
        <Tag tone={tone} look="small">
          {chip}
        </Tag>
      </span>
      {message !== null && <span>{message}</span>}
      <span className={styles.quiet}>
        <time dateTime={at}>{MOMENT.format(new Date(at))}</time>
        {duration !== null && ` · took ${duration}`}
      </span>
    </li>
  );
}

function PricesThen({ provenance, nowMs }: { provenance: Provenance; nowMs: number }) {
  if (provenance.quotes.length === 0) return null;
  return (
    <Section title="Prices then">
      <ul className={styles.quotes}>
        {provenance.quotes.map((quote) => (
          <li key={`${quote.source} ${quote.fetchedAt}`}>
            <time className={styles.quiet} dateTime={quote.fetchedAt} title={MOMENT.format(new Date(quote.fetchedAt))}>
              {DAY.format(new Date(quote.fetchedAt))}
            </time>
            <span>{PRICE_SOURCE_NAMES[quote.source]}</span>
            <span className={styles.figures}>{quoteMessage(quote)}</span>
          </li>
        ))}
      </ul>
      {driftMessage(provenance.quotes, nowMs).map((message) => (
        <p key={message} className={styles.drift}>
          {message}
        </p>
      ))}
    </Section>
  );
}

function Reference({ provenance }: { provenance: Provenance }) {
  const { row, sessionName, csvFilename, processingMode, createdAt } = provenance;
  const facts = [
    ["Session", sessionName],
    ["File", `${csvFilename}, line ${row.line}`],
    ["Data source", modeMessage(processingMode)],
    ["Uploaded", MOMENT.format(new Date(createdAt))],
    ["Row and session", `${row.id} · ${row.sessionId}`],
  ] as const;
  return (
    <Section title="Reference">
      <dl className={styles.cells}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {row.certUrl !== null && row.certUrl !== NOT_AVAILABLE && (
          <div>
            <dt>Certificate</dt>
            <dd>
              <a className={styles.link} href={row.certUrl} target="_blank" rel="noreferrer">
                View Cert <IconExternalLink size={14} aria-hidden="true" />
              </a>
            </dd>
          </div>
        )}
      </dl>
    </Section>
  );
}

/** Adds a unique key to each item: the value of `keyOf`, plus the number of preceding items with the same value. */
function keyed<Item>(items: readonly Item[], keyOf: (item: Item) => string): { key: string; item: Item }[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const key = keyOf(item);
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return { key: `${key} ${before}`, item };
  });
}
