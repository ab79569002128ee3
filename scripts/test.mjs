import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { add, runSteps, showTally } from "./run-steps.mjs";
import { setUpTests } from "./setup.mjs";
import { runCommand } from "./setup-error.mjs";
import { STATIC_CHECKS } from "./static-checks.mjs";
import { countPlaywright, countVitest } from "./test-reports.mjs";

await runCommand(async () => {
  const chromium = await setUpTests();
  const reports = mkdtempSync(join(tmpdir(), "slabdesk-reports-"));
  try {
    const tally = await runAll(chromium, join(reports, "vitest.json"), join(reports, "playwright.json"));
    showTally(tally);
    process.exitCode = tally.failed === 0 ? 0 : 1;
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
});

/** Two cores: the checks beside the tests without a browser, then the journeys with all of the machine. */
async function runAll(chromium, vitestReport, playwrightReport) {
  const withoutBrowser = await Promise.all([
    runSteps(STATIC_CHECKS),
    runSteps([
      {
        name: "tests",
        tool: "vitest/vitest.mjs",
        args: ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${vitestReport}`],
        count: (exitCode) => countVitest(vitestReport, exitCode),
      },
    ]),
  ]);
  const journeys = await runSteps([
    {
      name: "browser journeys",
      tool: "@playwright/test/cli.js",
      args: ["test", "--config", "e2e/playwright.config.ts", "--reporter=line,json"],
      env: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport },
      count: (exitCode) => countPlaywright(playwrightReport, exitCode),
    },
  ]);
  return add(...withoutBrowser, journeys);
}
