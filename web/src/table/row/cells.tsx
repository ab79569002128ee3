import { formatMoment } from "@slabdesk/contract/certs/dates.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import { VisuallyHidden } from "../../ui/text/VisuallyHidden.tsx";
import { IconAlertCircle, IconArrowsDiff, IconExternalLink, IconForms, IconPencil } from "@tabler/icons-react";
import { canEdit, canEnter, isEnteredHere, isError } from "@slabdesk/contract/review/row-state.ts";
import { ByHandTag, CompanyTag, NoValue } from "../../card/chips.tsx";
import { LookupHistoryMark, Mark } from "./LookupHistoryMark.tsx";
import { amount } from "../../card/prices/price-messages.ts";
import type { RowContext } from "./row-context.ts";
import { type Remark, rowRemarks, rowTitle, rowMessage } from "../../card/row-messages.ts";
import { Marked } from "../../ui/text/Marked.tsx";
import styles from "./cells.module.css";

/** A field of the card: empty before the look-up, dimmed if the grader has no value. */
export function FieldText({ value }: { value: string | null }) {
  if (value === null || value === "") return null;
  if (value === NOT_AVAILABLE) return <span className={styles.quiet}>{value}</span>;
  return (
    <span className={styles.cut} title={value}>
      <Marked text={value} />
    </span>
  );
}

type CertificationProps = {
  row: ResultRow;
  tabIndex: number;
  context: Pick<RowContext, "onEdit" | "onOpen" | "lookups">;
};

/** Company, number and a link to the grader's page, or the edit button of a failed row. */
export function Certification({ row, tabIndex, context: { onEdit, onOpen, lookups } }: CertificationProps) {
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

type RowStateProps = { row: ResultRow; context: Pick<RowContext, "isRunning" | "describeError"> };
type ItemNameProps = RowStateProps & { tabIndex: number; context: Pick<RowContext, "onOpen"> };

/** The card's name, which opens the card, and a second line: subject and set, or the row's state. */
export function ItemName({ row, tabIndex, context }: ItemNameProps) {
  const remarks = rowRemarks(row);
  return (
    <span className={styles.item}>
      <span className={styles.line}>
        <CardButton row={row} className={styles.name} tabIndex={tabIndex} onOpen={context.onOpen} />
        <ByHandTag row={row} />
        <RemarkMark remarks={remarks.filter(({ kind }) => kind === "differs")} />
        <RemarkMark remarks={remarks.filter(({ kind }) => kind !== "differs")} />
      </span>
      <RowState row={row} context={context} />
    </span>
  );
}

type CardButtonProps = Pick<ItemNameProps, "row" | "tabIndex"> & {
  className: string | undefined;
  onOpen: RowContext["onOpen"];
};

/** The card's name. Opens the card; with Ctrl or Shift, a click selects the row instead, as everywhere in the row. */
export function CardButton({ row, className, tabIndex, onOpen }: CardButtonProps) {
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
        if (!shiftKey && !ctrlKey && !metaKey) onOpen(row);
      }}
    >
      {title === null ? <GhostName row={row} /> : <Marked text={title} />}
    </button>
  );
}

/** Takes a name's place before the look-up. */
function GhostName({ row: { line } }: { row: ResultRow }) {
  return <span className={styles.ghost} style={{ width: `${55 + (line % 5) * 9}%` }} />;
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

/** The line under the name. */
export function RowState({ row, context: { isRunning, describeError } }: RowStateProps) {
  const box = isError(row) ? (describeError?.(row) ?? null) : null;
  if (box === null) return <StateMessage row={row} isRunning={isRunning} />;
  return (
    <span className={styles.errorBox} title={box.message}>
      <strong>{box.title}</strong>
      <span className={styles.cut}>{box.message}</span>
    </span>
  );
}

function StateMessage({ row, isRunning }: { row: ResultRow; isRunning: boolean }) {
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

/** A time in the user's time zone. */
export function Moment({ at }: { at: string | null }) {
  if (at === null) return null;
  return <time dateTime={at}>{formatMoment(at)}</time>;
}

/** The sheet's price: an amount, or the typed text if it isn't an amount. */
export function Price({ row }: { row: ResultRow }) {
  if (row.price !== null) return <>{amount(row.price)}</>;
  if (row.priceText === "") return null;
  return (
    <span className={styles.unread} title="Not an amount; kept as typed">
      {row.priceText}
      <VisuallyHidden> is not an amount; kept as typed</VisuallyHidden>
    </span>
  );
}

/** The customer price with thousands separators. The export has none. */
export function CustomerPrice({ row }: { row: ResultRow }) {
  const dollars = Number(row.customerPrice);
  return <>{Number.isFinite(dollars) && row.customerPrice !== "" ? amount(dollars) : row.customerPrice}</>;
}

/** A market amount in dollars; a dash if the card could have one but doesn't. */
export function Amount({ value, isExpected }: { value: number | null | undefined; isExpected: boolean }) {
  if (value === null || value === undefined) return isExpected ? <NoValue /> : null;
  return <>{amount(value)}</>;
}
