import { expect, test } from "vitest";
import { HeldCodes } from "./held-codes.ts";

const code = (meaning: string, hasCheck = true) => ({ meaning, hasCheck });
const meanings = (codes: { meaning: string }[]): string[] => codes.map(({ meaning }) => meaning);

test("a code in view is reported once, however long it stays and if the camera misses a frame", () => {
  const held = new HeldCodes();
  const news: string[] = [];
  for (let frame = 0; frame < 50; frame += 1) {
    const isSeen = frame % 7 !== 3;
    news.push(...meanings(held.take(isSeen ? [code("PSA 1")] : [], frame * 120)));
  }
  expect(news).toEqual(["PSA 1"]);
});

test("a code is reported again after it was out of view for a while", () => {
  const held = new HeldCodes();
  held.take([code("PSA 1")], 0);
  expect(held.take([code("PSA 1")], 1_500)).toEqual([]);
  expect(meanings(held.take([code("PSA 1")], 3_100))).toEqual(["PSA 1"]);
});

test("two codes of one slab are one, two slabs in one frame are two", () => {
  const held = new HeldCodes();
  expect(meanings(held.take([code("PSA 1"), code("PSA 1"), code("CGC 2")], 0))).toEqual(["PSA 1", "CGC 2"]);
  expect(held.take([code("CGC 2"), code("PSA 1")], 120)).toEqual([]);
});

test("a code without a check digit must be read the same twice: a misread is dropped", () => {
  const held = new HeldCodes();
  expect(held.take([code("PSA 1", false)], 0)).toEqual([]);
  expect(held.take([code("PSA 7", false)], 120)).toEqual([]);
  expect(meanings(held.take([code("PSA 1", false)], 240))).toEqual(["PSA 1"]);
});
