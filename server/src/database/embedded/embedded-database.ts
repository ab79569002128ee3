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
  /** The folder asked for; `dataDir` of the result says which one it became. */
  dataDir: string;
  log: EmbeddedDatabaseLog;
  /** Where root keeps what the database's account cannot reach where it is. */
  systemDir?: string;
};

export type EmbeddedDatabase = {
  /** How the server reaches it: as a role that owns the database and is bound by grants. */
  settings: EmbeddedDatabaseAddress;
  /** As the superuser, who made the cluster: for measurements and tests, never for the server. */
  superuserSettings: EmbeddedDatabaseAddress;
  /** The folder really used, for everything else that is kept on disk. */
  dataDir: string;
  /** The postmaster. */
  pid: number;
  /** Resolves if the database ends without `stop()`: the server cannot go on. */
  lost: Promise<EmbeddedDatabaseError>;
  /** Ends open connections, shuts PostgreSQL down in order, waits for it, and gives the data folder back. */
  stop: () => Promise<void>;
};

/** The superuser and the database of the product inside its own PostgreSQL. */
const NAME = "slabdesk";
/** Whom the server connects as. */
const APPLICATION = "slabdesk_app";
const PORT = 5432;

/**
 * Starts PostgreSQL on the data folder, or takes over the one that a killed server left running there.
 *
 * @throws EmbeddedDatabaseError saying what to do
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
    return await run(place, binaries, options.log, unlock);
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
  log: EmbeddedDatabaseLog,
  unlock: () => void,
): Promise<EmbeddedDatabase> {
  await removeTornClusters(place.dataDir);
  if (!hasCluster(place, majorVersion(binaries))) await createCluster(place, binaries, NAME);
  const socket = await nameSocketFolder(place.dataDir);
  const superuserSettings = { host: socket.path, port: PORT, user: NAME, database: NAME };
  try {
    const postgres = await adoptOrSpawn(place, binaries, superuserSettings, log);
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
