import { formatNumber, median, ratio } from "../numbers.ts";
import type { Section } from "../report.ts";
import type { BenchDatabase } from "../stage/postgres.ts";
import { makeSheet } from "../stage/sheet.ts";
import type { Stage } from "../stage/stage.ts";
import { runToEnd } from "./run-to-end.ts";

const CARDS = 300;
const ROUNDS = 2;
/** The defaults, 5 s between cards and 2.5 s between prices, 80 times faster. */
const SETTINGS = { CARD_DELAY_MS: "62", PRICING_DELAY_MS: "31" };

type Run = { seconds: number; priced: number };

/** Alternates the same sheet with and without prices. A run ends with its last card and its last price. */
export async function measurePricing(stage: Stage): Promise<Section> {
  const without: Run[] = [];
  const including: Run[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    without.push(await measureRun(stage, false));
    including.push(await measureRun(stage, true));
  }
  const seconds = (runs: readonly Run[]): number => median(runs.map((run) => run.seconds));
  return {
    title: "A run with prices against one without",
    about:
      `${CARDS} PSA cards by API, \`CARD_DELAY_MS=${SETTINGS.CARD_DELAY_MS}\` and ` +
      `\`PRICING_DELAY_MS=${SETTINGS.PRICING_DELAY_MS}\`: the defaults, 80 times faster. Prices come from CardLadder ` +
      `and CardsIQ. A run ends with its last card and its last price; the median of ${ROUNDS} rounds each.`,
    head: ["prices", "seconds to the end", "against none"],
    rows: [
      ["none", formatNumber(seconds(without)), ratio(1, 1)],
      [
        `${including[0]?.priced ?? 0} of both sources`,
        formatNumber(seconds(including)),
        ratio(seconds(including), seconds(without)),
      ],
    ],
    notes: [
      "Prices are fetched while the next cards are looked up, so only the last card's price takes extra time. The goal " +
        "is at most 1.05×. It holds while cards are no faster than prices, but three companies' lanes together are.",
    ],
  };
}

async function measureRun(stage: Stage, includePricing: boolean): Promise<Run> {
  return stage.withNodes([SETTINGS], async (database, [node]) => {
    if (!node) throw new Error("No node was started");
    const { id } = await (await node.visit()).upload({ ...makeSheet(CARDS), includePricing });
    await runToEnd(database, id);
    return readRun(database, id);
  });
}

async function readRun(database: BenchDatabase, sessionId: string): Promise<Run> {
  const [run] = await database.query<Run & { failed: number }>(
    `SELECT extract(epoch FROM s.completed_at - s.started_at)::float8 AS seconds,
       (count(r.cardladder_price) + count(r.cardsiq_price))::int AS priced,
       (count(*) FILTER (WHERE r.cardladder_state = 'failed' OR r.cardsiq_state = 'failed'))::int AS failed
     FROM scan_sessions AS s JOIN scan_results AS r ON r.session_id = s.id WHERE s.id = $1 GROUP BY s.id`,
    [sessionId],
  );
  if (!run || run.failed > 0) throw new Error("Prices failed: nothing worth measuring");
  return run;
}
