import type { ImageSide, ResultRow } from "@slabdesk/contract/api/results.ts";
import { isFound } from "@slabdesk/contract/review/row-state.ts";
import { useWindowEvent } from "@mantine/hooks";
import { type RefObject, useEffect, useEffectEvent, useReducer, useRef, useState } from "react";
import { changePhoto } from "../../run/session-requests.ts";
import { useAction } from "../../api/use-action.ts";
import { isControl } from "../../ui/use-page-keys.ts";
import * as imageView from "./image-view.ts";
import { formatSize, isUsablePhoto, photoAmong } from "./photo-messages.ts";

export type PhotoStage = ReturnType<typeof usePhotoStage>;

type PhotoStageOptions = { row: ResultRow; isLarge: boolean; onLarge: (isLarge: boolean) => void };

/**
 * The state of a card's two images, and what the keyboard and a paste do with them. Large images can be zoomed;
 * small ones stand beside the facts.
 */
export function usePhotoStage({ row, isLarge, onLarge }: PhotoStageOptions) {
  const { put, workOf } = useOwnPhotos(row);
  const [side, setSide] = useState<ImageSide>("front");
  const [camera, setCamera] = useState<ImageSide | null>(null);
  const [shown, setShown] = useState({ rowId: row.id, isLarge });
  const zoom = useZoom(side, isLarge, setSide);
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
  /** Replaces a side's image with the first one among chosen, dropped or pasted files. */
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
  /** Handles a key; false if it does nothing here. While the camera is open, it takes all keys. */
  const onKey = (key: string): boolean => {
    if (camera !== null) return true;
    if (!isLarge) return false;
    if (imageView.isZoomed(zoom.views[side]) && zoom.pan(key)) return true;
    keys[key]?.();
    return key in keys;
  };
  return { row, isLarge, onLarge, put, take, workOf, side, chooseSide, camera, openCamera, closeCamera, zoom, onKey };
}

/** Without a photo, the grader's image is restored. */
type PhotoChange = { row: ResultRow; side: ImageSide; photo: Blob | null };

const keyOf = ({ row, side }: PhotoChange): string => `${row.id} ${side}`;

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
    /** Replaces a side's image with a photo, or the grader's. */
    put: (side: ImageSide, photo: Blob | null): void => {
      if (photo === null || isUsablePhoto(photo)) run({ row, side, photo });
    },
    /** A message about a side's change in progress; null if there is none. */
    workOf: (side: ImageSide): string | null => {
      const change = pending.find((other) => other.row.id === row.id && other.side === side);
      if (!change) return null;
      return change.photo === null ? "Removing the photo…" : `Sending the photo, ${formatSize(change.photo.size)}…`;
    },
  };
}

/** The share of the frame that one key press pans. */
const PAN_SHARE = 0.2;
const STEP: Record<string, imageView.Point> = {
  arrowleft: { x: 1, y: 0 },
  arrowright: { x: -1, y: 0 },
  arrowup: { x: 0, y: 1 },
  arrowdown: { x: 0, y: -1 },
};

/** Zoom and pan of both sides. Buttons and keys act on the chosen side; gestures on the one under the pointer if `isOn`. */
function useZoom(side: ImageSide, isOn: boolean, onChoose: (side: ImageSide) => void) {
  const [{ views, isLinked }, change] = useReducer(imageView.changeViews, imageView.NOT_ZOOMED);
  const [isHeld, setHeld] = useState(false);
  const front = useRef<HTMLDivElement>(null);
  const back = useRef<HTMLDivElement>(null);
  const stages = (): Record<ImageSide, imageView.Stage | null> => ({ front: stageIn(front), back: stageIn(back) });

  const move = (action: imageView.ViewAction, isGesture = false): void => {
    setHeld(isGesture);
    change(action);
  };

  const gesturesOf = (name: ImageSide) => ({
    onZoom: (factor: number, at: imageView.Point, by: imageView.Point): void => {
      onChoose(name);
      move({ kind: "zoom", side: name, factor, at, by, stages: stages() }, true);
    },
    onPan: (by: imageView.Point): void => move({ kind: "pan", side: name, by, stages: stages() }, true),
    onDoubleClick: (at: imageView.Point): void => {
      const closeUp = { kind: "zoom", side: name, factor: imageView.CLOSE_UP, at, stages: stages() } as const;
      move(imageView.isZoomed(views[name]) ? { kind: "fit", side: name } : closeUp);
    },
    onTouch: () => onChoose(name),
  });
  useImageGestures(front, isOn, gesturesOf("front"));
  useImageGestures(back, isOn, gesturesOf("back"));
  useWindowEvent("resize", () => change({ kind: "hold", stages: stages() }));

  return {
    frames: { front, back },
    views,
    /** Whether both sides move together. */
    isLinked,
    /** True while a finger, a drag or a wheel moves an image, which then follows without animation. */
    isHeld,
    larger: () => move({ kind: "zoom", side, factor: imageView.ZOOM_STEP, stages: stages() }),
    smaller: () => move({ kind: "zoom", side, factor: 1 / imageView.ZOOM_STEP, stages: stages() }),
    fit: () => move({ kind: "fit", side }),
    toggleLink: () => change({ kind: "link", side, isLinked: !isLinked, stages: stages() }),
    /** Pans the chosen side in the direction of an arrow key; false for other keys. */
    pan: (key: string): boolean => {
      const step = STEP[key];
      const frame = (side === "front" ? front : back).current;
      if (!step || !frame) return false;
      const by = { x: step.x * frame.clientWidth * PAN_SHARE, y: step.y * frame.clientHeight * PAN_SHARE };
      move({ kind: "pan", side, by, stages: stages() });
      return true;
    },
    reset: () => change({ kind: "reset" }),
  };
}

