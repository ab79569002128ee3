import { appendFileSync } from "node:fs";
import { sql } from "kysely";
import { test } from "vitest";
import { startScanTest, sheetOf, startScan } from "../../testing/scan-test.ts";
import { askPrices } from "./scan-prices.repo.ts";

const N = Number(process.env.PERF_N ?? "20000");
const log = (...a: unknown[]) => appendFileSync("/tmp/pricetest/perf.log", a.join(" ") + "\n");
test("perf", { timeout: 600_000 }, async () => {
  const t = await startScanTest({ PRICING_DELAY_MS: "600000", CARD_DELAY_MS: "600000" });
  await sql`INSERT INTO known_certs (grading_company, cert_number, card, source, fetched_at, notes)
    SELECT 'PSA', (10000000 + n)::text, jsonb_build_object('itemName', 'x' || n, 'grade', '10'), 'api', now(), '' FROM generate_series(1, ${N}) AS n`.execute(
    t.db,
  );
  const lines = Array.from({ length: N }, (_, n): [string, string] => [String(10000001 + n), "PSA"]);
  const run = async (name: string) => {
    const s = performance.now();
    const session = await startScan(t, t.admin, sheetOf(lines, { includePricing: true }));
    log(name, N, Math.round(performance.now() - s), "ms", JSON.stringify(session.prices), session.status);
    return session;
  };
  const s0 = performance.now();
  await startScan(t, t.admin, sheetOf(lines));
  log("without pricing", Math.round(performance.now() - s0));
  const s1 = await run("no quotes");
  const c = performance.now();
  await t.app.inject({ method: "DELETE", url: `/api/scan-sessions/${s1.id}` });
  await t.app.inject({ method: "POST", url: `/api/scan-sessions/${s1.id}/stop`, headers: t.admin.headers });
  log("stop", Math.round(performance.now() - c));
  const r = performance.now();
  await t.app.inject({ method: "POST", url: `/api/scan-sessions/${s1.id}/resume`, headers: t.admin.headers });
  log("resume", Math.round(performance.now() - r));
  await sql`INSERT INTO price_quotes (source, grading_company, cert_number, price, words)
    SELECT s, 'PSA', (10000000 + n)::text, '{"a":1}', '' FROM generate_series(1, ${N / 2}) AS n, unnest(ARRAY['cardladder','cardsiq']) s`.execute(
    t.db,
  );
  await run("half fresh");
  await sql`INSERT INTO price_quotes (source, grading_company, cert_number, price, words)
    SELECT s, 'PSA', (10000000 + n)::text, '{"a":1}', '' FROM generate_series(${N / 2 + 1}::int, ${N}::int) AS n, unnest(ARRAY['cardladder','cardsiq']) s`.execute(
    t.db,
  );
  const s2 = await run("all fresh");
  const p = performance.now();
  const a = await t.app.inject({
    method: "POST",
    url: `/api/scan-sessions/${s2.id}/reprice`,
    headers: t.admin.headers,
  });
  log("reprice fresh", a.statusCode, Math.round(performance.now() - p));
  log("done"); await t.closeAll();
});
