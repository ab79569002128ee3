import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { Button, Loader } from "@mantine/core";
import { useState } from "react";
import { cardImageSource } from "./card-image.ts";
import styles from "./ImageDialog.module.css";

type Loading = { source: string | null; attempt: number; state: "loading" | "shown" | "failed" };

type SlabPictureProps = {
  row: ResultRow;
  side: ImageSide;
  isChosen: boolean;
  isZoomed: boolean;
  onToggleZoom: () => void;
};

/** One side of a slab in full size, with its loading, failed and missing states in the same frame. */
export function SlabPicture({ row, side, isChosen, isZoomed, onToggleZoom }: SlabPictureProps) {
  const source = cardImageSource(row, side);
  const [loading, setLoading] = useState<Loading>({ source, attempt: 0, state: "loading" });
  const current: Loading = loading.source === source ? loading : { source, attempt: 0, state: "loading" };
  const name = side === "front" ? "Front" : "Back";

  return (
    <figure className={styles.picture} data-chosen={isChosen || undefined}>
      <div className={styles.frame} data-state={source === null ? "missing" : current.state}>
        {source === null && <p className={styles.note}>No {side} image</p>}
        {source !== null && current.state === "loading" && (
          <Loader className={styles.loader} size="sm" aria-label={`${name} is loading`} />
        )}
        {source !== null && current.state === "failed" && (
          <div className={styles.note} role="alert">
            <p>The {side} image could not be loaded</p>
            <Button size="xs" onClick={() => setLoading({ source, attempt: current.attempt + 1, state: "loading" })}>
              Try again
            </Button>
          </div>
        )}
        {source !== null && current.state !== "failed" && (
          <button
            type="button"
            className={styles.zoom}
            aria-label={isZoomed ? `Fit the ${side} to the window` : `Enlarge the ${side}`}
            onClick={onToggleZoom}
          >
            <img
              key={`${source}#${current.attempt}`}
              className={styles.image}
              src={current.attempt === 0 ? source : `${source}&attempt=${current.attempt}`}
              alt={`${name} of ${row.itemName ?? row.certNumber}`}
              data-shown={current.state === "shown" || undefined}
              onLoad={() => setLoading({ ...current, state: "shown" })}
              onError={() => setLoading({ ...current, state: "failed" })}
            />
          </button>
        )}
      </div>
      <figcaption className={styles.caption}>{name}</figcaption>
    </figure>
  );
}
