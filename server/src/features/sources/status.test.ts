import { expect, test } from "vitest";
import serverPackage from "../../../package.json" with { type: "json" };
import { startTestServer } from "../../testing/test-server.ts";

test("the status tells environment, version and how the upstreams are reached, to anyone", async () => {
  const server = await startTestServer({ NODE_ENV: "staging", UPSTREAMS: "demo", SCRAPING: "off" });
  try {
    const answer = await server.app.inject("/api/status");
    expect(answer.json()).toEqual({
      status: "online",
      environment: "staging",
      version: serverPackage.version,
      upstreams: "demo",
      scraping: "off",
    });
    const login = await server.app.inject({ method: "POST", url: "/api/auth/login", payload: { password: "" } });
    expect([login.statusCode, login.json<{ code: string }>().code]).toEqual([503, "not_configured"]);
  } finally {
    await server.close();
  }
});
