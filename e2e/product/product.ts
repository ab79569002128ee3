import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, mkdirSync, type WriteStream } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMPILED, pinnedNode, SERVER_OPTIONS } from "../../scripts/paths.mjs";
import { startUpstream, type Upstream } from "./upstream.ts";

const MAIN = fileURLToPath(new URL("../../server/src/main.ts", import.meta.url));
/** The product saves memory where tests save time. */
const FASTER = ["--max-semi-space-size=32"];
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 60_000;

/** `demo` is the product with its own simulator; `simulated` uses the test's simulator. */
export type ProductKind = "simulated" | "demo";

/** Environment settings of the server. */
export type Settings = Record<string, string>;

/** The running product from outside: its terminal output and its URL. */
export type Product = {
  /** The printed URL. */
  origin: string;
  /** The terminal output. */
  terminal: string;
  admin: { email: string; password: string };
  /** The base URL of images. */
  upstreamOrigin: string;
  /** The data folder. */
  dataDir: string;
  /** The file with the product's stdout and stderr. */
  logFile: string;
  upstream: Upstream | null;
};

type LogLine = { level: number; err?: { code?: string } };
/** pino's log levels from error on. */
const ERROR_LEVEL = 50;
/** PostgreSQL's error code for connections that are still open when it shuts down. */
const ADMIN_SHUTDOWN = "57P01";

export type StartedProduct = {
  product: Product;
  /** Fails if the product doesn't exit properly or has logged an error. */
  stop: () => Promise<void>;
  /** Kills only the server process. */
  kill: () => Promise<void>;
  /** Starts a killed server again with the same settings. */
  startAgain: () => Promise<void>;
};

export type ProductOptions = {
  kind: ProductKind;
  settings?: Settings;
  /** Whether the simulator draws slabs. Plain images take less time. */
  hasDrawnImages?: boolean;
  logFile: string;
};

/** Starts the product as a user would, with an empty data folder and a free port. */
export async function startProduct({
  kind,
  settings = {},
  hasDrawnImages = false,
  logFile,
}: ProductOptions): Promise<StartedProduct> {
  const folder = await mkdtemp(join(tmpdir(), "slabdesk-journeys-"));
  // As root, the database runs as another account, which must be able to enter the folder.
  await chmod(folder, 0o711);
  const upstream = kind === "simulated" ? await startUpstream(!hasDrawnImages) : null;
  const dataDir = join(folder, "data");
  const port = await findFreePort();
  const admin = { email: "owner@slabdesk.test", password: "correct horse battery" };
  const env = {
    PATH: process.env["PATH"],
    NODE_ENV: "production",
    NODE_COMPILE_CACHE: COMPILED,
    DATA_DIR: dataDir,
    PORT: String(port),
    CARD_DELAY_MS: "0",
    PRICING_DELAY_MS: "0",
    // A gate may hold a call for as long as a journey needs.
    REQUEST_TIMEOUT_MS: "600000",
    ...(upstream === null ? {} : { ...upstream.settings, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }),
    ...settings,
  };
  const startServer = (): ChildProcess =>
    spawn(pinnedNode(), [...SERVER_OPTIONS, ...FASTER, MAIN], { env, stdio: ["ignore", "pipe", "pipe"] });
  const log = openLog(logFile);
  let child = startServer();
  let output = readOutput(child, log);
  const killed = (): boolean => child.kill("SIGTERM");
  process.once("exit", killed);

  const stop = async (): Promise<void> => {
    process.removeListener("exit", killed);
    const problems = await endInOrder(child, output);
    log.end();
    await upstream?.close();
    await rm(folder, { recursive: true, force: true });
    if (problems.length > 0) throw new Error(`The product had problems:\n${problems.join("\n")}`);
  };
  const origin = await addressOf(child, output).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const product: Product = {
    origin,
    terminal: output.stdout,
    admin: upstream === null ? shownAdmin(output.stdout) : admin,
    upstreamOrigin: upstream?.origin ?? `http://127.0.0.1:${port + 1}`,
    dataDir,
    logFile,
    upstream,
  };
  const kill = async (): Promise<void> => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  const startAgain = async (): Promise<void> => {
    child = startServer();
    output = readOutput(child, log);
    await addressOf(child, output);
  };
  return { product, stop, kill, startAgain };
}

type Output = { stdout: string; stderr: string };

function openLog(file: string): WriteStream {
  mkdirSync(dirname(file), { recursive: true });
  return createWriteStream(file, { flags: "a" });
}

function readOutput(child: ChildProcess, log: WriteStream): Output {
  const output: Output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
      log.write(text);
    });
  }
  return output;
}

/** Resolves when the product prints its URL. */
async function addressOf(child: ChildProcess, output: Output): Promise<string> {
  const deadline = AbortSignal.timeout(START_TIMEOUT_MS);
  while (child.exitCode === null && !deadline.aborted) {
    const address = /is running: open (\S+)/.exec(output.stdout)?.[1];
    if (address !== undefined) return address;
    await Promise.race([
      child.stdout === null ? null : once(child.stdout, "data", { signal: deadline }).catch(() => null),
      once(child, "exit", { signal: deadline }).catch(() => null),
    ]);
  }
  throw new Error(`The product did not start (exit code ${child.exitCode}):\n${output.stdout}\n${output.stderr}`);
}

/** All errors between start and end, as text. */
async function endInOrder(child: ChildProcess, output: Output): Promise<string[]> {
  const problems = child.exitCode === null ? [] : [`It ended by itself with code ${child.exitCode}`];
  if (child.exitCode === null) {
    const ended = once(child, "exit", { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) });
    child.kill("SIGTERM");
    try {
      const [code, signal]: unknown[] = await ended;
      if (code !== 0) problems.push(`It stopped with code ${String(code)}, signal ${String(signal)}`);
    } catch {
      problems.push(`It did not stop within ${STOP_TIMEOUT_MS / 1000} s`);
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  }
  const lines = output.stderr.split("\n").filter((line) => line.trim() !== "");
  return [...problems, ...lines.filter((line) => !isCalm(line)).map((line) => `Unexpected in its log: ${line}`)];
}

/**
 * The log consists of JSON lines; any other line is an uncaught error. While the server stops, a closing connection may
 * receive PostgreSQL's shutdown notice, which is harmless.
 */
function isCalm(line: string): boolean {
  try {
    const { level, err } = JSON.parse(line) as LogLine;
    return level < ERROR_LEVEL || err?.code === ADMIN_SHUTDOWN;
  } catch {
    return false;
  }
}

function shownAdmin(terminal: string): Product["admin"] {
  const [, email] = /Email: +(\S+)/.exec(terminal) ?? [];
  const [, password] = /Password: +(\S+)/.exec(terminal) ?? [];
  if (email === undefined || password === undefined) throw new Error(`No administrator was shown:\n${terminal}`);
  return { email, password };
}

/**
 * A free port whose successor, the demo simulator's port, is also free. Systems don't use these ports for outgoing
 * connections, so the successor stays free until the simulator starts.
 */
async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
