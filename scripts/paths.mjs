import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SetupError } from "./setup-error.mjs";

export const ROOT = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");
export const MODULES = join(ROOT, "node_modules");

const OLDEST_NODE = 24;
const PACKAGE_OF_PLATFORM = { linux: "linux", win32: "win" };

/** The package that brings Node for this machine, if there is one. */
export const NODE_PACKAGE = `node-${PACKAGE_OF_PLATFORM[process.platform]}-${process.arch}`;

/**
 * The Node that the lockfile pins, by its full path: shells remember where they found `node` before it was installed.
 * Where no package brings one, the running Node serves if it is new enough.
 */
export function pinnedNode() {
  const binary = join(MODULES, NODE_PACKAGE, "bin", process.platform === "win32" ? "node.exe" : "node");
  if (existsSync(binary)) return binary;
  if (Number(process.versions.node.split(".")[0]) >= OLDEST_NODE) return process.execPath;
  throw new SetupError(
    `Slabdesk needs Node ${OLDEST_NODE}; this is ${process.version}, and none comes from npm for ${process.platform} ${process.arch}.\n` +
      `Install Node ${OLDEST_NODE} and start again with it.`,
  );
}

/**
 * The script of an installed tool, to be run by the pinned Node.
 *
 * @param {string} script path inside `node_modules`
 */
export function toolScript(script) {
  return join(MODULES, ...script.split("/"));
}
