import { spawn } from "node:child_process";
import { join } from "node:path";
import { endWithThisProcess } from "./child-processes.mjs";
import { pinnedNode, ROOT } from "./paths.mjs";
import { setUpServer } from "./setup.mjs";
import { runCommand } from "./setup-error.mjs";

/** Measures the product on this machine and writes docs/benchmarks.md. */
await runCommand(async () => {
  await setUpServer();
  const bench = endWithThisProcess(
    spawn(pinnedNode(), [join(ROOT, "bench", "main.ts"), ...process.argv.slice(2)], { cwd: ROOT, stdio: "inherit" }),
  );
  process.exitCode = await new Promise((resolve, reject) => {
    bench.once("error", reject);
    bench.once("close", (code) => resolve(code ?? 1));
  });
});
