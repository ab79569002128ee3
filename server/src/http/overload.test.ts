import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OwnProfile } from "@slabdesk/contract/api/people.ts";
import { createShares } from "../concurrency/shares.ts";
import type { App } from "./app-instance.ts";
import { buildApp } from "./app.ts";
import { holdPlace } from "./concurrent-requests.ts";
import { signedIn } from "./guards.ts";

const person = (id: string): OwnProfile => ({
  id,
  email: `${id}@example.com`,
  fullName: id,
  role: "user",
  isActive: true,
  totalScans: 0,
  totalCardsProcessed: 0,
  lastLogin: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  mustChangePassword: false,
  hasTwoStep: false,
  mustSetUpTwoStep: false,
});

const longOnes = createShares({ total: Infinity, each: Infinity });
let app: App;
let open: number;
let finish: () => void;

beforeEach(async () => {
  open = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  finish = resolve;
  app = await buildApp({
    config: { HOST: "127.0.0.1", PUBLIC_URL: undefined, TRUSTED_PROXIES: [] },
    log: pino({ level: "silent" }),
    version: "0.0.0",
    resolveViewer: async ({ authorization = "" }) => ({
      kind: "viewer",
      viewer: person(authorization),
      authSessionId: authorization,
    }),
    checkDatabase: async () => {},
    routes: [
      async (routes) => {
        routes.get("/api/slow", { onRequest: [signedIn] }, async () => {
          open += 1;
          await promise;
          return {};
        });
        routes.get("/api/long", { onRequest: [signedIn] }, async (request, reply) => {
          await holdPlace(longOnes, request, reply);
          open += 1;
          await promise;
          return {};
        });
        routes.post("/api/quick", { onRequest: [signedIn] }, async () => ({}));
        const streams = { onRequest: [signedIn], schema: { produces: ["text/event-stream"] } };
        routes.get("/api/stream", streams, async () => ({}));
      },
    ],
    webFolder: null,
    longestLoopDelayMs: 0,
    longestQueueMs: 20,
  });
});
afterEach(async () => {
  finish();
  await app.close();
});

const send = (authorization: string, url = "/api/slow", method: "GET" | "POST" = "GET") =>
  app.inject({ method, url, headers: { authorization } });

/** Sends requests that stay open, and waits until they are served. The first request has proved whose they are. */
async function keepOpen(who: string, count: number, url?: string): Promise<void> {
  await send(who, "/api/quick", "POST");
  const before = open;
  for (let index = 0; index < count; index += 1) void send(who, url);
  while (open < before + count) await setImmediate();
}

describe("requests for data", () => {
  test("are refused when no place becomes free in time, and nothing else is", async () => {
    await keepOpen("ana", 4);
    const refused = await send("ana");
    expect(refused.statusCode).toBe(503);
    expect(refused.json()).toMatchObject({ code: "overloaded", error: expect.stringContaining("try again") });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await send("ana", "/api/stream")).statusCode).toBe(200);
    expect((await send("ana", "/api/quick", "POST")).statusCode).toBe(200);

    await keepOpen("ben", 4);
    await send("dee", "/api/quick", "POST");
    expect((await send("dee")).statusCode).toBe(503);
    finish();
    while ((await send("dee")).statusCode === 503) await setImmediate();
    expect((await send("ana")).statusCode).toBe(200);
  });

  test("give their place back when they take one of another limit", async () => {
    await keepOpen("ana", 10, "/api/long");
    await keepOpen("ana", 4);
    expect((await send("ana")).statusCode).toBe(503);
  });
});
