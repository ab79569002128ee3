import { spawn } from "node:child_process";
import { pinnedNode, ROOT, toolScript } from "./paths.mjs";
import { superviseServer } from "./server-process.mjs";
import { setUpPackages } from "./setup.mjs";
import { runCommand } from "./setup-error.mjs";

/** Runs the server, restarted after every change, and Vite in front of it. Open Vite's URL. */
await runCommand(async () => {
  await setUpPackages();
  const vite = spawn(pinnedNode(), [toolScript("vite/bin/vite.js"), "web"], { cwd: ROOT, stdio: "inherit" });
  const endVite = () => vite.kill();
  process.once("exit", endVite);
  vite.once("error", (error) => console.error(`Vite could not be started: ${error.message}`));
  try {
    process.exitCode = await superviseServer(["--watch"]);
  } finally {
    endVite();
  }
});
