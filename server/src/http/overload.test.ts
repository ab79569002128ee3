import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { heavyWork, noteRequest, requests } from "../concurrency/budgets.ts";
import { createShares } from "../concurrency/shares.ts";
import { profileOf } from "../testing/profile.ts";
import { buildApp } from "./app.ts";
import { holdPlace, withPlace } from "./concurrent-requests.ts";
import { type App, type FindToken, signedIn } from "./guards.ts";
import { EVENT_STREAM } from "./overload.ts";

const longOnes = createShares({ total: Infinity, each: 10, patienceMs: 20 });
/** The token is the first word. */
const findToken: FindToken = async ({ authorization = "" }) => authorization.split(" ")[0] ?? null;
let app: App;
let open: number;
let closed: number;
let finish: () => void;
/** What the guards wait for. */
let identified: Promise<void>;

beforeEach(async () => {
  open = 0;
  closed = 0;
  identified = Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  finish = resolve;
  app = await buildApp({
    config: { HOST: "127.0.0.1", PUBLIC_URL: undefined, TRUSTED_PROXIES: [] },
    log: pino({ level: "silent" }),
    version: "0.0.0",
    findToken,
    resolveViewer: async (credentials) => {
      await identified;
      return { kind: "viewer", viewer: profileOf((await findToken(credentials)) ?? ""), authSessionId: "1" };
    },
    checkDatabase: async () => {},
    routes: [
      async (routes) => {
        routes.get("/api/slow", { onRequest: [signedIn] }, async (_request, reply) => {
          reply.raw.once("close", () => (closed += 1));
          open += 1;
          await promise;
          return {};
        });
        routes.get("/api/long", { onRequest: [signedIn] }, async (request, reply) => {
          await holdPlace(longOnes, request, reply);
          reply.raw.once("close", () => (closed += 1));
          open += 1;
          await promise;
          return {};
        });
        routes.post("/api/slow", { onRequest: [signedIn] }, async () => {
          open += 1;
          await promise;
          return {};
        });
        const withOwnLimit = { onRequest: [signedIn, withPlace(longOnes)] };
        routes.post("/api/long", withOwnLimit, async () => ({}));
        routes.post("/api/quick", { onRequest: [signedIn] }, async () => ({}));
        const schema = { body: z.array(z.string()) };
        routes.post("/api/checked", { onRequest: [signedIn], schema, bodyLimit: 100_000 }, async () => ({}));
        routes.get("/api/change", { onRequest: [signedIn], config: { isChange: true } }, async () => {
          open += 1;
          await promise;
          return {};
        });
        const streams = { onRequest: [signedIn], schema: { produces: [EVENT_STREAM] } };
        routes.get("/api/stream", streams, async (request) => {
          request.releasePlace?.();
          open += 1;
          await promise;
          return {};
        });
      },
    ],
    webFolder: null,
    longestLoopDelayMs: 0,
    longestQueueMs: 20,
    slowReaderMs: 60_000,
    blockMs: 1_000,
  });
});
afterEach(async () => {
  finish();
  await app.close();
});

const send = (authorization: string, url = "/api/slow", method: "GET" | "HEAD" | "POST" = "GET") =>
  app.inject({ method, url, headers: { authorization } });

/** Sends requests that stay open, and waits until they are served. The first request has proved whose they are. */
async function keepOpen(who: string, count: number, url?: string): Promise<void> {
  await send(who, "/api/quick", "POST");
  const before = open;
  for (let index = 0; index < count; index += 1) void send(who, url);
  await vi.waitUntil(() => open >= before + count, { interval: 1, timeout: 30_000 });
}

