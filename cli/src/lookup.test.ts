import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { sessionListSchema } from "@slabdesk/contract/api/sessions.ts";
import { openEndpoints, startScanTest, type ScanTest } from "../../server/src/testing/scan-test.ts";
import { temporaryFolder } from "../../server/src/testing/temporary-folder.ts";
import type { Person } from "../../server/src/testing/test-server.ts";
import type { Environment } from "./arguments.ts";
import { run as runCommand } from "./lookup.ts";
import { createScreen } from "./screen.ts";

/*
 * Tests the command against a full server and a simulator. A proxy between them makes requests fail. Tests of process
 * behavior start the command as a process; the others run it in this process.
 */

const COMMAND = fileURLToPath(new URL("../slabdesk.mjs", import.meta.url));
/** The inherited environment: the search path and Node's compile cache. */
const NODE_ENVIRONMENT = { PATH: process.env.PATH ?? "", NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "" };
const HEADER = "CertNumber,GradingCompany\r\n";

type Ended = { exitCode: number | null; stdout: string; stderr: string };
type Handler = (incoming: IncomingMessage, answer: ServerResponse, pass: () => void) => void;

let server: ScanTest;
let ana: Person;
let token: string;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let gate: Awaited<ReturnType<typeof openGate>>;

beforeAll(async () => {
  server = await startScanTest();
  ana = await server.addPerson();
  token = ana.headers.authorization.replace("Bearer ", "");
  gate = await openGate(await server.address());
});
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  gate.handle = (_incoming, _answer, pass) => pass();
  server.simulator.behavior.latencyMs = 0;
  await folder.remove();
});
afterAll(async () => {
  await gate.close();
  await server.closeAll();
});

/** Forwards every request to the server, or handles it with `handle`. */
async function openGate(target: string) {
  const here = {
    origin: "",
    handle: ((_incoming, _answer, pass) => pass()) as Handler,
    async close() {
      listener.closeAllConnections();
      listener.close();
      await once(listener, "close");
    },
  };
  const listener = createServer((incoming, answer) => {
    here.handle(incoming, answer, () => {
      const options = { method: incoming.method ?? "GET", headers: incoming.headers, agent: false };
      const onward = request(new URL(incoming.url ?? "/", target), options, (from) => {
        answer.writeHead(from.statusCode ?? 500, from.headers);
        from.pipe(answer);
      });
      incoming.pipe(onward);
    });
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  here.origin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return here;
}

function start(args: string[], stdin = "") {
  const env = { ...NODE_ENVIRONMENT, SLABDESK_URL: gate.origin, SLABDESK_TOKEN: token };
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd: folder.path, env });
  child.stdin.end(stdin);
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]).then(
    ([stdout, stderr]): Ended => ({ exitCode: child.exitCode, stdout, stderr }),
  );
  let stderr = "";
  child.stderr.on("data", (piece) => (stderr += String(piece)));
  const says = (message: string): Promise<boolean> => vi.waitUntil(() => stderr.includes(message), { timeout: 30_000 });
  return { child, ended, says };
}

function begin(args: string[], environment: Environment = {}) {
  let stderr = "";
  const stdout = new PassThrough();
  const written = text(stdout);
  const nowMs = () => performance.now();
  const ports = {
    stdin: Readable.from([]),
    stdout,
    stdoutIsTerminal: false,
    screen: createScreen({ write: (piece) => (stderr += piece) }, false, nowMs),
    signal: new AbortController().signal,
    nowMs,
  };
  const ended = runCommand(args, { SLABDESK_URL: gate.origin, SLABDESK_TOKEN: token, ...environment }, ports).then(
    async (exitCode): Promise<Ended> => {
      stdout.end();
      return { exitCode, stdout: await written, stderr };
    },
  );
  const says = (message: string): Promise<boolean> => vi.waitUntil(() => stderr.includes(message), { timeout: 30_000 });
  return { ended, says };
}

const run = (args: string[], environment?: Environment): Promise<Ended> => begin(args, environment).ended;

