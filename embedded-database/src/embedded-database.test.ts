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

/** As root there are more ways to go wrong, and the accounts to try them with. */
const isRoot = process.getuid?.() === 0;
const service = isRoot ? chooseAccount("/nonexistent") : null;

const run = promisify(execFile);

let template: string;
let folder: string;
let dataDir: string;
let told: string[];
let cleanUps: (() => Promise<unknown>)[];

/** A data folder from an earlier start, which most tests begin with. */
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

/** A folder that the database's account, another one under root, can enter. */
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

/** A program and its first words. */
type Command = readonly [string, ...string[]];

/** A server in a process of its own; `uid` needs root. */
async function hold(
  asked: string,
  account?: { uid: number; gid: number },
  under: Command = [process.execPath],
): Promise<{ child: ChildProcess; held: Held }> {
  const [program, ...message] = under;
  const child = spawn(program, [...message, HOLDER, asked, join(folder, "system")], {
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

describe("a data folder of its own", () => {
  test("is finished when its making was interrupted; its name may have spaces, commas and quotes", async () => {
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
    // Its commits are durable, and it has no network address.
    expect(await query(database, "SHOW fsync")).toEqual([{ fsync: "on" }]);
    expect(await query(database, "SHOW listen_addresses")).toEqual([{ listen_addresses: "" }]);
    expect(await query(database, "SHOW timezone")).toEqual([{ TimeZone: "UTC" }]);
    // It folds the case of letters of every alphabet.
    expect(
      await query(
        database,
        "SELECT 'POKÉMON' ILIKE '%mon' AS ascii, 'É' ILIKE 'é' AS latin, 'ЖЯ' ILIKE 'жя' AS cyrillic",
      ),
    ).toEqual([{ ascii: true, latin: true, cyrillic: true }]);
  });

  test("may have a path longer than a socket address; the link made for it is removed", async () => {
    const long = join(folder, "long".repeat(40));
    await useMadeData(long);
    const database = await start(long);
    expect(await query(database, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(existsSync(database.settings.host)).toBe(true);
    await database.stop();
    expect(existsSync(database.settings.host)).toBe(false);
  });

  test("may hold what the application stores there without an embedded database", async () => {
    await mkdir(join(dataDir, "images"), { recursive: true });
    await prepareDataDir({ dataDir, clusterDir: join(dataDir, "postgres"), account: null }, ["images"]);
    expect(await readdir(dataDir)).toEqual(["images"]);
  });

  test("serves one server at a time and keeps its rows; stale process files are cleared", async () => {
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
  test("the next server takes over the database that a killed server left running, and stops it", async () => {
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

  test("a database killed together with its server is started again; one that ends by itself is told", async () => {
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

  test("a database that was taken over and ends by itself is told", async () => {
    await useMadeData();
    const { child } = await hold(dataDir);
    await kill(child);
    const database = await start();
    process.kill(database.pid, "SIGKILL");
    expect(await database.lost).toMatchObject({ problem: "stopped_by_itself" });
  });
});

describe("a folder that is not ours", () => {
  test("is left alone when it holds other files", async () => {
    await mkdir(dataDir);
    await writeFile(join(dataDir, "letter.txt"), "Dear");
    await expect(start()).rejects.toMatchObject({ problem: "foreign_folder" });
    expect(await readdir(dataDir)).toEqual(["letter.txt"]);
  });

  test("is left alone when what is called postgres is no database", async () => {
    await mkdir(join(dataDir, "postgres"), { recursive: true });
    await chmod(dataDir, 0o711);
    await writeFile(join(dataDir, "server.lock"), "");
    await expect(start()).rejects.toMatchObject({ problem: "foreign_folder" });
  });

  test("is left alone when it is a file", async () => {
    await writeFile(dataDir, "");
    await expect(start()).rejects.toMatchObject({ problem: "foreign_folder" });
  });

  test("is left alone when another version of PostgreSQL made it", async () => {
    await useMadeData();
    await writeFile(join(dataDir, "postgres", "PG_VERSION"), "17\n");
    await expect(start()).rejects.toMatchObject({ problem: "other_version" });
    expect(await readFile(join(dataDir, "postgres", "PG_VERSION"), "utf8")).toBe("17\n");
  });
});

if (service) describeAsRoot(service);

function describeAsRoot(account: Account): void {
  describe("as root", () => {
    test("a data folder closed to that account moves to the system's folder, every time to the same place", async () => {
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

    test("the database runs as an account without rights; when it is closed to that account, it is not made anew", async () => {
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

    test("programs in a checkout closed to that account are copied once", async () => {
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
  test("the same server works as a normal user, and root serves that user's data as that user", async () => {
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

  test("an account without an entry in /etc/passwd is told", async () => {
    await mkdir(dataDir);
    await chown(dataDir, NOBODY_KNOWS_UID, NOBODY_KNOWS_UID);
    const { held } = await hold(dataDir, { uid: NOBODY_KNOWS_UID, gid: NOBODY_KNOWS_UID });
    expect(held.failed?.problem).toBe("no_account");
  });

  test("a data folder of somebody else is told", async () => {
    await mkdir(dataDir);
    const { held } = await hold(dataDir, account);
    expect(held.failed?.problem).toBe("no_rights");
  });
}

/** As the root of a container, who may not see in which folder other accounts' processes work. */
const WITHOUT_PTRACE: Command = ["setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-all", process.execPath];

function canDropRights(): boolean {
  const [program, ...message] = WITHOUT_PTRACE;
  return spawnSync(program, [...message, "--version"]).status === 0;
}

function describeContainers(): void {
  describe("without SYS_PTRACE", () => {
    test("a stale process file is cleared while other databases of the same account run", async () => {
      await useMadeData(join(folder, "other"));
      await useMadeData();
      const other = await start(join(folder, "other"));
      await writeFile(join(dataDir, "postgres", "postmaster.pid"), `${other.pid}\n/somewhere\n1\n5432\n`);
      const { held } = await hold(dataDir, undefined, WITHOUT_PTRACE);
      expect(held.failed).toBeUndefined();
      expect(held.started?.postgresPid).not.toBe(other.pid);
      expect(await query(other, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    });

    test("the database of a killed server is taken over; one killed together with its server is started again", async () => {
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
