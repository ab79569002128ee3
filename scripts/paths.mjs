import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SetupError } from "./setup-error.mjs";

export const ROOT = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");
export const MODULES = join(ROOT, "node_modules");

/**
 * For NODE_COMPILE_CACHE: Node caches compiled code here for the next start. If it can't write here, it doesn't cache.
 */
export const COMPILED = join(MODULES, ".slabdesk", "compiled");

const OLDEST_NODE = 24;
const PACKAGE_OF_PLATFORM = { linux: "linux", win32: "win" };

/** The package that contains Node for this machine, if there is one. */
export const NODE_PACKAGE = `node-${PACKAGE_OF_PLATFORM[process.platform]}-${process.arch}`;

const PACKAGED_NODE = join(MODULES, NODE_PACKAGE, "bin", process.platform === "win32" ? "node.exe" : "node");

/** @type {string | undefined} */
let pinned;

/** The full path of the Node that runs the product and its tools. */
export function pinnedNode() {
  return (pinned ??= chooseNode(process.versions.node, PACKAGED_NODE));
}

/**
 * The running Node if it is new enough, because it certainly works on this machine. Otherwise the one in the lockfile,
 * which needs glibc and doesn't run on Alpine.
 *
 * @param {string} running version of the running Node
 * @param {string} packaged the path of the packaged Node
 */
export function chooseNode(running, packaged) {
  if (Number(running.split(".")[0]) >= OLDEST_NODE) return process.execPath;
  const message = `Slabdesk needs Node ${OLDEST_NODE}; this is v${running}`;
  const advice = `Install Node ${OLDEST_NODE} and start again with it.`;
  if (!existsSync(packaged)) {
    throw new SetupError(`${message}, and none comes from npm for ${process.platform} ${process.arch}.\n${advice}`);
  }
  const { status, error, stderr } = spawnSync(packaged, ["--version"], { encoding: "utf8" });
  if (status === 0) return packaged;
  const reason = error?.message ?? (stderr.trim() || `it ended with ${status}`);
  throw new SetupError(`${message}, and the one from npm cannot be started on this machine (${reason}).\n${advice}`);
}

/**
 * The script of an installed tool, to run with the pinned Node.
 *
 * @param {string} script path inside `node_modules`
 */
export function toolScript(script) {
  return join(MODULES, ...script.split("/"));
}

/**
 * Node's options for the server. The part of undici that decompresses answers is experimental (docs/dependencies.md).
 * Large semi-spaces save a fifth of a request's processor time. With one helper thread,
 * garbage collection leaves processors to requests (docs/decisions/0067). After it starts, the server frees memory with
 * `gc`.
 */
export const SERVER_OPTIONS = [
  "--disable-warning=ExperimentalWarning",
  "--max-semi-space-size=16",
  "--v8-pool-size=1",
  "--expose-gc",
];
