import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BATCH_INTERVAL_MS, createChangeBatch } from "./follow-run.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("the first change is passed on at once, later ones together and in order", () => {
  const taken: number[][] = [];
  const batch = createChangeBatch<number>((items) => taken.push(items));
  batch.push(1);
  vi.advanceTimersByTime(0);
  expect(taken).toEqual([[1]]);
  batch.push(2);
  batch.push(3);
  vi.advanceTimersByTime(BATCH_INTERVAL_MS - 1);
  expect(taken).toEqual([[1]]);
  vi.advanceTimersByTime(1);
  expect(taken).toEqual([[1], [2, 3]]);
});

test("after a pause the next change is passed on at once again", () => {
  const taken: number[][] = [];
  const batch = createChangeBatch<number>((items) => taken.push(items));
  batch.push(1);
  vi.advanceTimersByTime(10 * BATCH_INTERVAL_MS);
  batch.push(2);
  vi.advanceTimersByTime(0);
  expect(taken).toEqual([[1], [2]]);
});

test("nothing is passed on after a stop", () => {
  const taken: number[][] = [];
  const batch = createChangeBatch<number>((items) => taken.push(items));
  batch.push(1);
  batch.stop();
  batch.push(2);
  vi.advanceTimersByTime(10 * BATCH_INTERVAL_MS);
  expect(taken).toEqual([]);
});
