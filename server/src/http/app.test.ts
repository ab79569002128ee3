import { connect } from "node:net";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { errorBodySchema, type ErrorBody } from "@slabdesk/contract/api/errors.ts";
import { profileOf } from "../testing/profile.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { buildApp, type AppParts } from "./app.ts";
import { anyone, type App, refuseCrossSite, signedIn, viewerOf } from "./guards.ts";
import { HttpError } from "./http-error.ts";

let app: App | undefined;
let logged: string[] = [];
beforeEach(() => {
  logged = [];
});
afterEach(async () => {
  await app?.close();
});

async function build(routes: FastifyPluginAsyncZod, parts: Partial<AppParts> = {}): Promise<App> {
  app = await buildApp({
    config: { HOST: "127.0.0.1", PUBLIC_URL: undefined, TRUSTED_PROXIES: [] },
    log: pino({ level: "warn" }, { write: (line: string) => void logged.push(line) }),
    version: "0.0.0",
    resolveViewer: async () => ({ kind: "nobody", cookies: [] }),
    findToken: async ({ authorization = null }) => authorization,
    checkDatabase: async () => {},
    routes: [routes],
    webFolder: null,
    longestLoopDelayMs: 0,
    longestQueueMs: 60_000,
    slowReaderMs: 60_000,
    blockMs: 1_000,
    ...parts,
  });
  return app;
}

const onRequest = [anyone];
const routes: FastifyPluginAsyncZod = async (app) => {
  app.post("/api/things", { onRequest, schema: { body: z.object({ name: z.string() }) } }, async () => ({}));
  app.post("/api/acts", { onRequest }, async () => ({ done: true }));
  app.get("/api/changes", { onRequest: [anyone, refuseCrossSite] }, async () => ({ changed: true }));
  app.get("/api/fails", { onRequest }, async () => {
    throw new Error("connect to 10.0.0.5 with password hunter2", { cause: new Error("the deeper reason") });
  });
  app.get("/api/refuses", { onRequest }, async () => {
    throw new HttpError(409, "conflict", "It is taken", {
      fields: { name: "is taken" },
      headers: { "retry-after": "3" },
    });
  });
  app.get(
    "/api/wrong-answer",
    { onRequest, schema: { response: { 200: z.object({ count: z.number() }) } } },
    async (_request, reply) => reply.send({ count: "many" } as unknown as { count: number }),
  );
  app.get("/api/long", { onRequest }, async (_request, reply) => reply.send({ text: "slab ".repeat(1000) }));
};

const viewer = profileOf("someone");
const whoAmI: FastifyPluginAsyncZod = async (app) => {
  app.get("/api/me", { onRequest: [signedIn] }, async (request) => ({ id: viewerOf(request).id }));
};

function expectError(
  answer: { statusCode: number; body: string; headers: Record<string, unknown> },
  status: number,
  code: string,
): ErrorBody {
  expect(answer.statusCode).toBe(status);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  const body = z.strictObject(errorBodySchema.shape).parse(JSON.parse(answer.body));
  expect(body.code).toBe(code);
  expect(body.requestId).toBe(answer.headers["x-request-id"]);
  return body;
}

