import { text } from "node:stream/consumers";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { amount } from "../../../../scripts/test-form.ts";
import { FIELD_SEPARATOR } from "@slabdesk/contract/api/search.ts";
import { anyText } from "@slabdesk/contract/sheet/any-text.test-data.ts";
import { EXPORT_COLUMNS, SESSION_EXPORT_COLUMNS } from "@slabdesk/contract/sheet/export-columns.ts";
import { CARD_COLUMNS } from "../../database/card-columns.ts";
import { openDatabase, openPool, type Database } from "../../database/connection.ts";
import { createTestDatabase, type TestDatabase } from "../../database/testing/test-database.ts";
import { SPREADSHEET, streamCsv, type Line } from "../../csv-stream.ts";
import { presentRow } from "../sessions/sessions.present.ts";
import { listRowsWithCells } from "../sessions/sessions.repo.ts";
import { resultLines } from "../sessions/result-lines.repo.ts";
import { csvFile, tableOf } from "./table.file.ts";

const PUBLIC_URL = "";
const PAGE = { cursor: 0, limit: 100 };

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  const onError = (error: Error): never => {
    throw error;
  };
  db = openDatabase(openPool(database.settings, onError, 1));
  await sql`INSERT INTO user_profiles (id, email, full_name) VALUES ('ann', 'ann@example.com', 'Ann')`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  await database.end();
});

type Row = {
  texts: Record<string, string | null>;
  price: number | null;
  cardladder: object | null;
  cardsiq: object | null;
};

/** Stores rows, with prices in JSON, and returns their session. */
async function store(rows: readonly Row[]): Promise<string> {
  const sessions = await sql<{ id: string }>`
    INSERT INTO scan_sessions (user_id, session_name, csv_filename, header, total_cards, processing_mode, include_pricing,
      reuse_known)
    VALUES ('ann', 'Box', 'box.csv', '[]', ${rows.length}, 'api', true, true) RETURNING id`.execute(db);
  const sessionId = sessions.rows[0]?.id ?? "";
  for (const [index, { texts, price, cardladder, cardsiq }] of rows.entries()) {
    const { rows: inserted } = await sql<{ id: number }>`
      INSERT INTO scan_results (session_id, user_id, line, cells, sheet_notes, status, event_seq, price,
        ${sql.join(Object.keys(texts).map((name) => sql.ref(name)))})
      VALUES (${sessionId}, 'ann', ${index + 2}, '[]', '', 'completed', 1, ${price}, ${sql.join(Object.values(texts))})
      RETURNING id`.execute(db);
    for (const [source, quote] of Object.entries({ cardladder, cardsiq }))
      if (quote)
        await sql`
          WITH quote AS (
            INSERT INTO price_quotes (source, grading_company, cert_number, price, message)
            VALUES (${source}, 'PSA', '1', ${JSON.stringify(quote)}, '') RETURNING id)
          INSERT INTO result_prices (result_id, source, state, quote_id)
          SELECT ${inserted[0]?.id}, ${source}, 'priced', id FROM quote`.execute(db);
  }
  return sessionId;
}

async function linesOf(sessionId: string, columns: number): Promise<Line[]> {
  const { list, present } = resultLines({ columns, publicUrl: PUBLIC_URL });
  return (await list(db, sessionId, PAGE)).map(present);
}

/** The file as the database joins its cells, and the one from whole rows. */
async function bothFiles(sessionId: string, columns: typeof EXPORT_COLUMNS): Promise<[string, string]> {
  const rows = (await listRowsWithCells(db, sessionId, PAGE)).map((record) => ({
    row: presentRow(record),
    cells: record.cells,
  }));
  async function* linePages(): AsyncGenerator<Line[]> {
    yield await linesOf(sessionId, columns.length);
  }
  async function* rowPages(): AsyncGenerator<typeof rows> {
    yield rows;
  }
  const header = columns.map((column) => column.header);
  return Promise.all([
    text(streamCsv([header], linePages(), SPREADSHEET)),
    text(csvFile(tableOf(columns), rowPages(), SPREADSHEET)),
  ]);
}

const storable = (value: string): string => value.replaceAll("\0", "").replaceAll(FIELD_SEPARATOR, "");
const attack = fc.string({
  unit: fc.constantFrom(...Array.from("'\"=+-@;,|\t\r\n 19a"), "=1+1", "N/A", "é"),
  maxLength: 6,
});
const cell = fc.oneof(fc.constantFrom("", "N/A", "Plain text 1"), attack, anyText.map(storable));
const needed = ["cert_number", "grading_company", "price_text", "customer_price", "notes"];
const texts = fc.record({
  ...Object.fromEntries(needed.map((name) => [name, cell])),
  ...Object.fromEntries(Object.values(CARD_COLUMNS).map((name) => [name, fc.option(cell)])),
});
const dollars = fc.option(fc.integer({ min: 0, max: 10_000_000 }).map((cents) => cents / 100));
const cardladder = fc.record({
  cardladderEstimate: dollars,
  averagePrice: dollars,
  medianPrice: dollars,
  lastSalePrice: dollars,
  priceTrend: fc.constantFrom("increasing", "decreasing", "other", null),
  salesCount: fc.option(fc.nat()),
  salesVelocity: fc.record({ thirtyDay: dollars }),
  priceRange: fc.record({ low: dollars, high: dollars }),
  sparkline: fc.constant([1, 2]),
});
const cardsiq = fc.record({ estimatedValue: dollars, lastSalePrice: dollars });
const row = fc.record({ texts, price: dollars, cardladder: fc.option(cardladder), cardsiq: fc.option(cardsiq) });

test.each([
  ["results", EXPORT_COLUMNS],
  ["session", SESSION_EXPORT_COLUMNS],
])("the %s file is the same as one from whole rows, whatever its texts and prices", async (_name, columns) => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 4 }), async (rows) => {
      const [joined, whole] = await bothFiles(await store(rows), columns);
      expect(joined).toBe(whole);
    }),
    { numRuns: amount({ short: 30, long: 300 }) },
  );
});

const PLAIN_TEXTS = {
  cert_number: "12345678",
  grading_company: "PSA",
  price_text: "",
  customer_price: "",
  notes: "Box 1",
  item_name: "2019 Topps",
  front_image_url: "https://example.com/1.jpg",
  back_image_url: "https://example.com/2.jpg",
};
const PLAIN_ROW: Row = { texts: PLAIN_TEXTS, price: 4.5, cardladder: null, cardsiq: null };

test("a line of plain cells is finished, and others come as cells", async () => {
  const sessionId = await store([PLAIN_ROW, { ...PLAIN_ROW, texts: { ...PLAIN_TEXTS, notes: "=1+1" } }]);
  const lines = await linesOf(sessionId, EXPORT_COLUMNS.length);
  expect(lines[0]).toBe(
    '2019 Topps,,,,,,,,,,https://example.com/1.jpg,https://example.com/2.jpg,"https://example.com/1.jpg,https://example.com/2.jpg",,12345678,PSA,4.5,,,Box 1,,,,,,,,,,,',
  );
  expect(lines[1]).toHaveLength(EXPORT_COLUMNS.length);
});

test("separators in texts are left out", async () => {
  const notes = `Box${FIELD_SEPARATOR} 1`;
  const lines = await linesOf(await store([{ ...PLAIN_ROW, texts: { ...PLAIN_TEXTS, notes } }]), EXPORT_COLUMNS.length);
  expect(lines).toEqual(await linesOf(await store([PLAIN_ROW]), EXPORT_COLUMNS.length));
});
