import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ROOT } from "./paths.mjs";
import { NOTHING } from "./run-steps.mjs";

/** @typedef {import("./run-steps.mjs").Result} Result */
/** @typedef {import("./run-steps.mjs").Run} Run */

/** If the runner itself fails, its last lines say why. */
const LAST_LINES = 40;

const shorten = (file) => relative(ROOT, file);

/**
 * Reads the result of a Vitest run. A file that could not be loaded counts as one failure.
 *
 * @param {string} file its JSON report
 * @param {Run} run
 * @param {{ mayBeEmpty: boolean }} options
 * @returns {Result}
 */
export function readVitest(file, run, { mayBeEmpty }) {
  const report = read(file);
  if (!report) return brokenRunner("tests", run);
  const tests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, path: shorten(name) })),
  );
  const failed = tests.filter((test) => test.status === "failed");
  const brokenFiles = report.testResults.filter(
    (result) => result.status === "failed" && !result.assertionResults.some((test) => test.status === "failed"),
  );
  const nameOf = (test) => `${test.path}: ${[...(test.ancestorTitles ?? []), test.title].join(" › ")}`;
  const result = {
    ...NOTHING,
    passed: report.numPassedTests,
    failed: failed.length + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [
      ...failed.map((test) => ({ name: nameOf(test), message: test.failureMessages.join("\n"), see: seeLog(run) })),
      ...brokenFiles.map(({ name, message }) => ({ name: shorten(name), message: message ?? "", see: seeLog(run) })),
    ],
    timings: tests.map((test) => ({ name: nameOf(test), ms: test.duration ?? 0 })),
  };
  return withRunner("tests", result, run, mayBeEmpty);
}

/**
 * Reads the result of a Playwright run. A journey that passes only on its second try counts as passed and is listed; in
 * the long form it counts as failed.
 *
 * @param {string} file its JSON report
 * @param {Run} run
 * @param {{ isLong: boolean, mayBeEmpty: boolean }} options
 * @returns {Result}
 */
export function readPlaywright(file, run, { isLong, mayBeEmpty }) {
  const report = read(file);
  if (!report) return brokenRunner("browser journeys", run);
  const journeys = (report.suites ?? []).flatMap(listJourneys);
  const flaky = journeys.filter(({ status }) => status === "flaky");
  const failed = journeys.filter(({ status }) => status === "unexpected" || (isLong && status === "flaky"));
  const { expected, skipped } = report.stats;
  const result = {
    ...NOTHING,
    passed: expected + (isLong ? 0 : flaky.length),
    failed: failed.length,
    skipped,
    flaky: flaky.map(({ name }) => name),
    failures: failed.map(({ name, results }) => describeJourney(name, results, run)),
    timings: journeys.map(({ name, results }) => ({ name, ms: Math.max(0, ...results.map((one) => one.duration)) })),
  };
  return withRunner("browser journeys", result, run, mayBeEmpty);
}

function listJourneys({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests.map(({ status, results = [] }) => ({ name: `${file}: ${title}`, status, results })),
  );
  return [...own, ...suites.flatMap(listJourneys)];
}

/** Uses the message of the first try, and the traces, screenshots, and server logs of every try. */
function describeJourney(name, results, run) {
  const message = results.flatMap(({ errors = [] }) => errors.map((error) => error.message ?? ""))[0] ?? "";
  const attachments = results.flatMap(({ attachments: list = [] }) => list.filter(({ path }) => path));
  const see = attachments.map(({ name: kind, path }) => `${kind}: ${shorten(path)}`);
  return { name, message: stripVTControlCharacters(message), see: [...see, ...seeLog(run)] };
}

const seeLog = ({ log }) => (log ? [`everything it printed: ${shorten(log)}`] : []);

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

function brokenRunner(name, run) {
  return { ...NOTHING, failed: 1, failures: [{ name, message: lastLines(run.output), see: seeLog(run) }] };
}

/** A runner that failed outside its tests counts as one failure; so does one that ran no test. */
function withRunner(name, result, run, mayBeEmpty) {
  const isEmpty = result.passed + result.failed + result.skipped === 0 && !mayBeEmpty;
  if (result.failed > 0 || (run.exitCode === 0 && !isEmpty)) return result;
  const { failures } = brokenRunner(name, run);
  return { ...result, failed: 1, failures };
}

function lastLines(output) {
  return stripVTControlCharacters(output).trim().split("\n").slice(-LAST_LINES).join("\n");
}
