import { spawn } from "node:child_process";
import { endWithThisProcess } from "./child-processes.mjs";
import { COMPILED, pinnedNode, ROOT, toolScript } from "./paths.mjs";
import { setUpTests } from "./setup.mjs";
import { runCommand } from "./setup-error.mjs";

/**
 * Takes the screenshots in docs/screens, for a desktop and a phone, light and dark, and stores each screen's
 * accessibility tree in e2e/screens/trees. See e2e/journeys/screens.spec.ts.
 */
await runCommand(async () => {
  const chromium = await setUpTests();
  const walks = endWithThisProcess(
    spawn(
      pinnedNode(),
      [toolScript("@playwright/test/cli.js"), "test", "--config", "e2e/playwright.config.ts", "screens.spec"],
      {
        cwd: ROOT,
        env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, CHROMIUM_PATH: chromium, TAKE_SCREENS: "1" },
        stdio: "inherit",
      },
    ),
  );
  process.exitCode = await new Promise((resolve, reject) => {
    walks.once("error", reject);
    walks.once("close", (code) => resolve(code ?? 1));
  });
});
