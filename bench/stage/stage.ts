import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startNode, type ServerNode } from "./node.ts";
import { startPostgres, type BenchDatabase, type Postgres } from "./postgres.ts";
import { startSimulatorProcess } from "./simulator.ts";

/** The environment of measurements: PostgreSQL and a simulator, each in its own process, and any number of nodes. */
export type Stage = {
  postgres: Postgres;
  /**
   * Provides an empty database and starts nodes on it, each with its settings; stops and removes them afterwards.
   */
  withNodes<T>(
    settings: readonly Record<string, string>[],
    work: (database: BenchDatabase, nodes: ServerNode[]) => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
};

export async function openStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "slabdesk-bench-"));
  // As root, the database runs as another account, which must be able to enter the folder.
  await chmod(folder, 0o711);
  const opened: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeAll(opened));
  try {
    const postgres = await startPostgres(join(folder, "database"));
    opened.push(postgres.close);
    const simulator = await startSimulatorProcess();
    opened.push(simulator.close);
    const dataDir = join(folder, "files");
    return {
      postgres,
      close,
      async withNodes(settings, work) {
        const database = await postgres.createDatabase();
        const nodes: ServerNode[] = [];
        try {
          for (const own of settings)
            nodes.push(
              await startNode({ ...simulator.settings, ...own, DATABASE_URL: database.url, DATA_DIR: dataDir }),
            );
          return await work(database, nodes);
        } finally {
          await Promise.all(nodes.map((node) => node.stop()));
          await database.drop();
        }
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function closeAll(opened: readonly (() => Promise<void>)[]): Promise<void> {
  for (const end of opened.toReversed()) await end();
}
