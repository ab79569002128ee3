import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddedDatabase } from "@slabdesk/embedded-database/embedded-database.ts";
import { useMadeDataDir } from "../../../server/src/database/testing/test-database.ts";
import { startOwnDatabase } from "../../../server/src/database/embedded.ts";

/** A separate PostgreSQL for servers with DATABASE_URL, which a test can kill and restart. */
export type PostgresProcess = {
  url: string;
  settings: EmbeddedDatabase["settings"];
  /** SIGKILL, also for the processes that serve connections. Resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it with the same data at the same address. */
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
      // Only the lock on the folder remains to be released.
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

/** A data folder that the database's account can enter, which is another account under root. */
export async function survivalFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "slabdesk-survival-"));
  await chmod(folder, 0o711);
  return folder;
}
