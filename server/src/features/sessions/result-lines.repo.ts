import { sql, type RawBuilder } from "kysely";
import { OWN_PHOTO_PATH } from "@slabdesk/contract/api/photos.ts";
import { FIELD_SEPARATOR } from "@slabdesk/contract/api/search.ts";
import { formatCell } from "@slabdesk/contract/sheet/csv.ts";
import { EXPORT_COLUMNS, joinImages } from "@slabdesk/contract/sheet/export-columns.ts";
import { PREPARED, type Database } from "../../database/connection.ts";
import { rowsOf } from "../../database/statements.ts";
import type { Line } from "../../csv-stream.ts";
import { rowsOfPage, type RowPage } from "./sessions.repo.ts";

/*
 * The lines of the results file. The database joins the cells: the driver is slow at many columns, and most lines need
 * neither quotes nor guards.
 */

const column = (name: string) => sql.raw(`coalesce(r.${name}, '')`);
const price = (path: string) => sql.raw(`coalesce(prices #>> '{${path}}', '')`);

/** An image's URL. Uploaded photos have a path on this server. */
const image = (name: string, publicUrl: string) =>
  sql`CASE WHEN starts_with(r.${sql.ref(name)}, ${sql.lit(OWN_PHOTO_PATH)}) THEN ${publicUrl} ELSE '' END || ${column(name)}`;

/** The cells of EXPORT_COLUMNS as SQL, except for the one of both images. */
const cellsOf = (publicUrl: string): Record<string, RawBuilder<unknown>> => ({
  "Item Name": column("item_name"),
  "Player/Character": column("player_character"),
  Year: column("year"),
  Language: column("language"),
  "Brand/Set": column("brand_set"),
  "Card Number": column("card_number"),
  Grade: column("grade"),
  "Sport/Game": column("sport_game"),
  Variety: column("variety"),
  "Grader Notes": column("grader_notes"),
  "Front Image URL": image("front_image_url", publicUrl),
  "Back Image URL": image("back_image_url", publicUrl),
  "Cert URL": column("cert_url"),
  "Cert Number": column("cert_number"),
  "Grading Company": column("grading_company"),
  Price: sql`coalesce(trim_scale(r.price)::text, r.price_text)`,
  "Customer Price": column("customer_price"),
  "Inventory Name": column("inventory_name"),
  Notes: column("notes"),
  "CardLadder Estimate": price("cardladder,cardladderEstimate"),
  "Market Avg Price (30-Day)": price("cardladder,averagePrice"),
  "Market Median Price": price("cardladder,medianPrice"),
  "Last Sale Price": price("cardladder,lastSalePrice"),
  "Price Trend": price("cardladder,priceTrend"),
  "Sales Count (30-Day)": price("cardladder,salesCount"),
  "Sales Velocity (per day)": price("cardladder,salesVelocity,thirtyDay"),
  "Price Range Low": price("cardladder,priceRange,low"),
  "Price Range High": price("cardladder,priceRange,high"),
  "CardsIQ Estimate": price("cardsiq,estimatedValue"),
  "CardsIQ Last Sale": price("cardsiq,lastSalePrice"),
});
/** The prices of a row `r` after `cursor`. The first row with prices is found once per page; earlier rows are skipped. */
const latestPrices = (cursor: number) => sql`CASE
  WHEN r.id >= (SELECT min(result_id) FROM result_prices WHERE result_id > ${cursor}) THEN (
    SELECT jsonb_object_agg(p.source, quote.price - 'sparkline')
    FROM result_prices AS p JOIN price_quotes AS quote ON quote.id = p.quote_id WHERE p.result_id = r.id) END`;

const HEADERS = EXPORT_COLUMNS.map(({ header }) => header);
const IMAGES = HEADERS.indexOf("Front / Back Images");
const PRICES = HEADERS.indexOf("CardLadder Estimate");

const SEPARATOR = sql.lit(FIELD_SEPARATOR);
type Sql = RawBuilder<unknown>;
type Joined = { id: number; joined: string };
/** `isPlain`: all cells are. */
type JoinedLine = Joined & { isPlain: boolean };

/** Lines to read at once without delaying other requests. */
const LINES_AT_ONCE = 2_000;

/** A file with the first `columns` of EXPORT_COLUMNS. `publicUrl`: where its reader finds uploaded photos. */
export type LinesFile = { columns: number; publicUrl: string };

/** Reads the joined cells of a file's rows, and presents them as lines. */
export function resultLines({ columns, publicUrl }: LinesFile) {
  const cells = cellsOf(publicUrl);
  const plain = new RegExp(`^${PLAIN}(?:${FIELD_SEPARATOR}${PLAIN}){${columns - 2}}$`);
  const asLine = ({ id, joined }: Joined): JoinedLine => ({ id, joined, isPlain: plain.test(joined) });
  const isWhole = ({ joined, isPlain }: JoinedLine): boolean =>
    isPlain || joined.split(FIELD_SEPARATOR).length === columns - 1;

  function listJoined(db: Database, sessionId: string, page: RowPage, change: (cell: Sql) => Sql): Promise<Joined[]> {
    const inFile = (headers: readonly string[]) =>
      sql.join(headers.flatMap((header) => cells[header] ?? []).map(change));
    const own = sql`r.session_id, r.id, concat_ws(${SEPARATOR}, ${inFile(HEADERS.slice(0, PRICES))}) AS own, ${latestPrices(page.cursor)} AS prices`;
    const ofPrices = HEADERS.slice(PRICES, columns);
    return rowsOf<Joined>(db)`
      SELECT id, own || CASE WHEN prices IS NULL THEN ${sql.lit(FIELD_SEPARATOR.repeat(ofPrices.length))}
        ELSE concat_ws(${SEPARATOR}, '', ${inFile(ofPrices)}) END AS joined
      FROM (${rowsOfPage(sessionId, page, own)}) AS listed ${PREPARED}`;
  }

  return {
    atOnce: LINES_AT_ONCE,
    async list(db: Database, sessionId: string, page: RowPage): Promise<JoinedLine[]> {
      const lines = (await listJoined(db, sessionId, page, (cell) => cell)).map(asLine);
      if (lines.every(isWhole)) return lines;
      // A text from a sheet or a grader contains the separator. Leave it out.
      const cleaned = await listJoined(db, sessionId, page, (cell) => sql`replace(${cell}, ${SEPARATOR}, '')`);
      return cleaned.map(asLine);
    },
    present: lineOf,
  };
}

/** A cell that needs neither quotes nor a guard, whatever delimiter its reader uses. */
const PLAIN = String.raw`(?:[A-Za-z0-9](?:[^"\t\r\n,;|\x1f]*[^"\t\r\n,;|\x1f\s])?)?`;

/** Returns the line if all cells are plain, or else its cells. */
function lineOf({ joined, isPlain }: JoinedLine): Line {
  const cells = joined.split(FIELD_SEPARATOR);
  const images = joinImages({ imageUrl: cells[IMAGES - 2] || null, imageUrlBack: cells[IMAGES - 1] || null });
  cells.splice(IMAGES, 0, isPlain ? formatCell(images, ",") : images);
  return isPlain ? cells.join(",") : cells;
}
