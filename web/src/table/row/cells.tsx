import { type ResultRow, NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
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
import chips from "../../card/chips.module.css";
import { ByHandTag, CompanyTag, NoValue } from "../../card/chips.tsx";
import { amount } from "../../card/prices/price-messages.ts";
import { knownValue, populationMessage, rowMessage, rowRemarks, rowTitle } from "../../card/row-messages.ts";
import { lookUpMessage, TWICE_OPEN_MESSAGE } from "../../run/lookup-history-messages.ts";
import { Marked } from "../../ui/text/Marked.tsx";
import { VisuallyHidden } from "../../ui/text/VisuallyHidden.tsx";
import styles from "./cells.module.css";
import type { CellProps } from "./row-context.ts";
import tones from "./tone.module.css";

/** Company, number and a link to the grader's page, or the edit button of a failed row. */
export function Certification({ row, tabIndex, context: { onEdit, onOpen, lookups } }: CellProps) {
  const before = lookups.get(row.id);
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
        {before && <Mark Icon={IconHistory} kind="before" messages={lookUpMessage(before)} />}
        {before?.isTwiceOpen === true && <Mark Icon={IconStack2} kind="twice" messages={[TWICE_OPEN_MESSAGE]} />}
      </span>
    </span>
  );
}

type MarkProps = { messages: readonly string[]; kind: string | undefined; Icon: typeof IconHistory; size?: number };

/** An icon that stands for messages; nothing without them. `kind` sets its color. */
function Mark({ messages, kind, Icon, size = 14 }: MarkProps) {
  if (messages.length === 0) return null;
  return (
    <span className={`${tones.remark} ${styles.mark}`} data-kind={kind} title={messages.join("\n")}>
      <Icon size={size} aria-hidden="true" />
      <VisuallyHidden>{messages.join(". ")}</VisuallyHidden>
    </span>
  );
}

/** The card's name, which opens the card, and a second line: subject and set, or the row's state. */
export function ItemName(cell: CellProps) {
  const { row } = cell;
  const others = rowRemarks(row).filter(({ kind }) => kind !== "differs");
  return (
    <span className={styles.item}>
      <span className={styles.line}>
        <CardButton {...cell} className={styles.name} />
        <ByHandTag row={row} />
        <Mark Icon={IconArrowsDiff} size={15} kind="differs" messages={row.mismatches} />
        <Mark Icon={IconAlertCircle} size={15} kind={others[0]?.kind} messages={others.map(({ message }) => message)} />
      </span>
      <RowState {...cell} />
    </span>
  );
}

/** The lines of `ItemName` without their buttons and marks. */
export function nameText(row: ResultRow) {
  return (
    <span className={styles.item}>
      <span className={styles.name}>{rowTitle(row)}</span>
      <span className={styles.under}>{originOf(row)}</span>
    </span>
  );
}

/** The card's name. Opens the card; with Ctrl or Shift, a click selects the row instead, as everywhere in the row. */
export function CardButton({ row, className, tabIndex, context }: CellProps & { className: string | undefined }) {
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
        // Takes the name's place before the lookup.
        <span className={styles.ghost} style={{ width: `${7 + (row.line % 5)}em` }} />
      ) : (
        <Marked text={title} />
      )}
    </button>
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
  const hasOrigin = tone === "plain" || tone === "good";
  const beside = hint ?? (hasOrigin ? originOf(row) : "");
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

function originOf({ player, brand }: ResultRow): string {
  return [player, brand].flatMap((part) => knownValue(part) ?? []).join(" · ");
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
