import { expect, test } from "vitest";
import { parseRemembered } from "./remembered-columns.ts";
import { headerKey, NOTHING_REMEMBERED } from "./remembered-sheets.ts";

test("a header is known again whatever its spaces and letters; one without names never", () => {
  expect(headerKey(["Alpha #", " beta "])).toBe("alpha|beta");
  expect(headerKey(["ALPHA", "Beta"])).toBe("alpha|beta");
  expect(headerKey(["Beta", "Alpha"])).not.toBe("alpha|beta");
  expect(headerKey(["", "#"])).toBeNull();
});

test.each([null, "", "{", "[]", '{"columns":{"a":{"columns":{"certNumber":"0"},"company":null}},"sheets":{}}'])(
  "what this page did not write is not remembered: %j",
  (text) => {
    expect(parseRemembered(text)).toEqual(NOTHING_REMEMBERED);
  },
);

test("what was written is read again", () => {
  const remembered = {
    columns: { "a|b": { columns: { certNumber: 1 }, company: "CGC" } },
    sheets: { "b.xlsx|One": ["One"] },
  };
  expect(parseRemembered(JSON.stringify(remembered))).toEqual(remembered);
});
