import { runSteps, showTally } from "./run-steps.mjs";
import { setUpPackages } from "./setup.mjs";
import { runCommand } from "./setup-error.mjs";
import { STATIC_CHECKS } from "./static-checks.mjs";

await runCommand(async () => {
  await setUpPackages();
  const tally = await runSteps(STATIC_CHECKS);
  showTally(tally);
  process.exitCode = tally.failed === 0 ? 0 : 1;
});
