import { gradeTone } from "@slabdesk/contract/certs/grade.ts";
import { parseCompany } from "@slabdesk/contract/certs/company.ts";
import { type ResultRow, NOT_AVAILABLE } from "@slabdesk/contract/api/results.ts";
import { isByHand } from "@slabdesk/contract/review/row-state.ts";
import { VisuallyHidden } from "../ui/text/VisuallyHidden.tsx";
import { Marked } from "../ui/text/Marked.tsx";
import { Tag } from "../ui/Tag.tsx";
import styles from "./chips.module.css";
import { byHandMessage } from "./row-messages.ts";

type FieldTextProps = { value: string | null; className?: string | undefined; tone?: string };

/** A field of the card: empty before the lookup, dimmed if the grader has no value. */
export function FieldText({ value, className = styles.cut, tone }: FieldTextProps) {
  if (value === null || value === "") return null;
  if (value === NOT_AVAILABLE) return <span className={styles.quiet}>{value}</span>;
  return (
    <span className={className} data-tone={tone} title={value}>
      <Marked text={value} />
    </span>
  );
}

export function GradeChip({ grade }: { grade: string | null }) {
  return <FieldText value={grade} className={styles.grade} tone={gradeTone(grade ?? "")} />;
}

export function CompanyTag({ company }: { company: string }) {
  const known = parseCompany(company);
  return (
    <span
      className={styles.company}
      style={known ? { background: `var(--sd-${known.toLowerCase()})` } : undefined}
      data-unknown={!known || undefined}
    >
      {known ?? (company.trim() || "?")}
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

/** A dash for a value that could be there. */
export function NoValue() {
  return (
    <span className={styles.quiet}>
      <span aria-hidden="true">–</span>
      <VisuallyHidden>none</VisuallyHidden>
    </span>
  );
}
