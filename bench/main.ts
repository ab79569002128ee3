import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { latestOf, withMeasured, type Watched } from "./history.ts";
import { describeMachine } from "./machine.ts";
import { measureAdmin } from "./measurements/admin.ts";
import { measureAtRest } from "./measurements/at-rest.ts";
import { measureCards } from "./measurements/cards.ts";
import { measureExports } from "./measurements/exports.ts";
import { measureFrames } from "./measurements/frames.ts";
import { measureHostilePeople } from "./measurements/hostile-people.ts";
import { measureFirstVisit } from "./measurements/first-visit.ts";
import { measureLoad } from "./measurements/load.ts";
import { measureNodes } from "./measurements/nodes.ts";
import { measurePricing } from "./measurements/pricing.ts";
import { measureRequests } from "./measurements/requests.ts";
import { measureSearch } from "./measurements/search.ts";
import { measureSheets } from "./measurements/sheets.ts";
import { measureStreams } from "./measurements/streams.ts";
import { goalsSection, putSection, writeReport, type Section } from "./report.ts";
import { openStage, type Stage } from "./stage/stage.ts";

/*
 * Measures the whole server on this machine, from the outside, and writes docs/benchmarks.md. Each measurement has its
 * own database. The database, the simulator, and the benchmark share the machine with the server, so compare only
 * numbers of one run with each other. `npm run bench -- search` runs only that measurement and replaces its section of
 * the report, or adds it. Each run adds the most important numbers to docs/benchmarks-history.csv and compares the latest
 * ones with the goals.
 */

const HISTORY = fileURLToPath(new URL("../docs/benchmarks-history.csv", import.meta.url));
const REPORT = fileURLToPath(new URL("../docs/benchmarks.md", import.meta.url));

const MEASUREMENTS: Record<string, (stage: Stage) => Promise<Section>> = {
  cards: measureCards,
  nodes: measureNodes,
  pricing: measurePricing,
  sheets: measureSheets,
  exports: measureExports,
  requests: measureRequests,
  load: measureLoad,
  search: measureSearch,
  admin: measureAdmin,
  streams: measureStreams,
  "hostile people": measureHostilePeople,
  "first visit": measureFirstVisit,
  frames: measureFrames,
  "at rest": measureAtRest,
};

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !(name in MEASUREMENTS));
if (unknown !== undefined)
  throw new Error(`There is no measurement ${unknown}: ${Object.keys(MEASUREMENTS).join(", ")}`);

const startedAt = performance.now();
const seconds = (): string => `${((performance.now() - startedAt) / 1000).toFixed(0)} s`;
const stage = await openStage();
const givenUp = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void giveUp());
try {
  const sections: Section[] = [];
  for (const [name, measure] of Object.entries(MEASUREMENTS)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    process.stdout.write(`Measuring ${name} …\n`);
    sections.push(await measure(stage));
  }
  const machine = await describeMachine(stage.postgres);
  const watched = sections.reduce<Watched>((all, section) => ({ ...all, ...section.watched }), {});
  const history = await readFile(HISTORY, "utf8");
  const newHistory = Object.keys(watched).length > 0 ? withMeasured(history, watched, machine.date) : history;
  await writeFile(HISTORY, newHistory);
  const withGoals = [goalsSection(latestOf(newHistory)), ...sections];
  const report =
    chosen.length > 0 ? withGoals.reduce(putSection, await readFile(REPORT, "utf8")) : writeReport(machine, withGoals);
  await writeFile(REPORT, report);
  process.stdout.write(`Wrote docs/benchmarks.md after ${seconds()}\n`);
} catch (error) {
  // The running measurement fails because its database is gone.
  if (!givenUp.signal.aborted) throw error;
} finally {
  await stage.close();
}

/** Stops the database and the simulator in order; the nodes stop with this process. */
async function giveUp(): Promise<void> {
  givenUp.abort();
  await stage.close();
  process.exit(1);
}