describe("requests for data", () => {
  test("are refused if no place becomes free in time; other requests are not", async () => {
    await keepOpen("ana", 4);
    const refused = await send("ana");
    expect(refused.statusCode).toBe(503);
    expect(refused.json()).toMatchObject({ code: "overloaded", error: expect.stringContaining("try again") });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await send("ana", "/api/stream")).statusCode).toBe(503);
    expect((await send("ana", "/api/quick", "POST")).statusCode).toBe(200);
    expect((await send("ana", "/api/slow", "HEAD")).statusCode).toBe(503);

    await keepOpen("ben", 2);
    await send("dee", "/api/quick", "POST");
    expect((await send("dee")).statusCode).toBe(503);
    finish();
    await vi.waitUntil(async () => (await send("dee")).statusCode === 200, { interval: 1, timeout: 30_000 });
    expect((await send("ana")).statusCode).toBe(200);
  });

  test("for event streams hold a place only until the stream is open", async () => {
    await keepOpen("ana", 25, "/api/stream");
    await keepOpen("ana", 4);
  });

  test("give their place back when they take one of another limit", async () => {
    await keepOpen("ana", 10, "/api/long");
    await keepOpen("ana", 4);
    expect((await send("ana")).statusCode).toBe(503);
  });

  test("count toward the person, whatever else the credentials contain", async () => {
    await keepOpen("ana", 4);
    for (let n = 0; n < 2; n += 1) expect((await send(`ana ${n}`)).statusCode).toBe(503);
  });

  test("count toward the network until they are proven to be a person's", async () => {
    for (let n = 0; n < 4; n += 1) void send(`unknown${n}`);
    await expect.poll(() => open, { timeout: 20_000 }).toBe(4);
    expect((await send("unknown")).statusCode).toBe(503);
    await keepOpen("ana", 4);
  });

  test("to unknown addresses give their place back", async () => {
    await send("ana", "/api/quick", "POST");
    for (let n = 0; n < 7; n += 1) expect((await send("ana", "/api/unknown")).statusCode).toBe(404);
  });

  test.each([
    ["/api/slow", 4],
    ["/api/long", 10],
  ])("to %s hold their place until the work is done, even if the client has left", async (url, places) => {
    await app.listen({ port: 0, host: "127.0.0.1" });
    await send("ana", "/api/quick", "POST");
    const leaving = new AbortController();
    const options = { headers: { authorization: "ana" }, signal: leaving.signal };
    const left = Array.from({ length: places }, () => fetch(`${app.listeningOrigin}${url}`, options));
    await expect.poll(() => open, { timeout: 20_000 }).toBe(places);
    leaving.abort();
    await Promise.allSettled(left);
    await expect.poll(() => closed, { timeout: 20_000 }).toBe(places);
    expect((await send("ana", url)).statusCode).toBeGreaterThanOrEqual(500);
    finish();
    await expect.poll(async () => (await send("ana", url)).statusCode, { timeout: 20_000 }).toBe(200);
  });
});

test("requests that change data wait for the person's others, and are refused beyond twenty", async () => {
  const sent = Array.from({ length: 21 }, () => send("ana", "/api/slow", "POST"));
  await expect.poll(() => open, { timeout: 20_000 }).toBe(1);
  const refused = await send("ana", "/api/quick", "POST");
  expect([refused.statusCode, refused.json()]).toMatchObject([429, { error: expect.stringContaining("changes") }]);
  expect((await send("ana", "/api/long", "POST")).statusCode).toBe(200);
  expect((await send("ben", "/api/quick", "POST")).statusCode).toBe(200);
  expect(open).toBe(1);
  finish();
  expect(new Set((await Promise.all(sent)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
});

test("GET requests that change data wait for the person's other changes and take no place for reading", async () => {
  await send("ana", "/api/quick", "POST");
  for (let n = 0; n < 4; n += 1) void send("ana", "/api/change");
  await expect.poll(() => open, { timeout: 20_000 }).toBe(1);
  for (let n = 0; n < 4; n += 1) void send("ana");
  await expect.poll(() => open, { timeout: 20_000 }).toBe(5);
});

test("a client that leaves before its body is read holds no place", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  identified = promise;
  await app.listen({ port: 0, host: "127.0.0.1" });
  let arrived = 0;
  app.server.on("request", (_request, response: ServerResponse) => {
    arrived += 1;
    response.once("close", () => (closed += 1));
  });
  const leaving = new AbortController();
  const headers = { authorization: "ana", "content-type": "application/json" };
  const options = { method: "POST", headers, body: "{}", signal: leaving.signal };
  const left = Array.from({ length: 10 }, () => fetch(`${app.listeningOrigin}/api/long`, options));
  await expect.poll(() => arrived, { timeout: 20_000 }).toBe(10);
  leaving.abort();
  await Promise.allSettled(left);
  await expect.poll(() => closed, { timeout: 20_000 }).toBe(10);
  resolve();
  expect((await send("ana", "/api/long", "POST")).statusCode).toBe(200);
});

test.each([
  { what: "for data", method: "GET", url: "/api/slow", budget: requests },
  { what: "for changes", method: "POST", url: "/api/quick", budget: requests },
  { what: "with an invalid body", method: "POST", url: "/api/checked", budget: requests, payload: [1] },
  { what: "with a large body", method: "POST", url: "/api/checked", budget: heavyWork, payload: [" ".repeat(70_000)] },
] as const)(
  "requests $what of a person who has used up their budget wait while others send requests",
  async ({ what, url, budget, ...request }) => {
    const who = `busy-${what.replaceAll(" ", "-")}`;
    await send(who, "/api/quick", "POST");
    noteRequest("ben");
    budget.spend(who, 60_000);
    finish();
    // On a slow machine, the other request may be too long ago.
    await vi.waitUntil(
      async () => {
        await send("ben", "/api/quick", "POST");
        const answer = app.inject({ ...request, url, headers: { authorization: who } });
        return (await Promise.race([answer.then(() => "answered"), pause(200)])) !== "answered";
      },
      { timeout: 60_000 },
    );
  },
);
