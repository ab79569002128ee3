import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import { canRetry } from "@slabdesk/contract/review/row-state.ts";
import { Button, VisuallyHidden } from "@mantine/core";
import { IconHelpCircle } from "@tabler/icons-react";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Certification, GradeChip, Price, RowState } from "../row/cells.tsx";
import styles from "./CardList.module.css";
import type { RowsSnapshot } from "../../run/rows-store.ts";
import type { TableTools } from "../columns/columns.tsx";
import type { RowEditor } from "./ResultsGrid.tsx";
import { ReviewCard } from "../review/ReviewCell.tsx";
import { CardPrices } from "../prices/CardPrices.tsx";
import { hasImage, rowRemarks, rowTitle, rowMessage } from "../row/row-messages.ts";
import { RowCheckbox } from "../selection/RowCheckbox.tsx";
import type { Reveal } from "./use-row-jump.ts";
import { Thumb } from "../row/Thumbs.tsx";

const CARD_HEIGHT = 122;
const PHOTO_CSS_WIDTH = 68;

type CardActions = {
  /** Null in a read-only list. */
  onRetry: (row: ResultRow) => void;
  onHistory: (row: ResultRow) => void;
  tools: TableTools;
};

type CardListProps = {
  label: string;
  rows: RowsSnapshot;
  editor: RowEditor | null;
  selectedIds: ReadonlySet<string>;
  /** The row to scroll into view. */
  reveal: Reveal | null;
} & CardActions;

/** The rows on a phone: one card per row, photo first, scrolled with the page. Virtualized like the grid. */
export function CardList({ label, rows, editor, selectedIds, reveal, ...actions }: CardListProps) {
  const list = useRef<HTMLUListElement>(null);
  const listTop = useListTop(list);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => CARD_HEIGHT,
    getItemKey: useCallback((index: number) => rows[index]?.id ?? index, [rows]),
    overscan: 6,
    scrollMargin: listTop,
    useFlushSync: false,
  });
  const editedId = editor?.rowId ?? null;
  const show = useEffectEvent((id: string, align: "auto" | "center") => {
    const index = rows.findIndex((row) => row.id === id);
    if (index >= 0) virtualizer.scrollToIndex(index, { align });
  });
  useLayoutEffect(() => {
    if (editedId !== null) show(editedId, "auto");
  }, [editedId]);
  useLayoutEffect(() => {
    if (reveal) show(reveal.rowId, reveal.isJump ? "center" : "auto");
  }, [reveal]);
  return (
    <ul ref={list} aria-label={label} className={styles.list} style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map((item) => {
        const row = rows[item.index];
        if (!row) return null;
        return (
          <li
            key={row.id}
            ref={virtualizer.measureElement}
            data-index={item.index}
            aria-setsize={rows.length}
            aria-posinset={item.index + 1}
            className={styles.slot}
            style={{ transform: `translateY(${item.start - listTop}px)` }}
          >
            <Card
              row={row}
              editor={editor?.rowId === row.id ? editor.form : null}
              isSelected={selectedIds.has(row.id)}
              isFlashing={reveal?.isJump === true && reveal.rowId === row.id}
              {...actions}
            />
          </li>
        );
      })}
    </ul>
  );
}

type CardProps = { row: ResultRow; editor: ReactNode; isSelected: boolean; isFlashing: boolean } & CardActions;

const Card = memo(function Card({ row, editor, isSelected, isFlashing, onRetry, onHistory, tools }: CardProps) {
  const { isRunning, onOpenImages, onEdit, onSelect, prices, review, lookups, nowMs, describeError } = tools;
  const title = rowTitle(row);
  return (
    <div
      className={styles.card}
      data-tone={rowMessage(row, isRunning).tone}
      data-selected={isSelected || undefined}
      data-flashing={isFlashing || undefined}
    >
      <button
        type="button"
        className={styles.photo}
        aria-label={`Images of ${title ?? row.certNumber}`}
        onClick={() => onOpenImages(row)}
      >
        <Thumb row={row} side={hasImage(row.imageUrl) ? "front" : "back"} cssWidth={PHOTO_CSS_WIDTH} />
      </button>
      <span className={styles.tools}>
        <RowCheckbox row={row} tabIndex={0} isSelected={isSelected} onSelect={onSelect} />
        <button type="button" className={styles.reason} title="Why?" onClick={() => onHistory(row)}>
          <IconHelpCircle size={20} stroke={1.75} aria-hidden="true" />
          <VisuallyHidden>Why? {row.certNumber}</VisuallyHidden>
        </button>
      </span>
      <div className={styles.message}>
        {title === null ? <span className={styles.skeleton} /> : <p className={styles.title}>{title}</p>}
        <RowState row={row} isRunning={isRunning} describeError={describeError} />
        {rowRemarks(row)
          .filter(({ kind }) => kind !== "differs" || rowMessage(row, isRunning).label !== null)
          .map(({ kind, message }) => (
            <p key={message} className={styles.remark} data-kind={kind}>
              {message}
            </p>
          ))}
        <div className={styles.facts}>
          <Certification row={row} tabIndex={0} onEdit={onEdit} lookups={lookups?.get(row.id)} nowMs={nowMs} />
          <span className={styles.figures}>
            {row.grade !== NOT_AVAILABLE && <GradeChip grade={row.grade} />}
            <span className={styles.price}>
              <Price row={row} />
            </span>
          </span>
        </div>
        <CardPrices row={row} tools={prices} />
        {!review.isOn && canRetry(row) && (
          <div className={styles.actions}>
            <Button size="compact-xs" aria-label={`Retry ${row.certNumber}`} onClick={() => onRetry(row)}>
              Retry
            </Button>
          </div>
        )}
      </div>
      {review.isOn && <ReviewCard row={row} review={review} />}
      {editor}
    </div>
  );
});

/** The list's offset from the top of the page. The offset changes when content above the list expands or collapses. */
function useListTop(list: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => {
      if (list.current) setTop(Math.round(list.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list]);
  return top;
}
