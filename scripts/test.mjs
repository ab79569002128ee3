import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./paths.mjs";
import { addResults, runStep, runSteps } from "./run-steps.mjs";
import { setUpTests } from "./setup.mjs";
import { runCommand, SetupError } from "./setup-error.mjs";
import { STATIC_CHECKS } from "./static-checks.mjs";
import { showResult } from "./show-result.mjs";
import { withTempFolder } from "./temp-folder.mjs";
import { readPlaywright, readVitest } from "./test-reports.mjs";

/*
 * npm test                  the short form: static checks, every test with few cases, each journey once
 * npm run test:long         the long form: all cases, kills, color schemes and windows; nothing is retried
 * npm test -- PATTERN …     only test files and journeys with PATTERN in their path, shown as they run
 * npm test -- --changed     only those that import a file with uncommitted changes
 */

const RESULTS = join(ROOT, ".results");

await runCommand(async () => {
  const startedAt = performance.now();
  const selection = readArguments();
  const chromium = await setUpTests();
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  const result = await withTempFolder((env) => run(selection, { ...env, CHROMIUM_PATH: chromium }));
  process.exitCode = showResult(result, { title: titleOf(selection), ms: performance.now() - startedAt });
});

/** @returns {{ isLong: boolean, isChanged: boolean, patterns: string[], isPart: boolean }} */
function readArguments() {
  try {
    const { values, positionals: patterns } = parseArgs({
      allowPositionals: true,
      options: { long: { type: "boolean", default: false }, changed: { type: "boolean", default: false } },
    });
    const { long: isLong, changed: isChanged } = values;
    return { isLong, isChanged, patterns, isPart: isChanged || patterns.length > 0 };
  } catch (error) {
    throw new SetupError(`${error.message}\nUsage: npm test [-- PATTERN … | -- --changed]`);
  }
}

function titleOf({ isLong, isPart }) {
  return `${isPart ? "Part of the" : "The"} ${isLong ? "long" : "short"} form`;
}

/** Runs the static checks, the tests without a browser, and the journeys in parallel, because each waits at times. */
async function run({ isLong, isChanged, patterns, isPart }, settings) {
  const env = { ...settings, TEST_FORM: isLong ? "long" : "short" };
  const shared = { env, isShown: isPart };
  const vitestReport = join(RESULTS, "tests.json");
  const playwrightReport = join(RESULTS, "journeys.json");
  const tests = {
    ...shared,
    name: "tests",
    tool: "vitest/vitest.mjs",
    args: ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${vitestReport}`, ...patterns]
      .concat(isPart ? "--passWithNoTests" : [])
      .concat(isChanged ? "--changed" : []),
    log: join(RESULTS, "tests.log"),
    read: (run) => readVitest(vitestReport, run, { mayBeEmpty: isPart }),
  };
  const journeys = {
    ...shared,
    name: "browser journeys",
    tool: "@playwright/test/cli.js",
    args: ["test", "--config", "e2e/playwright.config.ts", "--reporter=line,json", ...patterns]
      .concat(isPart ? "--pass-with-no-tests" : [])
      .concat(isChanged ? "--only-changed" : []),
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport },
    // The other tests often wait and journeys rarely do, so the journeys should end last.
    niceness: 5,
    log: join(RESULTS, "journeys.log"),
    read: (run) => readPlaywright(playwrightReport, run, { isLong, mayBeEmpty: isPart }),
  };
  const steps = await Promise.all([...(isPart ? [] : [runSteps(STATIC_CHECKS)]), runStep(tests), runStep(journeys)]);
  return addResults(...steps);
}
