import { runSteps } from "./run-steps.mjs";
import { setUpPackages } from "./setup.mjs";
import { runCommand } from "./setup-error.mjs";
import { showResult } from "./show-result.mjs";
import { STATIC_CHECKS } from "./static-checks.mjs";

await runCommand(async () => {
  await setUpPackages();
  const startedAt = performance.now();
  const result = await runSteps(STATIC_CHECKS);
  process.exitCode = showResult(result, { title: "Static checks", ms: performance.now() - startedAt });
});
