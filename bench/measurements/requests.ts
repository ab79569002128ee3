import { Agent, request } from "node:http";
import { formatNumber, median, ratio } from "../numbers.ts";
import type { Section } from "../report.ts";
import { makeSheet } from "../stage/sheet.ts";
import type { Stage } from "../stage/stage.ts";
import type { Visitor } from "../stage/visitor.ts";
import { runToEnd } from "./run-to-end.ts";

const CLIENTS = 8;
const ROWS = 200;
const MEASURE_MS = 3_000;
const ROUNDS = 3;

/** Requests a second of one signed-in person with eight connections. */
export async function measureRequests(stage: Stage): Promise<Section> {
  return stage.withNodes([{}], async (database, [node]) => {
    if (!node) throw new Error("No node was started");
    const visitor = await node.visit();
    const { id } = await visitor.upload(makeSheet(ROWS));
    await runToEnd(database, id);
    const paths = [
      "/healthz",
      "/api/profile",
      "/api/scan-sessions",
      `/api/scan-sessions/${id}`,
      `/api/scan-sessions/${id}/results?limit=100`,
      "/api/scan-results/search?q=psa",
    ];
    const rates = new Map<string, number[]>(paths.map((path) => [path, []]));
    // A person for each path, because a person may send 60,000 requests a minute.
    const people: Visitor[] = [];
    for (const [at] of paths.entries()) people.push(await visitor.hire(`reader${at}`));
    // The first round is not counted, because a server that has just started is slower.
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const [at, path] of paths.entries()) {
        const rate = await rateOf(people[at] ?? visitor, path);
        if (round > 0) rates.get(path)?.push(rate);
      }
    return section(new Map([...rates].map(([path, each]) => [path.replace(id, ":id"), median(each)])));
  });
}

function section(rates: ReadonlyMap<string, number>): Section {
  const rateOfPath = (path: string): number => rates.get(path) ?? Number.NaN;
  const bare = rateOfPath("/healthz");
  return {
    title: "Requests of signed-in people",
    watched: {
      "profiles per second": rateOfPath("/api/profile"),
      "lists of sessions per second": rateOfPath("/api/scan-sessions"),
      "pages of 100 rows per second": rateOfPath("/api/scan-sessions/:id/results?limit=100"),
      "searches per second": rateOfPath("/api/scan-results/search?q=psa"),
    },
    about:
      `Requests a second of one node with ${CLIENTS} connections at a time and nothing else running; the median of ` +
      `${ROUNDS} rounds of ${MEASURE_MS / 1_000} s. The session has ${ROWS} rows. \`/healthz\` needs no sign-in and no query.`,
    head: ["request", "requests/s", "against `/healthz`"],
    rows: [...rates].map(([path, rate]) => [`\`GET ${path}\``, formatNumber(rate), ratio(rate, bare)]),
    notes: [],
  };
}

/** Requests a second with all clients. @throws Error if one is not answered with 200 */
async function rateOf({ origin, headers }: Visitor, path: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const startedAt = performance.now();
  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const sent = request(`${origin}${path}`, { agent, headers }, (response) => {
        response.resume();
        if (response.statusCode !== 200) reject(new Error(`GET ${path} answered ${response.statusCode}`));
        response.on("end", resolve).on("error", reject);
      });
      sent.on("error", reject).end();
    });
  const counts = await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      let count = 0;
      for (; performance.now() - startedAt < MEASURE_MS; count += 1) await ask();
      return count;
    }),
  );
  agent.destroy();
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - startedAt) / 1_000);
}
