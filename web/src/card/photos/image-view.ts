import { clamp } from "@mantine/hooks";
import type { ImageSide } from "@slabdesk/contract/api/results.ts";

/*
 * Zoom and pan of a card's two images. An image is centered in its frame and fitted to it. A view scales it by
 * `scale` and moves it by `x` and `y`, in screen pixels. An image larger than its frame always fills the frame; a
 * smaller one stays centered. Nothing can move out of sight.
 */

type Size = { width: number; height: number };
/** In pixels from the center of a frame. */
export type Point = { x: number; y: number };
/** A frame, and the size of its fitted image. */
export type Stage = { frame: Size; image: Size };
export type View = { scale: number } & Point;

export const FITTED: View = { scale: 1, x: 0, y: 0 };
export const LARGEST_SCALE = 8;
/** The zoom step of a button, key or double click. */
export const ZOOM_STEP = 1.5;
export const CLOSE_UP = 2.5;

export const isZoomed = ({ scale }: View): boolean => scale > 1;

/** The largest size at which the whole image fits the frame. */
export function fitInto(frame: Size, image: Size): Size {
  const scale = Math.min(frame.width / image.width, frame.height / image.height);
  return { width: image.width * scale, height: image.height * scale };
}

/** Zooms around `at`: the point stays in place, as far as the edges allow. */
export function zoomAbout(view: View, factor: number, at: Point, stage: Stage): View {
  const scale = clamp(view.scale * factor, 1, LARGEST_SCALE);
  const growth = scale / view.scale;
  return clamped({ scale, x: at.x - (at.x - view.x) * growth, y: at.y - (at.y - view.y) * growth }, stage);
}

export const panBy = (view: View, by: Point, stage: Stage): View =>
  clamped({ ...view, x: view.x + by.x, y: view.y + by.y }, stage);

/** Clamps the view so that no gap appears beside the image. */
function clamped({ scale, x, y }: View, { frame, image }: Stage): View {
  const reachX = Math.max(0, (image.width * scale - frame.width) / 2);
  const reachY = Math.max(0, (image.height * scale - frame.height) / 2);
  // `+ 0` turns -0 into 0; some comparisons treat them as different views.
  return { scale, x: clamp(x, -reachX, reachX) + 0, y: clamp(y, -reachY, reachY) + 0 };
}

type ImageViews = { isLinked: boolean; views: Record<ImageSide, View> };

type Stages = Readonly<Record<ImageSide, Stage | null>>;
/** `stages` are the current frames; null for a side without an image. */
export type ViewAction =
  | { kind: "zoom"; side: ImageSide; factor: number; at?: Point; by?: Point; stages: Stages }
  | { kind: "pan"; side: ImageSide; by: Point; stages: Stages }
  | { kind: "fit"; side: ImageSide }
  /** Links both sides: the other side takes the view of `side`, and both move together. */
  | { kind: "link"; side: ImageSide; isLinked: boolean; stages: Stages }
  /** The frames were resized. */
  | { kind: "hold"; stages: Stages }
  /** Another card was opened; it starts unzoomed. */
  | { kind: "reset" };

export const NOT_ZOOMED: ImageViews = { isLinked: false, views: { front: FITTED, back: FITTED } };

export function changeViews(state: ImageViews, action: ViewAction): ImageViews {
  const { isLinked, views } = state;
  /** Changes one side, or both if they are linked or no side is given. Leaves sides without an image. */
  const change = (stages: Stages, to: (view: View, stage: Stage) => View, side?: ImageSide): ImageViews["views"] => {
    const changed = (name: ImageSide): View => {
      const stage = stages[name];
      const isMeant = isLinked || side === undefined || name === side;
      return stage && isMeant ? to(views[name], stage) : views[name];
    };
    return { front: changed("front"), back: changed("back") };
  };
  switch (action.kind) {
    case "zoom": {
      const { factor, at = { x: 0, y: 0 }, by } = action;
      const zoomed = (view: View, stage: Stage): View =>
        zoomAbout(by ? panBy(view, by, stage) : view, factor, at, stage);
      return { isLinked, views: change(action.stages, zoomed, action.side) };
    }
    case "pan":
      return { isLinked, views: change(action.stages, (view, stage) => panBy(view, action.by, stage), action.side) };
    case "fit":
      return isLinked ? { ...NOT_ZOOMED, isLinked } : { isLinked, views: { ...views, [action.side]: FITTED } };
    case "link": {
      const source = views[action.side];
      const followed = change(action.stages, (_, stage) => clamped(source, stage));
      return { isLinked: action.isLinked, views: action.isLinked ? { ...followed, [action.side]: source } : views };
    }
    case "hold":
      return { isLinked, views: change(action.stages, clamped) };
    case "reset":
      return { ...NOT_ZOOMED, isLinked };
  }
}

/** The zoom in percent of the fitted size, for example 250. */
export const zoomPercent = ({ scale }: View): number => Math.round(scale * 100);
