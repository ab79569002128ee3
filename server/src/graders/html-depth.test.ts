import fc from "fast-check";
import { load } from "cheerio";
import { expect, test } from "vitest";
import { amount } from "../../../scripts/test-form.ts";
import { isNestedTooDeep } from "./html-records.ts";

const MANY = 3000;

test.each([
  ["unclosed divisions", "<div>".repeat(MANY)],
  ["a million of them", "<div>".repeat(1_000_000)],
  ["elements nobody knows", "<x-y a=b>".repeat(MANY)],
  ["self-closed ones, which HTML does not know", "<div/>".repeat(MANY)],
  ["end tags of something else between", "<div></span>".repeat(MANY)],
  ["end tags that cannot leave their table", "<div><table><tr><td></div>".repeat(MANY)],
  ["deep drawings", `<svg>${"<g>".repeat(MANY)}`],
  ["formatting that goes on in each paragraph", Array.from({ length: MANY }, (_, n) => `<p><b id=${n}></p>`).join("")],
])("too deep: %s", (_what, html) => {
  expect(isNestedTooDeep(html)).toBe(true);
});

test.each([
  ["siblings", "<div></div>".repeat(MANY)],
  [
    "paragraphs, items and cells without end tags",
    `<ul>${"<li><p>x".repeat(MANY)}</ul><table>${"<tr><td>x".repeat(MANY)}</table>`,
  ],
  ["images and breaks", "<img src=x><br>".repeat(MANY)],
  ["a drawing with many lines", `<svg>${'<path d="M0 0"/>'.repeat(MANY)}</svg>`],
  [
    "markup in scripts, styles and comments",
    `<script>${"<div>".repeat(MANY)}</script><style>${"<a>".repeat(MANY)}</style><!--${"<div>".repeat(MANY)}-->`,
  ],
  ["brackets that are no tags", "< <3 <- ".repeat(MANY)],
  ["a script without an end", `<script>${"<div>".repeat(MANY)}`],
])("not too deep: %s", (_what, html) => {
  expect(isNestedTooDeep(html)).toBe(false);
});

test("an accepted page is never too deep for the parser", () => {
  const part = fc.constantFrom(
    "<div>",
    "</div>",
    "<b>",
    "</b>",
    "<p>",
    "</p>",
    "<table>",
    "</table>",
    "<td>",
    "<svg>",
    "</svg>",
    "<g/>",
    "<a>",
    "</a>",
    "<dl>",
    "<dt>",
    "<dd>",
    "text",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), fc.integer({ min: 1, max: 120 }), (parts, times) => {
      const html = parts.join("").repeat(times);
      fc.pre(!isNestedTooDeep(html));
      const $ = load(html);
      const deepest = Math.max(
        0,
        ...$("*")
          .toArray()
          .filter((element) => $(element).children().length === 0)
          .slice(-5)
          .map((element) => $(element).parents().length),
      );
      expect(deepest).toBeLessThan(3000);
    }),
    { numRuns: amount({ short: 15, long: 60 }) },
  );
});
