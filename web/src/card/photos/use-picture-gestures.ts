import { type RefObject, useEffect, useEffectEvent } from "react";
import type { Point } from "./picture-view.ts";

type Gestures = {
  /** A wheel or pinch zoom around `at`. A pinch also pans by `by`. */
  onZoom: (factor: number, at: Point, by: Point) => void;
  onPan: (by: Point) => void;
  onDoubleClick: (at: Point) => void;
  /** A finger or mouse button was pressed on the frame. */
  onTouch: () => void;
};

const LINE_PX = 16;
/** One notch of most wheels is 100 px and zooms by a quarter. Trackpads send a pinch as small wheel steps with Ctrl. */
const WHEEL_RATE = 0.0022;
const PINCH_RATE = 0.01;

/** Handles wheel, drag, pinch and double click on a frame while `isOn`, with coordinates relative to its center. */
export function usePictureGestures(frame: RefObject<HTMLElement | null>, isOn: boolean, gestures: Gestures): void {
  const latest = useEffectEvent(() => gestures);
  useEffect(() => {
    const element = frame.current;
    if (!element || !isOn) return;
    const listening = new AbortController();
    const { signal } = listening;
    const fingers = new Map<number, Point>();
    const fromMiddle = (clientX: number, clientY: number): Point => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
    };

    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const px = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * LINE_PX : event.deltaY;
      const factor = Math.exp(-px * (event.ctrlKey ? PINCH_RATE : WHEEL_RATE));
      latest().onZoom(factor, fromMiddle(event.clientX, event.clientY), { x: 0, y: 0 });
    };
    const onDown = (event: PointerEvent): void => {
      if (event.button !== 0 || isControl(event.target)) return;
      latest().onTouch();
      element.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, fromMiddle(event.clientX, event.clientY));
    };
    const onMove = (event: PointerEvent): void => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const now = fromMiddle(event.clientX, event.clientY);
      fingers.set(event.pointerId, now);
      const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
      if (!other) return latest().onPan({ x: now.x - before.x, y: now.y - before.y });
      const factor = distance(now, other) / Math.max(1, distance(before, other));
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      latest().onZoom(factor, middle, { x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 });
    };
    const onUp = (event: PointerEvent): void => void fingers.delete(event.pointerId);
    const onDoubleClick = (event: MouseEvent): void => {
      if (!isControl(event.target)) latest().onDoubleClick(fromMiddle(event.clientX, event.clientY));
    };
    // Two fingers zoom the picture, not the page. The focus doesn't move.
    const onTouchMove = (event: TouchEvent): void => {
      if (event.touches.length > 1 && event.cancelable) event.preventDefault();
    };
    const onMouseDown = (event: MouseEvent): void => {
      if (!isControl(event.target)) event.preventDefault();
    };

    element.addEventListener("wheel", onWheel, { passive: false, signal });
    element.addEventListener("touchmove", onTouchMove, { passive: false, signal });
    element.addEventListener("mousedown", onMouseDown, { signal });
    element.addEventListener("pointerdown", onDown, { signal });
    element.addEventListener("pointermove", onMove, { signal });
    element.addEventListener("pointerup", onUp, { signal });
    element.addEventListener("pointercancel", onUp, { signal });
    element.addEventListener("dblclick", onDoubleClick, { signal });
    return () => listening.abort();
  }, [frame, isOn]);
}

/** True for buttons in the frame, which keep their normal behavior. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, a") !== null;
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
