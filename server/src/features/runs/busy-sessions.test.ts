import { sql } from "kysely";
import { expect, test } from "vitest";
import { finishPrices, makeKnown, pricedLines, pricedSheet } from "../../testing/price-test.ts";
import { finish, runSheet, sheetOf, startScan, startScanTest } from "../../testing/scan-test.ts";

test("other people's cards and prices continue while a session is locked for a long time", async () => {
  const server = await startScanTest({ PRICING_DELAY_MS: "0" });
  const { behavior, calls } = server.simulator;
  try {
    const [ana, ben] = [await server.addPerson(), await server.addPerson()];
    const lines = pricedLines(32_000_000, 4);
    await makeKnown(server, lines);
    behavior.hold("tag-api");
    behavior.hold("cardsiq");
    const answered = await startScan(server, ana, sheetOf([["X1999999", "TAG"]], { mode: "api" }));
    await expect.poll(() => calls.count({ cert: "X1999999" }), { timeout: 20_000 }).toBe(1);
    // Its card waits for the lane, and its prices for their source.
    const changed = await startScan(
      server,
      ana,
      pricedSheet([["X1999998", "TAG"], ...lines.slice(0, 2)], { reuseKnown: true }),
    );
    await expect.poll(() => calls.count({ endpoint: "cardsiq" }), { timeout: 20_000 }).toBe(1);
    await server.db.transaction().execute(async (trx) => {
      await sql`SELECT FROM scan_sessions WHERE id IN (${answered.id}, ${changed.id}) FOR UPDATE`.execute(trx);
      behavior.release();
      await runSheet(server, ben, sheetOf([["X1999997", "TAG"]], { mode: "api" }));
      await finishPrices(server, ben, await startScan(server, ben, pricedSheet(lines.slice(2))));
    });
    const rows = await finish(server, ana, changed);
    expect(rows.map(({ outcome }) => outcome)).toEqual(["found", "found", "found"]);
    expect(await finish(server, ana, answered)).toMatchObject([{ outcome: "found" }]);
    expect(calls.count({ cert: "X1999999" })).toBe(1);
    const priced = await finishPrices(server, ana, changed);
    expect(priced.map(({ pricing }) => pricing)).not.toContain(null);
  } finally {
    behavior.release();
    await server.closeAll();
  }
});

test("a single lookup is answered while another transaction holds its cached cert", async () => {
  const server = await startScanTest();
  try {
    const { headers } = await server.addPerson();
    const lookUp = () => server.app.inject({ url: "/api/tag-api/X1999996?forceRefresh=true", headers });
    expect((await lookUp()).statusCode).toBe(200);
    await server.db.transaction().execute(async (trx) => {
      await sql`SELECT FROM cached_certs WHERE cert_number = 'X1999996' FOR UPDATE`.execute(trx);
      expect((await lookUp()).statusCode).toBe(200);
    });
  } finally {
    await server.closeAll();
  }
});
