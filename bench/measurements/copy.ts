import { CARD_COLUMNS } from "../../server/src/database/card-columns.ts";
import { timed } from "../numbers.ts";
import type { BenchDatabase } from "../stage/postgres.ts";

const CARDLADDER = [
  ..."cardladderEstimate averagePrice medianPrice lastSalePrice priceTrend salesCount".split(" "),
  ..."salesVelocity,thirtyDay priceRange,low priceRange,high".split(" "),
];
const CARDSIQ = ["estimatedValue", "lastSalePrice"];

/** Milliseconds of PostgreSQL's own COPY of the columns of the results file to a client. */
export async function measureCopy(database: BenchDatabase, sessionId: string): Promise<number> {
  const { tagScore: _score, ...card } = CARD_COLUMNS;
  const own = [...Object.values(card), "cert_number", "grading_company", "price", "customer_price", "notes"];
  const columns = [
    ...own.map((name) => `r.${name}`),
    "concat_ws(',', r.front_image_url, r.back_image_url)",
    ...CARDLADDER.map((path) => `cardladder.price #>> '{${path}}'`),
    ...CARDSIQ.map((path) => `cardsiq.price #>> '{${path}}'`),
  ];
  const quoteOf = (source: string): string =>
    `LEFT JOIN result_prices AS ${source}_row ON ${source}_row.result_id = r.id AND ${source}_row.source = '${source}'
     LEFT JOIN price_quotes AS ${source} ON ${source}.id = ${source}_row.quote_id`;
  const copy = `COPY (SELECT ${columns.join(", ")} FROM scan_results AS r ${quoteOf("cardladder")} ${quoteOf("cardsiq")}
    WHERE r.session_id = '${sessionId}' ORDER BY r.id) TO STDOUT (FORMAT csv, HEADER)`;
  return (await timed(() => database.query(copy))).ms;
}
