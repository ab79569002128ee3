import { existsSync, readFileSync } from "node:fs";
import { NOTHING } from "./run-steps.mjs";

/** A runner that broke before it could report, or failed for another reason than a test, counts as one failure. */
function atLeastOneFailure(tally, exitCode) {
  return exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

/** A runner that ran no test proves nothing. */
function requireTests(tally) {
  return tally.passed + tally.failed + tally.skipped === 0 ? { ...tally, failed: 1 } : tally;
}

/**
 * What a run of Vitest came to: each test, and each file that could not be loaded.
 *
 * @param {string} file its JSON report
 * @param {number} exitCode
 */
export function countVitest(file, exitCode) {
  const report = read(file);
  if (!report) return { ...NOTHING, failed: 1 };
  const brokenFiles = report.testResults.filter(
    (result) => result.status === "failed" && !result.assertionResults.some((test) => test.status === "failed"),
  );
  const tally = {
    ...NOTHING,
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  return requireTests(atLeastOneFailure(tally, exitCode));
}

/** The names of the journeys in one suite that passed only when repeated. */
function listFlaky({ specs = [], suites = [] }) {
  const here = specs.filter(({ tests }) => tests.some(({ status }) => status === "flaky"));
  return [...here.map(({ file, title }) => `${file}: ${title}`), ...suites.flatMap(listFlaky)];
}

/**
 * What a run of Playwright came to. A journey that passes only when repeated has passed, and is named: a busy machine is
 * no fault of the product, and a race of ours shows by coming back.
 *
 * @param {string} file its JSON report
 * @param {number} exitCode
 */
export function countPlaywright(file, exitCode) {
  const report = read(file);
  if (!report) return { ...NOTHING, failed: 1 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  const tally = { passed: expected + flaky, failed: unexpected, skipped, flaky: listFlaky(report) };
  return requireTests(atLeastOneFailure(tally, exitCode));
}
