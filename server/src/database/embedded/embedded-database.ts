import { resolve } from "node:path";
import type { EmbeddedDatabaseAddress } from "./address.ts";
import { handOverTo } from "./application-role.ts";
import { findBinaries, majorVersion, reachableBinaries, type Binaries } from "./binaries.ts";
import { createCluster, removeTornClusters } from "./cluster.ts";
import { explainFileError, type EmbeddedDatabaseError } from "./embedded-database-error.ts";
import { findPlace, hasCluster, nameSocketFolder, prepareDataDir, SYSTEM_DIR, type Place } from "./places.ts";
import { adoptOrSpawn, stopPostgres, type EmbeddedDatabaseLog } from "./running-postgres.ts";
import { lockDataDir } from "./server-lock.ts";

export type EmbeddedDatabaseOptions = {
  /** The requested folder. `dataDir` of the result is the folder actually used. */
  dataDir: string;
  log: EmbeddedDatabaseLog;
  /** Where root stores files that the database's account can't reach in their own place. */
  systemDir?: string;
  /** PostgreSQL settings in place of the product's own, by name. For tests only. */
  postgresSettings?: Readonly<Record<string, string>>;
};

export type EmbeddedDatabase = {
  /** The server's connection: a role that owns the database and is subject to privileges. */
  settings: EmbeddedDatabaseAddress;
  /** The superuser that created the cluster. For measurements and tests only. */
  superuserSettings: EmbeddedDatabaseAddress;
  /** The folder actually used, also for all other files. */
  dataDir: string;
  /** The postmaster. */
  pid: number;
  /** Resolves if the database ends without `stop()`. The server must then stop too. */
  lost: Promise<EmbeddedDatabaseError>;
  /** Ends open connections, shuts PostgreSQL down cleanly, waits for it, and releases the data folder. */
  stop: () => Promise<void>;
};

/** Name of the superuser and of the product's database in the embedded PostgreSQL. */
const NAME = "slabdesk";
/** The role that the server connects as. */
const APPLICATION = "slabdesk_app";
const PORT = 5432;

/**
 * Starts PostgreSQL on the data folder, or adopts the one that a killed server left running there.
 *
 * @throws EmbeddedDatabaseError with instructions
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const systemDir = options.systemDir ?? SYSTEM_DIR;
  const place = findPlace(options.dataDir, systemDir);
  await prepareDataDir(place);
  const unlock = lockDataDir(place.dataDir);
  try {
    const installed = await findBinaries();
    const binaries = await reachableBinaries(installed, place.account, systemDir);
    tellPlaces(options, place, installed, binaries);
    return await run(place, binaries, options, unlock);
  } catch (error) {
    unlock();
    throw explainFileError(error, place.dataDir);
  }
}

function tellPlaces(options: EmbeddedDatabaseOptions, place: Place, installed: Binaries, binaries: Binaries): void {
  const moved = [
    ...(place.dataDir === resolve(options.dataDir) ? [] : [`data in ${place.dataDir}`]),
    ...(binaries.nativeDir === installed.nativeDir ? [] : [`programs in ${binaries.nativeDir}`]),
  ];
  if (place.account === null || moved.length === 0) return;
  options.log.info(
    `Account ${place.account.name}, which runs the database, cannot reach this folder: ${moved.join(", ")}`,
  );
}

async function run(
  place: Place,
  binaries: Binaries,
  { log, postgresSettings = {} }: EmbeddedDatabaseOptions,
  unlock: () => void,
): Promise<EmbeddedDatabase> {
  await removeTornClusters(place.dataDir);
  if (!hasCluster(place, majorVersion(binaries))) await createCluster(place, binaries, NAME);
  const socket = await nameSocketFolder(place.dataDir);
  const superuserSettings = { host: socket.path, port: PORT, user: NAME, database: NAME };
  try {
    const postgres = await adoptOrSpawn(
      place,
      binaries,
      { address: superuserSettings, settings: postgresSettings },
      log,
    );
    await handOverTo(APPLICATION, superuserSettings).catch(async (error: unknown) => {
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
      settings: { ...superuserSettings, user: APPLICATION },
      superuserSettings,
      dataDir: place.dataDir,
      pid: postgres.pid,
      lost: postgres.lost,
      stop: () => (stopping ??= stop()),
    };
  } catch (error) {
    await socket.remove();
    throw error;
  }
}
