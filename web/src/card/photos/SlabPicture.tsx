import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { Button, Loader } from "@mantine/core";
import { useState } from "react";
import { useEver } from "../../ui/lazy-part.tsx";
import { pictureSource, THUMB_CSS_WIDTH, thumbnailSource } from "./card-image.ts";
import { SIDE_NAMES } from "../image-messages.ts";
import styles from "./Photos.module.css";
import { isZoomed, type View } from "./picture-view.ts";

type SlabPictureProps = {
  row: ResultRow;
  side: ImageSide;
  view: View;
  /** Whether a finger or a wheel is changing the view, which then follows without animation. */
  isHeld: boolean;
};

/** One side of a slab. Missing and broken pictures show a message in the same place. */
export function SlabPicture(props: SlabPictureProps) {
  const source = pictureSource(props.row, props.side, "card");
  if (source === null) return isFound(props.row) && <p className={styles.note}>No {props.side} image</p>;
  return <Layers key={source} source={source} {...props} />;
}

/**
 * Up to three layers: the table's thumbnail, the card's picture, and the full size once the user zooms in. The
 * thumbnail is already in the browser's cache; it is blurred until the larger picture is loaded.
 */
function Layers({ source, row, side, view, isHeld }: SlabPictureProps & { source: string }) {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading");
  const name = SIDE_NAMES[side];
  const thumbnail = thumbnailSource(row, side, THUMB_CSS_WIDTH);
  const tryAgain = (): void => {
    setAttempt(attempt + 1);
    setState("loading");
  };
  if (state === "failed")
    return (
      <output className={styles.note}>
        The {side} image could not be loaded
        <Button size="xs" onClick={tryAgain}>
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
        {state === "loading" && thumbnail !== null && (
          <img className={styles.layer} src={thumbnail} alt="" draggable={false} data-small />
        )}
        <img
          className={styles.layer}
          src={attempt === 0 ? source : `${source}&attempt=${attempt}`}
          alt={`${name} of ${row.itemName ?? row.certNumber}`}
          decoding="async"
          draggable={false}
          data-shown={state === "shown" || undefined}
          onLoad={() => setState("shown")}
          onError={() => setState("failed")}
        />
        <FullSize source={pictureSource(row, side, "full")} isWanted={isZoomed(view)} />
      </div>
      {state === "loading" && <Loader pos="absolute" size="sm" aria-label={`Loading the ${name.toLowerCase()}`} />}
    </>
  );
}

/** Loaded on the first zoom. If it fails, the card's picture stays. */
function FullSize({ source, isWanted }: { source: string | null; isWanted: boolean }) {
  const [isShown, setShown] = useState(false);
  const wasWanted = useEver(isWanted);
  return (
    source !== null &&
    wasWanted && (
      <img
        className={styles.layer}
        src={source}
        alt=""
        decoding="async"
        draggable={false}
        data-full
        data-shown={isShown || undefined}
        onLoad={() => setShown(true)}
      />
    )
  );
}
