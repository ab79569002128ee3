import { expect, test } from "vitest";
import { parsePreferences } from "./table-preferences.ts";

const DEFAULTS = { density: "comfortable", hiddenColumns: [] };

test.each([
  [null, DEFAULTS],
  ["", DEFAULTS],
  ["not json", DEFAULTS],
  ["null", DEFAULTS],
  ['"compact"', DEFAULTS],
  ['{"density":"huge","hiddenColumns":"year"}', DEFAULTS],
  ['{"density":"compact"}', { density: "compact", hiddenColumns: [] }],
  ['{"density":"compact","hiddenColumns":["year",3,null]}', { density: "compact", hiddenColumns: ["year"] }],
])("remembered %j reads as %j", (text, expected) => {
  expect(parsePreferences(text)).toEqual(expected);
});
