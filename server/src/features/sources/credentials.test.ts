import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { credentialTestSchema, type CredentialTest, type SourceName } from "@slabdesk/contract/api/sources.ts";
import { openEndpoints, startScanTest, type ScanTest } from "../../testing/scan-test.ts";

let server: ScanTest;
beforeAll(async () => {
  server = await startScanTest({ CARD_DELAY_MS: "1", PRICING_DELAY_MS: "0" });
});
afterAll(async () => {
  await server.closeAll();
});
beforeEach(async () => {
  await openEndpoints(server);
  server.simulator.behavior.heal();
  server.simulator.calls.clear();
});

const post = (at: ScanTest, url: string) => at.app.inject({ method: "POST", url, headers: at.admin.headers });
async function tryThem(name: SourceName, at: ScanTest = server): Promise<CredentialTest> {
  const answer = await post(at, `/api/admin/sources/${name}/test`);
  expect(answer.statusCode, answer.body).toBe(200);
  const { settings } = at.simulator;
  for (const secret of [
    "CGC_API_PASSWORD",
    "CARDLADDER_PASSWORD",
    "CARDLADDER_WEB_KEY",
    "PSA_API_TOKEN",
    "TAG_API_KEY",
    "CARDSIQ_API_KEY",
  ])
    expect(answer.body).not.toContain(settings[secret]);
  return credentialTestSchema.parse(answer.json());
}
const callsMade = () => server.simulator.calls.list().map(({ endpoint, path }) => `${endpoint} ${path.split("?")[0]}`);

describe("testing credentials", () => {
  test.each([
    ["cgc", "cgc-api /cgc-api/auth/login/CGC"],
    ["cardladder", "cardladder-sign-in"],
  ] as const)("of %s signs in again each time, and looks nothing up", async (name, call) => {
    for (let n = 1; n <= 2; n += 1) {
      expect((await tryThem(name)).result).toBe("accepted");
      expect(callsMade()).toEqual(Array.from({ length: n }, () => expect.stringContaining(call) as unknown));
    }
  });

  test.each([
    ["psa", "psa-api /psa-api/publicapi/cert/GetByCertNumber/98174651"],
    ["tag", "tag-api /tag-api/graded-cards/public/detail/C1240631"],
    ["cardsiq", "cardsiq /cardsiq-api/api/price-batch"],
  ] as const)("of %s looks one card up", async (name, call) => {
    expect(await tryThem(name)).toMatchObject({
      result: "accepted",
      message: expect.stringMatching(/accepted our credentials$/),
    });
    expect(callsMade()).toEqual([expect.stringContaining(call)]);
  });

  test("of PSA counts against the quota", async () => {
    await tryThem("psa");
    const status = await server.app.inject({ url: "/api/psa-quota-status", headers: server.admin.headers });
    expect(status.json()).toMatchObject({ usedToday: 1 });
  });

  test.each([
    ["refused", "refused", /^CardLadder rejected our sign-in/],
    ["quota", "unknown", /^CardLadder/],
    ["server_error", "unknown", /^CardLadder/],
    ["reset", "unknown", /^CardLadder/],
  ] as const)("of CardLadder whose sign-in is %s: %s", async (fault, result, message) => {
    server.simulator.behavior.fail("cardladder-sign-in", fault);
    expect(await tryThem("cardladder")).toEqual({ result, message: expect.stringMatching(message) as unknown });
  });

  test("that are wrong reports them as refused without revealing them", async () => {
    const wrong = await startScanTest({ CGC_API_PASSWORD: "wrong-dealer", CARDLADDER_PASSWORD: "wrong-desk" });
    try {
      for (const name of ["cgc", "cardladder"] as const) {
        const { result, message } = await tryThem(name, wrong);
        expect([result, message]).toEqual(["refused", expect.stringMatching(/rejected our/)]);
        expect(message).not.toMatch(/wrong-d/);
      }
    } finally {
      await wrong.closeAll();
    }
  });

  test("makes no call and says so if a source is paused manually or has asked for a delay", async () => {
    await post(server, "/api/admin/sources/cgc/pause");
    expect(await tryThem("cgc")).toEqual({
      result: "unknown",
      message: expect.stringMatching(
        /^CGC was paused by Administrator on .*\. Resume it before testing its credentials$/,
      ) as unknown,
    });
    await post(server, "/api/admin/sources/cgc/open");
    server.simulator.behavior.fail("cgc-api", "quota");
    await server.app.inject({ url: "/api/cgc-api/1401019289294?forceRefresh=true", headers: server.admin.headers });
    server.simulator.calls.clear();
    expect((await tryThem("cgc")).message).toMatch(/Resume it before testing its credentials$/);
    expect(callsMade()).toEqual([]);
  });

  test("makes no call if the source is paused while the test waits for its turn", async () => {
    const isInLane = async (): Promise<boolean> => {
      const { rows } = await sql`
        SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%lanes%'`.execute(server.db);
      return rows.length > 0;
    };
    let trying: Promise<CredentialTest> | undefined;
    await server.db.transaction().execute(async (trx) => {
      await trx.selectFrom("lanes").select("name").where("name", "=", "cgc").forUpdate().execute();
      trying = tryThem("cgc");
      await vi.waitUntil(isInLane, { timeout: 30_000 });
      await post(server, "/api/admin/sources/cgc/pause");
    });
    const message = expect.stringMatching(/^CGC was paused by Administrator on .*\. Resume it before/) as unknown;
    expect(await trying).toEqual({ result: "unknown", message });
    expect(callsMade()).toEqual([]);
  });

  test("that are missing names the settings", async () => {
    const bare = await startScanTest({
      PSA_API_TOKEN: "",
      CGC_API_PASSWORD: "",
      TAG_API_KEY: "",
      CARDLADDER_EMAIL: "",
      CARDSIQ_API_KEY: "",
    });
    try {
      for (const [name, settings] of [
        ["psa", "PSA_API_TOKEN"],
        ["cgc", "CGC_API_USERNAME and CGC_API_PASSWORD"],
        ["tag", "TAG_API_KEY"],
        ["cardladder", "CARDLADDER_WEB_KEY, CARDLADDER_EMAIL and CARDLADDER_PASSWORD"],
        ["cardsiq", "CARDSIQ_API_URL and CARDSIQ_API_KEY"],
      ] as const) {
        const answer = await post(bare, `/api/admin/sources/${name}/test`);
        expect(credentialTestSchema.parse(answer.json())).toEqual({
          result: "unknown",
          message: expect.stringContaining(`enter its credentials here, or set ${settings}`) as unknown,
        });
      }
      expect(bare.simulator.calls.list()).toEqual([]);
    } finally {
      await bare.closeAll();
    }
  });
});

test("an unknown upstream is refused", async () => {
  for (const what of ["pause", "open", "test"])
    expect((await post(server, `/api/admin/sources/ebay/${what}`)).statusCode).toBe(400);
});
