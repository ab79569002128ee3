import { ensureChromium } from "./chromium.mjs";
import { ensurePackages } from "./packages.mjs";
import { SetupError } from "./setup-error.mjs";
import { ensureWebBuild } from "./web-build.mjs";

/*
 * Makes a clone ready, and costs next to nothing when it is. Everything in this folder runs on whatever Node the machine
 * has (18 or newer) and without packages: it is what brings them.
 */

const OLDEST_LAUNCHER_NODE = 18;

/** Packages only: enough for the static checks. */
export async function setUpPackages() {
  if (Number(process.versions.node.split(".")[0]) < OLDEST_LAUNCHER_NODE) {
    throw new SetupError(
      `Node ${process.version} is too old to set up Slabdesk. Install Node ${OLDEST_LAUNCHER_NODE} or newer.`,
    );
  }
  await ensurePackages();
}

/** Everything `npm start` needs. */
export async function setUpServer() {
  await setUpPackages();
  ensureWebBuild();
}

/** Everything `npm test` needs; answers the browser to test with. */
export async function setUpTests() {
  await setUpServer();
  return ensureChromium();
}
