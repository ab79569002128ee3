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
 * What the keys of the image dialog do, by what they type in small letters. Arrows move a picture that is enlarged, and
 * go from card to card and from side to side otherwise; Page Up and Page Down always go from card to card.
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
