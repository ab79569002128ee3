import { expect, test } from "vitest";
import { sparklinePath } from "./price-cells.tsx";

test.each([
  ["nothing", [], null],
  ["one sale is no line", [40], null],
  ["equal sales as a level line", [40, 40], { points: "3,10 61,10", last: { x: 61, y: 10 } }],
  ["higher prices further up", [10, 30, 20], { points: "3,17 32,3 61,10", last: { x: 61, y: 10 } }],
])("%s", (_name, values, path) => {
  expect(sparklinePath(values, 64, 20)).toEqual(path);
});
