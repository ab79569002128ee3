import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { Loader } from "@mantine/core";
import { type RefObject, useRef } from "react";
import { Tag } from "../../ui/Tag.tsx";
import { hasOwnPhoto, pictureOf, SIDE_NAMES } from "../row/image-messages.ts";
import styles from "./ImageDialog.module.css";
import { PhotoCamera } from "./PhotoCamera.tsx";
import { PhotoMenu } from "./PhotoMenu.tsx";
import type { View } from "./picture-view.ts";
import { SlabPicture } from "./SlabPicture.tsx";
import type { OwnPhotos } from "./use-own-photos.ts";
import { usePhotoDrop } from "./use-photo-drop.ts";
import type { Zoom } from "./use-zoom.ts";

type PictureFrameProps = {
  row: ResultRow;
  side: ImageSide;
  frame: RefObject<HTMLDivElement | null>;
  view: View;
  zoom: Zoom;
  photos: OwnPhotos;
  isChosen: boolean;
  hasCamera: boolean;
  onCamera: (isOpen: boolean) => void;
  onMenu: (isOpen: boolean) => void;
};

/** One side's frame, which supports zoom, pan and photo drop, with a caption below. */
export function PictureFrame(props: PictureFrameProps) {
  const { row, side, frame, view, zoom, photos, isChosen, hasCamera, onCamera, onMenu } = props;
  const figure = useRef<HTMLElement>(null);
  const canHavePhoto = isFound(row);
  const put = (photo: Blob): void => photos.put(row, side, photo);
  const isOver = usePhotoDrop(figure, canHavePhoto ? put : null);
  const work = photos.workOf(row, side);
  const isOwn = hasOwnPhoto(row, side);

  return (
    <figure ref={figure} className={styles.picture} data-chosen={isChosen || undefined}>
      <div ref={frame} className={styles.frame} data-zoomed={view.scale > 1 || undefined} data-side={side}>
        <SlabPicture row={row} side={side} view={view} isHeld={zoom.isHeld} />
        {hasCamera && (
          <PhotoCamera
            side={side}
            onClose={() => onCamera(false)}
            onTake={(photo) => {
              onCamera(false);
              put(photo);
            }}
          />
        )}
        {work !== null && (
          <output className={styles.veil}>
            <Loader size="sm" aria-hidden="true" />
            {work}
          </output>
        )}
        {isOver && <div className={styles.veil}>Drop it here: it becomes the {side}</div>}
      </div>
      <figcaption className={styles.caption}>
        <span>{SIDE_NAMES[side]}</span>
        {isOwn && (
          <Tag tone="accent" look="small">
            Own photo
          </Tag>
        )}
        {canHavePhoto && (
          <span className={styles.captionEnd}>
            <PhotoMenu
              side={side}
              hasPicture={pictureOf(row, side) !== null}
              isOwn={isOwn}
              isBusy={work !== null || hasCamera}
              onOpenChange={onMenu}
              onPhoto={put}
              onCamera={() => onCamera(true)}
              onRestore={() => photos.restore(row, side)}
            />
          </span>
        )}
      </figcaption>
    </figure>
  );
}
