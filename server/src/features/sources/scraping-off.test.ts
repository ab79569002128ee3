import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MODES, type Mode } from "@slabdesk/contract/api/cards.ts";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { scanPlanSchema } from "@slabdesk/contract/api/plans.ts";
import { sourceListSchema } from "@slabdesk/contract/api/sources.ts";
import {
  finish,
  openEndpoints,
  rowsOf,
  runSheet,
  sheetOf,
  startScan,
  startScanTest,
  type ScanTest,
} from "../../testing/scan-test.ts";

/*
 * `SCRAPING=off`: no page is read, whatever starts the lookup. All tests share one simulator, and at the end none of its
 * pages may have been called, nor TAG's photos, which belong to reading TAG's page. All APIs fail, so that every fallback
 * is tried.
 */

let server: ScanTest;
beforeAll(async () => {
  server = await startScanTest({ SCRAPING: "off", RETRY_DELAYS_S: "0" });
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(async () => {
  await openEndpoints(server);
  for (const endpoint of ["psa-api", "cgc-api", "tag-api"] as const)
    server.simulator.behavior.fail(endpoint, "server_error");
});

const CARDS: [string, string][] = [
  ["71000001", "PSA"],
  ["1401019289294", "CGC"],
  ["C1240631", "TAG"],
];
const post = (url: string, payload: object = {}) =>
  server.app.inject({ method: "POST", url, headers: server.admin.headers, payload });

/** Calls to pages, and checks for TAG's photos that belong to one. Images of found cards are fetched by GET. */
function pageCalls(): string[] {
  return server.simulator.calls
    .list()
    .filter(({ endpoint, method }) => endpoint.endsWith("-web") || (endpoint === "tag-images" && method === "HEAD"))
    .map(({ endpoint, path }) => `${endpoint} ${path}`);
}

describe("with web scraping switched off, no page is read", () => {
  test.each(MODES)("by a run in mode %s, its retry, or its resume", async (mode: Mode) => {
    const session = await startScan(server, server.admin, sheetOf(CARDS, { mode }));
    const rows = await finish(server, server.admin, session);
    expect(rows.map((row) => row.status)).toEqual(["error", "error", "error"]);
    const retried = await post(`/api/scan-sessions/${session.id}/retry`, { rowIds: rows.map((row) => row.id) });
    expect(retried.statusCode, retried.body).toBe(200);
    await finish(server, server.admin, session);
    await post(`/api/scan-sessions/${session.id}/stop`);
    expect((await post(`/api/scan-sessions/${session.id}/resume`)).statusCode).toBe(200);
    await finish(server, server.admin, session);
    expect(pageCalls()).toEqual([]);
  });

  test("by the single-card routes", async () => {
    for (const [cert, company] of CARDS) {
      for (const way of ["", "-with-fallback"]) {
        const url = `/api/${company.toLowerCase()}${way}/${cert}?forceRefresh=true`;
        const answer = await server.app.inject({ url, headers: server.admin.headers });
        expect(answer.statusCode, url).toBe(way === "" ? 503 : 502);
        if (way === "") expect(errorBodySchema.parse(answer.json()).error).toContain("turned off");
      }
    }
    expect(pageCalls()).toEqual([]);
  });

  test("by rows that are switched to the page, waiting or sent before scraping was switched off", async () => {
    server.simulator.behavior.fail("psa-api", "quota");
    const session = await startScan(server, server.admin, sheetOf([["71000002", "PSA"]], { mode: "api" }));
    await expect
      .poll(async () => (await rowsOf(server, server.admin, session.id))[0]?.status, { timeout: 30_000 })
      .toBe("waiting");
    const refused = await post(`/api/scan-sessions/${session.id}/waiting`, { mode: "scraping" });
    expect([refused.statusCode, errorBodySchema.parse(refused.json()).code]).toEqual([409, "conflict"]);
    // As an earlier start of the server left them, with scraping on.
    await server.db
      .updateTable("scan_results")
      .set({ own_mode: "scraping", waiting_until: new Date() })
      .where("session_id", "=", session.id)
      .execute();
    expect(await finish(server, server.admin, session)).toMatchObject([{ status: "error", outcome: "not_configured" }]);
    expect(pageCalls()).toEqual([]);
  });

  test("by PSA's retry queue, or by scanned slabs", async () => {
    const queued = await post("/api/queue/retry-psa", { certNumber: "71000003", apiMode: "scraping" });
    expect(queued.statusCode, queued.body).toBeLessThan(300);
    const session = await startScan(
      server,
      server.admin,
      sheetOf([["71000004", "PSA"]], { mode: "api-with-fallback" }),
    );
    const scanned = { line: 3, cells: ["C1240632", "TAG"], certNumber: "C1240632", gradingCompany: "TAG" };
    const added = await post(`/api/scan-sessions/${session.id}/rows`, { rows: [scanned] });
    expect(added.statusCode, added.body).toBeLessThan(300);
    await finish(server, server.admin, session);
    const { jobId } = queued.json<{ jobId: string }>();
    await expect
      .poll(
        async () => {
          const url = `/api/queue/status/${jobId}`;
          return (await server.app.inject({ url, headers: server.admin.headers })).json<{ status: string }>().status;
        },
        { timeout: 30_000 },
      )
      .toBe("failed");
    expect(pageCalls()).toEqual([]);
  });

  test("by an API that is not configured, and its cards end at once, whatever the pace", async () => {
    const unset = { PSA_API_TOKEN: "", CGC_API_PASSWORD: "", TAG_API_KEY: "" };
    const bare = await startScanTest({ SCRAPING: "off", CARD_DELAY_MS: "600000", ...unset });
    try {
      const rows = await runSheet(bare, bare.admin, sheetOf([...CARDS, ["71000005", "PSA"], ["71000006", "PSA"]]));
      expect(new Set(rows.map((row) => row.outcome))).toEqual(new Set(["not_configured"]));
      expect(bare.simulator.calls.list()).toEqual([]);
    } finally {
      await bare.closeAll();
    }
  });

  test("and plans and every page endpoint say so", async () => {
    const rows = CARDS.map(([certNumber, gradingCompany], at) => ({ line: at + 2, certNumber, gradingCompany }));
    const plan = scanPlanSchema.parse((await post("/api/scan-plans", { rows, mode: "scraping" })).json());
    expect(plan.notConfigured.map(({ company }) => company)).toEqual(["PSA", "CGC", "TAG"]);
    const planned = scanPlanSchema.parse((await post("/api/scan-plans", { rows, mode: "api-with-fallback" })).json());
    expect(planned.sources.map(({ source }) => source)).toEqual(["api", "api", "api"]);
    const answer = await server.app.inject({ url: "/api/admin/sources", headers: server.admin.headers });
    const { sources } = sourceListSchema.parse(answer.json());
    const endpoints = sources.flatMap((source) => source.endpoints);
    const isOfPage = (name: string) => name.endsWith("-page") || name === "tag-images";
    expect(endpoints.filter(({ name }) => isOfPage(name)).map(({ state, message }) => [state, message])).toEqual(
      Array.from({ length: 4 }, () => ["off", expect.stringContaining("SCRAPING=off") as unknown]),
    );
    expect(pageCalls()).toEqual([]);
  });
});
