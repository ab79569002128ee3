import { sql } from "kysely";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { startSimulator } from "@slabdesk/simulator/simulator.ts";
import { scanPlanSchema } from "@slabdesk/contract/api/plans.ts";
import type { ResultRow } from "@slabdesk/contract/api/results.ts";
import type { ScanSession } from "@slabdesk/contract/api/sessions.ts";
import { createServer, type Server } from "../../app.ts";
import { parseConfig } from "../../config.ts";
import { openDatabase, openPool } from "../../database/connection.ts";
import { createTestDatabase } from "../../database/testing/test-database.ts";
import { pricedLines, pricedSheet, statesOf } from "../../testing/price-test.ts";
import { QUICK_PASSWORDS } from "../../testing/quick-passwords.ts";
import { runSheet, startScanTest } from "../../testing/scan-test.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { SHORT_INTERVALS } from "../../testing/test-server.ts";

const NO_CREDENTIALS = { CARDLADDER_PASSWORD: "", CARDSIQ_API_KEY: "" };
const lines = pricedLines(32_000_000, 2);

test("without credentials no price is requested and nothing fails", async () => {
  const server = await startScanTest({ PRICING_DELAY_MS: "0", ...NO_CREDENTIALS });
  try {
    const post = async (url: string, payload: object = {}): Promise<[number, unknown]> => {
      const answer = await server.app.inject({ method: "POST", url, headers: server.admin.headers, payload });
      return [answer.statusCode, answer.json()];
    };
    const [code, plan] = await post("/api/scan-plans", pricedSheet(lines));
    expect(code).toBe(200);
    const off = { isOn: false, cards: 0, cached: 0, calls: 0, refused: [], until: null, message: null, wall: null };
    expect(scanPlanSchema.parse(plan).prices).toEqual([
      { source: "cardladder", ...off },
      { source: "cardsiq", ...off },
    ]);
    const rows = await runSheet(server, server.admin, pricedSheet(lines));
    expect(rows.map(({ status, error, prices }) => [status, error, prices])).toEqual(
      lines.map(() => [
        "completed",
        null,
        { cardladder: { state: null, message: "" }, cardsiq: { state: null, message: "" } },
      ]),
    );
    const [first] = rows;
    const refused = { code: "not_configured", error: expect.stringMatching(/administrator/) as unknown };
    const card = { cardName: "", grade: 10, gradingCompany: "PSA", certNumber: "32000001" };
    for (const [url, payload] of [
      [`/api/scan-sessions/${first?.sessionId}/reprice`, {}],
      [`/api/scan-results/${first?.id}/pricing`, {}],
      ["/api/cardladder-pricing", card],
      ["/api/cardsiq-pricing", { grader: "PSA", certNumber: "32000001" }],
    ] as const) {
      expect([url, ...(await post(url, payload))]).toMatchObject([url, 503, refused]);
    }
    expect([server.simulator.calls.total("cardladder"), server.simulator.calls.total("cardsiq")]).toEqual([0, 0]);
  } finally {
    await server.closeAll();
  }
});

test("with one configured source, only that one is called", async () => {
  const server = await startScanTest({ PRICING_DELAY_MS: "0", CARDLADDER_PASSWORD: "" });
  try {
    const rows = await runSheet(server, server.admin, pricedSheet(lines));
    expect(statesOf(rows)).toEqual(["null priced", "null priced"]);
    const url = `/api/scan-results/${rows[0]?.id}/pricing`;
    const answer = await server.app.inject({ method: "POST", url, headers: server.admin.headers });
    expect(answer.statusCode).toBe(200);
  } finally {
    await server.closeAll();
  }
});

test("prices of a source whose credentials were removed are not waited for after a restart, and come when they are back", async () => {
  const simulator = await startSimulator({ hasPlainImages: true });
  const database = await createTestDatabase();
  const folder = await temporaryFolder();
  const pool = openPool(database.settings, (error) => expect.unreachable(error.message), 8);
  const db = openDatabase(pool);
  const admin = { email: "admin@example.com", password: "first-admin-password" };
  const startNode = async (settings: Record<string, string>): Promise<Server> => {
    const config = parseConfig({
      UPSTREAMS: "live",
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      CARD_DELAY_MS: "0",
      PRICING_DELAY_MS: "0",
      ...simulator.settings,
      ...settings,
    });
    const parts = {
      config,
      settings: database.settings,
      pool,
      db,
      dataDir: folder.path,
      passwords: QUICK_PASSWORDS,
      log: pino({ level: "silent" }),
      intervals: SHORT_INTERVALS,
    };
    const node = await createServer(parts);
    await node.start();
    await node.app.ready();
    return node;
  };
  const signIn = async ({ app }: Server): Promise<{ authorization: string }> => {
    const answer = await app.inject({ method: "POST", url: "/api/auth/sign-in/email", payload: admin });
    return { authorization: `Bearer ${answer.json<{ token: string }>().token}` };
  };
  const seen = async ({ app }: Server, headers: { authorization: string }, id: string): Promise<ScanSession> =>
    (await app.inject({ url: `/api/scan-sessions/${id}`, headers })).json();
  try {
    const before = await startNode({});
    const headers = await signIn(before);
    await sql`
      UPDATE endpoints SET paused_until = now() + interval '29 seconds', pause_code = 'unavailable', pause_message = ''
      WHERE name = 'cardladder'`.execute(db);
    const payload = pricedSheet(lines);
    const answer = await before.app.inject({ method: "POST", url: "/api/scan-sessions", headers, payload });
    const { id } = answer.json<ScanSession>();
    await vi.waitUntil(
      async () => {
        const { processedCards, prices } = await seen(before, headers, id);
        return processedCards === 2 && prices.pending === 2;
      },
      { timeout: 20_000 },
    );
    expect((await seen(before, headers, id)).status).toBe("processing");
    await before.stop();

    const after = await startNode({ CARDLADDER_PASSWORD: "" });
    const rowsSeen = async (node: Server): Promise<string[]> => {
      const answer = await node.app.inject({ url: `/api/scan-sessions/${id}/results`, headers });
      return statesOf(answer.json<{ results: ResultRow[] }>().results);
    };
    await vi.waitUntil(async () => (await seen(after, headers, id)).status === "completed", { timeout: 20_000 });
    expect(await seen(after, headers, id)).toMatchObject({ prices: { pending: 0, waiting: 2 } });
    expect(await rowsSeen(after)).toEqual(["waiting priced", "waiting priced"]);
    await after.stop();
    const log = await db
      .selectFrom("user_activity_logs")
      .select("activity_type")
      .where("activity_type", "=", "scan_completed")
      .execute();
    expect(log).toHaveLength(1);

    await sql`UPDATE endpoints SET paused_until = NULL WHERE name = 'cardladder'`.execute(db);
    const back = await startNode({});
    await vi.waitUntil(async () => (await seen(back, headers, id)).prices.waiting === 0, { timeout: 20_000 });
    await vi.waitUntil(async () => (await seen(back, headers, id)).prices.pending === 0, { timeout: 20_000 });
    expect(await rowsSeen(back)).toEqual(["priced priced", "priced priced"]);
    await back.stop();
  } finally {
    await db.destroy();
    await database.end();
    await folder.remove();
    await simulator.close();
  }
});
