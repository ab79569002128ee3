import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import { provenanceSchema, type LookUp, type Provenance } from "@slabdesk/contract/api/provenance.ts";
import { finishPrices, letQuotesAge, marketOf, pricedLines, pricedSheet } from "../../testing/price-test.ts";
import {
  finish,
  followUntil,
  openEndpoints,
  rowsOf,
  runSheet,
  sheetOf,
  startScan,
  startScanTest,
  type ScanTest,
} from "../../testing/scan-test.ts";
import type { Person } from "../../testing/test-server.ts";

let server: ScanTest;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  server = await startScanTest({ REQUEST_TIMEOUT_MS: "1000", RETRY_DELAYS_S: "0", PRICING_DELAY_MS: "0" });
  ana = await server.addPerson();
  ben = await server.addPerson();
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(async () => {
  await openEndpoints(server);
});

const send = (method: "GET" | "POST", url: string, payload?: object, person = ana) =>
  server.app.inject({ method, url, headers: person.headers, ...(payload && { payload }) });
async function provenanceOf(row: ResultRow | undefined, person = ana): Promise<Provenance> {
  return provenanceSchema.parse(
    (await send("GET", `/api/scan-results/${row?.id}/provenance`, undefined, person)).json(),
  );
}
function inMessage(attempt: LookUp): string {
  switch (attempt.kind) {
    case "fresh":
      return `${attempt.source} ${attempt.outcome}: ${attempt.message}`;
    case "cached":
      return `known from ${attempt.source}`;
    case "duplicate":
      return `as line ${attempt.line}`;
    case "entered":
    case "entry_removed":
      return attempt.kind;
  }
}
const attemptsOf = async (rows: readonly ResultRow[]) =>
  Promise.all(rows.map(async (row) => (await provenanceOf(row)).lookUps.map(inMessage)));

/** Ends every wait. */
async function endWaits(): Promise<void> {
  await openEndpoints(server);
  await sql`UPDATE scan_results SET waiting_until = now() WHERE status = 'waiting'`.execute(server.db);
}

describe("provenance", () => {
  test("lists each attempt with its outcome, and the uploaded line", async () => {
    await runSheet(server, ben, sheetOf([["01020688", "PSA"]]));
    const sheet = sheetOf([
      ["99999980", "PSA", "5", "mine"],
      ["99999973", "PSA"],
      ["01020688", "PSA"],
      ["99999980", "PSA"],
      ["1.02E+06", "PSA"],
      ["9999999979", "CGC"],
      ["1401019289294", "CGC"],
      ["X9999990", "TAG"],
    ]);
    const session = await startScan(server, ana, sheet);
    await followUntil(server, ana, session.id, ({ session: { counts } }) => counts.waiting === 2);
    await endWaits();
    const rows = await finish(server, ana, session);
    const broken = expect.stringMatching(/^api unavailable: PSA's API is not working at the moment \(500\)/);
    const late = "timeout: Request timeout after 1000ms";
    expect(await attemptsOf(rows)).toEqual([
      [broken, "page found: "],
      [`api ${late}`, `page ${late}`, "api found: "],
      ["known from api"],
      [broken, "page found: "],
      [],
      [
        "api quota_exhausted: CGC's API asked us to slow down (rate limit)",
        "page quota_exhausted: CGC's website asked us to slow down",
        "api found: ",
      ],
      // It waited with the one before it and was not requested.
      ["api found: "],
      ["api not_found: TAG has no certificate X9999990"],
    ]);

    const added = { line: 10, cells: ["99999980"], certNumber: "99999980", gradingCompany: "PSA" };
    await send("POST", `/api/scan-sessions/${session.id}/rows`, { rows: [added] });
    const duplicate = (await rowsOf(server, ana, session.id)).at(-1);
    expect(await attemptsOf(duplicate ? [duplicate] : [])).toEqual([["as line 5"]]);

    const provenance = await provenanceOf(rows[0]);
    expect(provenance).toMatchObject({
      row: rows[0],
      csvFilename: "box.csv",
      processingMode: "api-with-fallback",
      header: sheet.header,
      cells: ["99999980", "PSA", "5", "mine"],
      quotes: [],
      lookupHistory: { own: [], colleagues: [], isTwiceOpen: false },
    });
    expect(Date.parse(provenance.lookUps[0]?.at ?? "")).toBeGreaterThanOrEqual(Date.parse(provenance.createdAt));
    const known = (await provenanceOf(rows[2])).lookUps[0];
    expect(known?.kind === "cached" && known.fetchedAt < known.at).toBe(true);
    expect(known?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

    expect((await send("GET", `/api/scan-results/${rows[0]?.id}/provenance`, undefined, ben)).statusCode).toBe(404);
    expect(await provenanceOf(rows[0], server.admin)).toMatchObject({
      cells: provenance.cells,
      lookUps: provenance.lookUps,
    });
  });

  test("keeps the earlier attempts of a retried row, up to twenty", async () => {
    const session = await startScan(server, ana, sheetOf([["X9999992", "TAG"]], { mode: "api" }));
    const rows = await finish(server, ana, session);
    const broken = "api unavailable: TAG's API is not working at the moment (500)";
    expect(await attemptsOf(rows)).toEqual([[broken]]);
    await sql`
      UPDATE scan_results SET look_ups = jsonb_build_array(VARIADIC array_fill(look_ups->0, ARRAY[20]))
      WHERE id = ${rows[0]?.id}`.execute(server.db);
    await send("POST", `/api/scan-sessions/${session.id}/retry`);
    const [again] = await finish(server, ana, session);
    const { lookUps } = await provenanceOf(again);
    expect(lookUps.map(inMessage)).toEqual(Array.from({ length: 20 }, () => broken));
    expect(new Set(lookUps.map(({ at }) => at)).size).toBe(2);
    expect(lookUps.at(-1)?.at).not.toBe(lookUps[0]?.at);
  });

  test("shows the prices of the time, and none that the row did not request", async () => {
    const lines = pricedLines(31_000_000, 1);
    const [unpriced] = await runSheet(server, ana, sheetOf(lines));
    const session = await startScan(server, ana, pricedSheet(lines));
    const [row] = await finishPrices(server, ana, session);
    await letQuotesAge(server, 25);
    await sql`UPDATE scan_results SET created_at = created_at - interval '25 hours'`.execute(server.db);
    await send("POST", `/api/scan-sessions/${session.id}/reprice`);
    await finishPrices(server, ana, session);
    const { quotes } = await provenanceOf(row);
    expect(quotes.map(({ source }) => source).sort()).toEqual(["cardladder", "cardladder", "cardsiq", "cardsiq"]);
    expect(quotes.map(({ fetchedAt }) => fetchedAt)).toEqual(quotes.map(({ fetchedAt }) => fetchedAt).toSorted());
    const { estimate } = marketOf(lines[0]?.[0] ?? "");
    expect(quotes.find(({ source }) => source === "cardladder")).toMatchObject({ estimate, message: "" });
    expect((await provenanceOf(unpriced)).quotes).toEqual([]);
  });
});
