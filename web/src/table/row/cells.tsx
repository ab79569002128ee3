import type { CardHistory } from "@slabdesk/contract/api/lookup-history.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import { canEdit, canEnter, isEnteredHere, isError, isFound } from "@slabdesk/contract/review/row-state.ts";
import {
  IconAlertCircle,
  IconArrowsDiff,
  IconExternalLink,
  IconForms,
  IconHistory,
  IconPencil,
  IconStack2,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import chips from "../../card/chips.module.css";
import { ByHandTag, CompanyTag, NoValue } from "../../card/chips.tsx";
import { amount } from "../../card/prices/price-messages.ts";
import { populationMessage, type Remark, rowMessage, rowRemarks, rowTitle } from "../../card/row-messages.ts";
import { lookUpMessage, TWICE_OPEN_MESSAGE } from "../../run/lookup-history-messages.ts";
import { Marked } from "../../ui/text/Marked.tsx";
import { VisuallyHidden } from "../../ui/text/VisuallyHidden.tsx";
import styles from "./cells.module.css";
import type { CellProps } from "./row-context.ts";
import tones from "./tone.module.css";

/** A field of the card: empty before the look-up, dimmed if the grader has no value. */
export function FieldText({ value }: { value: string | null }) {
  if (value === null || value === "") return null;
  if (value === NOT_AVAILABLE) return <span className={chips.quiet}>{value}</span>;
  return (
    <span className={chips.cut} title={value}>
      <Marked text={value} />
    </span>
  );
}

/** Company, number and a link to the grader's page, or the edit button of a failed row. */
export function Certification({ row, tabIndex, context: { onEdit, onOpen, lookups } }: CellProps) {
  return (
    <span className={styles.certification}>
      <span className={styles.line}>
        <CompanyTag company={row.gradingCompany} />
        <span className={styles.number} title={row.certNumber}>
          {row.certNumber === "" ? "no number" : <Marked text={row.certNumber} />}
        </span>
      </span>
      <span className={styles.line}>
        {row.certUrl !== null && row.certUrl !== NOT_AVAILABLE && (
          <a className={styles.link} href={row.certUrl} target="_blank" rel="noreferrer" tabIndex={tabIndex}>
            <span className={styles.linkMessage}>View Cert</span>
            <VisuallyHidden> {row.certNumber}, opens a new tab</VisuallyHidden>
            <IconExternalLink size={12} aria-hidden="true" />
          </a>
        )}
        {canEdit(row) && (
          <button type="button" className={styles.link} tabIndex={tabIndex} onClick={() => onEdit(row)}>
            <IconPencil size={12} aria-hidden="true" />
            <span className={styles.linkMessage}>Edit</span>
            <VisuallyHidden> number {row.certNumber}</VisuallyHidden>
          </button>
        )}
        {canEnter(row) && (
          <button type="button" className={styles.link} tabIndex={tabIndex} onClick={() => onOpen(row, "entry")}>
            <IconForms size={12} aria-hidden="true" />
            <span className={styles.linkMessage}>{isEnteredHere(row) ? "Edit entry" : "Enter by hand"}</span>
            <VisuallyHidden> {row.certNumber}</VisuallyHidden>
          </button>
        )}
        <LookupHistoryMark lookups={lookups.get(row.id)} />
      </span>
    </span>
  );
}

/** Marks a card that was looked up before or that is in another open session. */
function LookupHistoryMark({ lookups }: { lookups: CardHistory | undefined }) {
  if (!lookups) return null;
  const messages = lookUpMessage(lookups);
  return (
    <>
      {messages.length > 0 && (
        <Mark messages={messages} kind="before">
          <IconHistory size={14} aria-hidden="true" />
        </Mark>
      )}
      {lookups.isTwiceOpen && (
        <Mark messages={[TWICE_OPEN_MESSAGE]} kind="twice">
          <IconStack2 size={14} aria-hidden="true" />
        </Mark>
      )}
    </>
  );
}

type MarkProps = { messages: readonly string[]; kind: string; children: ReactNode };

/** An icon that stands for messages. `kind` sets its color. */
function Mark({ messages, kind, children }: MarkProps) {
  return (
    <span className={`${tones.remark} ${styles.mark}`} data-kind={kind} title={messages.join("\n")}>
      {children}
      <VisuallyHidden>{messages.join(". ")}</VisuallyHidden>
    </span>
  );
}

/** The card's name, which opens the card, and a second line: subject and set, or the row's state. */
export function ItemName(cell: CellProps) {
  const { row } = cell;
  const remarks = rowRemarks(row);
  return (
    <span className={styles.item}>
      <span className={styles.line}>
        <CardButton {...cell} className={styles.name} />
        <ByHandTag row={row} />
        <RemarkMark remarks={remarks.filter(({ kind }) => kind === "differs")} />
        <RemarkMark remarks={remarks.filter(({ kind }) => kind !== "differs")} />
      </span>
      <RowState {...cell} />
    </span>
  );
}

type CardButtonProps = CellProps & { className: string | undefined };

/** The card's name. Opens the card; with Ctrl or Shift, a click selects the row instead, as everywhere in the row. */
export function CardButton({ row, className, tabIndex, context }: CardButtonProps) {
  const title = rowTitle(row);
  return (
    <button
      type="button"
      className={`${styles.open} ${className}`}
      tabIndex={tabIndex}
      title={title ?? undefined}
      aria-label={title === null ? `Open the card ${row.certNumber}` : undefined}
      data-opens-card
      onClick={({ shiftKey, ctrlKey, metaKey }) => {
        if (!shiftKey && !ctrlKey && !metaKey) context.onOpen(row);
      }}
    >
      {title === null ? (
        // Takes the name's place before the look-up.
        <span className={styles.ghost} style={{ width: `${55 + (row.line % 5) * 9}%` }} />
      ) : (
        <Marked text={title} />
      )}
    </button>
  );
}

/** One mark per kind of remark. Differences from the sheet have their own mark. */
function RemarkMark({ remarks }: { remarks: readonly Remark[] }) {
  const [first] = remarks;
  if (!first) return null;
  const Icon = first.kind === "differs" ? IconArrowsDiff : IconAlertCircle;
  return (
    <Mark kind={first.kind} messages={remarks.map(({ message }) => message)}>
      <Icon size={15} aria-hidden="true" />
    </Mark>
  );
}

export function RowState({ row, context: { isRunning, describeError } }: CellProps) {
  const box = isError(row) ? (describeError?.(row) ?? null) : null;
  if (box !== null)
    return (
      <span className={styles.errorBox} title={box.message}>
        <strong>{box.title}</strong>
        <span className={chips.cut}>{box.message}</span>
      </span>
    );
  const { tone, label, hint, fullMessage } = rowMessage(row, isRunning);
  if (label === null && row.mismatches.length > 0) return <Differences messages={row.mismatches} />;
  const origin = [row.player, row.brand].filter((part) => part !== null && part !== NOT_AVAILABLE && part !== "");
  const hasOrigin = tone === "plain" || tone === "good";
  const beside = hint ?? (hasOrigin ? origin.join(" · ") : "");
  return (
    <span
      className={styles.under}
      data-tone={label === null ? undefined : tone}
      title={(fullMessage ?? beside) || undefined}
    >
      {tone === "busy" && <span className={styles.busyDot} aria-hidden="true" />}
      {label !== null && <span className={styles.label}>{label}</span>}
      {beside !== "" && (
        <span className={styles.hint}>
          <Marked text={beside} />
        </span>
      )}
      {fullMessage !== null && fullMessage !== beside && <VisuallyHidden>. {fullMessage}</VisuallyHidden>}
    </span>
  );
}

/** The first difference between sheet and grader, and the number of others. */
function Differences({ messages }: { messages: readonly string[] }) {
  const [first, ...others] = messages;
  return (
    <span className={styles.under} data-tone="differs" title={messages.join("\n")}>
      <span className={styles.hint}>{first !== undefined && <Marked text={first} />}</span>
      {others.length > 0 && (
        <span className={styles.label}>
          <span aria-hidden="true">+{others.length}</span>
          <VisuallyHidden>{others.join(". ")}</VisuallyHidden>
        </span>
      )}
    </span>
  );
}

/** "Pop 204 · 12 higher", or a dash if the grader gave no population. */
export function Population({ row }: { row: ResultRow }) {
  const counts = populationMessage(row);
  if (counts === null) return isFound(row) ? <NoValue /> : null;
  const message = row.population === null ? counts : `Pop ${counts}`;
  return (
    <span className={chips.cut} title={message}>
      {message}
    </span>
  );
}

/** The sheet's price: an amount, or the typed text if it isn't an amount. */
export function Price({ row }: { row: ResultRow }) {
  if (row.price !== null) return amount(row.price);
  if (row.priceText === "") return null;
  return (
    <span className={styles.unread} title="Not an amount; kept as typed">
      {row.priceText}
      <VisuallyHidden> is not an amount; kept as typed</VisuallyHidden>
    </span>
  );
}

/** The customer price with thousands separators. The export has none. */
export function CustomerPrice({ row: { customerPrice } }: { row: ResultRow }) {
  const dollars = Number(customerPrice);
  return Number.isFinite(dollars) && customerPrice !== "" ? amount(dollars) : customerPrice;
}
