import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { useWindowEvent } from "@mantine/hooks";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { isTyping } from "../../ui/use-page-keys.ts";
import type { RowDialog } from "../use-row-dialogs.ts";
import { photoAmong } from "./photo-messages.ts";
import { isZoomed } from "./picture-view.ts";
import type { OwnPhotos } from "./use-own-photos.ts";
import type { Swapping } from "./use-swap.ts";
import type { Zoom } from "./use-zoom.ts";

/** What each part of the image dialog needs. */
export type DialogPart = {
  row: ResultRow;
  dialog: RowDialog;
  /** The side that buttons and keys act on. */
  side: ImageSide;
  onSide: (side: ImageSide) => void;
  zoom: Zoom;
  actions: Swapping & { photos: OwnPhotos; onHistory: (row: ResultRow) => void };
};

/**
 * The image dialog's keyboard, paste and drop. While the camera is open, only Escape works; it calls `onCameraClose`.
 * Listens on the window, because the last button pressed may now be disabled and have lost the focus.
 */
export function useDialogKeys(part: DialogPart, onCameraClose: (() => void) | null): void {
  useWindowEvent("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (onCameraClose) {
      if (event.key === "Escape") onCameraClose();
      return;
    }
    const action = actionsOf(part)[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
  // A file dropped outside a side must not replace the page.
  useWindowEvent("dragover", (event) => event.preventDefault());
  useWindowEvent("drop", (event) => event.preventDefault());
  useWindowEvent("paste", (event) => {
    const { row, side, actions } = part;
    const photo = photoAmong(event.clipboardData?.files ?? []);
    if (photo && isFound(row)) actions.photos.put(row, side, photo);
  });
}

/**
 * The shortcuts by lowercase key. Arrows pan a zoomed picture; otherwise they move between cards and sides. Page Up and
 * Page Down always move between cards.
 */
function actionsOf(part: DialogPart): Readonly<Record<string, (() => void) | undefined>> {
  const { row, dialog, side, onSide, zoom, actions } = part;
  const flip = (): void => onSide(side === "front" ? "back" : "front");
  const isClose = isZoomed(zoom.views[side]);
  const arrow = (name: string, otherwise: (() => void) | undefined) => (isClose ? () => zoom.pan(name) : otherwise);
  return {
    "+": zoom.larger,
    "=": zoom.larger,
    "-": zoom.smaller,
    _: zoom.smaller,
    "0": zoom.fit,
    l: zoom.toggleLink,
    arrowleft: arrow("ArrowLeft", flip),
    arrowright: arrow("ArrowRight", flip),
    arrowup: arrow("ArrowUp", dialog.onPrevious),
    arrowdown: arrow("ArrowDown", dialog.onNext),
    pageup: dialog.onPrevious,
    pagedown: dialog.onNext,
    s: () => actions.swap(row),
    w: () => actions.onHistory(row),
  };
}
