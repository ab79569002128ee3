import { existsSync } from "node:fs";
import { parseSync } from "@swc/core";
import { describe, expect, it } from "vitest";
import { HOUSE, readHouseFile, readTableRows } from "./markdown-tables.ts";

/** The sections of the specification, in its order. */
const SECTIONS = [
  ["1"],
  ["2.0", "2.1", "2.2", "2.3", "2.4", "2.5"],
  ["3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14"],
  ["4.1", "4.2", "4.3", "4.4", "4.5", "4.6", "4.7", "4.8"],
  ["5"],
  ["6"],
  ["7.1", "7.2"],
  ["8"],
  ["9"],
].flat();

const STATUS = /^(?:works|differs|later: [a-z0-9 ]+)$/;
const ID = /^(\d(?:\.\d+)?)-\d{2}$/;

/** All errors in a conformance table, one line each. */
function faultsOf(markdown: string): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  const rows = readTableRows(markdown);
  for (const { heading, cells } of rows) {
    const [id = "", clause = "", status = "", where = "", test = "", note = ""] = cells;
    const fault = (message: string): number => faults.push(`${id}: ${message}`);
    const section = ID.exec(id)?.[1];
    if (cells.length !== 6) fault(`has ${cells.length} cells`);
    if (section === undefined) fault("malformed id");
    else if (!heading.startsWith(`${section} `)) fault(`stands under "${heading}"`);
    if (seen.has(id)) fault("duplicate id");
    seen.add(id);
    if (clause === "") fault("no clause");
    if (!STATUS.test(status)) fault(`unknown status "${status}"`);
    if (status === "works" && (where === "" || test === "")) fault("works, but names no file or no test");
    if (status === "differs" && note === "") fault("differs, but does not say why");
    for (const path of quoted(where)) if (!existsSync(`${HOUSE}${path}`)) fault(`no such file ${path}`);
    for (const name of quoted(test)) if (!isTest(name)) fault(`no such test ${name}`);
  }
  const sections = new Set([...seen].map((id) => ID.exec(id)?.[1]));
  return [...faults, ...SECTIONS.filter((name) => !sections.has(name)).map((name) => `section ${name} is missing`)];
}

function quoted(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].flatMap((match) => match[1] ?? []);
}

/** `path › title`: the file has a test, a step or a group of tests with this title that is not skipped. */
function isTest(name: string): boolean {
  const [path = "", title = ""] = name.split(" › ");
  return /\.(?:test|e2e|spec)\.tsx?$/.test(path) && existsSync(`${HOUSE}${path}`) && titlesIn(path).has(title);
}

const titles = new Map<string, ReadonlySet<string>>();

/** The titles of a file's tests, steps and groups. */
function titlesIn(path: string): ReadonlySet<string> {
  const known = titles.get(path);
  if (known) return known;
  const found = new Set<string>();
  collectTitles(parseSync(readHouseFile(path), { syntax: "typescript", tsx: path.endsWith("x") }), found);
  titles.set(path, found);
  return found;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function collectTitles(node: unknown, found: Set<string>): void {
  if (!isObject(node)) return;
  if (node["type"] === "CallExpression" && isTestFunction(node["callee"])) {
    const [first] = Array.isArray(node["arguments"]) ? node["arguments"] : [];
    const title: unknown = isObject(first) ? first["expression"] : null;
    if (isObject(title) && typeof title["value"] === "string") found.add(title["value"]);
  }
  for (const child of Object.values(node)) collectTitles(child, found);
}

/** Recognizes `test`, `it`, `describe`, `longStep` and what they return, such as `test.each([…])`, unless it leaves the test out. */
function isTestFunction(callee: unknown): boolean {
  if (!isObject(callee)) return false;
  switch (callee["type"]) {
    case "Identifier":
      return ["test", "it", "describe", "longStep"].includes(String(callee["value"]));
    case "MemberExpression": {
      const property = isObject(callee["property"]) ? String(callee["property"]["value"]) : "";
      return !["skip", "todo"].includes(property) && isTestFunction(callee["object"]);
    }
    case "CallExpression":
      return isTestFunction(callee["callee"]);
    default:
      return false;
  }
}

describe("the conformance table", () => {
  it("names only files and tests that exist", () => {
    expect(faultsOf(readHouseFile("docs/conformance.md"))).toEqual([]);
  });

  it("reports the errors of each row", () => {
    const file = "`docs/conformance.test.ts`";
    const test = "`docs/conformance.test.ts › names only files and tests that exist`";
    const onlyText = "`docs/conformance.test.ts › the conformance`";
    const faults = faultsOf(`## 5 Rules

| id | clause | status | where | test | note |
| --- | --- | --- | --- | --- | --- |
| 5-01 | c | works | ${file} | ${test} | |
| 5-02 | c | works | \`docs/gone.ts\` | \`docs/conformance.test.ts › gone\` | |
| 5-04 | c | works | ${file} | ${onlyText} | |
| 5-03 | c | works | ${file} | | |
| 5-03 | | soon | | |
| 6-01 | c | differs | | | |`);
    expect(faults.filter((fault) => !fault.startsWith("section "))).toEqual([
      "5-02: no such file docs/gone.ts",
      "5-02: no such test docs/conformance.test.ts › gone",
      "5-04: no such test docs/conformance.test.ts › the conformance",
      "5-03: works, but names no file or no test",
      "5-03: has 5 cells",
      "5-03: duplicate id",
      "5-03: no clause",
      '5-03: unknown status "soon"',
      '6-01: stands under "5 Rules"',
      "6-01: differs, but does not say why",
    ]);
    expect(faults).toContain("section 2.3 is missing");
  });
});