describe("the one error body", () => {
  const json = { "content-type": "application/json" };
  const cases = [
    ["an unknown address", { url: "/api/nothing" }, 404, "no_such_thing"],
    ["an unknown method", { method: "DELETE", url: "/api/things" }, 404, "no_such_thing"],
    ["an address that cannot be decoded", { url: "/api/%E0%A4%A" }, 400, "bad_request"],
    ["a body of the wrong shape", { method: "POST", url: "/api/things", payload: { name: 5 } }, 400, "bad_request"],
    ["broken JSON", { method: "POST", url: "/api/things", headers: json, payload: '{"name":' }, 400, "bad_request"],
    ["an empty JSON body", { method: "POST", url: "/api/things", headers: json }, 400, "bad_request"],
    [
      "JSON that reaches for prototypes",
      { method: "POST", url: "/api/things", headers: json, payload: '{"__proto__":{}}' },
      400,
      "bad_request",
    ],
    [
      "an unknown kind of content",
      { method: "POST", url: "/api/things", headers: { "content-type": "text/plain" }, payload: "x" },
      415,
      "unsupported_media_type",
    ],
    [
      "a body that is too large",
      { method: "POST", url: "/api/things", payload: { name: "x".repeat(20_000) } },
      413,
      "too_large",
    ],
    [
      "a body that is too large, at an unknown address",
      { method: "POST", url: "/api/nothing", payload: { name: "x".repeat(20_000) } },
      413,
      "too_large",
    ],
    ["a refusal", { url: "/api/refuses" }, 409, "conflict"],
    ["a bug", { url: "/api/fails" }, 500, "internal"],
    ["an answer that breaks its promise", { url: "/api/wrong-answer" }, 500, "internal"],
    [
      "a change from another site",
      { method: "POST", url: "/api/things", payload: { name: "x" }, headers: { "sec-fetch-site": "cross-site" } },
      403,
      "cross_site",
    ],
  ] as const;

  test.each(cases)("answers %s", async (_name, request, status, code) => {
    const app = await build(routes);
    expectError(await app.inject({ ...request }), status, code);
  });

  test("accepts an empty JSON body where none is needed", async () => {
    const app = await build(routes);
    const answer = await app.inject({ method: "POST", url: "/api/acts", headers: json });
    expect([answer.statusCode, answer.json()]).toEqual([200, { done: true }]);
  });

  test("names the fields of an invalid body", async () => {
    const app = await build(routes);
    const answer = await app.inject({ method: "POST", url: "/api/things", payload: {} });
    expect(expectError(answer, 400, "bad_request").fields?.["name"]).toContain("expected string");
  });

  test("has the fields and headers of a refusal", async () => {
    const app = await build(routes);
    const answer = await app.inject("/api/refuses");
    expect(expectError(answer, 409, "conflict")).toMatchObject({ error: "It is taken", fields: { name: "is taken" } });
    expect(answer.headers["retry-after"]).toBe("3");
    expect(logged).toEqual([]);
  });

  test("reveals nothing about a bug, which the log has in full under the request id", async () => {
    const app = await build(routes);
    const answer = await app.inject("/api/fails");
    expect(answer.body).not.toMatch(/hunter2|10\.0\.0\.5|deeper/);
    const { requestId } = answer.json<ErrorBody>();
    expect(logged).toHaveLength(1);
    for (const part of [requestId, "hunter2", "the deeper reason", "/api/fails"]) expect(logged[0]).toContain(part);
  });

  test("logs an expected failure without its stack", async () => {
    const app = await build(async (app) => {
      app.get("/api/missing", { onRequest }, async () => {
        throw new HttpError(503, "not_configured", "Not set up");
      });
    });
    await app.inject("/api/missing");
    expect(logged.map((line): unknown => JSON.parse(line))).toMatchObject([{ err: "Not set up" }]);
  });

  test("logs the first twenty expected failures of a route in a minute", async () => {
    const app = await build(async (app) => {
      app.get("/api/lost/:id", { onRequest }, async () => {
        throw new HttpError(502, "unavailable", "Lost");
      });
    });
    for (let n = 0; n < 60; n += 1) await app.inject(`/api/lost/${n}`);
    // If a new minute begins during the test, the count starts over.
    expect([20, 40]).toContain(logged.length);
  });

  test("answers a request that is not HTTP", async () => {
    const app = await build(routes);
    await app.listen({ port: 0, host: "127.0.0.1" });
    const conversation = talk(app);
    conversation.write("NONSENSE\r\n\r\n");
    const answer = await conversation.heard;
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(errorBodySchema.parse(JSON.parse(answer.split("\r\n\r\n")[1] ?? ""))).toMatchObject({ code: "bad_request" });
  });
});

