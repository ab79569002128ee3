import { setTimeout as pause } from "node:timers/promises";
import type { ExportFormat } from "@slabdesk/contract/api/sessions.ts";
import { figure, ratio, timed } from "../figures.ts";
import type { Section } from "../report.ts";
import type { ServerNode } from "../stage/node.ts";
import type { BenchDatabase } from "../stage/postgres.ts";
import { makeSheet } from "../stage/sheet.ts";
import type { Stage } from "../stage/stage.ts";
import { knowCards } from "./known-cards.ts";

const FEW = 10_000;
const MANY = 100_000;
const FORMATS: readonly ExportFormat[] = ["csv", "xlsx"];
const LOOK_AGAIN_MS = 50;
/** A roomy heap is filled before it is cleaned, whatever is done with it; a small one shows what is really held. */
const SMALL_HEAP = { NODE_OPTIONS: "--max-old-space-size=160 --max-semi-space-size=8" };

type Export = { format: ExportFormat; rows: number; ms: number; bytes: number; grownBytes: number };

/** Sending a whole session as a file: how fast, and whether the server's memory grows with its rows. */
export async function measureExports(stage: Stage): Promise<Section> {
  // Each file is sent by a node that has sent none before, so that its memory is its own.
  const wanted = FORMATS.flatMap((format) => [FEW, MANY].map((rows) => ({ format, rows })));
  return stage.withNodes(
    [{ ROLE: "web" }, ...wanted.map(() => ({ ROLE: "web", ...SMALL_HEAP }))],
    async (database, [first, ...nodes]) => {
      if (!first) throw new Error("No node was started");
      const sessions = new Map<number, string>();
      for (const rows of [FEW, MANY]) sessions.set(rows, await storeFound(database, first, rows));
      const exports: Export[] = [];
      for (const [index, { format, rows }] of wanted.entries()) {
        const node = nodes[index];
        const sessionId = sessions.get(rows);
        if (!node || sessionId === undefined) throw new Error("A node or a session is missing");
        exports.push({ format, rows, ...(await sendFile(node, sessionId, format)) });
      }
      return section(exports);
    },
  );
}

/** Stores a session whose every card is found. */
async function storeFound(database: BenchDatabase, node: ServerNode, rows: number): Promise<string> {
  const visitor = await node.visit();
  const sheet = makeSheet(rows, 60_000_000 + rows);
  await knowCards(database, (await visitor.upload(sheet)).id);
  const known = await visitor.upload(sheet);
  if (known.status !== "completed") throw new Error("Known cards did not fill the sheet");
  return known.id;
}

async function sendFile(
  node: ServerNode,
  sessionId: string,
  format: ExportFormat,
): Promise<Pick<Export, "ms" | "bytes" | "grownBytes">> {
  const visitor = await node.visit();
  const before = await node.memory();
  let peak = before;
  const ended = new AbortController();
  const looking = (async () => {
    while (!ended.signal.aborted) {
      peak = Math.max(peak, await node.memory());
      await pause(LOOK_AGAIN_MS);
    }
  })();
  const { ms, answer: bytes } = await timed(async () => {
    const response = await fetch(`${visitor.origin}/api/scan-sessions/${sessionId}/export?format=${format}`, {
      headers: visitor.headers,
    });
    if (!response.ok || !response.body) throw new Error(`The export answered ${response.status}`);
    const body: AsyncIterable<Uint8Array> = response.body;
    let length = 0;
    for await (const piece of body) length += piece.length;
    return length;
  });
  ended.abort();
  await looking;
  return { ms, bytes, grownBytes: peak - before };
}

function section(exports: readonly Export[]): Section {
  const fewOf = (format: ExportFormat): Export | undefined =>
    exports.find((one) => one.format === format && one.rows === FEW);
  return {
    title: "Files out",
    about:
      "`GET /api/scan-sessions/:id/export` of sessions whose every card was found, until its last byte, each by a node of its own. " +
      "Memory is what the process held at its peak, beyond what it held before; its heap is kept to 160 MB.",
    head: ["format", "rows", "rows a second", "file", "memory grows by", `against ${FEW.toLocaleString("en-US")} rows`],
    rows: exports.map(({ format, rows, ms, bytes, grownBytes }) => {
      const few = fewOf(format);
      return [
        format,
        rows.toLocaleString("en-US"),
        figure(rows / (ms / 1000)),
        `${figure(bytes / 1_000_000)} MB`,
        `${figure(grownBytes / 1_000_000)} MB`,
        few ? ratio(grownBytes, few.grownBytes) : "",
      ];
    }),
    notes: [
      "Rows are read a thousand at a time and written as they come, so ten times the rows should cost ten times the time and " +
        "about the same memory. A workbook keeps its links until its cells are written: at most 65,530, as Excel shows no more.",
    ],
  };
}
