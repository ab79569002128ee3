import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { MODULES } from "./paths.mjs";
import { SetupError } from "./setup-error.mjs";

/**
 * Debian's headless Chromium. It has the same engine without the browser's own windows, and runs a journey with a fifth
 * less processor time.
 */
const WITHOUT_WINDOWS = "chromium-headless-shell";

/** Records that the installation beside another Chromium was tried, as it is tried only once. */
const TRIED = join(MODULES, ".slabdesk", `tried-${WITHOUT_WINDOWS}`);

const NAMES = [
  WITHOUT_WINDOWS,
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chrome",
  "microsoft-edge",
];
/** The limit for a hanging network. */
const INSTALL_LIMIT_MS = 300_000;

const MAC = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * The browser for the journeys: `CHROMIUM_PATH`, an installed one, or (as root on Debian and its derivatives) one
 * installed now.
 *
 * @returns {string}
 */
export function ensureChromium() {
  const asked = process.env.CHROMIUM_PATH;
  if (asked) {
    if (isExecutable(asked)) return asked;
    throw new SetupError(`CHROMIUM_PATH is ${asked}, which cannot be executed.`);
  }
  const found = findChromium();
  if (found) return preferWithoutWindows(found);
  if (canInstall()) {
    installChromium();
    const installed = findChromium();
    if (installed) return installed;
  }
  throw new SetupError(
    "The tests need a Chromium or Chrome, and none was found. Install one (Debian: sudo apt-get install chromium) or set CHROMIUM_PATH to it.",
  );
}

/**
 * Returns the headless Chromium if it can be installed, otherwise the one that was found.
 *
 * @param {string} found
 * @returns {string}
 */
function preferWithoutWindows(found) {
  if (basename(found) === WITHOUT_WINDOWS || !canInstall() || existsSync(TRIED)) return found;
  mkdirSync(dirname(TRIED), { recursive: true });
  writeFileSync(TRIED, "");
  console.log("Installing a smaller Chromium for the browser tests …");
  // Never remove an installed package for it.
  if (aptGet("update") === null) aptGet("install", "-y", "--no-remove", WITHOUT_WINDOWS);
  return findChromium() ?? found;
}

function canInstall() {
  return process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
}

/** @returns {string | undefined} */
function findChromium() {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin", "/snap/bin"];
  return [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...MAC].find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function installChromium() {
  console.log("Installing Chromium for the browser tests …");
  const problem = aptGet("update") ?? (aptGet("install", "-y", WITHOUT_WINDOWS) && aptGet("install", "-y", "chromium"));
  if (problem) throw new SetupError(`Chromium could not be installed: ${problem}`);
}

/** The reason of a failure, if any. */
function aptGet(...args) {
  const apt = spawnSync("apt-get", args, {
    encoding: "utf8",
    timeout: INSTALL_LIMIT_MS,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  if (apt.status === 0) return null;
  return `apt-get ${args.join(" ")} said:\n${apt.stdout ?? ""}${apt.stderr ?? apt.error}`;
}