describe("the request limit", () => {
  const flood = async (app: App, request: { url: string; headers?: Record<string, string> }) => {
    for (let count = 0; count < 1_200; count += 1) await app.inject(request);
  };

  test("refuses a flood and does not affect other addresses", async () => {
    const app = await build(routes);
    for (let count = 0; count < 1_199; count += 1) await app.inject("/api/nothing");
    expect((await app.inject("/api/long")).statusCode).toBe(200);
    const answer = await app.inject("/api/long");
    expectError(answer, 429, "too_many_requests");
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect((await app.inject({ url: "/api/long", remoteAddress: "198.51.100.1" })).statusCode).toBe(200);
    expect((await app.inject("/healthz")).statusCode).toBe(200);
  });

  test.each([{ cookie: "x" }, { authorization: "Bearer x" }])(
    "counts a flood by address, whatever %o says",
    async (headers) => {
      const app = await build(whoAmI);
      await flood(app, { url: "/api/me", headers });
      expectError(await app.inject({ url: "/api/me", headers }), 429, "too_many_requests");
      expectError(await app.inject("/api/me"), 429, "too_many_requests");
    },
  );

  test.each(["/%61pi/changes", "http://localhost/api/changes"])("counts requests for %s too", async (url) => {
    const app = await build(routes);
    await app.listen({ port: 0, host: "127.0.0.1" });
    const ask = async () => {
      const conversation = talk(app);
      conversation.write(`GET ${url} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
      return conversation.heard;
    };
    expect(await ask()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*cache-control: no-store\r\n/);
    await flood(app, { url: "/api/nothing" });
    expect(await ask()).toMatch(/^HTTP\/1\.1 429 /);
  });

  test("does not affect users with a valid auth session, until it ends", async () => {
    const signedInAs = new Map([["Bearer good", viewer]]);
    let asked = 0;
    const app = await build(whoAmI, {
      resolveViewer: async ({ authorization = "" }) => {
        asked += 1;
        const found = signedInAs.get(authorization);
        return found ? { kind: "viewer", viewer: found, authSessionId: "1" } : { kind: "nobody", cookies: [] };
      },
    });
    const request = { url: "/api/me", headers: { authorization: "Bearer good" } };
    expect((await app.inject(request)).json()).toEqual({ id: viewer.id });
    await flood(app, { url: "/api/nothing" });
    expectError(await app.inject("/api/nothing"), 429, "too_many_requests");
    expect((await app.inject(request)).statusCode).toBe(200);
    expect(asked).toBe(2);

    signedInAs.clear();
    expectError(await app.inject(request), 401, "unauthorized");
    expectError(await app.inject(request), 429, "too_many_requests");
  });

  test("allows a person fewer changes and exports than reads", async () => {
    const app = await build(
      async (app) => {
        await whoAmI(app, {});
        app.post("/api/changes", { onRequest: [signedIn] }, async () => ({}));
        app.get("/api/things/export", { onRequest: [signedIn] }, async () => ({}));
      },
      { resolveViewer: async () => ({ kind: "viewer", viewer, authSessionId: "1" }) },
    );
    const headers = { authorization: "Bearer good" };
    await app.inject({ url: "/api/me", headers });
    for (let count = 0; count < 3_000; count += 1) await app.inject({ method: "POST", url: "/api/changes", headers });
    const ended: string[] = [];
    const refused = async (request: { method: "POST" | "GET"; url: string }): Promise<void> => {
      expectError(await app.inject({ ...request, headers }), 429, "too_many_requests");
      ended.push(request.url);
    };
    const health = app.inject("/healthz").then(() => ended.push("/healthz"));
    await Promise.all([refused({ method: "POST", url: "/api/changes" }), health]);
    // A refusal is delayed, so that repeating it takes little from others.
    expect(ended).toEqual(["/healthz", "/api/changes"]);
    await refused({ method: "GET", url: "/api/things/export" });
    expect((await app.inject({ url: "/api/me", headers })).statusCode).toBe(200);
  });

  test("delays the 400 for a URL that can't be decoded, because no limit applies to it", async () => {
    const app = await build(routes);
    const ended: string[] = [];
    const ask = async (url: string) => ended.push(`${(await app.inject(url)).statusCode} ${url}`);
    await Promise.all([ask("/%zz"), ask("/healthz")]);
    expect(ended).toEqual(["200 /healthz", "400 /%zz"]);
  });

  test("delays the 429 for a request without a sign-in, too", async () => {
    const refusing: FastifyPluginAsyncZod = async (app) => {
      app.get("/api/surplus", { onRequest }, async () => {
        throw new HttpError(429, "too_many_requests", "Too many requests");
      });
    };
    const app = await build(refusing);
    const ended: string[] = [];
    const ask = async (url: string): Promise<void> => {
      const { statusCode } = await app.inject(url);
      ended.push(`${statusCode} ${url}`);
    };
    await Promise.all([ask("/api/surplus"), ask("/healthz")]);
    expect(ended).toEqual(["200 /healthz", "429 /api/surplus"]);
  });

  test("counts all addresses of an IPv6 network together", async () => {
    const app = await build(routes);
    const ask = (remoteAddress: string) => app.inject({ url: "/api/long", remoteAddress });
    for (let count = 1; count <= 1_200; count += 1) await ask(`2001:db8::${count.toString(16)}`);
    expectError(await ask("2001:db8::ffff"), 429, "too_many_requests");
    expect((await ask("2001:db8:0:100::1")).statusCode).toBe(200);
  });

  test("counts requests outside /api, such as for the page's files, separately", async () => {
    const app = await build(routes);
    for (let count = 0; count < 2_999; count += 1) await app.inject("/nothing");
    expect((await app.inject("/readyz")).statusCode).toBe(200);
    expectError(await app.inject("/readyz"), 429, "too_many_requests");
    expect((await app.inject("/api/long")).statusCode).toBe(200);
    expect((await app.inject("/healthz")).statusCode).toBe(200);
    expect((await app.inject({ url: "/readyz", remoteAddress: "198.51.100.1" })).statusCode).toBe(200);
  });
});

describe("the caller's address behind a proxy", () => {
  const address: FastifyPluginAsyncZod = async (app) => {
    app.get("/api/address", { onRequest }, async ({ ip }) => ({ ip }));
  };
  const forwarded = { url: "/api/address", headers: { "x-forwarded-for": "203.0.113.9" } };

  test.each([
    ["nobody", [], "10.0.0.1", "10.0.0.1"],
    ["the proxy", ["10.0.0.1"], "10.0.0.1", "203.0.113.9"],
    ["the network of the proxy", ["192.0.2.1", "10.0.0.0/8"], "10.0.0.1", "203.0.113.9"],
    ["another proxy", ["10.0.0.2"], "10.0.0.1", "10.0.0.1"],
  ])("is right with %s trusted", async (_name, TRUSTED_PROXIES, remoteAddress, ip) => {
    const config = { HOST: "127.0.0.1", PUBLIC_URL: undefined, TRUSTED_PROXIES };
    const app = await build(address, { config });
    expect((await app.inject({ ...forwarded, remoteAddress })).json()).toEqual({ ip });
  });
});

describe("requests from other sites", () => {
  const cases = [
    ["POST", { "sec-fetch-site": "same-origin", origin: "http://localhost" }, true],
    ["POST", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }, false],
    ["POST", { "sec-fetch-site": "same-site", origin: "http://localhost:9999" }, false],
    ["POST", { origin: "https://evil.example" }, false],
    ["POST", { origin: "null" }, false],
    ["POST", { origin: "http://192.168.1.5:4600", host: "192.168.1.5:4600" }, true],
    ["POST", {}, true],
    ["GET", { "sec-fetch-site": "cross-site" }, false],
    ["GET", { "sec-fetch-site": "same-site" }, false],
    ["GET", { "sec-fetch-site": "same-origin" }, true],
    ["GET", { "sec-fetch-site": "none" }, true],
    ["GET", {}, true],
    ["GET", { referer: "https://evil.example/page" }, false],
    ["GET", { origin: "http://192.168.1.5:8080", upgrade: "websocket", host: "192.168.1.5:4600" }, false],
    ["GET", { cookie: "x=1", accept: "text/html,*/*;q=0.8", "accept-language": "en-US" }, false],
    ["GET", { cookie: "x=1", accept: "*/*", "accept-language": "*" }, false],
    ["GET", { cookie: "x=1", accept: "*/*", "accept-language": "*", "sec-fetch-mode": "cors" }, true],
    ["GET", { cookie: "x=1", accept: "*/*" }, true],
    ["GET", { cookie: "x=1" }, true],
    ["GET", { cookie: "x=1", referer: "http://192.168.1.5:4600/", host: "192.168.1.5:4600" }, true],
    ["POST", { cookie: "x=1" }, true],
    ["GET", { referer: "http://192.168.1.5:4600/", host: "192.168.1.5:4600" }, true],
    ["POST", { origin: "https://192.168.1.5:4600", host: "192.168.1.5:4600" }, false],
  ] as const;

  test("with an https PUBLIC_URL, an http page of the same host is another site", async () => {
    const config = { HOST: "127.0.0.1", PUBLIC_URL: "https://cards.example.com", TRUSTED_PROXIES: [] };
    const app = await build(routes, { config });
    for (const [protocol, status] of [
      ["https", 200],
      ["http", 403],
    ] as const) {
      const headers = { host: "cards.example.com", origin: `${protocol}://cards.example.com` };
      const answer = await app.inject({ method: "POST", url: "/api/things", payload: { name: "x" }, headers });
      expect([protocol, answer.statusCode]).toEqual([protocol, status]);
    }
  });

  test.each(cases)("%s with %o passes: %s", async (method, headers, passes) => {
    const app = await build(routes);
    const request =
      method === "POST" ? { method, url: "/api/things", payload: { name: "x" } } : { method, url: "/api/changes" };
    const answer = await app.inject({ ...request, headers: { ...headers } });
    if (passes) expect(answer.statusCode).toBe(200);
    else expectError(answer, 403, "cross_site");
  });

  test("may read: a GET that changes nothing passes", async () => {
    const app = await build(routes);
    expect((await app.inject({ url: "/api/long", headers: { "sec-fetch-site": "cross-site" } })).statusCode).toBe(200);
  });
});

describe("the name that a request uses", () => {
  const config = { HOST: "shop-pc", PUBLIC_URL: "https://cards.example.com", TRUSTED_PROXIES: [] };
  const cases = [
    ["localhost:4600", 200],
    ["127.0.0.1:4600", 200],
    ["192.168.1.5", 200],
    ["[::1]:4600", 200],
    ["CARDS.example.com", 200],
    ["shop-pc:4600", 200],
    ["rebind.evil.test", 421],
    ["cards.example.com.evil.test", 421],
    ["127.0.0.1.evil.test", 421],
    ["127.0.0.1:evil.test", 421],
    ["[::1].evil.test", 421],
  ] as const;

  test.each(cases)("is checked: %s gets %i", async (host, status) => {
    const app = await build(routes, { config });
    const answer = await app.inject({ url: "/api/long", headers: { host } });
    if (status === 421) expectError(answer, 421, "misdirected");
    else expect(answer.statusCode).toBe(status);
  });

  test("doesn't matter to health checks", async () => {
    const app = await build(routes, { config });
    expect((await app.inject({ url: "/healthz", headers: { host: "node-1:4600" } })).statusCode).toBe(200);
  });
});

test("answers of the API are not stored by browsers or proxies, and the page may use the camera only", async () => {
  const app = await build(routes);
  const { headers } = await app.inject("/api/long");
  expect(headers).toMatchObject({
    "cache-control": "no-store",
    "permissions-policy": expect.stringMatching(/^camera=\(self\), microphone=\(\)/) as unknown,
  });
  expect((await app.inject("/api/%ff")).headers).toMatchObject({ "cache-control": "no-store" });
});

describe("the server", () => {
  test("does not start if a route declares no guard", async () => {
    const app = await build(async (app) => {
      app.get("/api/open-endpoint", async () => ({}));
    });
    await expect(app.ready()).rejects.toThrow("GET /api/open-endpoint");
  });

  test("is ready when the database answers", async () => {
    const app = await build(routes, {
      checkDatabase: async () => {
        throw new Error("connection refused");
      },
    });
    expectError(await app.inject("/readyz"), 503, "unavailable");
    expect((await app.inject("/healthz")).json()).toEqual({ status: "ok" });
  });

  test("is not ready while the database hangs, and sends one query for all readiness checks", async () => {
    let asked = 0;
    const app = await build(routes, {
      checkDatabase: () => {
        asked += 1;
        return new Promise<void>(() => {});
      },
    });
    const [first, second] = await Promise.all([app.inject("/readyz"), app.inject("/readyz")]);
    expectError(first, 503, "unavailable");
    expectError(second, 503, "unavailable");
    expect(asked).toBe(1);
  });

  test("compresses long answers", async () => {
    const app = await build(routes);
    const answer = await app.inject({ url: "/api/long", headers: { "accept-encoding": "br" } });
    expect(answer.headers["content-encoding"]).toBe("br");
    expect(answer.rawPayload.length).toBeLessThan(1_000);
  });

  test("serves the built web app: hashed files cached forever, the page always revalidated", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder.path, "assets"));
    await writeFile(join(folder.path, "index.html"), "<title>Slabdesk</title>");
    await writeFile(join(folder.path, "assets", "index-abc123.js"), "export {};");
    const app = await build(routes, { webFolder: folder.path });
    const page = await app.inject("/");
    expect([page.statusCode, page.headers["cache-control"], page.body]).toEqual([
      200,
      "no-cache",
      "<title>Slabdesk</title>",
    ]);
    expect(page.headers["content-security-policy"]).toContain("img-src 'self' data: blob:");
    expect(page.headers["content-security-policy"]).not.toContain("upgrade-insecure-requests");
    const script = await app.inject("/assets/index-abc123.js");
    expect(script.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expectError(await app.inject("/assets/gone.js"), 404, "no_such_thing");
    expectError(await app.inject("/../secrets"), 404, "no_such_thing");
    const accept = "text/html,application/xhtml+xml";
    expect((await app.inject({ url: "/dashboard", headers: { accept } })).headers["location"]).toBe("/");
    expectError(await app.inject({ url: "/api/dashboard", headers: { accept } }), 404, "no_such_thing");
    await folder.remove();
  });

  test.each([
    ["br", "gzip, deflate, br", "br"],
    ["gzip if the client has no Brotli", "gzip, deflate", "gzip"],
    ["plain text if the client refuses both", "br;q=0, gzip;q=0", undefined],
    ["plain text if the client names no encoding", undefined, undefined],
  ])("sends the web app's files as %s", async (_name, accepted, encoding) => {
    const folder = await temporaryFolder();
    const text = `export const text = "${"slab ".repeat(1_000)}";`;
    await mkdir(join(folder.path, "assets"));
    await writeFile(join(folder.path, "assets", "index-abc123.js"), text);
    await writeFile(join(folder.path, "assets", "index-abc123.js.br"), brotliCompressSync(text));
    await writeFile(join(folder.path, "assets", "index-abc123.js.gz"), gzipSync(text));
    await writeFile(join(folder.path, "assets", "plain-abc123.js"), text);
    const app = await build(routes, { webFolder: folder.path });
    const headers = accepted === undefined ? {} : { "accept-encoding": accepted };
    // The server compresses no file itself, and the second one has no compressed copies.
    const files = [
      ["/assets/index-abc123.js", encoding],
      ["/assets/plain-abc123.js", undefined],
    ] as const;
    for (const [url, sentAs] of files) {
      const answer = await app.inject({ url, headers });
      expect(answer.headers).toMatchObject({
        "content-type": expect.stringMatching(/^application\/javascript/),
        "cache-control": "public, max-age=31536000, immutable",
        vary: expect.stringMatching(/accept-encoding/i),
      });
      expect(answer.headers["content-encoding"]).toBe(sentAs);
      expect(decoded(answer.rawPayload, sentAs)).toBe(text);
      const { etag } = answer.headers;
      expect((await app.inject({ url, headers: { ...headers, "if-none-match": String(etag) } })).statusCode).toBe(304);
    }
    await folder.remove();
  });

  test("serves its documentation with its own content policy", async () => {
    const app = await build(routes);
    const page = await app.inject("/api/docs");
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toMatch(/<script>|<script (?!src)/);
    expect((await app.inject("/api/docs/static/swagger-ui.css")).statusCode).toBe(200);
    // Anyone may ask for them, so they must not force compression work.
    for (const url of ["json", "yaml", "static/swagger-ui-bundle.js"]) {
      const file = await app.inject({ url: `/api/docs/${url}`, headers: { "accept-encoding": "br" } });
      expect([url, file.statusCode, file.headers["content-encoding"]]).toEqual([url, 200, undefined]);
    }
    expect((await app.inject("/api/docs/json")).body).toBe((await app.inject("/api/openapi.json")).body);
  });

  test("finishes running requests when it closes, and accepts no new ones", async () => {
    const held = Promise.withResolvers<void>();
    const [arrived, closingBegan, refused] = [1, 2, 3].map(() => Promise.withResolvers<void>());
    const app = await build(async (app) => {
      app.addHook("preClose", async () => closingBegan?.resolve());
      app.addHook("onError", async () => refused?.resolve());
      app.get("/api/slow", { onRequest }, async () => {
        arrived?.resolve();
        await held.promise;
        return { done: true };
      });
    });
    await app.listen({ port: 0, host: "127.0.0.1" });
    const request = "GET /api/slow HTTP/1.1\r\nhost: localhost\r\n\r\n";
    const conversation = talk(app);
    conversation.write(request);
    await arrived?.promise;
    const closing = app.close();
    await closingBegan?.promise;
    conversation.write(request);
    await refused?.promise;
    held.resolve();
    const heard = await conversation.heard;
    expect(heard).toMatch(/^HTTP\/1\.1 200 OK[^]*\{"done":true\}HTTP\/1\.1 503 Service Unavailable[^]*"overloaded"/);
    await closing;
  });
});

function decoded(body: Buffer, encoding: string | undefined): string {
  if (encoding === "br") return brotliDecompressSync(body).toString();
  return encoding === "gzip" ? gunzipSync(body).toString() : body.toString();
}

/** A raw connection. `heard` is everything the server sent until it closed the connection. */
function talk(app: App): { write: (text: string) => void; heard: Promise<string> } {
  const { port } = new URL(app.listeningOrigin);
  const socket = connect(Number(port), "127.0.0.1");
  const heard = new Promise<string>((resolve, reject) => {
    let text = "";
    socket
      .on("data", (chunk) => (text += String(chunk)))
      .on("end", () => resolve(text))
      .on("error", reject);
  });
  return { write: (text) => void socket.write(text), heard };
}
