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
  type View,
  ZOOM_STEP,
} from "./picture-view.ts";
import { naturalSizeIn } from "./SlabPicture.tsx";
import { usePictureGestures } from "./use-picture-gestures.ts";

/** The share of the frame that one key press pans. */
const PAN_SHARE = 0.2;
const STEP: Record<string, Point> = {
  ArrowLeft: { x: 1, y: 0 },
  ArrowRight: { x: -1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
};

export type Zoom = {
  frames: Record<ImageSide, RefObject<HTMLDivElement | null>>;
  views: Record<ImageSide, View>;
  /** Whether both sides move together. */
  isLinked: boolean;
  /** True while a finger, a drag or a wheel moves a picture, which then follows without animation. */
  isHeld: boolean;
  larger: () => void;
  smaller: () => void;
  fit: () => void;
  toggleLink: () => void;
  /** Pans the chosen side in the arrow's direction. */
  pan: (arrow: string) => void;
  reset: () => void;
};

type ZoomOptions = {
  side: ImageSide;
  onChoose: (side: ImageSide) => void;
  /** The saved link setting and its setter. */
  wasLinked: boolean;
  onLink: (isLinked: boolean) => void;
};

/** Zoom and pan of both sides. Buttons and keys act on the chosen side; gestures act on the side under the pointer. */
export function useZoom({ side, onChoose, wasLinked, onLink }: ZoomOptions): Zoom {
  const [{ views, isLinked }, change] = useReducer(changeViews, { ...NOT_ZOOMED, isLinked: wasLinked });
  const [isHeld, setHeld] = useState(false);
  const front = useRef<HTMLDivElement>(null);
  const back = useRef<HTMLDivElement>(null);
  const stages = (): Record<ImageSide, Stage | null> => ({ front: stageIn(front), back: stageIn(back) });

  const gesturesOf = (name: ImageSide) => ({
    onZoom: (factor: number, at: Point, by: Point): void => {
      setHeld(true);
      onChoose(name);
      change({ kind: "zoom", side: name, factor, at, by, stages: stages() });
    },
    onPan: (by: Point): void => {
      setHeld(true);
      change({ kind: "pan", side: name, by, stages: stages() });
    },
    onDoubleClick: (at: Point): void => {
      setHeld(false);
      if (isZoomed(views[name])) change({ kind: "fit", side: name });
      else change({ kind: "zoom", side: name, factor: CLOSE_UP, at, stages: stages() });
    },
    onTouch: () => onChoose(name),
  });
  usePictureGestures(front, gesturesOf("front"));
  usePictureGestures(back, gesturesOf("back"));
  useWindowEvent("resize", () => change({ kind: "hold", stages: stages() }));

  const zoomBy = (factor: number): void => {
    setHeld(false);
    change({ kind: "zoom", side, factor, stages: stages() });
  };
  return {
    frames: { front, back },
    views,
    isLinked,
    isHeld,
    larger: () => zoomBy(ZOOM_STEP),
    smaller: () => zoomBy(1 / ZOOM_STEP),
    fit: () => {
      setHeld(false);
      change({ kind: "fit", side });
    },
    toggleLink: () => {
      change({ kind: "link", side, isLinked: !isLinked, stages: stages() });
      onLink(!isLinked);
    },
    pan: (arrow) => {
      const step = STEP[arrow];
      const frame = (side === "front" ? front : back).current;
      if (!step || !frame) return;
      setHeld(false);
      const by = { x: step.x * frame.clientWidth * PAN_SHARE, y: step.y * frame.clientHeight * PAN_SHARE };
      change({ kind: "pan", side, by, stages: stages() });
    },
    reset: () => change({ kind: "reset" }),
  };
}

function stageIn(frame: RefObject<HTMLDivElement | null>): Stage | null {
  const natural = naturalSizeIn(frame);
  if (!frame.current || !natural) return null;
  const size = { width: frame.current.clientWidth, height: frame.current.clientHeight };
  return { frame: size, picture: fitInto(size, natural) };
}
