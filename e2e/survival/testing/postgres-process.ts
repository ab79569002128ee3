import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddedDatabase } from "@slabdesk/embedded-database/embedded-database.ts";
import { useMadeDataDir } from "../../../server/src/database/testing/test-database.ts";
import { startOwnDatabase } from "../../../server/src/database/embedded.ts";

/** A PostgreSQL of its own, for servers that reach it by DATABASE_URL, to be killed and started again. */
export type PostgresProcess = {
  url: string;
  settings: EmbeddedDatabase["settings"];
  /** SIGKILL: the processes that serve connections end with it. Resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it on the same data, at the same address. */
  start(): Promise<void>;
  remove(): Promise<void>;
};

export async function startPostgresProcess(): Promise<PostgresProcess> {
  const folder = await survivalFolder();
  const dataDir = join(folder, "data");
  await useMadeDataDir(dataDir);
  const start = (): Promise<EmbeddedDatabase> => startOwnDatabase({ dataDir, log: { info: () => {} } });
  let running = await start();
  const { host, port, user, database } = running.settings;
  return {
    url: `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`,
    settings: running.settings,
    async kill() {
      process.kill(running.pid, "SIGKILL");
      await running.lost;
      // What is left to stop is the lock on the folder.
      await running.stop();
    },
    async start() {
      running = await start();
    },
    async remove() {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A folder for data, which the account that runs the database (another one when this is root) passes through. */
export async function survivalFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "slabdesk-survival-"));
  await chmod(folder, 0o711);
  return folder;
}
