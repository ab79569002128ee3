import { expect, test } from "vitest";
import { foldText, joinTexts, jsonText, readImageUrl, readText, shortListOf, withNumberSign } from "./card-text.ts";

test.each([
  ["  MICKEY\u00a0\u00a0MANTLE\r\n ", "MICKEY MANTLE"],
  ["LET&#x27;S START", "LET'S START"],
  ["BLACK &amp; WHITE", "BLACK & WHITE"],
  ["Pok&eacute;mon&nbsp;&#233;", "Pokémon é"],
  ["A&#x1F600;B", "A😀B"],
  ["&amp;amp;", "&amp;"],
  ["AT&T R&D BLACK&LTD &copy", "AT&T R&D BLACK&LTD &copy"],
  ["&nosuch;", "&nosuch;"],
  ["1 < 2 <b>", "1 < 2 <b>"],
  ["&lt;b&gt;", "<b>"],
  ["シロナのロズレイド", "シロナのロズレイド"],
  [748, "748"],
  [0, "0"],
  ["", null],
  [" \u00a0\n", null],
  ["&nbsp;", null],
  ["N/A", null],
  [null, null],
  [undefined, null],
])("%j is read as %j", (value, text) => {
  expect(readText(value)).toBe(text);
});

test("text is truncated to 5,000 characters", () => {
  expect(foldText("x".repeat(3_000_000))).toBe("x".repeat(5_000));
  expect(readText("&amp;".repeat(200_000))).toBe("&".repeat(1_000));
  expect(joinTexts("x".repeat(3_000), "y".repeat(3_000))).toHaveLength(5_000);
});

test("only the first 50 items of a list are read", () => {
  const list = shortListOf(jsonText).parse(Array.from({ length: 100_000 }, (_, n) => n));
  expect([list.length, list[0], list.at(-1)]).toEqual([50, "0", "49"]);
});

test("all entities of a text are decoded at once", () => {
  const cpuOf = (work: () => void) => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const apart = cpuOf(() => Array.from({ length: 20_000 }, () => readText("&#65;")));
  const together = cpuOf(() => Array.from({ length: 20 }, () => readText("&#65;".repeat(1_000))));
  expect(together).toBeLessThan(apart / 5);
});

test("text that the HTML parser has decoded is not decoded again", () => {
  expect(foldText(" A&amp;B \n C ")).toBe("A&amp;B C");
});

test("names join existing parts by single spaces, numbers get one sign", () => {
  expect(joinTexts("1999", null, withNumberSign("4"), null, "X")).toBe("1999 #4 X");
  expect(joinTexts(null, null)).toBeNull();
  expect([withNumberSign(null), withNumberSign("#4")]).toEqual([null, "#4"]);
});

test.each([
  [" https://a.test/x.jpg ", "https://a.test/x.jpg"],
  ["http://a.test/x y.jpg", null],
  ["javascript:alert(1)", null],
  ["//a.test/x.jpg", null],
  ["/x.jpg", null],
  ["https://", null],
  [null, null],
  [`https://x.test/${"a".repeat(2_000)}`, null],
])("the image URL %j is %j", (value, url) => {
  expect(readImageUrl(value)).toBe(url);
});
