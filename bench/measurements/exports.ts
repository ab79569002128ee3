import { setTimeout as pause } from "node:timers/promises";
import { formatNumber, median, ratio, timed } from "../numbers.ts";
import type { Section } from "../report.ts";
import type { ServerNode } from "../stage/node.ts";
import type { BenchDatabase } from "../stage/postgres.ts";
import { makeSheet } from "../stage/sheet.ts";
import type { Stage } from "../stage/stage.ts";
import type { Visitor } from "../stage/visitor.ts";
import { measureCopy } from "./copy.ts";
import { cacheCerts } from "./cached-certs.ts";
import { runToEnd } from "./run-to-end.ts";

/** The formats, their small and large numbers of rows, and how often the large file is timed. */
const WISHES = [
  { query: "csv", few: 10_000, many: 100_000, rounds: 5 },
  { query: "xlsx", few: 10_000, many: 100_000, rounds: 3 },
  // An image costs as much as twenty rows.
  { query: "xlsx&thumbnails=true", few: 5_000, many: 50_000, rounds: 1 },
] as const;
/** This many images are fetched and cached beforehand; rows share them, and each row has its copy in the file. */
const IMAGES = 24;
const POLL_MS = 50;
/** For so long, a sign-in counts as another person's request, for which the owner of the sheets would rest. */
const SIGN_IN_COUNTS_MS = 11_000;
/** A large heap fills up before garbage collection in any case; a small one shows what is really retained. */
const SMALL_HEAP = { NODE_OPTIONS: "--max-old-space-size=160 --max-semi-space-size=8" };

type Query = (typeof WISHES)[number]["query"];
type Grown = { bytes: number; grownBytes: number };
type Export = Grown & { query: Query; rows: number; ms: number };
/** Milliseconds of COPY, and of the CSV file of the same rows right after it. */
type Pair = { copyMs: number; csvMs: number };

/** Exports a whole session: how fast, and whether the server's memory grows with the rows. */
export async function measureExports(stage: Stage): Promise<Section> {
  // A new node exports each file, so that its memory contains only that export.
  const wanted = WISHES.flatMap(({ query, few, many, rounds }) => [
    { query, rows: few, rounds: 1 },
    { query, rows: many, rounds },
  ]);
  const images = await keepImages(stage);
  return stage.withNodes(
    [{ ROLE: "web" }, ...wanted.map(() => ({ ROLE: "web", ...SMALL_HEAP }))],
    async (database, [first, ...nodes]) => {
      if (!first) throw new Error("No node was started");
      const sessions = new Map<number, string>();
      for (const rows of new Set(wanted.map((one) => one.rows)))
        sessions.set(rows, await storeFound(database, first, rows, images));
      const visitor = await first.visit();
      await pause(SIGN_IN_COUNTS_MS);
      const exports: Export[] = [];
      const pairs: Pair[] = [];
      for (const [index, { query, rows, rounds }] of wanted.entries()) {
        const node = nodes[index];
        const sessionId = sessions.get(rows);
        if (!node || sessionId === undefined) throw new Error("A node or a session is missing");
        const times: number[] = [];
        for (let round = 0; round < rounds; round += 1) {
          const copyMs = query === "csv" ? await measureCopy(database, sessionId) : null;
          const { ms } = await timed(() => readFile(visitor, sessionId, query));
          times.push(ms);
          if (copyMs !== null && rounds > 1) pairs.push({ copyMs, csvMs: ms });
        }
        exports.push({ query, rows, ms: median(times), ...(await measureMemory(node, sessionId, query)) });
      }
      return section(exports, pairs);
    },
  );
}

/** Looks up a few cards and lets the server cache their images. Returns the image URLs. */
async function keepImages(stage: Stage): Promise<string[]> {
  return stage.withNodes([{}], async (database, [node]) => {
    if (!node) throw new Error("No node was started");
    const visitor = await node.visit();
    const { id } = await visitor.upload(makeSheet(IMAGES));
    await runToEnd(database, id);
    await readFile(visitor, id, "xlsx&thumbnails=true");
    const rows = await database.query<{ url: string }>(
      "SELECT front_image_url AS url FROM scan_results WHERE session_id = $1",
      [id],
    );
    return rows.map(({ url }) => url);
  });
}

