import type { ImageSide } from "@slabdesk/contract/api/results.ts";
import { isZoomed } from "./picture-view.ts";
import type { Zoom } from "./use-zoom.ts";

type DialogActions = {
  zoom: Pick<Zoom, "views" | "larger" | "smaller" | "fit" | "pan" | "toggleLink">;
  side: ImageSide;
  onChoose: (side: ImageSide) => void;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onSwap: () => void;
  onHistory: () => void;
};

/**
 * The image dialog's shortcuts, by lowercase key. Arrows pan a zoomed picture; otherwise they move between cards and
 * sides. Page Up and Page Down always move between cards.
 */
export function dialogKeys(actions: DialogActions): Readonly<Record<string, (() => void) | undefined>> {
  const { zoom, side, onChoose, onPrevious, onNext, onSwap, onHistory } = actions;
  const flip = (): void => onChoose(side === "front" ? "back" : "front");
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
    arrowup: arrow("ArrowUp", onPrevious),
    arrowdown: arrow("ArrowDown", onNext),
    pageup: onPrevious,
    pagedown: onNext,
    s: onSwap,
    w: onHistory,
  };
}
