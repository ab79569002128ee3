import { PRICE_SOURCE_NAMES } from "@slabdesk/contract/api/prices.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import type { Why } from "@slabdesk/contract/api/why.ts";
import { IconExternalLink } from "@tabler/icons-react";
import { Fragment, type ReactNode } from "react";
import { Tag } from "../../ui/Tag.tsx";
import { imageFlagWords } from "../image-words.ts";
import { legendOf, piecesOf } from "./whitespace.ts";
import {
  type Attempt,
  attemptOf,
  driftWords,
  lineCells,
  modeWords,
  noAttemptWords,
  quoteWords,
  rememberedWords,
  stateWords,
} from "./why-words.ts";
import styles from "./WhyDrawer.module.css";

const MOMENT = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** The reasons in the order in which they came to be. */
export function WhySections({ why, isRunning, nowMs }: { why: Why; isRunning: boolean; nowMs: number }) {
  const { row } = why;
  const remembered = rememberedWords(why.memory, nowMs);
  return (
    <>
      <p className={styles.state} data-status={row.status}>
        {stateWords(row, isRunning)}
      </p>
      <UploadedLine why={why} />
      <Words title="Repaired" words={row.warnings} />
      <Attempts why={why} nowMs={nowMs} />
      <Words title="The sheet says otherwise" words={row.mismatches} tone="warn" />
      <Words title="Pictures" words={imageFlagWords(row)} tone="warn" />
      <PricesThen why={why} nowMs={nowMs} />
      <Words title="Remembered" words={remembered} />
      <Reference why={why} />
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

/** Sentences, one below the other; no section when there are none. */
function Words({ title, words, tone }: { title: string; words: readonly string[]; tone?: "warn" }) {
  if (words.length === 0) return null;
  return (
    <Section title={title}>
      <ul className={styles.words} data-tone={tone}>
        {words.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </Section>
  );
}

function UploadedLine({ why }: { why: Why }) {
  const cells = lineCells(why);
  const legend = legendOf(cells.map(({ cell }) => cell));
  return (
    <Section title={`Line ${why.row.line} as uploaded`}>
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

/** Exactly as typed, with white space that matters as signs. */
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

function Attempts({ why, nowMs }: { why: Why; nowMs: number }) {
  const attempts = why.lookUps.map((lookUp) => attemptOf(lookUp, why.row, nowMs));
  return (
    <Section title="Attempts">
      {attempts.length === 0 ? (
        <p className={styles.quiet}>{noAttemptWords(why.row)}</p>
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
  const { at, asked, duration, chip, tone, words } = attempt;
  return (
    <li className={styles.attempt} data-tone={tone}>
      <span className={styles.attemptLine}>
        <span className={styles.asked}>{asked}</span>
        <Tag tone={tone} look="small">
          {chip}
        </Tag>
      </span>
      {words !== null && <span>{words}</span>}
      <span className={styles.quiet}>
        <time dateTime={at}>{MOMENT.format(new Date(at))}</time>
        {duration !== null && ` · took ${duration}`}
      </span>
    </li>
  );
}

function PricesThen({ why, nowMs }: { why: Why; nowMs: number }) {
  if (why.quotes.length === 0) return null;
  return (
    <Section title="Prices then">
      <ul className={styles.quotes}>
        {why.quotes.map((quote) => (
          <li key={`${quote.source} ${quote.fetchedAt}`}>
            <time className={styles.quiet} dateTime={quote.fetchedAt} title={MOMENT.format(new Date(quote.fetchedAt))}>
              {DAY.format(new Date(quote.fetchedAt))}
            </time>
            <span>{PRICE_SOURCE_NAMES[quote.source]}</span>
            <span className={styles.figures}>{quoteWords(quote)}</span>
          </li>
        ))}
      </ul>
      {driftWords(why.quotes, nowMs).map((words) => (
        <p key={words} className={styles.drift}>
          {words}
        </p>
      ))}
    </Section>
  );
}

function Reference({ why }: { why: Why }) {
  const { row, sessionName, csvFilename, processingMode, createdAt } = why;
  const facts = [
    ["Session", sessionName],
    ["File", `${csvFilename}, line ${row.line}`],
    ["Data source", modeWords(processingMode)],
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

/** Keys for things of which two may look alike: how many like it came before. */
function keyed<Item>(items: readonly Item[], looks: (item: Item) => string): { key: string; item: Item }[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const look = looks(item);
    const before = seen.get(look) ?? 0;
    seen.set(look, before + 1);
    return { key: `${look} ${before}`, item };
  });
}
