import { resolve } from "node:path";
import { findBinaries, reachableBinaries, type Binaries } from "./binaries.ts";
import { createCluster, removeTornClusters } from "./cluster.ts";
import { explainFileError } from "./embedded-database-error.ts";
import { findPlace, hasCluster, nameSocketFolder, prepareDataDir, type Place } from "./places.ts";
import { createDatabase, type EmbeddedDatabaseAddress } from "./probe.ts";
import { adoptOrSpawn, stopPostgres, type EmbeddedDatabaseLog } from "./running-postgres.ts";
import { lockDataDir } from "./server-lock.ts";

export type EmbeddedDatabaseOptions = {
  /** The requested folder. `dataDir` of the result is the folder actually used. */
  dataDir: string;
  /** What else the application stores in that folder, even when it doesn't use the embedded database. */
  ownEntries: readonly string[];
  /** Where root stores files that the database's account can't reach in their own place. */
  systemDir: string;
  /** Name of the database and of the superuser that creates the cluster. */
  name: string;
  /** The role that the application connects as. It owns the database and is no superuser. */
  role: string;
  log: EmbeddedDatabaseLog;
  /** PostgreSQL settings in place of the built-in ones, by name. For tests only. */
  postgresSettings?: Readonly<Record<string, string>>;
};

export type EmbeddedDatabase = Awaited<ReturnType<typeof startEmbeddedDatabase>>;

const PORT = 5432;

/** Starts PostgreSQL, or adopts the one that a killed application left running. @throws EmbeddedDatabaseError */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions) {
  const place = findPlace(options.dataDir, options.systemDir);
  await prepareDataDir(place, options.ownEntries);
  const unlock = lockDataDir(place.dataDir);
  try {
    const installed = await findBinaries();
    const binaries = await reachableBinaries(installed, place.account, options.systemDir);
    tellPlaces(options, place, installed, binaries);
    return await run(place, binaries, options, unlock);
  } catch (error) {
    unlock();
    throw explainFileError(error, place.dataDir);
  }
}

function tellPlaces(options: EmbeddedDatabaseOptions, place: Place, installed: Binaries, binaries: Binaries): void {
  const moved: string[] = [];
  if (place.dataDir !== resolve(options.dataDir)) moved.push(`data in ${place.dataDir}`);
  if (binaries.nativeDir !== installed.nativeDir) moved.push(`programs in ${binaries.nativeDir}`);
  if (place.account === null || moved.length === 0) return;
  const who = `Account ${place.account.name}, which runs the database,`;
  options.log.info(`${who} cannot reach this folder: ${moved.join(", ")}`);
}

async function run(place: Place, binaries: Binaries, options: EmbeddedDatabaseOptions, unlock: () => void) {
  const { name, role, log, postgresSettings = {} } = options;
  await removeTornClusters(place.dataDir);
  if (!hasCluster(place, binaries)) await createCluster(place, binaries, name);
  const socket = await nameSocketFolder(place.dataDir);
  const superuserSettings = { host: socket.path, port: PORT, user: name, database: name };
  try {
    const listener = { address: superuserSettings, settings: postgresSettings };
    const postgres = await adoptOrSpawn(place, binaries, listener, log);
    await createDatabase(superuserSettings, role).catch(async (error: unknown) => {
      await stopPostgres(postgres);
      throw error;
    });
    let stopping: Promise<void> | undefined;
    const stop = async () => {
      await stopPostgres(postgres);
      await socket.remove();
      unlock();
    };
    return {
      /** The application's connection: a role that owns the database and is subject to privileges. */
      settings: { ...superuserSettings, user: role },
      /** The superuser that created the cluster. For measurements and tests only. */
      superuserSettings,
      /** Creates another database of the role in the cluster if it is missing, and returns its address. */
      async addDatabase(database: string): Promise<EmbeddedDatabaseAddress> {
        const superuser = { ...superuserSettings, database };
        await createDatabase(superuser, role);
        return { ...superuser, user: role };
      },
      /** The folder actually used, also for all other files. */
      dataDir: place.dataDir,
      pid: postgres.pid,
      /** Resolves if the database ends without `stop()`. The application must then stop too. */
      lost: postgres.lost,
      /** Ends open connections, shuts PostgreSQL down cleanly, waits for it, and releases the data folder. */
      stop: (): Promise<void> => (stopping ??= stop()),
    };
  } catch (error) {
    await socket.remove();
    throw error;
  }
}
