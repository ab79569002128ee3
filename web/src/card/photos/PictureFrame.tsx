import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { Box, Group, Loader } from "@mantine/core";
import { useRef } from "react";
import { Tag } from "../../ui/Tag.tsx";
import { useFileDrop } from "../../ui/files/use-file-drop.ts";
import { hasOwnPhoto, SIDE_NAMES } from "../image-messages.ts";
import styles from "./Photos.module.css";
import { PhotoCamera } from "./PhotoCamera.tsx";
import { photoAmong } from "./photo-messages.ts";
import { PhotoMenu } from "./PhotoMenu.tsx";
import { isZoomed } from "./picture-view.ts";
import { SlabPicture } from "./SlabPicture.tsx";
import type { OwnPhotos } from "./use-own-photos.ts";
import type { Zoom } from "./use-zoom.ts";

type PictureFrameProps = {
  row: ResultRow;
  side: ImageSide;
  zoom: Zoom;
  photos: OwnPhotos;
  isChosen: boolean;
  hasCamera: boolean;
  onCamera: (isOpen: boolean) => void;
  onMenu: (isOpen: boolean) => void;
};

/** One side's frame, which supports zoom, pan and photo drop, with a caption below. */
export function PictureFrame(props: PictureFrameProps) {
  const { row, side, zoom, photos, isChosen, hasCamera, onCamera, onMenu } = props;
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
  return (
    <figure ref={figure} className={styles.picture} data-chosen={isChosen || undefined}>
      <div ref={zoom.frames[side]} className={styles.frame} data-zoomed={isZoomed(view) || undefined} data-side={side}>
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
      <Group component="figcaption" gap={8} mih={30} ps={4} c="dimmed" fz="xs" wrap="nowrap">
        <span>{SIDE_NAMES[side]}</span>
        {hasOwnPhoto(row, side) && (
          <Tag tone="accent" variant="small">
            Own photo
          </Tag>
        )}
        {canHavePhoto && (
          <Box component="span" ms="auto">
            <PhotoMenu
              row={row}
              side={side}
              photos={photos}
              isBusy={work !== null || hasCamera}
              onOpenChange={onMenu}
              onCamera={() => onCamera(true)}
            />
          </Box>
        )}
      </Group>
    </figure>
  );
}
