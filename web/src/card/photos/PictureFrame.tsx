import type { ImageSide } from "@slabdesk/contract/api/results.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { Group, Loader } from "@mantine/core";
import { useRef } from "react";
import { Tag } from "../../ui/Tag.tsx";
import { useFileDrop } from "../../ui/files/use-file-drop.ts";
import { hasOwnPhoto, pictureOf, SIDE_NAMES } from "../image-messages.ts";
import styles from "./Photos.module.css";
import { PhotoCamera } from "./PhotoCamera.tsx";
import { photoAmong } from "./photo-messages.ts";
import { PhotoMenu } from "./PhotoMenu.tsx";
import { isZoomed } from "./picture-view.ts";
import { SlabPicture } from "./SlabPicture.tsx";
import type { PhotoStage } from "./use-photo-stage.ts";

/** One side's frame, which supports enlarging, zoom, pan and photo drop, with a caption below. */
export function PictureFrame({ side, stage }: { side: ImageSide; stage: PhotoStage }) {
  const { row, zoom, photos, isLarge, camera } = stage;
  const figure = useRef<HTMLElement>(null);
  const canHavePhoto = isFound(row);
  const put = (photo: Blob): void => photos.put(row, side, photo);
  const onFiles = (files: readonly File[]): void => {
    const photo = photoAmong(files);
    if (photo) put(photo);
  };
  const isOver = useFileDrop(figure, canHavePhoto ? onFiles : null);
  const view = zoom.views[side];
  const work = photos.workOf(row, side);
  const hasCamera = camera === side;
  return (
    <figure ref={figure} className={styles.picture} data-chosen={(isLarge && side === stage.side) || undefined}>
      <div ref={zoom.frames[side]} className={styles.frame} data-zoomed={isZoomed(view) || undefined} data-side={side}>
        <SlabPicture row={row} side={side} view={view} isHeld={zoom.isHeld} />
        {!isLarge && pictureOf(row, side) !== null && (
          <button
            type="button"
            className={styles.enlarge}
            aria-label={`Enlarge the ${side}`}
            onClick={() => {
              stage.chooseSide(side);
              stage.onLarge(true);
            }}
          />
        )}
        {hasCamera && (
          <PhotoCamera
            side={side}
            onClose={stage.closeCamera}
            onTake={(photo) => {
              stage.closeCamera();
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
      <Group component="figcaption" gap="0 8px" mih={30} c="dimmed" fz="xs" wrap={isLarge ? "nowrap" : "wrap"}>
        <span>{SIDE_NAMES[side]}</span>
        {hasOwnPhoto(row, side) && (
          <Tag tone="accent" variant="small">
            Own photo
          </Tag>
        )}
        {canHavePhoto && (
          <PhotoMenu
            row={row}
            side={side}
            photos={photos}
            isShort={!isLarge}
            isBusy={work !== null || hasCamera}
            onCamera={() => stage.openCamera(side)}
          />
        )}
      </Group>
    </figure>
  );
}
