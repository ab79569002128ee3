import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readPlaywright, readVitest } from "./test-reports.mjs";

/* Runs that must count as failed. */

const folder = mkdtempSync(join(tmpdir(), "slabdesk-test-reports-"));
const file = join(folder, "report.json");

afterAll(() => rmSync(folder, { recursive: true }));

function report(content: object): string {
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const ended = (exitCode: number) => ({ exitCode, output: "The runner's last words", log: undefined });
const whole = { mayBeEmpty: false };

test("counts failed tests, files that cannot be loaded, other failures of Vitest, and a run without tests", () => {
  const vitest = (numPassedTests: number, ...testResults: object[]) =>
    report({ numPassedTests, numPendingTests: 0, numTodoTests: 0, testResults });
  const failedTest = { status: "failed", title: "adds", ancestorTitles: ["sums"], failureMessages: ["1 is not 2"] };
  const withFailure = { name: "/a.test.ts", status: "failed", assertionResults: [failedTest] };
  const unloadable = { name: "/b.test.ts", status: "failed", assertionResults: [], message: "no such module" };

  expect(readVitest(vitest(5), ended(0), whole)).toMatchObject({ passed: 5, failed: 0, failures: [] });
  const { failed, failures } = readVitest(vitest(4, withFailure, unloadable), ended(1), whole);
  expect(failed).toBe(2);
  expect(failures).toMatchObject([{ message: "1 is not 2" }, { message: "no such module" }]);
  expect(failures[0]?.name).toMatch(/a\.test\.ts: sums › adds$/);
  expect(readVitest(vitest(5), ended(1), whole)).toMatchObject({ passed: 5, failed: 1 });
  expect(readVitest(vitest(0), ended(0), whole).failed).toBe(1);
  expect(readVitest(join(folder, "none.json"), ended(134), whole).failures).toMatchObject([
    { message: "The runner's last words" },
  ]);
});

test("a failed journey names its server log; one that passes on its second try fails in the long form", () => {
  const attachments = [{ name: "server log", path: "/server.log" }];
  const results = [{ duration: 7, errors: [{ message: "not there" }], attachments }];
  const playwright = (expected: number, ...statuses: string[]) =>
    report({
      stats: { expected, skipped: 0 },
      suites: statuses.map((status) => ({
        specs: [{ title: "sorts", file: "a.spec.ts", tests: [{ status, results }] }],
      })),
    });
  const short = { ...whole, isLong: false };

  const { failures } = readPlaywright(playwright(0, "unexpected"), ended(1), short);
  expect(failures).toMatchObject([{ name: "a.spec.ts: sorts", message: "not there" }]);
  expect(failures[0]?.see).toEqual([expect.stringMatching(/^server log: .*server\.log$/)]);
  const flaky = playwright(1, "expected", "flaky");
  expect(readPlaywright(flaky, ended(0), short)).toMatchObject({ passed: 2, failed: 0, flaky: ["a.spec.ts: sorts"] });
  expect(readPlaywright(flaky, ended(0), { ...short, isLong: true })).toMatchObject({ passed: 1, failed: 1 });
  expect(readPlaywright(playwright(0), ended(1), short).failed).toBe(1);
});
