import { NOT_AVAILABLE, type ResultRow } from "@slabdesk/contract/api/results.ts";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { memo, type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import { Certification, GradeChip, Price, RowState } from "./cells.tsx";
import styles from "./CardList.module.css";
import type { RowsSnapshot } from "./rows-store.ts";
import { hasImage, rowRemarks, rowTitle, rowWords } from "./row-words.ts";
import { Thumb } from "./Thumbs.tsx";

const CARD_HEIGHT = 122;
const PHOTO_CSS_WIDTH = 68;

type CardListProps = { label: string; rows: RowsSnapshot; isRunning: boolean; onOpenImages: (row: ResultRow) => void };

/** The rows on a phone: one card each, the photo first, scrolled with the page. Virtual like the grid. */
export function CardList({ label, rows, isRunning, onOpenImages }: CardListProps) {
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
            <Card row={row} isRunning={isRunning} onOpenImages={onOpenImages} />
          </li>
        );
      })}
    </ul>
  );
}

type CardProps = { row: ResultRow; isRunning: boolean; onOpenImages: (row: ResultRow) => void };

const Card = memo(function Card({ row, isRunning, onOpenImages }: CardProps) {
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
        {rowRemarks(row).map((remark) => (
          <p key={remark} className={styles.remark}>
            {remark}
          </p>
        ))}
        <div className={styles.facts}>
          <Certification row={row} tabIndex={0} />
          <span className={styles.figures}>
            {row.grade !== NOT_AVAILABLE && <GradeChip grade={row.grade} />}
            <span className={styles.price}>
              <Price row={row} />
            </span>
          </span>
        </div>
      </div>
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
