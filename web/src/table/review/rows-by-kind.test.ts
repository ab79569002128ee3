import { expect, test } from "vitest";
import { aFoundRow, aRow } from "../../run/row-factory.test-data.ts";
import { rowsByKind } from "./ReviewHead.tsx";
import { reasonsWith } from "./use-review-reasons.ts";

test("a kind has the rows that need review for no other reason, the most severe kind first", () => {
  const rows = [
    aFoundRow({ line: 2, imageFlags: ["no_image"] }),
    aFoundRow({ line: 3, imageFlags: ["no_image"], mismatches: ["your sheet: 1990, registry: 1989"] }),
    aRow({ line: 4, status: "error", outcome: "not_found" }),
    aRow({ line: 5, status: "error", outcome: "timeout" }),
    aRow({ line: 6, status: "error", outcome: "not_found" }),
    aFoundRow({ line: 7, imageFlags: ["no_image"], price: 80 }),
    aFoundRow({ line: 8 }),
  ];
  const kinds = rowsByKind(rows, reasonsWith({ highValue: 500, doubtsFrom: 50 }));
  expect([...kinds].map(([kind, ofKind]) => [kind, ofKind.map(({ line }) => line)])).toEqual([
    ["Not found", [4, 6]],
    ["Timed out", [5]],
    ["No image", [7, 2]],
  ]);
});
