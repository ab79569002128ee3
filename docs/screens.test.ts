import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SCREENS, screenshotNames, WINDOWS } from "../e2e/screens/names.ts";
import { HOUSE, readHouseFile } from "./markdown-tables.ts";

const documents = [
  "README.md",
  ...readdirSync(`${HOUSE}docs`, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const named = documents.flatMap((document) =>
  [...readHouseFile(document).matchAll(/screens\/([\w-]+\.png)/g)].map(([, screenshot = ""]) => screenshot),
);

describe("docs/screens", () => {
  const screenshots = readdirSync(`${HOUSE}docs/screens`);

  it("has every screenshot that the documents use", () => {
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((screenshot) => !existsSync(`${HOUSE}docs/screens/${screenshot}`))).toEqual([]);
  });

  it("has exactly the screenshots of the screens in the walkthrough", () => {
    expect(screenshots.toSorted()).toEqual(WINDOWS.flatMap(screenshotNames).toSorted());
  });
});

describe("e2e/screens/trees", () => {
  it("has exactly one accessibility tree for each screen", () => {
    expect(readdirSync(`${HOUSE}e2e/screens/trees`).toSorted()).toEqual(
      SCREENS.map((name) => `${name}.txt`).toSorted(),
    );
  });
});
