import { execFile, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { canReach, chooseAccount, type Account } from "./account.ts";
import { findBinaries, reachableBinaries } from "./binaries.ts";
import { prepareDataDir } from "./places.ts";
import { startEmbeddedDatabase, type EmbeddedDatabase } from "./embedded-database.ts";
import { copyDataDir } from "./testing/copy-data-dir.ts";
import { testOptions } from "./testing/test-options.ts";

const HOLDER = fileURLToPath(new URL("testing/hold-database.ts", import.meta.url));
const NOBODY_KNOWS_UID = 54_321;

/** Only root can run the database as another account. */
const isRoot = process.getuid?.() === 0;
const service = isRoot ? chooseAccount("/nonexistent") : null;

const run = promisify(execFile);

let template: string;
let folder: string;
let dataDir: string;
let told: string[];
let cleanUps: (() => Promise<unknown>)[];

/** Creates a data folder, which most tests copy instead of creating their own. */
beforeAll(async () => {
  template = await makeFolder("embedded-database-template-");
  const database = await startEmbeddedDatabase(testOptions(join(template, "data"), join(template, "system")));
  await database.stop();
});

afterAll(() => rm(template, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await makeFolder("embedded-database-");
  dataDir = join(folder, "data");
  told = [];
  cleanUps = [];
});

afterEach(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
  await rm(folder, { recursive: true, force: true });
});

async function start(asked = dataDir, systemDir = join(folder, "system")): Promise<EmbeddedDatabase> {
  const database = await startEmbeddedDatabase(testOptions(asked, systemDir, (line) => told.push(line)));
  cleanUps.push(database.stop);
  return database;
}

/** Creates a folder that the database's account can enter, which under root is another account. */
async function makeFolder(prefix: string): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), prefix));
  await chmod(made, 0o711);
  return made;
}

const useMadeData = (to = dataDir): Promise<void> => copyDataDir(join(template, "data"), to);

async function query(database: EmbeddedDatabase, sql: string): Promise<unknown[]> {
  const client = new pg.Client(database.settings);
  await client.connect();
  try {
    const { rows }: { rows: unknown[] } = await client.query(sql);
    return rows;
  } finally {
    await client.end();
  }
}

type Held = { started?: { pid: number; postgresPid: number }; failed?: { problem: string; message: string } };

/** A program and its first arguments. */
type Command = readonly [string, ...string[]];

