import { figure, median, ratio } from "../figures.ts";
import type { Section } from "../report.ts";
import type { BenchDatabase } from "../stage/postgres.ts";
import { makeSheet } from "../stage/sheet.ts";
import type { Stage } from "../stage/stage.ts";
import { runToEnd } from "./run-to-end.ts";

const CARDS = 300;
const ROUNDS = 2;
/** The defaults, 5 s from card to card and 2.5 s from price to price, 80 times faster. */
const SETTINGS = { CARD_DELAY_MS: "62", PRICING_DELAY_MS: "31" };

type Run = { seconds: number; priced: number };

/** The same sheet with prices and without, in turns. A run ends when its last card and its last price are there. */
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
      `\`PRICING_DELAY_MS=${SETTINGS.PRICING_DELAY_MS}\`: the defaults, 80 times faster. CardLadder and CardsIQ are both ` +
      `asked. A run ends with its last card and its last price; the median of ${ROUNDS} turns each.`,
    head: ["prices", "seconds to the end", "against none"],
    rows: [
      ["none", figure(seconds(without)), ratio(1, 1)],
      [
        `${including[0]?.priced ?? 0} of both sources`,
        figure(seconds(including)),
        ratio(seconds(including), seconds(without)),
      ],
    ],
    notes: [
      "Prices come beside the next cards, so only the last card's price is waited for. At most 1.05× is the aim. It " +
        "holds while cards come no faster than prices: three companies' lanes together bring cards faster than that.",
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
       count(p.quote_id)::int AS priced, (count(*) FILTER (WHERE p.state = 'failed'))::int AS failed
     FROM scan_sessions AS s JOIN scan_results AS r ON r.session_id = s.id
     LEFT JOIN result_prices AS p ON p.result_id = r.id
     WHERE s.id = $1 GROUP BY s.id`,
    [sessionId],
  );
  if (!run || run.failed > 0) throw new Error("Prices failed: nothing worth measuring");
  return run;
}
