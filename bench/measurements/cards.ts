import { formatNumber, kilobytes, ratio } from "../numbers.ts";
import type { Section } from "../report.ts";
import { between, idleWork, type BenchDatabase } from "../stage/postgres.ts";
import { makeSheet } from "../stage/sheet.ts";
import type { Stage } from "../stage/stage.ts";
import { CONCURRENCY, LATENCY_MS, measureAgainstFetch } from "./against-fetch.ts";
import { FEW, MANY, measureCostPerCard } from "./flat-cost.ts";
import { runToEnd } from "./run-to-end.ts";

const LEVELS = [
  { concurrency: 1, cards: 300 },
  { concurrency: 4, cards: 900 },
  { concurrency: 16, cards: 1_500 },
];
const IDLE_S = 3;

type Measured = {
  rate: number;
  statements: number;
  commits: number;
  walBytes: number;
  idle: number;
  open: string;
  disk: Disk;
};
type Disk = { row: number; cached: number; job: number };

/** How fast one node settles cards without pacing, and what a card costs the database. */
export async function measureCards(stage: Stage): Promise<Section> {
  const measured: Measured[] = [];
  for (const level of LEVELS) measured.push(await measureLevel(stage, level));
  const far = await measureAgainstFetch(stage);
  const [fewMs, manyMs] = [await measureCostPerCard(stage, FEW), await measureCostPerCard(stage, MANY)];
  const [first] = measured;
  const last = measured.at(-1);
  return {
    title: "Cards through one node",
    watched: {
      "cards per second": last?.rate ?? Number.NaN,
      "statements per card": last?.statements ?? Number.NaN,
      "cards against a fetch loop": far.run / far.fetch,
      "cost per card of 100000 rows against 1000": manyMs / fewMs,
      "statements per second of an idle node": first?.idle ?? Number.NaN,
    },
    about:
      "One PSA sheet by API (two calls per card) with a simulator that answers at once, `CARD_DELAY_MS=0`, and no open " +
      "page. This is a node's maximum; in production the lane starts one card every 5 s.",
    head: ["`LANE_CONCURRENCY`", "cards/s", "against 1", "statements per card", "of them commits", "WAL per card"],
    rows: measured.map((level, index) => [
      String(LEVELS[index]?.concurrency),
      formatNumber(level.rate),
      ratio(level.rate, first?.rate ?? level.rate),
      formatNumber(level.statements),
      formatNumber(level.commits),
      kilobytes(level.walBytes),
    ]),
    notes: [
      `With upstreams ${LATENCY_MS} ms away and \`LANE_CONCURRENCY=${CONCURRENCY}\`, a node settles ${formatNumber(far.run)} cards/s, and a loop ` +
        `that only makes the same calls, ${CONCURRENCY} cards at a time, ${formatNumber(far.fetch)}: ${ratio(far.run, far.fetch)}. The goal is 0.9×.`,
      `A card of a sheet with ${MANY.toLocaleString("en-US")} rows takes ${formatNumber(manyMs)} ms at \`LANE_CONCURRENCY=8\`, with ${FEW.toLocaleString("en-US")} rows ` +
        `${formatNumber(fewMs)} ms: ${ratio(manyMs, fewMs)}. The goal is at most 1.10×.`,
      `Statements are counted by pg_stat_statements, including BEGIN and COMMIT; each is a round trip. An idle ` +
        `node's own (${formatNumber(first?.idle ?? 0)} statements/s, for the queues) are subtracted.`,
      `Connections of the node in the run at 16, by name: ${last?.open}.`,
      `On disk, including indexes and dead tuples, a card takes ${formatNumber(last?.disk.row ?? 0)} bytes as a row, ` +
        `${formatNumber(last?.disk.cached ?? 0)} as a cached cert and, for a day after its end, ${formatNumber(last?.disk.job ?? 0)} as a job.`,
    ],
  };
}

async function measureLevel(stage: Stage, { concurrency, cards }: (typeof LEVELS)[number]): Promise<Measured> {
  const settings = { LANE_CONCURRENCY: String(concurrency) };
  return stage.withNodes([settings], async (database, [node]) => {
    if (!node) throw new Error("No node was started");
    const visitor = await node.visit();
    const idle = await idleWork(database, IDLE_S);
    const { id } = await visitor.upload(makeSheet(cards));
    const before = await database.work();
    const startedAt = performance.now();
    const connections = new Map<string, number>();
    const rate = await runToEnd(database, id, () => countConnections(database, connections));
    const work = between(before, await database.work());
    const idleSeconds = (performance.now() - startedAt) / 1000;
    return {
      rate,
      statements: (work.statements - idle.statements * idleSeconds) / cards,
      commits: (work.commits - idle.commits * idleSeconds) / cards,
      walBytes: (work.walBytes - idle.walBytes * idleSeconds) / cards,
      idle: idle.statements,
      disk: await measureDisk(database, cards),
      open: [...connections].map(([name, count]) => `${name} ${count}`).join(", "),
    };
  });
}

/** Keeps the maximum number of connections for each name. */
async function countConnections(database: BenchDatabase, most: Map<string, number>): Promise<void> {
  const seen = await database.query<{ name: string; count: number }>(
    `SELECT application_name AS name, count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
     GROUP BY 1 ORDER BY 1`,
  );
  for (const { name, count } of seen) most.set(name, Math.max(most.get(name) ?? 0, count));
}

/** Bytes per card in the three tables that grow with cards. */
async function measureDisk(database: BenchDatabase, cards: number): Promise<Disk> {
  const [disk] = await database.query<Disk>(
    `SELECT pg_total_relation_size('scan_results') / $1::float8 AS row,
       pg_total_relation_size('cached_certs') / $1::float8 AS cached,
       (SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('jobs.job')) / $1::float8 AS job`,
    [cards],
  );
  if (!disk) throw new Error("The database told no sizes");
  return disk;
}
