import { ensureChromium } from "./chromium.mjs";
import { ensurePackages } from "./packages.mjs";
import { SetupError } from "./setup-error.mjs";
import { ensureWebBuild } from "./web-build.mjs";

/*
 * Prepares a clone, and does almost nothing if it is ready. The files in this folder run on any Node from 18 on and
 * without packages, because they install them.
 */

const OLDEST_LAUNCHER_NODE = 18;

/** Installs only the packages: enough for the static checks. */
export async function setUpPackages() {
  if (Number(process.versions.node.split(".")[0]) < OLDEST_LAUNCHER_NODE) {
    throw new SetupError(
      `Node ${process.version} is too old to set up Slabdesk. Install Node ${OLDEST_LAUNCHER_NODE} or newer.`,
    );
  }
  await ensurePackages();
}

/** Prepares everything for `npm start`. */
export async function setUpServer() {
  await setUpPackages();
  ensureWebBuild();
}

/** Prepares everything for `npm test`; returns the browser for the tests. */
export async function setUpTests() {
  await setUpPackages();
  ensureWebBuild({ isForTests: true });
  return ensureChromium();
}
