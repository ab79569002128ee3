import fc from "fast-check";
import { expect, test } from "vitest";
import {
  changeViews,
  FITTED,
  fitInto,
  LARGEST_SCALE,
  NOT_ZOOMED,
  panBy,
  type Stage,
  type View,
  zoomAbout,
} from "./image-view.ts";

const FRAME = { width: 400, height: 600 };
const STAGE: Stage = { frame: FRAME, image: fitInto(FRAME, { width: 900, height: 1500 }) };

test("an image fills its frame as far as possible, whatever its shape", () => {
  expect(fitInto(FRAME, { width: 900, height: 1500 })).toEqual({ width: 360, height: 600 });
  expect(fitInto(FRAME, { width: 3000, height: 1500 })).toEqual({ width: 400, height: 200 });
  expect(fitInto(FRAME, { width: 20, height: 30 })).toEqual({ width: 400, height: 600 });
});

test("the point under the pointer stays there", () => {
  const at = { x: 60, y: -120 };
  const close = zoomAbout(FITTED, 3, at, STAGE);
  expect(close).toEqual({ scale: 3, x: -120, y: 240 });
  const closer = zoomAbout(close, 1.5, at, STAGE);
  for (const { scale, x, y } of [close, closer]) {
    expect((at.x - x) / scale).toBeCloseTo(60);
    expect((at.y - y) / scale).toBeCloseTo(-120);
  }
});

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const point = fc.record({ x: number(-2_000, 2_000), y: number(-2_000, 2_000) });
const size = fc.record({ width: number(50, 2_000), height: number(50, 2_000) });
const moves = fc.array(fc.record({ factor: number(0.2, 5), at: point, by: point }), { minLength: 1, maxLength: 12 });

test("zooming and panning leave no avoidable gap and stay below the maximum", () => {
  fc.assert(
    fc.property(size, size, moves, (frame, natural, steps) => {
      const stage = { frame, image: fitInto(frame, natural) };
      const { scale, x, y } = steps.reduce<View>(
        (view, { factor, at, by }) => panBy(zoomAbout(view, factor, at, stage), by, stage),
        FITTED,
      );
      expect(scale).toBeGreaterThanOrEqual(1);
      expect(scale).toBeLessThanOrEqual(LARGEST_SCALE);
      const beyond = (length: number, room: number): number => Math.max(0, (length * scale - room) / 2);
      expect(Math.abs(x)).toBeLessThanOrEqual(beyond(stage.image.width, frame.width) + 1e-6);
      expect(Math.abs(y)).toBeLessThanOrEqual(beyond(stage.image.height, frame.height) + 1e-6);
    }),
  );
});

test("at the minimum the whole image is centered, wherever it was", () => {
  const moved = panBy(zoomAbout(FITTED, 4, { x: 150, y: 200 }, STAGE), { x: 90, y: -40 }, STAGE);
  expect(zoomAbout(moved, 0.01, { x: -80, y: 10 }, STAGE)).toEqual(FITTED);
});

const stages = { front: STAGE, back: STAGE };

test("each side has its own view; linked sides move together, and the other takes the view of the active one", () => {
  const front = changeViews(NOT_ZOOMED, { kind: "zoom", side: "front", factor: 2, at: { x: 50, y: 0 }, stages });
  expect(front.views).toEqual({ front: { scale: 2, x: -50, y: 0 }, back: FITTED });
  const linked = changeViews(front, { kind: "link", side: "front", isLinked: true, stages });
  expect(linked.views.back).toEqual(linked.views.front);
  const moved = changeViews(linked, { kind: "pan", side: "back", by: { x: 10, y: 30 }, stages });
  expect(moved.views).toEqual({ front: { scale: 2, x: -40, y: 30 }, back: { scale: 2, x: -40, y: 30 } });
  expect(changeViews(moved, { kind: "fit", side: "back" })).toEqual({ ...NOT_ZOOMED, isLinked: true });
  const apart = changeViews(moved, { kind: "link", side: "front", isLinked: false, stages });
  expect(changeViews(apart, { kind: "fit", side: "back" }).views).toEqual({ front: moved.views.front, back: FITTED });
});

test("two fingers move and zoom at once", () => {
  const action = { kind: "zoom", side: "front", factor: 2, at: { x: 0, y: 0 }, by: { x: 0, y: 0 }, stages } as const;
  const close = changeViews(NOT_ZOOMED, action);
  expect(changeViews(close, { ...action, factor: 1, by: { x: 15, y: -5 } }).views.front).toEqual({
    scale: 2,
    x: 15,
    y: -5,
  });
});

test("a side without an image is ignored; a smaller window keeps the image in its frame; another card starts whole", () => {
  const noBack = { front: STAGE, back: null };
  const linked = { ...NOT_ZOOMED, isLinked: true };
  const close = changeViews(linked, { kind: "zoom", side: "front", factor: 4, at: { x: 100, y: 280 }, stages: noBack });
  expect(close.views.back).toEqual(FITTED);
  const frame = { width: 200, height: 300 };
  const small = { frame, image: fitInto(frame, { width: 900, height: 1500 }) };
  const kept = changeViews(close, { kind: "hold", stages: { front: small, back: null } });
  expect(kept.views.front).toEqual({ scale: 4, x: -260, y: -450 });
  expect(changeViews(kept, { kind: "reset" })).toEqual(linked);
});
