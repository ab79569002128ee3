#!/usr/bin/env node
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MODULES, pinnedNode } from "../scripts/paths.mjs";
import { setUpPackages } from "../scripts/setup.mjs";
import { runCommand } from "../scripts/setup-error.mjs";

/*
 * The command `slabdesk`. Runs on any Node 18 or newer: installs the packages in a fresh clone, then continues on the
 * Node that the project pins.
 */

const MAIN = fileURLToPath(new URL("src/main.ts", import.meta.url));

/** The exit code if the command cannot start (docs/cli.md). */
const EXIT_UNUSABLE = 2;

/** `npm run` changes to the project's folder, but paths are relative to the user's folder. */
function changeToUsersFolder() {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
  if (script === "lookup" && folder) process.chdir(folder);
}

/** Never updates installed packages, because a running server may use them. */
async function installPackages() {
  if (existsSync(join(MODULES, ".package-lock.json"))) return;
  // stdout is reserved for the result.
  console.log = console.error;
  await setUpPackages();
}

/** @param {string} node returns the exit code as a shell reports it */
function runBy(node) {
  const command = spawn(node, [MAIN, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => command.kill(signal));
  return new Promise((resolve, reject) => {
    command.once("error", reject);
    command.once("exit", (code, killedBy) => resolve(killedBy ? 128 + constants.signals[killedBy] : code));
  });
}

process.exitCode = EXIT_UNUSABLE;
await runCommand(async () => {
  changeToUsersFolder();
  await installPackages();
  const node = pinnedNode();
  if (node !== process.execPath) {
    process.exitCode = await runBy(node);
    return;
  }
  process.exitCode = undefined;
  await import("./src/main.ts");
});
