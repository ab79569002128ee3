import { spawn } from "node:child_process";
import { endWithThisProcess } from "./child-processes.mjs";
import { pinnedNode, ROOT, toolScript } from "./paths.mjs";
import { setUpPackages } from "./setup.mjs";
import { runCommand } from "./setup-error.mjs";

/** The long form of what `npm test` runs with 4 kills. Each number, and CRASH_SEED, may be set from outside. */
const LONG_FORM = { CRASH_KILLS: "50", CRASH_ROWS: "500" };

const FILES = ["crash", "upload-crash"].map((name) => `server/src/survival/${name}.test.ts`);

await runCommand(async () => {
  await setUpPackages();
  const tests = endWithThisProcess(
    spawn(
      pinnedNode(),
      [toolScript("vitest/vitest.mjs"), "run", "--project", "server", "--reporter=verbose", ...FILES],
      {
        cwd: ROOT,
        env: { ...LONG_FORM, ...process.env },
        stdio: "inherit",
      },
    ),
  );
  process.exitCode = await new Promise((resolve, reject) => {
    tests.once("error", reject);
    tests.once("close", (code) => resolve(code ?? 1));
  });
});
