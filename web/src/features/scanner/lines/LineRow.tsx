import { COMPANIES, parseCompany } from "@slabdesk/contract/certs/company.ts";
import { type KeyboardEvent, memo, useLayoutEffect, useRef } from "react";
import grid from "../../../table/grid/ResultsGrid.module.css";
import { Tag } from "../../../ui/Tag.tsx";
import type { EditedField } from "../sheet/sheet-edits.ts";
import type { SheetLine } from "../sheet/sheet-summary.ts";
import { TextButton } from "../TextButton.tsx";
import styles from "./SheetGrid.module.css";
import { verdictOf } from "./line-filter.ts";

const USE = { flex: "none", fontWeight: 600 };

export type EditCell = (line: number, field: EditedField, text: string) => void;

type LineRowProps = {
  line: SheetLine;
  index: number;
  top: number;
  isActive: boolean;
  isLocked: boolean;
  cached: ReadonlySet<number>;
  onActivate: (index: number) => void;
  onEdit: EditCell;
};

/** One line of the sheet: the cells that a look-up needs, editable, and the verdict. */
export const LineRow = memo(function LineRow(props: LineRowProps) {
  const { line, index, top, isActive, isLocked, cached, onActivate, onEdit } = props;
  const [label, tone] = verdictOf(line, cached);
  const cell = { where: line.where, tabIndex: isActive ? 0 : -1, isLocked };
  const edit = (field: EditedField) => (text: string) => onEdit(line.line, field, text);
  return (
    <tr
      className={`${grid.row} ${styles.row}`}
      aria-rowindex={index + 2}
      data-index={index}
      data-line={line.line}
      data-state={line.state}
      style={{ transform: `translateY(${top}px)` }}
      onFocus={() => onActivate(index)}
    >
      <td className={styles.where} title={line.where}>
        {line.where}
      </td>
      <td>
        <TextCell {...cell} name="Cert number" value={line.certNumber} onChange={edit("certNumber")} />
        {line.becomes !== null && line.becomes !== line.certNumber.trim() && (
          <span className={styles.becomes}>→ {line.becomes}</span>
        )}
      </td>
      <td>
        <CompanyCell
          {...cell}
          value={line.gradingCompany}
          isGuessed={line.isGuessed}
          onChange={edit("gradingCompany")}
        />
      </td>
      <td data-align="end" data-label="Cost">
        <TextCell {...cell} name="Cost" value={line.price} onChange={edit("price")} />
      </td>
      <td data-label="Notes">
        <TextCell {...cell} name="Notes" value={line.notes} onChange={edit("notes")} />
      </td>
      <td className={styles.verdict}>
        <Tag tone={tone}>{label}</Tag>
        <span className={styles.message} title={line.message}>
          {line.message}
        </span>
        {line.state === "fix" && line.suggestion !== null && !isLocked && (
          <TextButton
            isLink
            style={USE}
            tabIndex={cell.tabIndex}
            onClick={() => onEdit(line.line, "gradingCompany", line.suggestion ?? "")}
          >
            Use {line.suggestion}
          </TextButton>
        )}
      </td>
    </tr>
  );
});

type CellProps = {
  where: string;
  value: string;
  tabIndex: number;
  isLocked: boolean;
  onChange: (text: string) => void;
};

/** An edit counts when the cell is left or Enter is pressed; Escape takes it back. */
function TextCell({ name, where, value, tabIndex, isLocked, onChange }: CellProps & { name: string }) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (input.current) input.current.value = value;
  }, [value]);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key !== "Escape" || event.currentTarget.value === value) return;
    event.stopPropagation();
    event.currentTarget.value = value;
  };
  return (
    <input
      ref={input}
      className={styles.input}
      aria-label={`${name}, line ${where}`}
      defaultValue={value}
      readOnly={isLocked}
      tabIndex={tabIndex}
      maxLength={2_000}
      spellCheck={false}
      autoComplete="off"
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget }) => {
        if (currentTarget.value !== value) onChange(currentTarget.value);
      }}
    />
  );
}

function CompanyCell({ where, value, tabIndex, isLocked, isGuessed, onChange }: CellProps & { isGuessed: boolean }) {
  const select = useRef<HTMLSelectElement>(null);
  const company = parseCompany(value);
  const shown = company ?? value;
  useLayoutEffect(() => {
    if (select.current) select.current.value = shown;
  }, [shown]);
  return (
    <select
      ref={select}
      className={styles.company}
      aria-label={`Company, line ${where}`}
      style={{ backgroundColor: company ? `var(--sd-${company.toLowerCase()})` : undefined }}
      data-unknown={company === null || undefined}
      data-guessed={isGuessed || undefined}
      defaultValue={shown}
      disabled={isLocked}
      tabIndex={tabIndex}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {company === null && <option value={value}>{value.trim() || "Choose"}</option>}
      {COMPANIES.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}
