import { expect, test } from "vitest";
import serverPackage from "../../../package.json" with { type: "json" };
import { startTestServer } from "../../testing/test-server.ts";

test("the status has environment, version, and the kind of upstreams, without sign-in", async () => {
  const server = await startTestServer({ NODE_ENV: "staging", UPSTREAMS: "demo", SCRAPING: "off", HOST: "0.0.0.0" });
  try {
    const answer = await server.app.inject("/api/status");
    expect(answer.json()).toEqual({
      status: "online",
      environment: "staging",
      version: serverPackage.version,
      upstreams: "demo",
      scraping: "off",
      isUnencrypted: true,
      priceSources: [],
    });
    const login = await server.app.inject({ method: "POST", url: "/api/auth/login", payload: { password: "" } });
    expect([login.statusCode, login.json<{ code: string }>().code]).toEqual([503, "not_configured"]);
  } finally {
    await server.close();
  }
});

const CARDLADDER = { CARDLADDER_WEB_KEY: "key", CARDLADDER_EMAIL: "desk@shop.test", CARDLADDER_PASSWORD: "secret" };
const CARDSIQ = { CARDSIQ_API_URL: "http://127.0.0.1:9", CARDSIQ_API_KEY: "key" };

test.each<[what: string, settings: Record<string, string>, on: string[]]>([
  ["CardLadder without a password", { ...CARDLADDER, ...CARDSIQ, CARDLADDER_PASSWORD: "" }, ["cardsiq"]],
])("the price sources that are on: %s", async (_what, settings, on) => {
  const server = await startTestServer(settings);
  try {
    expect((await server.app.inject("/api/status")).json()).toMatchObject({ upstreams: "live", priceSources: on });
  } finally {
    await server.close();
  }
});