const at = (name: string): string => join(folder.path, name);

/** Writes certs.csv. Lines without a company are PSA's. */
const writeSheet = (...lines: string[]): Promise<void> =>
  writeFile(
    join(folder.path, "certs.csv"),
    HEADER + lines.map((line) => (line.includes(",") ? line : `${line},PSA`)).join("\r\n"),
  );

/** The lines of a result. Cells of these cards contain no line ends. */
const linesOf = (result: string): string[] =>
  result
    .replace(/^\ufeff/, "")
    .split("\r\n")
    .slice(0, -1);

const readResult = async (name = "out.csv"): Promise<string[]> =>
  linesOf(await readFile(join(folder.path, name), "utf8"));

const filesLeft = async (): Promise<string[]> => (await readdir(folder.path)).toSorted();

describe("a run", () => {
  test("exits with 0 and a complete file when every row is found", async () => {
    await writeSheet("01020688", "1401019289294,CGC");
    const { exitCode, stdout, stderr } = await start(["lookup", "certs.csv", "-o", "out.csv"]).ended;
    expect([exitCode, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("All 2 rows found.");
    const [header, ...rows] = await readResult();
    expect(header?.split(",")).toHaveLength(31);
    expect(rows).toEqual([
      expect.stringMatching(/^1960 TOPPS #72 TIGERS TEAM,/),
      expect.stringMatching(/^2022 VSTAR Universe #206\/172 Turtwig,/),
    ]);
    expect(await filesLeft()).toEqual(["certs.csv", "out.csv"]);
  });

  test("exits with 1 when rows fail, names the causes, and writes the file to stdout", async () => {
    const sheet = `${HEADER}01020688,PSA\r\n99999990,PSA\r\n9999999990,CGC\r\n,PSA\r\n`;
    const { exitCode, stdout, stderr } = await start(["lookup", "-", "--name", "By hand"], sheet).ended;
    expect([exitCode, linesOf(stdout).length]).toEqual([1, 5]);
    expect(stderr).toContain("By hand: ");
    expect(stderr).toContain("3 of 4 rows failed: not found 2, row incomplete 1.");
  });

  test("continues after an interruption with the same command and looks no card up twice", async () => {
    const certs = ["51000011", "51000022", "51000033"];
    await writeSheet(...certs);
    server.simulator.calls.clear();
    server.simulator.behavior.latencyMs = 500;
    const first = start(["lookup", "certs.csv", "-o", "out.csv"]);
    await first.says("of 3 rows done");
    await vi.waitUntil(() => server.simulator.calls.count({ cert: "51000011" }) > 0, { timeout: 30_000 });
    first.child.kill("SIGINT");
    const interrupted = await first.ended;
    expect(interrupted.exitCode).toBe(130);
    expect(interrupted.stderr).toMatch(/Interrupted\.\nThe run continues on the server\. \d of 3 rows are done\.\n/);
    const [, id = ""] = /slabdesk lookup --session ([\w-]+) with/.exec(interrupted.stderr) ?? [];
    expect(await filesLeft()).toEqual(["certs.csv"]);

    const stopped = await server.app.inject({
      method: "POST",
      url: `/api/scan-sessions/${id}/stop`,
      headers: ana.headers,
    });
    expect(stopped.json()).toMatchObject({ status: "failed" });
    server.simulator.behavior.latencyMs = 0;
    const second = await run(["lookup", at("certs.csv"), "-o", at("out.csv")]);
    expect([second.exitCode, second.stderr]).toEqual([0, expect.stringContaining("The run was stopped. Resuming it.")]);
    expect(await readResult()).toHaveLength(4);
    const third = await run(["lookup", "--session", id, "-o", at("again.csv"), "--format", "session-csv"]);
    expect([third.exitCode, (await readResult("again.csv"))[0]?.split(",").length]).toEqual([0, 29]);
    const asked = (cert: string) => server.simulator.calls.count({ cert, path: "/psa-api/publicapi/cert/GetByCert" });
    expect(certs.map(asked)).toEqual([1, 1, 1]);
  });

  test("starts over with --again, and ignores the cache with --fresh", async () => {
    await writeSheet("51000044");
    server.simulator.calls.clear();
    for (const more of [[], ["--again", "--fresh"]]) {
      expect((await run(["lookup", at("certs.csv"), "-o", at("out.csv"), ...more])).exitCode).toBe(0);
    }
    const path = "/psa-api/publicapi/cert/GetByCert";
    expect(server.simulator.calls.count({ cert: "51000044", path })).toBe(2);
    const listed = await server.app.inject({ url: "/api/scan-sessions?filter=certs.csv", headers: ana.headers });
    const { sessions } = sessionListSchema.parse(listed.json());
    expect(sessions.filter(({ totalCards }) => totalCards === 1)).toHaveLength(2);
  });

  test("says until when it waits, and exits with 130 when interrupted while waiting", async () => {
    await writeSheet("99999993");
    const running = begin(["lookup", at("certs.csv"), "--mode", "api"]);
    await running.says("PSA: 1 row waits until");
    const listed = await server.app.inject({ url: "/api/scan-sessions?limit=1", headers: ana.headers });
    const id = sessionListSchema.parse(listed.json()).sessions[0]?.id;
    await server.app.inject({ method: "POST", url: `/api/scan-sessions/${id}/stop`, headers: ana.headers });
    const { exitCode, stdout, stderr } = await running.ended;
    expect([exitCode, stdout]).toEqual([130, ""]);
    expect(stderr).toContain(`Someone stopped the run.\n0 of 1 rows are done.\nTo continue, run`);
    await openEndpoints(server);
  });
});

test("finds its run again when it was interrupted before the server answered", async () => {
  await writeSheet("51000066");
  let isSent = false;
  gate.handle = (incoming, _answer, pass) => {
    if (incoming.method === "GET") return pass();
    isSent = true;
    incoming.resume();
  };
  const running = start(["lookup", "certs.csv"]);
  await vi.waitUntil(() => isSent, { timeout: 30_000 });
  running.child.kill("SIGTERM");
  const { exitCode, stderr } = await running.ended;
  expect([exitCode, stderr]).toEqual([130, expect.stringContaining("Run the same command again to continue it")]);
});

describe("a command that cannot work explains why", () => {
  test("a refused sheet, with the line number", async () => {
    await writeFile(join(folder.path, "certs.csv"), `${HEADER}"01020688,PSA\r\n`);
    const { exitCode, stderr } = await run(["lookup", at("certs.csv")]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("in line 2 is not closed")]);
  });

  test.each([
    ["a token that is not good", { SLABDESK_TOKEN: "not-a-good-token" }, 3, "Please sign in"],
    ["no server", { SLABDESK_URL: "http://127.0.0.1:9" }, 4, "http://127.0.0.1:9 is not reachable"],
  ])("%s", async (_case, environment, code, message) => {
    await writeSheet("01020688");
    const { exitCode, stdout, stderr } = await run(["lookup", at("certs.csv")], environment);
    expect([exitCode, stdout, stderr]).toEqual([code, "", expect.stringContaining(message)]);
    for (const secret of [token, "not-a-good-token"]) expect(stderr).not.toContain(secret);
  });

  test("a redirect, which it does not follow with the token", async () => {
    const visits: string[] = [];
    const elsewhere = await openGate(gate.origin);
    elsewhere.handle = (incoming, answer) => {
      visits.push(incoming.url ?? "");
      answer.end("{}");
    };
    gate.handle = (_incoming, answer) => answer.writeHead(307, { location: `${elsewhere.origin}/api/profile` }).end();
    await writeSheet("01020688");
    const { exitCode, stderr } = await run(["lookup", at("certs.csv")]);
    await elsewhere.close();
    expect([exitCode, visits]).toEqual([4, []]);
    expect(stderr).toContain(`redirects to ${elsewhere.origin}/api/profile, and the token is not sent there`);
  });

  test("hostile text, with control characters removed", async () => {
    gate.handle = (_incoming, answer) =>
      answer
        .writeHead(400, { "content-type": "application/json" })
        .end(
          JSON.stringify({ error: "\u001b[2J\u001b]0;x\u0007Gone\r\n\u202eback", code: "bad_request", requestId: "1" }),
        );
    await writeSheet("01020688");
    const { exitCode, stderr } = await run(["lookup", at("certs.csv")]);
    expect([exitCode, stderr]).toEqual([2, " [2J ]0;x Gone back\n"]);
  });

  test("something other than Slabdesk at the address", async () => {
    gate.handle = (_incoming, answer) => answer.end("<h1>Welcome</h1>");
    await writeSheet("01020688");
    const { exitCode, stderr } = await run(["lookup", at("certs.csv")]);
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining("is not a Slabdesk server")]);
  });
});

test("exits normally when the help's reader closes early", async () => {
  const child = spawn(process.execPath, [COMMAND, "--help"], { env: NODE_ENVIRONMENT });
  child.stdout.destroy();
  expect([await text(child.stderr), await once(child, "close")]).toEqual(["", [0, null]]);
});

describe("a broken connection", () => {
  test("during the run is retried when the server says so", async () => {
    await writeSheet("51000055");
    let looks = 0;
    gate.handle = (incoming, answer, pass) => {
      if (incoming.method === "GET" && /^\/api\/scan-sessions\/[^/]+$/.test(incoming.url ?? "")) looks += 1;
      if (looks === 1 && incoming.url !== "/api/profile") return incoming.socket.destroy();
      if (looks !== 2) return pass();
      const body = {
        error: "The server is restarting. Please try again in a moment",
        code: "overloaded",
        requestId: "1",
      };
      answer.writeHead(503, { "retry-after": "0", "content-type": "application/json" }).end(JSON.stringify(body));
    };
    server.simulator.behavior.latencyMs = 200;
    const { exitCode, stderr } = await run(["lookup", at("certs.csv"), "-o", at("out.csv")]);
    expect(stderr).toMatch(/is not reachable[^\n]*Retrying[^\n]*\n(?:[^\n]+\n)*Connected again\.\n/);
    expect([exitCode, (await readResult()).length]).toEqual([0, 2]);
  });

  /** Breaks this many downloads after their first bytes. */
  function breakDownloads(times: number): void {
    let left = times;
    gate.handle = (incoming, answer, pass) => {
      if (!incoming.url?.includes("/export") || left === 0) return pass();
      left -= 1;
      answer.writeHead(200, { "content-type": "text/csv" });
      answer.write("\ufeffImage,Cert Number\r\n", () => answer.destroy());
    };
  }

  test("during a download is retried, and a failed download leaves the earlier file unchanged", async () => {
    await writeSheet("01020688");
    breakDownloads(1);
    expect((await run(["lookup", at("certs.csv"), "-o", at("out.csv")])).exitCode).toBe(0);
    const whole = await readFile(join(folder.path, "out.csv"), "utf8");
    expect(await readResult()).toHaveLength(2);

    breakDownloads(Infinity);
    const { exitCode, stderr } = await run(["lookup", at("certs.csv"), "-o", at("out.csv")]);
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining("The download was interrupted")]);
    expect(await filesLeft()).toEqual(["certs.csv", "out.csv"]);
    expect(await readFile(join(folder.path, "out.csv"), "utf8")).toBe(whole);
  });
});

test("never overwrites the sheet itself, under any name", async () => {
  await writeSheet("01020688");
  const before = await readFile(join(folder.path, "certs.csv"), "utf8");
  const { exitCode, stderr } = await run(["lookup", at("certs.csv"), "-o", `${folder.path}/./certs.csv`]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("the sheet itself")]);
  expect(await readFile(join(folder.path, "certs.csv"), "utf8")).toBe(before);
});
