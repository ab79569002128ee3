import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pinnedNode, ROOT, toolScript } from "./paths.mjs";
import { SetupError } from "./setup-error.mjs";

const DIST = join(ROOT, "web", "dist");
const STAMP = join(DIST, ".fingerprint");

/**
 * The build is made here and renamed when it is complete: a running server keeps serving the old one. It is beside the
 * old one because node_modules may be on another file system, and a rename can't cross file systems.
 */
const WORK = join(ROOT, "web", ".dist-new");

const SOURCES = [
  "web/src",
  "web/public",
  "web/index.html",
  "web/package.json",
  "web/vite.config.ts",
  "contract/src",
  "package-lock.json",
];

/**
 * Builds the web app unless web/dist was built from the current sources. `isForTests`: compresses less, which takes a
 * quarter of the time.
 */
export function ensureWebBuild({ isForTests = false } = {}) {
  const sources = fingerprintOf(SOURCES);
  const fingerprint = isForTests ? `${sources} for tests` : sources;
  if (existsSync(STAMP) && [sources, fingerprint].includes(readFileSync(STAMP, "utf8"))) return;
  console.log("Building the web client …");
  const build = spawnSync(
    pinnedNode(),
    [toolScript("vite/bin/vite.js"), "build", "web", "--outDir", WORK, "--emptyOutDir", "--logLevel", "warn"],
    {
      cwd: ROOT,
      encoding: "utf8",
      env: { ...process.env, NODE_ENV: "production", BROTLI_QUALITY: isForTests ? "5" : "11" },
    },
  );
  if (build.status !== 0) {
    rmSync(WORK, { recursive: true, force: true });
    throw new SetupError(`The web client could not be built:\n${build.stdout ?? ""}${build.stderr ?? build.error}`);
  }
  writeFileSync(join(WORK, ".fingerprint"), fingerprint);
  rmSync(DIST, { recursive: true, force: true });
  renameSync(WORK, DIST);
}

/** Names, sizes, and times: enough to notice an edit or another commit, in a few milliseconds for the whole tree. */
function fingerprintOf(sources) {
  const hash = createHash("sha256");
  const add = (path) => {
    const entry = statSync(join(ROOT, path), { throwIfNoEntry: false });
    if (!entry) return;
    if (entry.isDirectory()) {
      for (const name of readdirSync(join(ROOT, path)).sort()) add(`${path}/${name}`);
    } else if (!/\.test\.tsx?$/.test(path)) {
      hash.update(`${path}\0${entry.size}\0${entry.mtimeMs}\n`);
    }
  };
  sources.forEach(add);
  return hash.digest("hex");
}
