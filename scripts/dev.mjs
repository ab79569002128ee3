import { spawn } from "node:child_process";
import { pinnedNode, ROOT, toolScript } from "./paths.mjs";
import { superviseServer } from "./server-process.mjs";
import { setUpPackages } from "./setup.mjs";
import { runCommand } from "./setup-error.mjs";

/** The server, started again at every change, and Vite in front of it. Vite's address is the one to open. */
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
