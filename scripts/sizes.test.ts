import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "@swc/core";
import { expect, test } from "vitest";

/* Limits that the linter has no rule for. It limits the lines of each function and each file. */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FILES_PER_FOLDER = 30;
/** Lines that nine of ten functions of the server don't exceed. */
const LINES_PER_FUNCTION = 30;

const FUNCTION = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ClassMethod|MethodProperty)$/;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function listFiles(pattern: string): string[] {
  const isForeign = (path: string): boolean => /(?:^|\/)(?:node_modules|dist|data)(?:\/|$)/.test(path);
  return globSync(pattern, { cwd: ROOT, exclude: isForeign });
}

/** Returns the number of lines of each function in a source text. */
function functionLengths(source: string): number[] {
  const bytes = Buffer.from(source);
  const module = parseSync(source, { syntax: "typescript" });
  const lengths: number[] = [];
  function visit(node: unknown): void {
    if (!isObject(node)) return;
    const { type, span } = node;
    if (typeof type === "string" && FUNCTION.test(type) && isObject(span)) {
      const [start, end] = [Number(span["start"]) - module.span.start, Number(span["end"]) - module.span.start];
      lengths.push(bytes.subarray(start, end).toString().split("\n").length);
    }
    for (const child of Object.values(node)) visit(child);
  }
  visit(module.body);
  return lengths;
}

test("a function's length is counted in lines, nested functions included", () => {
  expect(
    functionLengths("const one = () => 1;\nfunction two() {\n  return [1].map((n) => {\n    return n;\n  });\n}"),
  ).toEqual([1, 5, 3]);
});

test("no folder has more than 30 files of its own", () => {
  const folders = Map.groupBy(listFiles("*/**/*.{ts,tsx,css,mjs}"), (file) => dirname(file));
  expect(folders.size).toBeGreaterThan(50);
  const crowded = [...folders].filter(([, files]) => files.length > FILES_PER_FOLDER);
  expect(crowded.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
});

test("nine of ten functions of the server have at most 30 lines", () => {
  const files = listFiles("server/src/**/*.ts").filter((file) => !/\.test\.|testing\//.test(file));
  const lengths = files.flatMap((file) => functionLengths(readFileSync(`${ROOT}/${file}`, "utf8")));
  expect(lengths.length).toBeGreaterThan(1_000);
  const long = lengths.filter((lines) => lines > LINES_PER_FUNCTION);
  expect(long.length / lengths.length).toBeLessThanOrEqual(0.1);
});
