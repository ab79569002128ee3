import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unlessFailed } from "@slabdesk/embedded-database/embedded-database-error.ts";
import { startEmbeddedDatabase, type EmbeddedDatabaseOptions } from "@slabdesk/embedded-database/embedded-database.ts";
import { StartFailure } from "../start-failure.ts";
import type { DatabaseKind } from "./kind.ts";

/** The live database of an installation that was a demo. The demo's is "slabdesk", as is that of one that never was. */
export const LIVE_DATABASE = "slabdesk_live";
/** File in the data folder with what `npm run go-live` or `npm run go-demo` chose last. */
const CHOICE_FILE = "upstreams";

/** Starts Slabdesk's own PostgreSQL in the data folder, for a server without DATABASE_URL. */
export function startOwnDatabase(options: Pick<EmbeddedDatabaseOptions, "dataDir" | "log" | "postgresSettings">) {
  return startEmbeddedDatabase({
    ...options,
    // The image cache, which nodes with DATABASE_URL store in the data folder too.
    ownEntries: ["images"],
    systemDir: "/var/lib/slabdesk",
    name: "slabdesk",
    role: "slabdesk_app",
  });
}

/** Reads what was chosen last; null if nothing was. @throws StartFailure if the file has another content */
export async function readChoice(dataDir: string): Promise<DatabaseKind | null> {
  const path = join(dataDir, CHOICE_FILE);
  const text = await unlessFailed(["ENOENT"], null, () => readFile(path, "utf8"));
  const choice = text?.trim();
  if (choice === undefined || choice === "demo" || choice === "live") return choice ?? null;
  throw new StartFailure(`The file ${path} cannot be used: it must contain demo or live.`);
}

export async function writeChoice(dataDir: string, kind: DatabaseKind): Promise<void> {
  const path = join(dataDir, CHOICE_FILE);
  await writeFile(`${path}.new`, `${kind}\n`);
  await rename(`${path}.new`, path);
}