/** Stores a session whose cards are all found and have one of the images. */
async function storeFound(
  database: BenchDatabase,
  node: ServerNode,
  rows: number,
  images: readonly string[],
): Promise<string> {
  const visitor = await node.visit();
  const firstCert = 60_000_000 + 10 * rows;
  const sheet = makeSheet(rows, firstCert);
  await cacheCerts(database, (await visitor.upload(sheet)).id);
  await database.query(
    `UPDATE cached_certs SET card = jsonb_set(card, '{imageUrl}', to_jsonb(($1::text[])[1 + cert_number::bigint % $2::int]))
     WHERE cert_number::bigint BETWEEN $3::bigint AND $4::bigint`,
    [images, images.length, firstCert, firstCert + rows],
  );
  const cached = await visitor.upload(sheet);
  if (cached.status !== "completed") throw new Error("Cached certs did not fill the sheet");
  return cached.id;
}

async function measureMemory(node: ServerNode, sessionId: string, query: Query): Promise<Grown> {
  const visitor = await node.visit();
  const before = await node.memory();
  let peak = before;
  const ended = new AbortController();
  const looking = (async () => {
    while (!ended.signal.aborted) {
      peak = Math.max(peak, await node.memory());
      await pause(POLL_MS);
    }
  })();
  const bytes = await readFile(visitor, sessionId, query);
  ended.abort();
  await looking;
  return { bytes, grownBytes: peak - before };
}

/** Reads a session's file to the end, without compression, and returns its size in bytes. */
async function readFile(visitor: Visitor, sessionId: string, query: Query): Promise<number> {
  const response = await fetch(`${visitor.origin}/api/scan-sessions/${sessionId}/export?format=${query}`, {
    headers: { ...visitor.headers, "accept-encoding": "identity" },
  });
  if (!response.ok || !response.body) throw new Error(`The export answered ${response.status}`);
  const body: AsyncIterable<Uint8Array> = response.body;
  let length = 0;
  for await (const piece of body) length += piece.length;
  return length;
}

function section(exports: readonly Export[], pairs: readonly Pair[]): Section {
  const { rows = 0, ms = Number.NaN } = exports.findLast((one) => one.query === "xlsx") ?? {};
  const csvAgainstCopy = median(pairs.map(({ copyMs, csvMs }) => copyMs / csvMs));
  const copyMs = median(pairs.map((pair) => pair.copyMs));
  return {
    title: "Files out",
    watched: { "CSV against COPY": csvAgainstCopy, "XLSX rows per second": rows / (ms / 1000) },
    about:
      "`GET /api/scan-sessions/:id/export` of sessions with all cards found, to the last byte, without compression, by one " +
      "node that has written files before. The growth of memory is that of a new node for each file: the process's peak " +
      "minus its size before; the heap is limited to 160 MB.",
    head: ["format", "rows", "rows/s", "file", "memory growth", "against a tenth of the rows"],
    rows: exports.map((one) => {
      const few = exports.find((other) => other.query === one.query && other.rows * 10 === one.rows);
      return [
        one.query.replace("&thumbnails=true", " with images"),
        one.rows.toLocaleString("en-US"),
        formatNumber(one.rows / (one.ms / 1000)),
        `${formatNumber(one.bytes / 1_000_000)} MB`,
        `${formatNumber(one.grownBytes / 1_000_000)} MB`,
        few ? ratio(one.grownBytes, few.grownBytes) : "",
      ];
    }),
    notes: [
      `PostgreSQL's own COPY of the same rows and columns to a client takes ${formatNumber(copyMs / 1000)} s for the largest ` +
        `CSV file, which has ${csvAgainstCopy.toFixed(2)}× of its speed (medians of ${pairs.length} rounds). The goal is 0.5×.`,
      "Rows are read and written up to two thousand at a time, so ten times the rows should take ten times as long with about the same " +
        "memory. A workbook keeps its links in memory until its cells are written: at most 65,530, which is Excel's limit.",
      "A workbook keeps about a hundred bytes per image in memory, its place in the file. " +
        `Rows share ${IMAGES} cached images, and each row has its own copy in the file.`,
    ],
  };
}
