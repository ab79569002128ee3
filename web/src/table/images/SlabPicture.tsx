import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { Button, Loader } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { pictureSource, thumbnailSource } from "../row/card-image.ts";
import { SIDE_NAMES } from "../row/image-messages.ts";
import { THUMB_CSS_WIDTH } from "../row/Thumbs.tsx";
import styles from "./ImageDialog.module.css";
import { isZoomed, type View } from "./picture-view.ts";

type Loading = { source: string | null; attempt: number; state: "loading" | "shown" | "failed" };

type SlabPictureProps = {
  row: ResultRow;
  side: ImageSide;
  view: View;
  /** Whether a finger or a wheel is changing the view, which then follows without animation. */
  isHeld: boolean;
};

/**
 * One side of a slab, in up to three layers: the table's thumbnail, the dialog's picture, and the full size once the
 * user zooms in. Missing and broken pictures show a message in the same place.
 */
export function SlabPicture({ row, side, view, isHeld }: SlabPictureProps) {
  const source = pictureSource(row, side, "dialog");
  const [loading, setLoading] = useState<Loading>({ source, attempt: 0, state: "loading" });
  const current: Loading = loading.source === source ? loading : { source, attempt: 0, state: "loading" };
  const full = useFullSize(row, side, isZoomed(view));
  const name = SIDE_NAMES[side];

  if (source === null) return <p className={styles.note}>No {side} image</p>;
  if (current.state === "failed")
    return (
      <output className={styles.note}>
        The {side} image could not be loaded
        <Button size="xs" onClick={() => setLoading({ source, attempt: current.attempt + 1, state: "loading" })}>
          Try again
        </Button>
      </output>
    );
  return (
    <>
      <div
        className={styles.canvas}
        data-held={isHeld || undefined}
        style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
      >
        {current.state === "loading" && <SmallPicture row={row} side={side} />}
        <img
          key={`${source}#${current.attempt}`}
          className={styles.layer}
          src={current.attempt === 0 ? source : `${source}&attempt=${current.attempt}`}
          alt={`${name} of ${row.itemName ?? row.certNumber}`}
          decoding="async"
          draggable={false}
          data-shown={current.state === "shown" || undefined}
          onLoad={() => setLoading({ ...current, state: "shown" })}
          onError={() => setLoading({ ...current, state: "failed" })}
        />
        {full}
      </div>
      {current.state === "loading" && <Loader pos="absolute" size="sm" aria-label={`${name} is loading`} />}
    </>
  );
}

/** The table's thumbnail, already in the browser's cache. Enlarged and blurred until the larger picture is loaded. */
function SmallPicture({ row, side }: { row: ResultRow; side: ImageSide }) {
  const source = thumbnailSource(row, side, THUMB_CSS_WIDTH);
  return source && <img className={styles.layer} src={source} alt="" draggable={false} data-small />;
}

/** Loads the full size on the first zoom. If it fails, the dialog's picture stays. */
function useFullSize(row: ResultRow, side: ImageSide, isWanted: boolean): ReactNode {
  const source = pictureSource(row, side, "full");
  const [wanted, setWanted] = useState<string | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  if (isWanted && wanted !== source) setWanted(source);
  if (source === null || wanted !== source) return null;
  return (
    <img
      key={source}
      className={styles.layer}
      src={source}
      alt=""
      decoding="async"
      draggable={false}
      data-full
      data-shown={shown === source || undefined}
      onLoad={() => setShown(source)}
    />
  );
}
