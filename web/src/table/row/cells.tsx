import { gradeTone } from "@slabdesk/contract/certs/grade.ts";
import { parseCompany } from "@slabdesk/contract/certs/company.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import { VisuallyHidden } from "@mantine/core";
import { IconAlertCircle, IconArrowsDiff, IconExternalLink, IconPencil } from "@tabler/icons-react";
import { canEdit, isError } from "@slabdesk/contract/review/row-state.ts";
import type { CardHistory } from "@slabdesk/contract/api/lookup-history.ts";
import { LookupHistoryMark } from "./LookupHistoryMark.tsx";
import { formatMoment } from "../../ui/format-moment.ts";
import { type ErrorBox, type Remark, rowRemarks, rowTitle, rowMessage } from "./row-messages.ts";
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
  onEdit: (row: ResultRow) => void;
  /** The card's look-up history, without this row. */
  lookups: CardHistory | undefined;
  nowMs: number;
};

/** Company, number and a link to the grader's page, or the edit button of a failed row. */
export function Certification({ row, tabIndex, onEdit, lookups, nowMs }: CertificationProps) {
  return (
    <span className={styles.certification}>
      <span className={styles.cert}>
        <CompanyTag company={row.gradingCompany} />
        <span className={styles.number} title={row.certNumber}>
          {row.certNumber || "no number"}
        </span>
      </span>
      <span className={styles.below}>
        {row.certUrl !== null && row.certUrl !== NOT_AVAILABLE && (
          <a className={styles.link} href={row.certUrl} target="_blank" rel="noreferrer" tabIndex={tabIndex}>
            <span className={styles.linkMessage}>View Cert</span>
            <VisuallyHidden> {row.certNumber}, opens a new tab</VisuallyHidden>
            <IconExternalLink size={12} aria-hidden="true" />
          </a>
        )}
        {canEdit(row) && (
          <button type="button" className={styles.edit} tabIndex={tabIndex} onClick={() => onEdit(row)}>
            <IconPencil size={12} aria-hidden="true" />
            <span className={styles.linkMessage}>Edit number</span>
            <VisuallyHidden> {row.certNumber}</VisuallyHidden>
          </button>
        )}
        <LookupHistoryMark lookups={lookups} nowMs={nowMs} />
      </span>
    </span>
  );
}

type ItemNameProps = {
  row: ResultRow;
  isRunning: boolean;
  describeError: ((row: ResultRow) => ErrorBox | null) | null;
};

/** The card's name and a second line: subject and set, or the row's state. */
export function ItemName({ row, isRunning, describeError }: ItemNameProps) {
  const title = rowTitle(row);
  const remarks = rowRemarks(row);
  return (
    <span className={styles.item}>
      <span className={styles.itemLine}>
        {title === null ? (
          <span className={styles.skeleton} style={{ width: `${55 + (row.line % 5) * 9}%` }} />
        ) : (
          <span className={styles.name} title={title}>
            {title}
          </span>
        )}
        <RemarkMark remarks={remarks.filter(({ kind }) => kind === "differs")} />
        <RemarkMark remarks={remarks.filter(({ kind }) => kind !== "differs")} />
      </span>
      <RowState row={row} isRunning={isRunning} describeError={describeError} />
    </span>
  );
}

/** One mark per kind of remark. Differences from the sheet have their own mark. */
function RemarkMark({ remarks }: { remarks: readonly Remark[] }) {
  const [first] = remarks;
  if (!first) return null;
  const message = remarks.map((remark) => remark.message);
  const Icon = first.kind === "differs" ? IconArrowsDiff : IconAlertCircle;
  return (
    <span className={styles.remark} data-kind={first.kind} title={message.join("\n")}>
      <Icon size={15} aria-hidden="true" />
      <VisuallyHidden>{message.join(". ")}</VisuallyHidden>
    </span>
  );
}

/** The line under the name. */
export function RowState({ row, isRunning, describeError }: ItemNameProps) {
  const box = isError(row) ? (describeError?.(row) ?? null) : null;
  if (box !== null) {
    return (
      <span className={styles.errorBox} title={box.message}>
        <strong>{box.title}</strong>
        <span className={styles.hint}>{box.message}</span>
      </span>
    );
  }
  return <StateMessage row={row} isRunning={isRunning} />;
}

function StateMessage({ row, isRunning }: { row: ResultRow; isRunning: boolean }) {
  const { tone, label, hint, story } = rowMessage(row, isRunning);
  const origin = [row.player, row.brand]
    .filter((part) => part !== null && part !== NOT_AVAILABLE && part !== "")
    .join(" · ");
  const beside = hint ?? (tone === "good" ? origin : null);
  const [difference, ...others] = row.mismatches;
  if (label === null && difference !== undefined) {
    return (
      <span className={styles.under} data-tone="differs" title={row.mismatches.join("\n")}>
        <span className={styles.hint}>{difference}</span>
        {others.length > 0 && (
          <span className={styles.label}>
            <span aria-hidden="true">+{others.length}</span>
            <VisuallyHidden>{others.join(". ")}</VisuallyHidden>
          </span>
        )}
      </span>
    );
  }
  if (label === null) {
    return (
      <span className={styles.under} title={origin || undefined}>
        <span className={styles.hint}>{origin}</span>
      </span>
    );
  }
  return (
    <span className={styles.under} data-tone={tone} title={story ?? hint ?? undefined}>
      {tone === "busy" && <span className={styles.busyDot} aria-hidden="true" />}
      <span className={styles.label}>{label}</span>
      {beside !== null && <span className={styles.hint}>{beside}</span>}
    </span>
  );
}

/** A time in the user's time zone. */
export function Moment({ at }: { at: string | null }) {
  if (at === null) return null;
  return <time dateTime={at}>{formatMoment(at)}</time>;
}

const dollars = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The sheet's price: an amount, or the typed text if it isn't an amount. */
export function Price({ row }: { row: ResultRow }) {
  if (row.price !== null) return <>{dollars.format(row.price)}</>;
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
  const amount = Number(row.customerPrice);
  return <>{Number.isFinite(amount) && row.customerPrice !== "" ? dollars.format(amount) : row.customerPrice}</>;
}

/** A market amount in dollars; a dash if the card could have one but doesn't. */
export function Amount({ value, isExpected }: { value: number | null | undefined; isExpected: boolean }) {
  if (value === null || value === undefined) return isExpected ? <NoValue /> : null;
  return <>{dollars.format(value)}</>;
}

export function NoValue() {
  return (
    <span className={styles.quiet}>
      <span aria-hidden="true">–</span>
      <VisuallyHidden>none</VisuallyHidden>
    </span>
  );
}
