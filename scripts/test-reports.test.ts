import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readPlaywright, readVitest } from "./test-reports.mjs";

const folder = mkdtempSync(join(tmpdir(), "slabdesk-test-reports-"));
const file = join(folder, "report.json");

afterAll(() => rmSync(folder, { recursive: true }));

function report(content: object | null): string {
  if (content === null) return join(folder, "none.json");
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const ended = (exitCode: number) => ({ exitCode, output: "The runner's last words", log: undefined });

describe("Vitest", () => {
  const vitest = (passed: number, skipped: number, testResults: object[] = []) => ({
    numPassedTests: passed,
    numPendingTests: skipped,
    numTodoTests: 0,
    testResults,
  });
  const failedTest = { status: "failed", title: "adds", ancestorTitles: ["sums"], failureMessages: ["1 is not 2"] };
  const withFailure = { name: "/a.test.ts", status: "failed", assertionResults: [failedTest] };
  const unloadable = { name: "/b.test.ts", status: "failed", assertionResults: [], message: "no such module" };

  test.each([
    { run: "all pass", content: vitest(5, 0), exitCode: 0, counts: [5, 0, 0] },
    { run: "one fails", content: vitest(4, 0, [withFailure]), exitCode: 1, counts: [4, 1, 0] },
    { run: "some are skipped", content: vitest(4, 3), exitCode: 0, counts: [4, 0, 3] },
    {
      run: "a file cannot be loaded",
      content: vitest(4, 0, [withFailure, unloadable]),
      exitCode: 1,
      counts: [4, 2, 0],
    },
    { run: "all pass but something else failed", content: vitest(5, 0), exitCode: 1, counts: [5, 1, 0] },
    { run: "there was nothing to run", content: vitest(0, 0), exitCode: 0, counts: [0, 1, 0] },
    { run: "the runner broke before it could report", content: null, exitCode: 134, counts: [0, 1, 0] },
  ])("$run", ({ content, exitCode, counts }) => {
    const result = readVitest(report(content), ended(exitCode), { mayBeEmpty: false });
    expect([result.passed, result.failed, result.skipped]).toEqual(counts);
    expect(result.failures).toHaveLength(counts[1] ?? 0);
  });

  test("reports a failure's file, title, and message", () => {
    const { failures } = readVitest(report(vitest(0, 0, [withFailure])), ended(1), { mayBeEmpty: false });
    expect(failures[0]?.name).toMatch(/a\.test\.ts: sums › adds$/);
    expect(failures[0]?.message).toBe("1 is not 2");
  });
});

describe("Playwright", () => {
  const spec = (title: string, status: string) => ({
    title,
    file: "table.spec.ts",
    tests: [
      {
        status,
        results: [
          {
            duration: 7,
            errors: [{ message: "not there" }],
            attachments: [{ name: "server log", path: "/server.log" }],
          },
        ],
      },
    ],
  });
  const playwright = (expected: number, skipped: number, ...specs: object[]) => ({
    stats: { expected, skipped },
    suites: [{ specs: [], suites: [{ specs }] }],
  });
  const short = { isLong: false, mayBeEmpty: false };

  test.each([
    { run: "all pass", content: playwright(3, 0, spec("sorts", "expected")), exitCode: 0, counts: [3, 0, 0] },
    { run: "one fails", content: playwright(2, 1, spec("sorts", "unexpected")), exitCode: 1, counts: [2, 1, 1] },
    { run: "the server under test did not start", content: playwright(0, 0), exitCode: 1, counts: [0, 1, 0] },
    { run: "there was nothing to run", content: playwright(0, 0), exitCode: 0, counts: [0, 1, 0] },
    { run: "the runner broke before it could report", content: null, exitCode: 1, counts: [0, 1, 0] },
  ])("$run", ({ content, exitCode, counts }) => {
    const result = readPlaywright(report(content), ended(exitCode), short);
    expect([result.passed, result.failed, result.skipped]).toEqual(counts);
  });

  test("a journey that passes on its second try passes in the short form and fails in the long one", () => {
    const content = report(playwright(1, 0, spec("scrolls", "expected"), spec("sorts", "flaky")));
    const flaky = ["table.spec.ts: sorts"];
    expect(readPlaywright(content, ended(0), short)).toMatchObject({ passed: 2, failed: 0, flaky });
    expect(readPlaywright(content, ended(0), { ...short, isLong: true })).toMatchObject({
      passed: 1,
      failed: 1,
      flaky,
    });
  });

  test("a failure names its server log", () => {
    const { failures } = readPlaywright(report(playwright(0, 0, spec("sorts", "unexpected"))), ended(1), short);
    expect(failures[0]).toMatchObject({ name: "table.spec.ts: sorts", message: "not there" });
    expect(failures[0]?.see).toEqual([expect.stringMatching(/^server log: .*server\.log$/)]);
  });
});
