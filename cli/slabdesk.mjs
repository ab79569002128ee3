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
 * The command `slabdesk`, started with any installed Node from 18 on: installs the packages into a fresh clone and
 * continues with the Node that runs the product.
 */

const MAIN = fileURLToPath(new URL("src/main.ts", import.meta.url));

/** The same exit code as for wrong usage (docs/cli.md). */
const EXIT_UNUSABLE = 2;

/** `npm run` changes to the project's folder, but file names are relative to the user's folder. */
function returnToTheUsersFolder() {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
  if (script === "lookup" && folder) process.chdir(folder);
}

/** Any installed version is enough: a server may be using these packages. */
async function bringPackages() {
  if (existsSync(join(MODULES, ".package-lock.json"))) return;
  // stdout is for the file only.
  console.log = console.error;
  await setUpPackages();
}

/** @param {string} node returns the exit code as a shell would */
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
  returnToTheUsersFolder();
  await bringPackages();
  const node = pinnedNode();
  if (node !== process.execPath) {
    process.exitCode = await runBy(node);
    return;
  }
  process.exitCode = undefined;
  await import("./src/main.ts");
});
