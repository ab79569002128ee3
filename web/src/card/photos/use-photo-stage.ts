import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { useState } from "react";
import { photoAmong } from "./photo-messages.ts";
import { isZoomed } from "./picture-view.ts";
import { useOwnPhotos } from "./use-own-photos.ts";
import { useZoom } from "./use-zoom.ts";

export type PhotoStage = ReturnType<typeof usePhotoStage>;

type PhotoStageOptions = {
  row: ResultRow;
  /** Large pictures can be zoomed; small ones stand beside the facts. */
  isLarge: boolean;
  onLarge: (isLarge: boolean) => void;
};

/** The state of a card's two pictures, and what the keyboard and a paste do with them. */
export function usePhotoStage({ row, isLarge, onLarge }: PhotoStageOptions) {
  const photos = useOwnPhotos();
  const [side, setSide] = useState<ImageSide>("front");
  const [camera, setCamera] = useState<ImageSide | null>(null);
  const [shown, setShown] = useState({ rowId: row.id, isLarge });
  const zoom = useZoom({ side, isOn: isLarge, onChoose: setSide });
  if (shown.rowId !== row.id || shown.isLarge !== isLarge) {
    setShown({ rowId: row.id, isLarge });
    if (shown.rowId !== row.id || !isLarge) setCamera(null);
    zoom.reset();
  }
  const openCamera = (of: ImageSide): void => {
    onLarge(true);
    setCamera(of);
  };
  const closeCamera = (): void => {
    if (camera === null) return;
    setCamera(null);
    // The camera held the focus and is removed.
    zoom.frames[camera].current?.parentElement?.querySelector<HTMLElement>("figcaption button")?.focus();
  };
  const chooseSide = (chosen: ImageSide): void => {
    setSide(chosen);
    zoom.frames[chosen].current?.scrollIntoView({ block: "nearest" });
  };
  const isClose = isZoomed(zoom.views[side]);
  const flip = (): void => chooseSide(side === "front" ? "back" : "front");
  const arrow = (name: string, otherwise?: () => void) => (isClose ? () => zoom.pan(name) : otherwise);
  const keys: Readonly<Record<string, (() => void) | undefined>> = {
    "+": zoom.larger,
    "=": zoom.larger,
    "-": zoom.smaller,
    _: zoom.smaller,
    "0": zoom.fit,
    arrowleft: arrow("ArrowLeft", flip),
    arrowright: arrow("ArrowRight", flip),
    arrowup: arrow("ArrowUp"),
    arrowdown: arrow("ArrowDown"),
  };
  return {
    row,
    isLarge,
    onLarge,
    photos,
    side,
    chooseSide,
    camera,
    openCamera,
    closeCamera,
    zoom,
    /** Handles a key; false if it does nothing here. While the camera is open, it takes all keys. */
    onKey: (key: string): boolean => {
      if (camera !== null) return true;
      const action = isLarge ? keys[key] : undefined;
      action?.();
      return action !== undefined;
    },
    /** A pasted picture replaces the chosen side. */
    onPaste: (files: Iterable<File>): void => {
      const photo = photoAmong(files);
      if (photo && isFound(row)) photos.put(row, side, photo);
    },
  };
}