/** A frame's size and that of its image; null while there is none. */
function stageIn({ current: frame }: RefObject<HTMLDivElement | null>): imageView.Stage | null {
  const image = Array.from(frame?.querySelectorAll("img") ?? []).find(({ naturalWidth }) => naturalWidth > 0);
  if (!frame || !image) return null;
  const size = { width: frame.clientWidth, height: frame.clientHeight };
  return { frame: size, image: imageView.fitInto(size, { width: image.naturalWidth, height: image.naturalHeight }) };
}

type Gestures = {
  /** A wheel or pinch zoom around `at`. A pinch also pans by `by`. */
  onZoom: (factor: number, at: imageView.Point, by: imageView.Point) => void;
  onPan: (by: imageView.Point) => void;
  onDoubleClick: (at: imageView.Point) => void;
  /** A finger or mouse button was pressed on the frame. */
  onTouch: () => void;
};

const LINE_PX = 16;
/** One notch of most wheels is 100 px and zooms by a quarter. Trackpads send a pinch as small wheel steps with Ctrl. */
const WHEEL_RATE = 0.0022;
const PINCH_RATE = 0.01;

/** Handles wheel, drag, pinch and double click on a frame while `isOn`, with coordinates relative to its center. */
function useImageGestures(frame: RefObject<HTMLElement | null>, isOn: boolean, gestures: Gestures): void {
  const latest = useEffectEvent(() => gestures);
  useEffect(() => {
    const element = frame.current;
    if (!element || !isOn) return;
    const listening = new AbortController();
    const on = <Type extends keyof HTMLElementEventMap>(
      type: Type,
      listener: (event: HTMLElementEventMap[Type]) => void,
    ): void => element.addEventListener(type, listener, { passive: false, signal: listening.signal });
    const fingers = new Map<number, imageView.Point>();
    const fromMiddle = (clientX: number, clientY: number): imageView.Point => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
    };

    on("wheel", (event) => {
      event.preventDefault();
      const px = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * LINE_PX : event.deltaY;
      const factor = Math.exp(-px * (event.ctrlKey ? PINCH_RATE : WHEEL_RATE));
      latest().onZoom(factor, fromMiddle(event.clientX, event.clientY), { x: 0, y: 0 });
    });
    on("pointerdown", (event) => {
      if (event.button !== 0 || isControl(event.target)) return;
      latest().onTouch();
      element.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, fromMiddle(event.clientX, event.clientY));
    });
    on("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const now = fromMiddle(event.clientX, event.clientY);
      fingers.set(event.pointerId, now);
      const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
      if (!other) return latest().onPan({ x: now.x - before.x, y: now.y - before.y });
      const factor = distance(now, other) / Math.max(1, distance(before, other));
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      latest().onZoom(factor, middle, { x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 });
    });
    on("pointerup", ({ pointerId }) => fingers.delete(pointerId));
    on("pointercancel", ({ pointerId }) => fingers.delete(pointerId));
    on("dblclick", (event) => {
      if (!isControl(event.target)) latest().onDoubleClick(fromMiddle(event.clientX, event.clientY));
    });
    // Two fingers zoom the image, not the page. The focus doesn't move.
    on("touchmove", (event) => {
      if (event.touches.length > 1 && event.cancelable) event.preventDefault();
    });
    on("mousedown", (event) => {
      if (!isControl(event.target)) event.preventDefault();
    });
    return () => listening.abort();
  }, [frame, isOn]);
}

const distance = (one: imageView.Point, other: imageView.Point): number => Math.hypot(one.x - other.x, one.y - other.y);
