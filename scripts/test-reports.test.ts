import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { countPlaywright, countVitest } from "./test-reports.mjs";

const folder = mkdtempSync(join(tmpdir(), "slabdesk-test-reports-"));
const file = join(folder, "report.json");

afterAll(() => rmSync(folder, { recursive: true }));

function report(content: object): string {
  writeFileSync(file, JSON.stringify(content));
  return file;
}

function vitest(passed: number, failed: number, pending: number, todo: number, testResults: object[] = []): string {
  return report({
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: pending,
    numTodoTests: todo,
    testResults,
  });
}

const unloadable = { status: "failed", assertionResults: [] };
const withFailure = { status: "failed", assertionResults: [{ status: "passed" }, { status: "failed" }] };

test.each([
  { run: "all pass", file: () => vitest(5, 0, 0, 0), exitCode: 0, came: [5, 0, 0] },
  { run: "one fails", file: () => vitest(4, 1, 0, 0, [withFailure]), exitCode: 1, came: [4, 1, 0] },
  { run: "some are skipped or to do", file: () => vitest(4, 0, 2, 1), exitCode: 0, came: [4, 0, 3] },
  {
    run: "a file cannot be loaded",
    file: () => vitest(4, 1, 0, 0, [withFailure, unloadable]),
    exitCode: 1,
    came: [4, 2, 0],
  },
  { run: "all pass but something else went wrong", file: () => vitest(5, 0, 0, 0), exitCode: 1, came: [5, 1, 0] },
  { run: "there was nothing to run", file: () => vitest(0, 0, 0, 0), exitCode: 0, came: [0, 1, 0] },
  {
    run: "the runner broke before it could report",
    file: () => join(folder, "none.json"),
    exitCode: 134,
    came: [0, 1, 0],
  },
])("Vitest: $run", ({ file: write, exitCode, came: [passed, failed, skipped] }) => {
  expect(countVitest(write(), exitCode)).toEqual({ passed, failed, skipped, flaky: [] });
});

function playwright(expected: number, unexpected: number, skipped: number): string {
  return report({ stats: { expected, unexpected, flaky: 0, skipped } });
}

test.each([
  { run: "all pass", file: () => playwright(3, 0, 0), exitCode: 0, came: [3, 0, 0] },
  { run: "one fails, one is skipped", file: () => playwright(2, 1, 1), exitCode: 1, came: [2, 1, 1] },
  { run: "the server under test did not start", file: () => playwright(0, 0, 0), exitCode: 1, came: [0, 1, 0] },
  { run: "there was nothing to run", file: () => playwright(0, 0, 0), exitCode: 0, came: [0, 1, 0] },
  {
    run: "the runner broke before it could report",
    file: () => join(folder, "none.json"),
    exitCode: 1,
    came: [0, 1, 0],
  },
])("Playwright: $run", ({ file: write, exitCode, came: [passed, failed, skipped] }) => {
  expect(countPlaywright(write(), exitCode)).toEqual({ passed, failed, skipped, flaky: [] });
});

test("Playwright: what passes only when repeated has passed, and is named wherever it stands", () => {
  const spec = (title: string, status: string) => ({ title, file: "table.spec.ts", tests: [{ status }] });
  const suites = [
    { specs: [spec("scrolls", "expected"), spec("sorts", "flaky")], suites: [{ specs: [spec("finds", "flaky")] }] },
  ];
  const stats = { expected: 1, unexpected: 0, flaky: 2, skipped: 0 };
  expect(countPlaywright(report({ stats, suites }), 0)).toEqual({
    passed: 3,
    failed: 0,
    skipped: 0,
    flaky: ["table.spec.ts: sorts", "table.spec.ts: finds"],
  });
});