/** Starts an application in a process of its own; `account` needs root. */
async function hold(
  asked: string,
  account?: { uid: number; gid: number },
  under: Command = [process.execPath],
): Promise<{ child: ChildProcess; held: Held }> {
  const [program, ...args] = under;
  const child = spawn(program, [...args, HOLDER, asked, join(folder, "system")], {
    stdio: ["pipe", "pipe", "inherit"],
    cwd: "/",
    ...account,
  });
  const gone = once(child, "exit");
  cleanUps.push(async () => {
    child.stdin.end();
    await gone;
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([once(lines, "line"), gone.then(() => ["{}"])]);
  return { child, held: JSON.parse(String(line)) as Held };
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

describe("a data folder", () => {
  test("may have spaces, commas and quotes in its name; a cluster whose creation was interrupted is created again", async () => {
    dataDir = join(folder, `my "own", data`);
    await mkdir(join(dataDir, "postgres.new-4711"), { recursive: true });
    await writeFile(join(dataDir, "postgres.new-4711", "PG_VERSION"), "18\n");
    await writeFile(join(dataDir, "server.lock"), "");
    await mkdir(join(dataDir, "images"));
    await chmod(dataDir, 0o711);
    const database = await start();
    expect(await readdir(dataDir)).not.toContain("postgres.new-4711");
    expect(await readdir(dataDir)).toContain("images");
    expect(database.dataDir).toBe(dataDir);
    expect(database.settings.host).toBe(join(dataDir, "run"));
    // Commits are durable, and there is no network address.
    expect(await query(database, "SHOW fsync")).toEqual([{ fsync: "on" }]);
    expect(await query(database, "SHOW listen_addresses")).toEqual([{ listen_addresses: "" }]);
    expect(await query(database, "SHOW timezone")).toEqual([{ TimeZone: "UTC" }]);
    // It folds the case of every alphabet.
    expect(
      await query(
        database,
        "SELECT 'POKÉMON' ILIKE '%mon' AS ascii, 'É' ILIKE 'é' AS latin, 'ЖЯ' ILIKE 'жя' AS cyrillic",
      ),
    ).toEqual([{ ascii: true, latin: true, cyrillic: true }]);
  });

  test("may have a path longer than a socket address; the link for it is removed at the end", async () => {
    const long = join(folder, "long".repeat(40));
    await useMadeData(long);
    const database = await start(long);
    expect(await query(database, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(existsSync(database.settings.host)).toBe(true);
    await database.stop();
    expect(existsSync(database.settings.host)).toBe(false);
  });

  test("may contain what the application stores there without an embedded database", async () => {
    await mkdir(join(dataDir, "images"), { recursive: true });
    await prepareDataDir({ dataDir, clusterDir: join(dataDir, "postgres"), account: null }, ["images"]);
    expect(await readdir(dataDir)).toEqual(["images"]);
  });

  test("serves one application at a time and keeps its rows; stale process files are removed", async () => {
    await useMadeData();
    const writeProcessFile = (content: string) => writeFile(join(dataDir, "postgres", "postmaster.pid"), content);

    // The process file names a process of another program.
    await writeProcessFile(`${process.pid}\n/somewhere\n1\n5432\n`);
    const first = await start();
    await query(first, "CREATE TABLE kept AS SELECT 7 AS seven");
    await expect(start()).rejects.toMatchObject({ problem: "data_folder_in_use" });
    await first.stop();

    // It names a process that is gone.
    await writeProcessFile("4194000\n/somewhere\n1\n5432\n");
    const second = await start();
    expect(await query(second, "SELECT seven FROM kept")).toEqual([{ seven: 7 }]);
    await second.stop();

    // Only its beginning was written.
    await writeProcessFile("");
    expect(await query(await start(), "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });
});

describe("after a crash", () => {
  test("the next start adopts the database that a killed application left running; stop() ends it", async () => {
    await useMadeData();
    const { child, held } = await hold(dataDir);
    await expect(start()).rejects.toMatchObject({
      problem: "data_folder_in_use",
      message: expect.stringContaining(`process ${held.started?.pid}`) as string,
    });
    await kill(child);
    const database = await start();
    expect(database.pid).toBe(held.started?.postgresPid);
    expect(told).toEqual([`Took over the database (process ${database.pid}) that an earlier server left running`]);
    expect(await query(database, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await database.stop();
    expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
  });

  test("a database killed with its application is started again; if it ends by itself, that is reported", async () => {
    await useMadeData();
    const { child, held } = await hold(dataDir);
    await kill(child);
    process.kill(held.started?.postgresPid ?? 0, "SIGKILL");
    const database = await start();
    expect(database.pid).not.toBe(held.started?.postgresPid);
    expect(await query(database, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    process.kill(database.pid, "SIGKILL");
    expect(await database.lost).toMatchObject({ problem: "stopped_by_itself" });
  });

  test("if an adopted database ends by itself, that is reported", async () => {
    await useMadeData();
    const { child } = await hold(dataDir);
    await kill(child);
    const database = await start();
    process.kill(database.pid, "SIGKILL");
    expect(await database.lost).toMatchObject({ problem: "stopped_by_itself" });
  });
});

describe("a folder with other content", () => {
  test("is refused and left unchanged", async () => {
    await mkdir(dataDir);
    await writeFile(join(dataDir, "letter.txt"), "Dear");
    await expect(start()).rejects.toMatchObject({ problem: "foreign_folder" });
    expect(await readdir(dataDir)).toEqual(["letter.txt"]);
  });

  test("is refused if its postgres folder is no database", async () => {
    await mkdir(join(dataDir, "postgres"), { recursive: true });
    await chmod(dataDir, 0o711);
    await writeFile(join(dataDir, "server.lock"), "");
    await expect(start()).rejects.toMatchObject({ problem: "foreign_folder" });
  });

  test("is refused if it is a file", async () => {
    await writeFile(dataDir, "");
    await expect(start()).rejects.toMatchObject({ problem: "foreign_folder" });
  });

  test("is refused if another version of PostgreSQL created it", async () => {
    await useMadeData();
    await writeFile(join(dataDir, "postgres", "PG_VERSION"), "17\n");
    await expect(start()).rejects.toMatchObject({ problem: "other_version" });
    expect(await readFile(join(dataDir, "postgres", "PG_VERSION"), "utf8")).toBe("17\n");
  });
});

if (service) describeAsRoot(service);

function describeAsRoot(account: Account): void {
  describe("as root", () => {
    test("a data folder that the account can't reach moves to the system folder, always to the same place", async () => {
      const closed = await makeClosedFolder();
      const first = await start(join(closed, "data"));
      expect(first.dataDir).toMatch(/\/system\/data-[0-9a-f]{12}$/);
      expect(told).toEqual([
        `Account ${account.name}, which runs the database, cannot reach this folder: data in ${first.dataDir}`,
      ]);
      await first.stop();
      await chmod(closed, 0o755);
      expect((await start(join(closed, "data"))).dataDir).toBe(first.dataDir);
    });

    test("the database runs as an unprivileged account; if that account can no longer reach it, it is not created again", async () => {
      const closed = await makeClosedFolder();
      await chmod(closed, 0o711);
      await useMadeData(join(closed, "data"));
      const first = await start(join(closed, "data"));
      const status = await readFile(`/proc/${first.pid}/status`, "utf8");
      expect(status).toMatch(new RegExp(`^Uid:\\s+${account.uid}\\s+${account.uid}`, "m"));
      expect(status).toMatch(/^Groups:\s*$/m);
      await first.stop();
      await chmod(closed, 0o700);
      await expect(start(join(closed, "data"))).rejects.toMatchObject({ problem: "no_rights" });
    });

    test("programs that the account can't reach are copied once", async () => {
      const closed = await makeClosedFolder();
      const installed = await findBinaries();
      await cp(installed.nativeDir, join(closed, "native"), { recursive: true, verbatimSymlinks: true });
      const system = join(folder, "system");
      const copied = await reachableBinaries({ ...installed, nativeDir: join(closed, "native") }, account, system);
      expect(copied.nativeDir).toBe(join(system, `postgresql-${installed.version}`));
      const { stdout } = await run(join(copied.nativeDir, "bin", "postgres"), ["--version"], {
        uid: account.uid,
        gid: account.gid,
        cwd: "/",
      });
      expect(stdout).toContain("PostgreSQL");
      expect(await reachableBinaries({ ...installed, nativeDir: join(closed, "native") }, account, system)).toEqual(
        copied,
      );
    });

    if (canReach(account, dirname(HOLDER))) describeOtherUsers(account);
    if (canDropRights()) describeContainers();
  });
}

function describeOtherUsers(account: Account): void {
  test("it also runs as a normal user, and root serves that user's data as that user", async () => {
    await mkdir(dataDir);
    await chown(dataDir, account.uid, account.gid);
    const { child, held } = await hold(dataDir, account);
    expect(held.started?.postgresPid).toBeGreaterThan(0);
    await kill(child);
    const adopted = await start();
    expect(adopted.pid).toBe(held.started?.postgresPid);
    await adopted.stop();
    expect((await hold(dataDir, account)).held.started?.postgresPid).toBeGreaterThan(0);
  });

  test("an account without an entry in /etc/passwd is refused", async () => {
    await mkdir(dataDir);
    await chown(dataDir, NOBODY_KNOWS_UID, NOBODY_KNOWS_UID);
    const { held } = await hold(dataDir, { uid: NOBODY_KNOWS_UID, gid: NOBODY_KNOWS_UID });
    expect(held.failed?.problem).toBe("no_account");
  });

  test("another account's data folder is refused", async () => {
    await mkdir(dataDir);
    const { held } = await hold(dataDir, account);
    expect(held.failed?.problem).toBe("no_rights");
  });
}

/** Root of a container, who can't read the working directory of other accounts' processes. */
const WITHOUT_PTRACE: Command = ["setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-all", process.execPath];

function canDropRights(): boolean {
  const [program, ...args] = WITHOUT_PTRACE;
  return spawnSync(program, [...args, "--version"]).status === 0;
}

function describeContainers(): void {
  describe("without SYS_PTRACE", () => {
    test("a stale process file is removed while other databases of the same account run", async () => {
      await useMadeData(join(folder, "other"));
      await useMadeData();
      const other = await start(join(folder, "other"));
      await writeFile(join(dataDir, "postgres", "postmaster.pid"), `${other.pid}\n/somewhere\n1\n5432\n`);
      const { held } = await hold(dataDir, undefined, WITHOUT_PTRACE);
      expect(held.failed).toBeUndefined();
      expect(held.started?.postgresPid).not.toBe(other.pid);
      expect(await query(other, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    });

    test("the database of a killed application is adopted; one killed with its application is started again", async () => {
      await useMadeData();
      const first = await hold(dataDir, undefined, WITHOUT_PTRACE);
      await kill(first.child);
      const second = await hold(dataDir, undefined, WITHOUT_PTRACE);
      const postgresPid = second.held.started?.postgresPid;
      expect(postgresPid).toBe(first.held.started?.postgresPid);
      await kill(second.child);
      process.kill(postgresPid ?? 0, "SIGKILL");
      const third = await hold(dataDir, undefined, WITHOUT_PTRACE);
      expect(third.held.failed).toBeUndefined();
      expect(third.held.started?.postgresPid).not.toBe(postgresPid);
    });
  });
}

async function makeClosedFolder(): Promise<string> {
  const closed = join(folder, "closed");
  await mkdir(closed, { mode: 0o700 });
  return closed;
}
