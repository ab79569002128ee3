import { expect, test } from "vitest";
import { parseRemembered } from "./use-sheet.ts";
import { headerKey, NOTHING_REMEMBERED } from "./remembered-sheets.ts";

test("a header is recognized whatever its spaces and case; one without names never is", () => {
  expect(headerKey(["Alpha #", " beta "])).toBe("alpha|beta");
  expect(headerKey(["ALPHA", "Beta"])).toBe("alpha|beta");
  expect(headerKey(["Beta", "Alpha"])).not.toBe("alpha|beta");
  expect(headerKey(["", "#"])).toBeNull();
});

test.each([null, "", "{", "[]", '{"columns":{"a":{"columns":{"certNumber":"0"},"company":null}},"sheets":{}}'])(
  "foreign data is ignored: %j",
  (text) => {
    expect(parseRemembered(text)).toEqual(NOTHING_REMEMBERED);
  },
);

test("stored data is read again", () => {
  const remembered = {
    columns: { "a|b": { columns: { certNumber: 1 }, company: "CGC" } },
    sheets: { "b.xlsx|One": ["One"] },
  };
  expect(parseRemembered(JSON.stringify(remembered))).toEqual(remembered);
});
