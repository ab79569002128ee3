import { describe, expect, it } from "vitest";
import { SOURCE_TERMS } from "../server/src/features/sources/sources.present.ts";
import { SOURCE_NAMES, SOURCE_TITLES } from "@slabdesk/contract/api/sources.ts";
import { readHouseFile, readTableRows } from "./markdown-tables.ts";

describe("docs/sources.md", () => {
  it("quotes the product's texts on each upstream's terms and permission", () => {
    const rows = readTableRows(readHouseFile("docs/sources.md")).filter(
      (row) => row.heading === "What their terms allow",
    );
    expect(rows.map(({ cells }) => cells)).toEqual(
      SOURCE_NAMES.map((name) => [SOURCE_TITLES[name], SOURCE_TERMS[name].terms, SOURCE_TERMS[name].permission]),
    );
  });

  it.each(SOURCE_NAMES)("has a section for %s", (name) => {
    expect(readHouseFile("docs/sources.md")).toContain(`\n## ${SOURCE_TITLES[name]}\n`);
  });
});
