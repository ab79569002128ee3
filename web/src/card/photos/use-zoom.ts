import type { ImageSide } from "@slabdesk/contract/api/results.ts";
import { useWindowEvent } from "@mantine/hooks";
import { type RefObject, useReducer, useRef, useState } from "react";
import {
  changeViews,
  CLOSE_UP,
  fitInto,
  isZoomed,
  NOT_ZOOMED,
  type Point,
  type Stage,
  type ViewAction,
  ZOOM_STEP,
} from "./picture-view.ts";
import { usePictureGestures } from "./use-picture-gestures.ts";

/** The share of the frame that one key press pans. */
const PAN_SHARE = 0.2;
const STEP: Record<string, Point> = {
  ArrowLeft: { x: 1, y: 0 },
  ArrowRight: { x: -1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
};

type ZoomOptions = {
  side: ImageSide;
  /** While false, the pictures ignore wheel and pointer. */
  isOn: boolean;
  onChoose: (side: ImageSide) => void;
};

/** Zoom and pan of both sides. Buttons and keys act on the chosen side; gestures act on the side under the pointer. */
export function useZoom({ side, isOn, onChoose }: ZoomOptions) {
  const [{ views, isLinked }, change] = useReducer(changeViews, NOT_ZOOMED);
  const [isHeld, setHeld] = useState(false);
  const front = useRef<HTMLDivElement>(null);
  const back = useRef<HTMLDivElement>(null);
  const stages = (): Record<ImageSide, Stage | null> => ({ front: stageIn(front), back: stageIn(back) });

  const move = (action: ViewAction, isGesture = false): void => {
    setHeld(isGesture);
    change(action);
  };

  const gesturesOf = (name: ImageSide) => ({
    onZoom: (factor: number, at: Point, by: Point): void => {
      onChoose(name);
      move({ kind: "zoom", side: name, factor, at, by, stages: stages() }, true);
    },
    onPan: (by: Point): void => move({ kind: "pan", side: name, by, stages: stages() }, true),
    onDoubleClick: (at: Point): void => {
      const closeUp = { kind: "zoom", side: name, factor: CLOSE_UP, at, stages: stages() } as const;
      move(isZoomed(views[name]) ? { kind: "fit", side: name } : closeUp);
    },
    onTouch: () => onChoose(name),
  });
  usePictureGestures(front, isOn, gesturesOf("front"));
  usePictureGestures(back, isOn, gesturesOf("back"));
  useWindowEvent("resize", () => change({ kind: "hold", stages: stages() }));

  return {
    frames: { front, back },
    views,
    /** Whether both sides move together. */
    isLinked,
    /** True while a finger, a drag or a wheel moves a picture, which then follows without animation. */
    isHeld,
    larger: () => move({ kind: "zoom", side, factor: ZOOM_STEP, stages: stages() }),
    smaller: () => move({ kind: "zoom", side, factor: 1 / ZOOM_STEP, stages: stages() }),
    fit: () => move({ kind: "fit", side }),
    toggleLink: () => change({ kind: "link", side, isLinked: !isLinked, stages: stages() }),
    /** Pans the chosen side in the arrow's direction. */
    pan: (arrow: string) => {
      const step = STEP[arrow];
      const frame = (side === "front" ? front : back).current;
      if (!step || !frame) return;
      const by = { x: step.x * frame.clientWidth * PAN_SHARE, y: step.y * frame.clientHeight * PAN_SHARE };
      move({ kind: "pan", side, by, stages: stages() });
    },
    reset: () => change({ kind: "reset" }),
  };
}

/** A frame's size and that of its picture; null while there is none. */
function stageIn({ current: frame }: RefObject<HTMLDivElement | null>): Stage | null {
  const picture = Array.from(frame?.querySelectorAll("img") ?? []).find(({ naturalWidth }) => naturalWidth > 0);
  if (!frame || !picture) return null;
  const size = { width: frame.clientWidth, height: frame.clientHeight };
  return { frame: size, picture: fitInto(size, { width: picture.naturalWidth, height: picture.naturalHeight }) };
}
