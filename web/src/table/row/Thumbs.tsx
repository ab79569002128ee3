import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { IconArrowsExchange, IconEqual, IconPhotoOff } from "@tabler/icons-react";
import { useState } from "react";
import { IMAGE_FLAG_LABELS, imageFlagMessage, THUMB_CSS_WIDTH, thumbnailSource } from "../../card/images.ts";
import { canSwap, rowTitle } from "../../card/row-messages.ts";
import type { CellProps } from "./row-context.ts";
import styles from "./Thumbs.module.css";
import { useRested } from "./use-rested.ts";

/** The aspect ratio of a slab, height to width. CSS sets each thumbnail's size. */
const FORM = 48 / 34;

/** URLs shown before. The browser has cached them, so they load without the delay. */
const shown = new Set<string>();

/** Front and back, which open the photos, a mark for image problems, and on hover or focus a swap button. */
export function Thumbs({ row, tabIndex, context: { onOpen, onSwap } }: CellProps) {
  if (!isFound(row)) {
    return (
      <span className={styles.pair} aria-hidden="true">
        <span className={styles.blank} />
        <span className={styles.blank} />
      </span>
    );
  }
  const name = rowTitle(row) ?? row.certNumber;
  const flags = imageFlagMessage(row);
  const label = row.imageFlags.includes("no_image") ? `Add photos of ${name}` : `Images of ${name}`;
  return (
    <span className={styles.thumbs}>
      <button
        type="button"
        className={styles.pair}
        tabIndex={tabIndex}
        aria-label={[label, ...flags].join(". ")}
        title={flags.length > 0 ? flags.join(". ") : undefined}
        onClick={() => onOpen(row, "photos")}
      >
        <Thumb row={row} side="front" />
        <Thumb row={row} side="back" />
        {row.imageFlags.includes("same_sides") && (
          <span className={styles.flag} title={IMAGE_FLAG_LABELS.same_sides}>
            <IconEqual size={12} stroke={2.5} aria-hidden="true" />
          </span>
        )}
      </button>
      <button
        type="button"
        className={styles.swap}
        tabIndex={tabIndex}
        disabled={!canSwap(row)}
        aria-label={`Swap front and back of ${name}`}
        title={canSwap(row) ? "Swap front and back" : "Nothing to swap: the card needs two different images"}
        onClick={() => onSwap(row)}
      >
        <IconArrowsExchange size={14} aria-hidden="true" />
      </button>
    </span>
  );
}

type ThumbProps = { row: ResultRow; side: ImageSide; cssWidth?: number };

/** One thumbnail. Shows a placeholder of the same size while loading, or a mark when there is no image. */
export function Thumb({ row, side, cssWidth = THUMB_CSS_WIDTH }: ThumbProps) {
  const source = thumbnailSource(row, side, cssWidth);
  // Rows scrolled past request no images.
  const isShown = source !== null && shown.has(source);
  const isRested = useRested(isShown ? null : source);
  const [failed, setFailed] = useState<string | null>(null);
  const isFailed = source !== null && failed === source;
  if (isFailed || (source === null && isFound(row)))
    return (
      <span
        className={styles.blank}
        data-mark={isFailed ? "failed" : "missing"}
        title={isFailed ? "The image could not be loaded" : undefined}
      >
        <IconPhotoOff size={16} stroke={1.5} aria-hidden="true" />
      </span>
    );
  if (source === null || !(isShown || isRested)) return <span className={styles.blank} />;
  return (
    <img
      className={styles.image}
      src={source}
      alt=""
      width={cssWidth}
      height={Math.round(cssWidth * FORM)}
      loading="lazy"
      decoding="async"
      draggable={false}
      onLoad={() => shown.add(source)}
      onError={() => setFailed(source)}
    />
  );
}
