import { expect, test } from "vitest";
import { hasOwnPhoto, imageFlagMessage, storedUrlOf } from "./images.ts";
import { aFoundRow } from "../run/row-factory.test-data.ts";

test.each([
  ["both sides", aFoundRow(), []],
  ["no side", aFoundRow({ imageUrl: null, imageUrlBack: "N/A", imageFlags: ["no_image"] }), ["The card has no image"]],
  ["no back", aFoundRow({ imageUrlBack: "", imageFlags: ["one_side"] }), ["Only the front has an image"]],
  ["no front", aFoundRow({ imageUrl: "N/A", imageFlags: ["one_side"] }), ["Only the back has an image"]],
  ["one image twice", aFoundRow({ imageFlags: ["same_sides"] }), ["Front and back are the same image"]],
])("a card with %s says so", (_name, row, message) => {
  expect(imageFlagMessage(row)).toEqual(message);
});

test("a side has the grader's image, an own photo, or none", () => {
  const row = aFoundRow({ imageUrl: "/api/photos/0b5f", imageUrlBack: "N/A" });
  expect(storedUrlOf(row, "front")).toBe("/api/photos/0b5f");
  expect(storedUrlOf(row, "back")).toBeNull();
  expect([hasOwnPhoto(row, "front"), hasOwnPhoto(row, "back")]).toEqual([true, false]);
  expect(hasOwnPhoto(aFoundRow(), "front")).toBe(false);
});
