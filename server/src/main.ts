import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { pino, type Logger } from "pino";
import { createServer } from "./app.ts";
import { parseConfig, type Config } from "./config.ts";
import { openDatabase, openPool } from "./database/connection.ts";
import { LIVE_DATABASE, readChoice, startOwnDatabase } from "./database/embedded.ts";
import { recordKind } from "./database/kind.ts";
import { migrateToLatest } from "./database/migrate.ts";
import type { FirstAdmin } from "./features/users/users.service.ts";
import { SLOW_TO_GUESS } from "./features/users/passwords.rules.ts";
import { goDemo, goLive, type Store } from "./go-live.ts";
import { explainStartFailure, otherKind, StartFailure, unreachableDatabase } from "./start-failure.ts";

/*
 * The composition root, and the only file that reads the environment. Messages for people go to stdout, the log to
 * stderr. Resources are closed in reverse order, on a signal and after a failure.
 */

const DATA_FOLDER = fileURLToPath(new URL("../../data", import.meta.url));
const OLDEST_POSTGRES = 150_000;
const CONNECT_TIMEOUT_MS = 10_000;

const opened: { name: string; close: () => Promise<void> }[] = [];
let config: Config | null = null;
let log: Logger = pino(pino.destination({ fd: 2, sync: true }));
let ending = false;

process.on("SIGTERM", () => onSignal("SIGTERM"));
process.on("SIGINT", () => onSignal("SIGINT"));
process.on("unhandledRejection", (reason) => void fail(reason));
process.on("uncaughtException", (error) => void fail(error));

const starting = run(process.argv[2]);
starting.catch((error: unknown) => void fail(error));

async function run(command: string | undefined): Promise<void> {
  config = parseConfig(process.env);
  log = pino({ level: config.LOG_LEVEL }, pino.destination({ fd: 2, sync: true }));
  if (command === undefined) return start(config);
  const change = command === "go-live" ? goLive : command === "go-demo" ? goDemo : null;
  if (!change) throw new StartFailure(`Unknown command ${command}. The commands are go-live and go-demo.`);
  say(await change(await openStore(config)));
  void end(0);
}

async function start(given: Config): Promise<void> {
  config = given;
  const { embedded, dataDir, ...store } = await openStore(config);
  let { settings } = store;
  if (embedded && (await readChoice(dataDir)) === "live") {
    settings = await embedded.addDatabase(LIVE_DATABASE);
    config = { ...config, upstreams: config.UPSTREAMS ?? "live" };
  }
  const pool = openPool(settings, (error) => log.warn({ reason: error.message }, "An idle database connection broke"));
  opened.push({ name: "database connections", close: () => pool.end() });
  const db = openDatabase(pool);
  await migrateToLatest(db);
  const recorded = await recordKind(db, config.upstreams);
  if (recorded !== config.upstreams) throw otherKind(recorded, config);
  if (config.upstreams === "demo") config = await withSimulator(config.PORT);

  const server = await createServer({ config, settings, pool, db, dataDir, passwords: SLOW_TO_GUESS, log });
  opened.push({ name: "server", close: () => server.stop() });
  const { firstAdmin } = await server.start();
  if (firstAdmin) showFirstAdmin(firstAdmin);
  const address = await server.app.listen({ port: config.PORT, host: config.HOST });
  showAddress(config, new URL(address).port);
  // Frees what only the start needed, such as source texts. V8 would keep it otherwise.
  await globalThis.gc?.({ execution: "async", flavor: "last-resort" });
}

async function openStore({ DATABASE_URL, DATA_DIR }: Config): Promise<Store> {
  const dataDir = resolve(DATA_DIR ?? DATA_FOLDER);
  if (DATABASE_URL !== undefined) {
    await tryDatabase(DATABASE_URL);
    return { settings: { connectionString: DATABASE_URL }, dataDir, embedded: null };
  }
  const embedded = await startOwnDatabase({ dataDir, log: { info: (message) => log.info(message) } });
  opened.push({ name: "embedded database", close: embedded.stop });
  void embedded.lost.then(fail);
  return { settings: embedded.settings, dataDir: embedded.dataDir, embedded };
}

/** @throws StartFailure if the database does not respond or is too old */
async function tryDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  let version = 0;
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number; user: string; isSuperuser: boolean }>(
      `SELECT current_setting('server_version_num')::int AS version, rolname AS user, rolsuper AS "isSuperuser"
       FROM pg_roles WHERE rolname = current_user`,
    );
    const [found] = rows;
    version = found?.version ?? 0;
    if (found?.isSuperuser)
      log.warn({ user: found.user }, "The user of DATABASE_URL is a superuser; revoked privileges don't apply");
  } catch (error) {
    throw unreachableDatabase(connectionString, error);
  } finally {
    await client.end();
  }
  if (version < OLDEST_POSTGRES) throw new StartFailure("The database of DATABASE_URL is older than PostgreSQL 15.");
}

/** A simulator in this process replaces the upstreams, on the next port: image URLs are saved with the cards. */
async function withSimulator(port: number): Promise<Config> {
  const { startSimulator } = await import("@slabdesk/simulator/simulator.ts");
  const simulator = await startSimulator({ port: port === 0 ? 0 : port + 1 }).catch((error: unknown) => {
    log.warn({ err: error }, "The simulator's port is in use; images from earlier demo runs will be missing");
    return startSimulator({ port: 0 });
  });
  opened.push({ name: "simulator", close: simulator.close });
  return parseConfig({ ...process.env, ...simulator.settings, UPSTREAMS: "demo" });
}

function showFirstAdmin({ email, password, isGenerated }: FirstAdmin): void {
  say("");
  say("  First administrator (shown only this once)");
  say(`    Email:    ${email}`);
  say(`    Password: ${isGenerated ? password : "as set in ADMIN_PASSWORD"}`);
}

function showAddress({ PUBLIC_URL, HOST, ROLE, upstreams }: Config, port: string): void {
  const host = ["127.0.0.1", "::1", "0.0.0.0", "::"].includes(HOST) ? "localhost" : HOST;
  const here = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  say("");
  if (ROLE === "worker") say(`  Slabdesk worker is running, health at ${here}/healthz`);
  else say(`  Slabdesk is running: open ${PUBLIC_URL ?? here}`);
  if (upstreams === "demo")
    say("  Demo: the cards come from a built-in simulator; no outside service is called. To go live: npm run go-live");
  say("");
}

function onSignal(signal: NodeJS.Signals): void {
  if (ending) process.exit(1);
  log.info({ signal }, "Stopping");
  void end(0);
}

async function fail(error: unknown): Promise<void> {
  const explanation = explainStartFailure(error, config);
  if (explanation) process.stderr.write(`${explanation.message}\n`);
  else log.fatal({ err: error }, "The server stopped because of an unexpected error");
  await end(explanation?.exitCode ?? 1);
}

/** Closes everything that is open, even during startup, and exits the process. */
async function end(exitCode: number): Promise<void> {
  if (ending) return;
  ending = true;
  await Promise.allSettled([starting]);
  let failures = 0;
  for (const { name, close } of opened.toReversed()) {
    await close().catch((error: unknown) => {
      failures += 1;
      log.error({ err: error }, `Could not close the ${name} cleanly`);
    });
  }
  process.exit(failures > 0 ? 1 : exitCode);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
