import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { formatNumber, median, timed } from "../numbers.ts";
import type { Section } from "../report.ts";
import { startChild, type Child } from "../stage/child.ts";

const LATER_STARTS = 5;
const REST_MS = 20_000;

type Memory = { node: number; postgres: number };

/** How long `npm start` takes, and the memory of an idle installation with the embedded PostgreSQL. Needs Linux. */
export async function measureAtRest(): Promise<Section> {
  const dataDir = await mkdtemp(join(tmpdir(), "slabdesk-at-rest-"));
  try {
    const first = await timed(() => start(dataDir));
    await first.answer.stop();
    const later: number[] = [];
    for (let count = 0; count < LATER_STARTS; count += 1) {
      const { ms, answer } = await timed(() => start(dataDir));
      later.push(ms);
      await answer.stop();
    }
    return section(first.ms, median(later), await measureMemory(dataDir));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function start(dataDir: string): Promise<Child> {
  const env = { DATA_DIR: dataDir, UPSTREAMS: "live", PORT: "0", LOG_LEVEL: "error" };
  return startChild("scripts/start.mjs", { env, ready: /Slabdesk is running/ });
}

async function measureMemory(dataDir: string): Promise<Memory> {
  const launcher = await start(dataDir);
  try {
    await pause(REST_MS);
    const [server] = await childrenOf(launcher.process.pid);
    const node = await kilobytesOf(server, "Rss");
    const processes = await descendantsOf(server);
    const shares = await Promise.all(processes.map((pid) => kilobytesOf(pid, "Pss")));
    return { node, postgres: shares.reduce((sum, share) => sum + share, 0) };
  } finally {
    await launcher.stop();
  }
}

async function descendantsOf(pid: number | undefined): Promise<number[]> {
  const children = await childrenOf(pid);
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()];
}

async function childrenOf(pid: number | undefined): Promise<number[]> {
  const pids = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return pids.split(" ").filter(Boolean).map(Number);
}

/** `Rss` counts shared pages in full; `Pss` counts a process's share of them, so that a sum counts them once. */
async function kilobytesOf(pid: number | undefined, kind: "Rss" | "Pss"): Promise<number> {
  const found = new RegExp(`^${kind}:\\s+(\\d+) kB$`, "m").exec(await readFile(`/proc/${pid}/smaps_rollup`, "utf8"));
  if (!found) throw new Error(`Process ${pid} has no ${kind}`);
  return Number(found[1]);
}

function section(firstMs: number, laterMs: number, { node, postgres }: Memory): Section {
  const seconds = (ms: number): string => `${formatNumber(ms / 1000)} s`;
  const megabytes = (kilobytes: number): string => `${formatNumber((kilobytes * 1024) / 1_000_000)} MB`;
  return {
    title: "Start and rest",
    watched: { "seconds of a later start": laterMs / 1000, "MB of a node at rest": (node * 1024) / 1_000_000 },
    about:
      "`npm start` without npm, until it says that Slabdesk is running: with a new data folder, and again (the median of " +
      `${LATER_STARTS}). Then the memory of that installation after ${REST_MS / 1000} s without a request.`,
    head: ["what", "measured", "goal"],
    rows: [
      ["first start, which creates the database", seconds(firstMs), ""],
      ["later start", seconds(laterMs), "1.5 s"],
      ["memory of the node (resident)", megabytes(node), "180 MB"],
      ["memory of the embedded PostgreSQL, shared pages counted once", megabytes(postgres), ""],
    ],
    notes: [],
  };
}
