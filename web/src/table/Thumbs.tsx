import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { IconArrowsExchange } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { cardImageSource } from "./card-image.ts";
import { canSwap, hasImage, rowTitle } from "./row-words.ts";
import styles from "./Thumbs.module.css";

/** Rows that only fly by while scrolling ask for no pictures: a thumbnail waits this long before it asks. */
const REST_MS = 100;
const THUMB_CSS_WIDTH = 34;

/** Addresses that were shown before; the browser has them, so they come without the wait. */
const shown = new Set<string>();

type ThumbsProps = {
  row: ResultRow;
  tabIndex: number;
  onOpen: (row: ResultRow) => void;
  onSwap: (row: ResultRow) => void;
};

/** Front and back of a card, small; one button that opens them in full size, and a swap button on hover or focus. */
export function Thumbs({ row, tabIndex, onOpen, onSwap }: ThumbsProps) {
  const name = rowTitle(row) ?? row.certNumber;
  if (!hasImage(row.imageUrl) && !hasImage(row.imageUrlBack)) {
    return (
      <span className={styles.pair} aria-hidden="true">
        <span className={styles.blank} />
        <span className={styles.blank} />
      </span>
    );
  }
  return (
    <span className={styles.thumbs}>
      <button
        type="button"
        className={styles.pair}
        tabIndex={tabIndex}
        aria-label={`Images of ${name}`}
        onClick={() => onOpen(row)}
      >
        <Thumb row={row} side="front" />
        <Thumb row={row} side="back" />
      </button>
      {canSwap(row) && (
        <button
          type="button"
          className={styles.swap}
          tabIndex={tabIndex}
          aria-label={`Swap front and back of ${name}`}
          title="Swap front and back"
          onClick={() => onSwap(row)}
        >
          <IconArrowsExchange size={14} aria-hidden="true" />
        </button>
      )}
    </span>
  );
}

type ThumbProps = { row: ResultRow; side: ImageSide; cssWidth?: number };

/** One picture in thumbnail size; a blank of the same size stands for it until it is there, and when it never comes. */
export function Thumb({ row, side, cssWidth = THUMB_CSS_WIDTH }: ThumbProps) {
  const source = cardImageSource(row, side, cssWidth);
  const rested = useRested(source);
  const [failed, setFailed] = useState<string | null>(null);
  if (source === null || !rested || failed === source) return <span className={styles.blank} />;
  return (
    <img
      className={styles.image}
      src={source}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onLoad={() => shown.add(source)}
      onError={() => setFailed(source)}
    />
  );
}

function useRested(source: string | null): boolean {
  const [restedFor, setRestedFor] = useState<string | null>(null);
  useEffect(() => {
    if (source === null || shown.has(source)) return;
    const timer = setTimeout(() => setRestedFor(source), REST_MS);
    return () => clearTimeout(timer);
  }, [source]);
  return source !== null && (restedFor === source || shown.has(source));
}
