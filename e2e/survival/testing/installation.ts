import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { vi } from "vitest";
import { codeOf } from "@slabdesk/embedded-database/embedded-database-error.ts";
import type { EmbeddedDatabase } from "@slabdesk/embedded-database/embedded-database.ts";
import { CLUSTER, SOCKET } from "@slabdesk/embedded-database/places.ts";
import { findPostmaster, waitUntilGone, worksIn } from "@slabdesk/embedded-database/cluster-process.ts";
import { useMadeDataDir } from "../../../server/src/database/testing/test-database.ts";
import { startPostgresProcess, survivalFolder } from "./postgres-process.ts";
import { startServerProcess, type ServerProcess } from "./server-process.ts";

export const VICTIMS = ["server", "database", "both"] as const;
export type Victim = (typeof VICTIMS)[number];

/** A server with its database that a test can kill at any moment and start again. */
export type Installation = {
  /** The running server's URL. */
  origin(): string;
  /** SIGKILL. */
  kill(victim: Victim): Promise<void>;
  /** Starts what has ended, and waits until it serves. */
  recover(): Promise<void>;
  /** Starts what has ended, and kills it after the delay, ready or not. */
  recoverAndKill(afterMs: number, victim: Victim): Promise<void>;
  /** The database's connection string. */
  address: EmbeddedDatabase["settings"];
  query(text: string, values: unknown[]): Promise<Record<string, unknown>[]>;
  /** The end of the servers' output. */
  tail(): string;
  remove(): Promise<void>;
};

const READY_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 50;

export type EmbeddedInstallation = Installation & {
  dataDir: string;
  /** Stops the server properly, and its database with it. */
  stop(): Promise<void>;
};

/**
 * The default: the server starts its own PostgreSQL, and exits if it loses it.
 *
 * @param fillDataDir creates the data folder
 */
export async function embeddedInstallation(
  settings: Record<string, string>,
  fillDataDir: (dataDir: string) => Promise<void> = useMadeDataDir,
): Promise<EmbeddedInstallation> {
  const folder = await survivalFolder();
  const dataDir = join(folder, "data");
  const clusterDir = join(dataDir, CLUSTER);
  const address = { host: join(dataDir, SOCKET), port: 5432, user: "slabdesk", database: "slabdesk" };
  await fillDataDir(dataDir);
  let server = startServerProcess({ ...settings, DATA_DIR: dataDir });
  let origin = await server.ready;

  async function killPostmaster(): Promise<boolean> {
    const pid = await postmasterOf(clusterDir);
    // A starting server has no database yet, and after a crash the file may name another program's process.
    if (pid === null || !(await worksIn(pid, clusterDir))) return false;
    process.kill(pid, "SIGKILL");
    await waitUntilGone(pid, clusterDir, LOOK_EVERY_MS);
    return true;
  }

  async function kill(victim: Victim): Promise<void> {
    if (victim !== "database") server.signal("SIGKILL");
    const isKilled = victim === "server" || (await killPostmaster());
    // Nothing else stops a server without a database.
    if (!isKilled) server.signal("SIGKILL");
    if (victim !== "database") await server.ended;
  }

  /** A server that has lost its database exits. One that was about to take it over may have started it again. */
  async function startAgain(): Promise<void> {
    await waitFor("a server that ends or serves", server, async () => server.hasEnded() || (await server.isServing()));
    if (server.hasEnded()) server = startServerProcess({ ...settings, DATA_DIR: dataDir });
  }

  return {
    origin: () => origin,
    dataDir,
    address,
    kill,
    async stop() {
      server.signal("SIGTERM");
      const end = await server.ended;
      if (end !== 0) throw new Error(`The server ended with ${end}:\n${server.tail()}`);
    },
    async recover() {
      await startAgain();
      origin = await server.ready;
    },
    async recoverAndKill(afterMs, victim) {
      await startAgain();
      await sleep(afterMs);
      await kill(victim);
    },
    query: (text, values) => ask(address, text, values),
    tail: () => server.tail(),
    async remove() {
      server.signal("SIGKILL");
      await server.ended;
      const left = await findPostmaster(clusterDir);
      if (left !== null) {
        process.kill(left, "SIGKILL");
        await waitUntilGone(left, clusterDir, LOOK_EVERY_MS);
        // Waits for the processes that served its connections.
        await findPostmaster(clusterDir);
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** With DATABASE_URL: a lost database comes back without a restart of the server. */
export async function separateInstallation(settings: Record<string, string>): Promise<Installation> {
  const postgres = await startPostgresProcess();
  const folder = await survivalFolder();
  const all = { ...settings, DATA_DIR: folder, DATABASE_URL: postgres.url };
  let server: ServerProcess = startServerProcess(all);
  let origin = await server.ready;
  let isDatabaseGone = false;

  async function kill(victim: Victim): Promise<void> {
    if (victim !== "database") server.signal("SIGKILL");
    if (victim !== "server") {
      await postgres.kill();
      isDatabaseGone = true;
    }
    if (victim !== "database") await server.ended;
  }

  async function startAgain(): Promise<void> {
    if (isDatabaseGone) await postgres.start();
    isDatabaseGone = false;
    if (server.hasEnded()) server = startServerProcess(all);
  }

  return {
    origin: () => origin,
    address: postgres.settings,
    kill,
    async recover() {
      await startAgain();
      origin = await server.ready;
      await waitFor("a server that serves", server, () => server.isServing());
    },
    async recoverAndKill(afterMs, victim) {
      await startAgain();
      await sleep(afterMs);
      await kill(victim);
    },
    query: (text, values) => ask(postgres.settings, text, values),
    tail: () => server.tail(),
    async remove() {
      server.signal("SIGKILL");
      await server.ended;
      if (isDatabaseGone) await postgres.start();
      await postgres.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function waitFor(what: string, server: ServerProcess, isThere: () => Promise<boolean>): Promise<void> {
  await vi.waitUntil(isThere, { timeout: READY_WITHIN_MS, interval: LOOK_EVERY_MS }).catch(async (cause: unknown) => {
    const state = server.hasEnded() ? `ended with ${await server.ended}` : "runs";
    throw new Error(`There was not ${what} within ${READY_WITHIN_MS / 1000} s; it ${state}:\n${server.tail()}`, {
      cause,
    });
  });
}

async function postmasterOf(clusterDir: string): Promise<number | null> {
  try {
    const pid = Number((await readFile(join(clusterDir, "postmaster.pid"), "utf8")).split("\n")[0]);
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

async function ask(settings: pg.ClientConfig, text: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(settings);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
}
