import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type EmbeddedDatabaseAddress, probe } from "./probe.ts";
import type { Binaries } from "./binaries.ts";
import { explainFailure, makeOwnedFolder, runAs } from "./cluster.ts";
import { codeOf, EmbeddedDatabaseError } from "./embedded-database-error.ts";
import { LOG_FILE, SOCKET, type Place } from "./places.ts";
import { findPostmaster, waitUntilGone } from "./cluster-process.ts";

export type EmbeddedDatabaseLog = { info: (message: string) => void };

/** A postmaster that accepts connections: our child or an adopted orphan. */
export type RunningPostgres = {
  pid: number;
  /** Resolves if it ends without `stopPostgres`. */
  lost: Promise<EmbeddedDatabaseError>;
  /** Marks its end as expected from now on. Resolves when it has ended. */
  expectEnd: () => Promise<void>;
};

/** Crash recovery replays up to `max_wal_size`, which takes seconds, or longer on a failing disk. */
const ANSWER_WITHIN_MS = 300_000;
const LOOK_EVERY_MS = 10;
const WATCH_EVERY_MS = 1000;
const ORDERLY_STOP_MS = 30_000;
const LOG_AT_MOST_BYTES = 1024 * 1024;
const LOG_TAIL_LINES = 15;

const NEVER = new Promise<never>(() => {});

/** Commits are durable. The log is about the database itself, because clients report their own failed statements. */
const SETTINGS = {
  autovacuum: "on",
  fsync: "on",
  full_page_writes: "on",
  jit: "off",
  listen_addresses: "",
  log_checkpoints: "off",
  log_min_messages: "log",
  log_timezone: "UTC",
  max_connections: "200",
  max_wal_size: "512MB",
  shared_buffers: "64MB",
  synchronous_commit: "on",
  timezone: "UTC",
  unix_socket_permissions: "0700",
};

export type Listener = { address: EmbeddedDatabaseAddress; settings: Readonly<Record<string, string>> };

/** Adopts the running database, or starts one. @throws EmbeddedDatabaseError start_failed, disk_full, no_rights */
export async function adoptOrSpawn(place: Place, binaries: Binaries, listener: Listener, log: EmbeddedDatabaseLog) {
  const deadline = Date.now() + ANSWER_WITHIN_MS;
  for (;;) {
    const found = await findPostmaster(place.clusterDir);
    if (found === null) return spawnPostgres(place, binaries, listener);
    if ((await probe(listener.address)) === "ready") {
      log.info(`Took over the database (process ${found}) that an earlier server left running`);
      return adopt(found, place);
    }
    if (Date.now() > deadline) {
      const message = `A database (process ${found}) runs on ${place.clusterDir} but does not answer.`;
      throw new EmbeddedDatabaseError("start_failed", message);
    }
    await pause(LOOK_EVERY_MS);
  }
}

export async function stopPostgres(postgres: RunningPostgres): Promise<void> {
  const ended = postgres.expectEnd();
  signal(postgres.pid, "SIGINT");
  const tooLate = setTimeout(() => signal(postgres.pid, "SIGQUIT"), ORDERLY_STOP_MS);
  await ended.finally(() => clearTimeout(tooLate));
}

function adopt(pid: number, place: Place): RunningPostgres {
  const watching = new AbortController();
  const gone = waitUntilGone(pid, place.clusterDir, WATCH_EVERY_MS, watching.signal);
  return {
    pid,
    lost: gone.then((isGone) => (isGone ? endedByItself(place) : NEVER)),
    expectEnd: async () => {
      watching.abort();
      await waitUntilGone(pid, place.clusterDir, LOOK_EVERY_MS);
    },
  };
}

async function spawnPostgres(place: Place, binaries: Binaries, listener: Listener): Promise<RunningPostgres> {
  const socketDir = join(place.dataDir, SOCKET);
  // The stale socket lock file of a killed database would keep the next one from starting.
  await rm(socketDir, { recursive: true, force: true });
  await makeOwnedFolder(socketDir, place.account);
  const child = launch(place, binaries, listener);
  const ended = endOf(child);
  const failure = await readyOrFailed(child, listener.address, ended);
  const { pid } = child;
  if (failure || pid === undefined) {
    const lines = readFileSync(join(place.dataDir, LOG_FILE), "utf8").trimEnd().split("\n");
    throw await explainFailure(place, lines.slice(-LOG_TAIL_LINES).join("\n"), failure);
  }
  let isExpected = false;
  return {
    pid,
    lost: ended.then((cause) => (isExpected ? NEVER : endedByItself(place, cause))),
    expectEnd: async () => {
      isExpected = true;
      await ended;
    },
  };
}

/** Returns null once it accepts connections, else why it ended. Recovery may take minutes while the process runs. */
async function readyOrFailed(child: ChildProcess, address: EmbeddedDatabaseAddress, ended: Promise<Error>) {
  try {
    for (;;) {
      if ((await probe(address)) === "ready") return null;
      const end = await Promise.race([ended, pause(LOOK_EVERY_MS, null)]);
      if (end) return end;
    }
  } catch (error) {
    child.kill("SIGINT");
    await ended;
    throw error;
  }
}

function launch(place: Place, binaries: Binaries, listener: Listener): ChildProcess {
  const log = openLog(place);
  try {
    // A session of its own: Ctrl-C signals the terminal's process group, and PostgreSQL must outlive the application.
    return spawn(join(binaries.nativeDir, "bin", "postgres"), postgresArguments(place, listener), {
      ...runAs(place.account),
      detached: true,
      stdio: ["ignore", log, log],
    });
  } finally {
    closeSync(log);
  }
}

function endOf(child: ChildProcess): Promise<Error> {
  return new Promise((resolve) => {
    child.once("error", resolve);
    child.once("exit", (code, killedBy) => resolve(new Error(`postgres ended with ${code ?? killedBy}`)));
  });
}

function postgresArguments(place: Place, { address, settings }: Listener): string[] {
  // The setting is a list. Quotes protect a path with commas or spaces.
  const folder = `"${address.host.replaceAll('"', '""')}"`;
  const all = { ...SETTINGS, ...settings, port: String(address.port), unix_socket_directories: folder };
  return ["-D", place.clusterDir, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

/** Opens the log for appending. Rotates a large one to a single old file. */
function openLog({ dataDir }: Place): number {
  const file = join(dataDir, LOG_FILE);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_AT_MOST_BYTES) renameSync(file, `${file}.old`);
  return openSync(file, "a", 0o600);
}

function endedByItself({ dataDir }: Place, cause?: unknown): EmbeddedDatabaseError {
  const message = `The embedded PostgreSQL ended while it was in use. ${join(dataDir, LOG_FILE)} says why.`;
  return new EmbeddedDatabaseError("stopped_by_itself", message, { cause });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (codeOf(error) !== "ESRCH") throw error;
  }
}
