import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { finish, followUntil, sheetOf, startScan, startScanTest, type ScanTest } from "../../testing/scan-test.ts";
import type { TestNode } from "../../testing/test-server.ts";

let server: ScanTest;
let other: TestNode;
beforeAll(async () => {
  server = await startScanTest({ LANE_CONCURRENCY: `psa=${IN_FLIGHT}` });
  other = await server.anotherNode();
});
afterAll(async () => {
  await server.closeAll();
});

const IN_FLIGHT = 4;

test("all nodes obey a pause at once, also one that starts during it, and continue after the resume", async () => {
  const { headers } = server.admin;
  const lookUps = () =>
    server.simulator.calls.list({ endpoint: "psa-api", path: "/psa-api/publicapi/cert/GetByCertNumber" });
  server.simulator.behavior.latencyMs = 50;
  const lines = Array.from({ length: 40 }, (_, n): [string, string] => [String(56_000_000 + n), "PSA"]);
  const session = await startScan(server, server.admin, sheetOf(lines));
  await vi.waitUntil(() => lookUps().length > 5, { timeout: 20_000, interval: 10 });
  const paused = await other.app.inject({ method: "POST", url: "/api/admin/sources/psa/pause", headers });
  const pausedAt = Date.now();
  expect(paused.statusCode).toBe(200);
  await followUntil(
    server,
    server.admin,
    session.id,
    ({ session: { counts } }) => !counts.pending && !counts.processing,
  );

  const third = await server.anotherNode();
  for (const { app } of [server, other, third]) {
    const answer = await app.inject({ url: "/api/psa-with-fallback/57000001", headers });
    expect([answer.statusCode, errorBodySchema.parse(answer.json()).error]).toEqual([
      502,
      expect.stringMatching(/^PSA was paused by Administrator on /),
    ]);
  }
  // All later calls were already in flight, over all nodes.
  expect(lookUps().filter(({ at }) => at > pausedAt).length).toBeLessThanOrEqual(IN_FLIGHT);
  expect(lookUps().length).toBeLessThan(lines.length);

  const opened = await third.app.inject({ method: "POST", url: "/api/admin/sources/psa/open", headers });
  expect(opened.statusCode).toBe(200);
  const rows = await finish(server, server.admin, session);
  expect(rows.map(({ status }) => status)).toEqual(lines.map(() => "completed"));
  const asked = Map.groupBy(lookUps(), ({ cert }) => cert);
  expect([...asked.values()].map((calls) => calls.length)).toEqual(lines.map(() => 1));
});
