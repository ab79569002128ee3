import { gradeTone } from "@slabdesk/contract/certs/grade.ts";
import { formatMoment } from "@slabdesk/contract/certs/dates.ts";
import { parseCompany } from "@slabdesk/contract/certs/company.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import { VisuallyHidden } from "@mantine/core";
import { IconAlertCircle, IconArrowsDiff, IconExternalLink, IconForms, IconPencil } from "@tabler/icons-react";
import { canEdit, canEnter, isByHand, isEnteredHere, isError } from "@slabdesk/contract/review/row-state.ts";
import { LookupHistoryMark, Mark } from "./LookupHistoryMark.tsx";
import { amount } from "../prices/price-messages.ts";
import { Tag } from "../../ui/Tag.tsx";
import type { RowContext } from "./row-context.ts";
import { byHandMessage, type Remark, rowRemarks, rowTitle, rowMessage } from "./row-messages.ts";
import styles from "./cells.module.css";

/** A field of the card: empty before the look-up, dimmed if the grader has no value. */
export function FieldText({ value }: { value: string | null }) {
  if (value === null || value === "") return null;
  if (value === NOT_AVAILABLE) return <span className={styles.quiet}>{value}</span>;
  return (
    <span className={styles.cut} title={value}>
      {value}
    </span>
  );
}

export function GradeChip({ grade }: { grade: string | null }) {
  if (grade === null || grade === NOT_AVAILABLE) return <FieldText value={grade} />;
  return (
    <span className={styles.grade} data-tone={gradeTone(grade)} title={grade}>
      {grade}
    </span>
  );
}

export function CompanyTag({ company }: { company: string }) {
  const known = parseCompany(company);
  return (
    <span className={styles.company} data-company={known ?? "unknown"}>
      {known ?? (company.trim() || "?")}
    </span>
  );
}

type CertificationProps = {
  row: ResultRow;
  tabIndex: number;
  context: Pick<RowContext, "onEdit" | "onEnter" | "lookups">;
};

/** Company, number and a link to the grader's page, or the edit button of a failed row. */
export function Certification({ row, tabIndex, context: { onEdit, onEnter, lookups } }: CertificationProps) {
  return (
    <span className={styles.certification}>
      <span className={styles.line}>
        <CompanyTag company={row.gradingCompany} />
        <span className={styles.number} title={row.certNumber}>
          {row.certNumber || "no number"}
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
            <span className={styles.linkMessage}>Edit number</span>
            <VisuallyHidden> {row.certNumber}</VisuallyHidden>
          </button>
        )}
        {canEnter(row) && (
          <button type="button" className={styles.link} tabIndex={tabIndex} onClick={() => onEnter(row)}>
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

/** The card's name and a second line: subject and set, or the row's state. */
export function ItemName({ row, context }: RowStateProps) {
  const title = rowTitle(row);
  const remarks = rowRemarks(row);
  return (
    <span className={styles.item}>
      <span className={styles.line}>
        {title === null ? (
          <GhostName row={row} />
        ) : (
          <span className={styles.name} title={title}>
            {title}
          </span>
        )}
        <ByHandTag row={row} />
        <RemarkMark remarks={remarks.filter(({ kind }) => kind === "differs")} />
        <RemarkMark remarks={remarks.filter(({ kind }) => kind !== "differs")} />
      </span>
      <RowState row={row} context={context} />
    </span>
  );
}

/** Marks a card entered by hand; otherwise renders nothing. */
export function ByHandTag({ row }: { row: ResultRow }) {
  if (row.entry === null || !isByHand(row)) return null;
  return (
    <span title={byHandMessage(row, row.entry)}>
      <Tag variant="small">By hand</Tag>
    </span>
  );
}

/** Takes a name's place before the look-up. */
export function GhostName({ row: { line } }: { row: ResultRow }) {
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
      {beside !== "" && <span className={styles.hint}>{beside}</span>}
    </span>
  );
}

/** The first difference between sheet and grader, and the number of others. */
function Differences({ messages }: { messages: readonly string[] }) {
  const [first, ...others] = messages;
  return (
    <span className={styles.under} data-tone="differs" title={messages.join("\n")}>
      <span className={styles.hint}>{first}</span>
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

export function NoValue() {
  return (
    <span className={styles.quiet}>
      <span aria-hidden="true">–</span>
      <VisuallyHidden>none</VisuallyHidden>
    </span>
  );
}
