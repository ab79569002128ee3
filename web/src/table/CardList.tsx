import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { NOT_AVAILABLE } from "@slabdesk/contract/certs/not-available.ts";
import { Button } from "@mantine/core";
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
import { Certification, GradeChip, Price, RowState } from "./cells.tsx";
import styles from "./CardList.module.css";
import type { RowsSnapshot } from "./rows-store.ts";
import type { RowEditor } from "./ResultsGrid.tsx";
import { CardPrices } from "./prices/CardPrices.tsx";
import type { PriceTools } from "./prices/price-tools.ts";
import { canRetry, hasImage, rowRemarks, rowTitle, rowWords } from "./row-words.ts";
import { Thumb } from "./Thumbs.tsx";

const CARD_HEIGHT = 122;
const PHOTO_CSS_WIDTH = 68;

type CardActions = {
  isRunning: boolean;
  onOpenImages: (row: ResultRow) => void;
  /** Both null in a list whose rows are only looked at. */
  onEdit: ((row: ResultRow) => void) | null;
  onRetry: ((row: ResultRow) => void) | null;
  prices: PriceTools;
};

type CardListProps = { label: string; rows: RowsSnapshot; editor: RowEditor | null } & CardActions;

/** The rows on a phone: one card each, the photo first, scrolled with the page. Virtual like the grid. */
export function CardList({ label, rows, editor, ...actions }: CardListProps) {
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
  const showEdited = useEffectEvent(() => {
    const index = rows.findIndex((row) => row.id === editedId);
    if (index >= 0) virtualizer.scrollToIndex(index, { align: "auto" });
  });
  useLayoutEffect(() => {
    if (editedId !== null) showEdited();
  }, [editedId]);
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
            <Card row={row} editor={editor?.rowId === row.id ? editor.form : null} {...actions} />
          </li>
        );
      })}
    </ul>
  );
}

type CardProps = { row: ResultRow; editor: ReactNode } & CardActions;

const Card = memo(function Card({ row, editor, isRunning, onOpenImages, onEdit, onRetry, prices }: CardProps) {
  const title = rowTitle(row);
  const hasPhoto = hasImage(row.imageUrl) || hasImage(row.imageUrlBack);
  return (
    <div className={styles.card} data-tone={rowWords(row, isRunning).tone}>
      <button
        type="button"
        className={styles.photo}
        disabled={!hasPhoto}
        aria-label={`Images of ${title ?? row.certNumber}`}
        onClick={() => onOpenImages(row)}
      >
        <Thumb row={row} side={hasImage(row.imageUrl) ? "front" : "back"} cssWidth={PHOTO_CSS_WIDTH} />
      </button>
      <div className={styles.words}>
        {title === null ? <span className={styles.skeleton} /> : <p className={styles.title}>{title}</p>}
        <RowState row={row} isRunning={isRunning} />
        {rowRemarks(row)
          .filter(({ kind }) => kind !== "differs" || rowWords(row, isRunning).label !== null)
          .map(({ kind, words }) => (
            <p key={words} className={styles.remark} data-kind={kind}>
              {words}
            </p>
          ))}
        <div className={styles.facts}>
          <Certification row={row} tabIndex={0} onEdit={onEdit} />
          <span className={styles.figures}>
            {row.grade !== NOT_AVAILABLE && <GradeChip grade={row.grade} />}
            <span className={styles.price}>
              <Price row={row} />
            </span>
          </span>
        </div>
        <CardPrices row={row} tools={prices} />
        {onRetry && canRetry(row) && (
          <div className={styles.actions}>
            <Button size="compact-xs" aria-label={`Retry ${row.certNumber}`} onClick={() => onRetry(row)}>
              Retry
            </Button>
          </div>
        )}
      </div>
      {editor}
    </div>
  );
});

/** Where the list begins on the page; what stands above it folds and unfolds. */
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
