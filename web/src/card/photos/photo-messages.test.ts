import { expect, test } from "vitest";
import { photoAmong, photoProblem, formatSize } from "./photo-messages.ts";

test.each([
  ["image/jpeg", 3_200_000, null],
  ["image/avif", 20_000_000, null],
  ["image/jpeg", 20_100_000, "The photo has 20.1 MB. It can have at most 20 MB."],
  ["image/heic", 1_000, "Choose a JPEG, PNG, WebP or AVIF image."],
  ["image/svg+xml", 1_000, "Choose a JPEG, PNG, WebP or AVIF image."],
  ["", 1_000, "Choose a JPEG, PNG, WebP or AVIF image."],
  ["image/png", 0, "The file is empty."],
])("a file of type %j with %i bytes", (type, size, message) => {
  expect(photoProblem({ type, size })).toBe(message);
});

test("file sizes are readable", () => {
  expect([1, 240_400, 999_999, 1_000_000, 3_249_000].map(formatSize)).toEqual([
    "1 kB",
    "240 kB",
    "1000 kB",
    "1 MB",
    "3.2 MB",
  ]);
});

test("the image is picked from several dropped items", () => {
  const text = new File(["a"], "a.txt", { type: "text/plain" });
  const photo = new File(["b"], "b.png", { type: "image/png" });
  expect(photoAmong([text, photo])).toBe(photo);
  expect(photoAmong([text])).toBe(text);
  expect(photoAmong([])).toBeNull();
});
