import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { useState } from "react";
import { changePhoto } from "../../run/session-requests.ts";
import { useAction } from "../../run/use-action.ts";
import { toast } from "../../ui/toast.tsx";
import { formatSize, photoAmong, photoProblem } from "./photo-messages.ts";
import { isZoomed } from "./picture-view.ts";
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
  const { put, workOf } = useOwnPhotos(row);
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
  /** Replaces a side's picture with the first one among chosen, dropped or pasted files. */
  const take = (of: ImageSide, files: Iterable<File>): void => {
    const photo = photoAmong(files);
    if (photo && isFound(row)) put(of, photo);
  };
  const flip = (): void => chooseSide(side === "front" ? "back" : "front");
  const keys: Readonly<Record<string, (() => void) | undefined>> = {
    "+": zoom.larger,
    "=": zoom.larger,
    "-": zoom.smaller,
    _: zoom.smaller,
    "0": zoom.fit,
    arrowleft: flip,
    arrowright: flip,
  };
  return {
    row,
    isLarge,
    onLarge,
    put,
    take,
    workOf,
    side,
    chooseSide,
    camera,
    openCamera,
    closeCamera,
    zoom,
    /** Handles a key; false if it does nothing here. While the camera is open, it takes all keys. */
    onKey: (key: string): boolean => {
      if (camera !== null) return true;
      if (!isLarge) return false;
      if (isZoomed(zoom.views[side]) && zoom.pan(key)) return true;
      keys[key]?.();
      return key in keys;
    },
  };
}

/** Without a photo, the grader's picture is restored. */
type PhotoChange = { row: ResultRow; side: ImageSide; photo: Blob | null };

const keyOf = ({ row, side }: Omit<PhotoChange, "photo">): string => `${row.id} ${side}`;

/** The user's photos of a card, one change per side at a time. The table shows the server's saved state. */
function useOwnPhotos(row: ResultRow) {
  const { run, pending } = useAction<PhotoChange>({
    send: ({ row, side, photo }) => changePhoto(row, side, photo),
    failure: (change) => ({
      id: `photo-${keyOf(change)}`,
      title: change.photo === null ? "Couldn't remove the photo" : "Couldn't save the photo",
    }),
    keyOf,
  });
  return {
    /** Replaces a side's picture with a photo, or the grader's; shows an error if the photo can't be used. */
    put: (side: ImageSide, photo: Blob | null): void => {
      const problem = photo && photoProblem(photo);
      if (problem === null) run({ row, side, photo });
      else toast.error({ id: "photo-problem", title: "Couldn't save the photo", message: problem });
    },
    /** A message about a side's change in progress; null if there is none. */
    workOf: (side: ImageSide): string | null => {
      const change = pending.find((other) => keyOf(other) === keyOf({ row, side }));
      if (change === undefined) return null;
      return change.photo === null ? "Removing the photo…" : `Sending the photo, ${formatSize(change.photo.size)}…`;
    },
  };
}
