import { Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type KeyboardEvent, memo, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import grid from "../../../table/grid/ResultsGrid.module.css";
import { useVirtualRows } from "../../../ui/use-virtual-rows.ts";
import type { SheetLine } from "../sheet/sheet-summary.ts";
import type { SheetColumns } from "../sheet/sheet-work.ts";
import { choiceOf, columnName, optionsFor, withChoice } from "../steps/column-choice.ts";
import type { SheetChoice } from "../sheet/use-sheet.ts";
import type { EditedField } from "../sheet/sheet-edits.ts";
import styles from "./SheetGrid.module.css";
import { COMPANIES, parseCompany } from "@slabdesk/contract/certs/company.ts";
import { Tag } from "../../../ui/Tag.tsx";
import { TextButton } from "../TextButton.tsx";
import { verdictOf } from "../sheet/line-filter.ts";

const ROW_HEIGHT = 44;
/** On a phone, each line is a card. */
const CARD_HEIGHT = 148;

const COLUMNS: readonly (readonly [field: EditedField, label: string])[] = [
  ["certNumber", "Cert number"],
  ["gradingCompany", "Company"],
  ["price", "Cost"],
  ["notes", "Notes"],
];

type SheetGridProps = {
  lines: readonly SheetLine[];
  /** Changes when the user asks for other lines. */
  listKey: string;
  isLocked: boolean;
  cached: ReadonlySet<number>;
  /** The sheet's columns; null if it was put together from several tables, which differ. */
  columns: SheetColumns | null;
  choice: SheetChoice;
  onEdit: (line: number, field: EditedField, text: string) => void;
  /** The first visible line, after each scroll. */
  onScrolled: (line: number) => void;
};

/** The sheet's lines, virtualized. The active line's cells are tab stops; arrow keys and Enter move between lines. */
export function SheetGrid(props: SheetGridProps) {
  const { lines, listKey, isLocked, cached, columns, choice, onEdit, onScrolled } = props;
  const scroller = useRef<HTMLTableElement>(null);
  const [chosen, setActive] = useState(0);
  const active = Math.min(chosen, lines.length - 1);
  const isPhone = useMediaQuery("(max-width: 40em)", undefined, { getInitialValueInEffect: false });
  const rowHeight = isPhone ? CARD_HEIGHT : ROW_HEIGHT;
  const virtualizer = useVirtualRows(scroller, { count: lines.length, rowHeight, activeIndex: active });
  const toTop = useEffectEvent(() => {
    scroller.current?.scrollTo({ top: 0 });
    onScrolled(0);
  });
  const shownKey = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (shownKey.current !== listKey) toTop();
    shownKey.current = listKey;
  }, [listKey]);

  const moveTo = (index: number, name: string): void => {
    if (!lines[index]) return;
    virtualizer.scrollToIndex(index);
    setActive(index);
    // The row may be rendered only after the scroll.
    requestAnimationFrame(() => {
      const cells = `[data-index="${index}"] :is(input, select)`;
      const all = [...(scroller.current?.querySelectorAll<HTMLElement>(cells) ?? [])];
      all.find((cell) => cell.getAttribute("aria-label")?.startsWith(name))?.focus();
    });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>): void => {
    const { target, key } = event;
    if (!(target instanceof HTMLInputElement) || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = key === "ArrowUp" ? -1 : key === "ArrowDown" || key === "Enter" ? 1 : 0;
    const index = Number(target.closest("tr")?.dataset["index"]);
    if (step === 0 || Number.isNaN(index)) return;
    event.preventDefault();
    target.blur();
    moveTo(index + step, target.getAttribute("aria-label")?.split(",")[0] ?? "");
  };
  return (
    <table
      ref={scroller}
      className={`${grid.scroller} ${styles.scroller}`}
      role="grid"
      aria-label="Sheet"
      aria-rowcount={lines.length + 1}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget }) => {
        const first = lines[Math.floor(currentTarget.scrollTop / rowHeight)];
        if (first) onScrolled(first.line);
      }}
    >
      <thead className={styles.head}>
        <tr aria-rowindex={1}>
          <th scope="col">Line</th>
          {COLUMNS.map(([field, label]) => (
            <th key={field} scope="col" data-align={field === "price" ? "end" : undefined}>
              {label}
              {columns && <ColumnMenu {...{ field, label, columns, choice, isLocked }} />}
            </th>
          ))}
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody className={`${grid.body} ${styles.body}`} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          if (!line) return null;
          return (
            <LineRow
              key={line.line}
              line={line}
              index={index}
              top={start}
              isActive={index === active}
              isLocked={isLocked}
              cached={cached}
              onActivate={setActive}
              onEdit={onEdit}
            />
          );
        })}
      </tbody>
    </table>
  );
}

type ColumnMenuProps = Pick<SheetGridProps, "choice" | "isLocked"> & {
  field: EditedField;
  label: string;
  columns: SheetColumns;
};

/** Says which of the sheet's columns this is, and changes it. */
function ColumnMenu({ field, label, columns, choice, isLocked }: ColumnMenuProps) {
  const options = optionsFor(field, columns.header).filter(({ value }) => field !== "certNumber" || value !== "");
  const index = columns.columns[field];
  const name = index === undefined ? "" : columnName(columns.header[index] ?? "", index);
  return (
    <select
      className={styles.menu}
      aria-label={`Column for ${label}`}
      title={name === "" ? `Choose the column for ${label}` : `From your column “${name}”. Click to change`}
      value={choiceOf(field, columns)}
      disabled={isLocked}
      onChange={(event) => choice.chooseColumns(columns, withChoice(columns, field, event.currentTarget.value))}
    >
      {options.map(({ value, label: option }) => (
        <option key={value} value={value}>
          {option}
        </option>
      ))}
    </select>
  );
}

const USE = { flex: "none", fontWeight: 600 };

type LineRowProps = Pick<SheetGridProps, "isLocked" | "cached" | "onEdit"> & {
  line: SheetLine;
  index: number;
  top: number;
  isActive: boolean;
  onActivate: (index: number) => void;
};

/** One line of the sheet: the cells that a lookup needs, editable, and the verdict. */
const LineRow = memo(function LineRow(props: LineRowProps) {
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
      style={{ top }}
      onFocus={() => onActivate(index)}
    >
      <td className={styles.where} title={line.where}>
        {line.where}
      </td>
      <td>
        <TextCell {...cell} name="Cert number" value={line.certNumber} onChange={edit("certNumber")} />
        {line.becomes !== null && line.becomes !== line.certNumber.trim() && (
          <Text span inherit flex="none" c="dimmed">
            → {line.becomes}
          </Text>
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
        <Text span lineClamp={3} miw={0} c="dimmed" fz="xs" lh={1.2} title={line.message}>
          {line.message}
        </Text>
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
