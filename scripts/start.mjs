import { superviseServer } from "./server-process.mjs";
import { setUpServer } from "./setup.mjs";
import { runCommand } from "./setup-error.mjs";

await runCommand(async () => {
  await setUpServer();
  process.exitCode = await superviseServer([]);
});
