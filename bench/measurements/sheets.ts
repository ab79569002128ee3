import { resultsPageSchema } from "@slabdesk/contract/api/results.ts";
import { formatNumber, kilobytes, median, ratio, timed } from "../numbers.ts";
import type { Section } from "../report.ts";
import { makeSheet } from "../stage/sheet.ts";
import type { Stage } from "../stage/stage.ts";
import type { Visitor } from "../stage/visitor.ts";
import { cacheCerts } from "./cached-certs.ts";

const SIZES = [1_000, 10_000, 100_000];
/** Rows per page, as the browser requests them. */
const PAGE = 2_000;

type Stored = { rows: number; freshMs: number; cachedMs: number; bodyBytes: number };

/** Stores sheets, new and from cached certs, and reads the largest back. Nothing is looked up meanwhile. */
export async function measureSheets(stage: Stage): Promise<Section> {
  return stage.withNodes([{ ROLE: "web" }], async (database, [node]) => {
    if (!node) throw new Error("No node was started");
    const visitor = await node.visit();
    const stored: Stored[] = [];
    let largest = "";
    for (const [index, rows] of SIZES.entries()) {
      const sheet = makeSheet(rows, 30_000_000 + index * 1_000_000);
      const fresh = await timed(() => visitor.upload(sheet));
      await cacheCerts(database, fresh.answer.id);
      const cached = await timed(() => visitor.upload(sheet));
      if (cached.answer.status !== "completed") throw new Error("Cached certs did not fill the sheet");
      largest = cached.answer.id;
      const bodyBytes = Buffer.byteLength(JSON.stringify(sheet));
      stored.push({ rows, freshMs: fresh.ms, cachedMs: cached.ms, bodyBytes });
    }
    const reading = await readPages(visitor, largest);
    return section(stored, reading);
  });
}

function section(stored: readonly Stored[], reading: Reading): Section {
  const [first] = stored;
  const last = stored.at(-1);
  return {
    title: "Sheets in, rows out",
    watched: {
      "seconds to store 100000 new rows": (last?.freshMs ?? Number.NaN) / 1000,
      "seconds to store 100000 cached rows": (last?.cachedMs ?? Number.NaN) / 1000,
      "seconds to read 100000 rows": reading.totalMs / 1000,
    },
    about:
      "`POST /api/scan-sessions` until its response, when everything is committed: first with new certificates (a row each, and jobs for the first 2,000), " +
      "then the same sheet with every cert cached (filled by one statement, no jobs).",
    head: ["rows", "request body", "new", "per row, against 1,000", "all cached"],
    rows: stored.map(({ rows, freshMs, cachedMs, bodyBytes }) => [
      rows.toLocaleString("en-US"),
      kilobytes(bodyBytes),
      `${formatNumber(freshMs / 1000)} s`,
      first ? ratio(freshMs / rows, first.freshMs / first.rows) : "",
      `${formatNumber(cachedMs / 1000)} s`,
    ]),
    notes: [
      `Reading the ${SIZES.at(-1)?.toLocaleString("en-US")} rows back in ${reading.pages} pages of ${PAGE.toLocaleString("en-US")} takes ` +
        `${formatNumber(reading.totalMs / 1000)} s, ${formatNumber(reading.pageMs)} ms per page (median); a row is ${formatNumber(reading.rowBytes)} bytes of JSON.`,
    ],
  };
}

type Reading = { pages: number; totalMs: number; pageMs: number; rowBytes: number };

async function readPages(visitor: Visitor, sessionId: string): Promise<Reading> {
  const times: number[] = [];
  let cursor: string | null = "0";
  let sample = "";
  while (cursor !== null) {
    const path: string = `/api/scan-sessions/${sessionId}/results?limit=${PAGE}&cursor=${cursor}`;
    const { ms, answer } = await timed(() => visitor.ask("GET", path));
    const page = resultsPageSchema.parse(answer);
    times.push(ms);
    sample ||= JSON.stringify(page.results);
    cursor = page.nextCursor;
  }
  return {
    pages: times.length,
    totalMs: times.reduce((sum, ms) => sum + ms, 0),
    pageMs: median(times),
    rowBytes: Buffer.byteLength(sample) / PAGE,
  };
}
