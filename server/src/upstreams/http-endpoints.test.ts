import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { UpstreamAnswer } from "./endpoint.ts";
import { createEndpoints } from "./http-endpoints.ts";
import { startLocalUpstream } from "../testing/local-upstream.ts";
import type { LocalUpstream, Reply } from "../testing/local-upstream.ts";

const TIMEOUT_MS = 300;
const PATIENCE_MS = 20_000;
let upstream: LocalUpstream;
let elsewhere: LocalUpstream;
let open: ReturnType<typeof createEndpoints>;

beforeEach(async () => {
  [upstream, elsewhere] = await Promise.all([startLocalUpstream(), startLocalUpstream()]);
  open = createEndpoints({ REQUEST_TIMEOUT_MS: PATIENCE_MS });
});
afterEach(async () => {
  await open.close();
  await Promise.all([upstream.close(), elsewhere.close()]);
});

const ask = (path: string, rest: { method?: "GET" | "POST" | "HEAD"; body?: string } = {}): Promise<UpstreamAnswer> =>
  open.endpoints["psa-api"]({ url: `${upstream.origin}${path}`, ...rest });

test("an answer has text, status, lower-case headers, and URL", async () => {
  upstream.on("/card", { status: 404, headers: { "X-Seen": "Yes" }, body: '"Certificate Number Not Found"' });
  expect(await ask("/card")).toEqual({
    kind: "answered",
    status: 404,
    headers: expect.objectContaining({ "x-seen": "Yes" }) as unknown,
    text: '"Certificate Number Not Found"',
    url: `${upstream.origin}/card`,
  });
});

test("API endpoints ask for JSON, page endpoints for HTML, all with a user agent that names the caller", async () => {
  await ask("/api");
  await open.endpoints["psa-page"]({ url: `${upstream.origin}/page` });
  await open.endpoints["cgc-api"]({
    url: `${upstream.origin}/own`,
    headers: { Accept: "text/plain", Authorization: "Bearer t" },
  });
  expect(upstream.seen.map(({ path, headers }) => [path, headers.accept])).toEqual([
    ["/api", "application/json"],
    ["/page", "text/html"],
    ["/own", "text/plain"],
  ]);
  expect(upstream.seen[2]?.headers.authorization).toBe("Bearer t");
  expect(upstream.seen[0]?.headers["user-agent"]).toMatch(/^Mozilla\/5\.0 \(compatible; Slabdesk\/[\d.]+; .+\)$/);
});

test("HEAD has no body, POST has one", async () => {
  upstream.on("/photo", { headers: { "content-length": "9000000", "content-type": "image/jpeg" } });
  upstream.on("/login", { body: "token" });
  expect(await ask("/photo", { method: "HEAD" })).toMatchObject({ kind: "answered", status: 200, text: "" });
  expect(await ask("/login", { method: "POST", body: "{}" })).toMatchObject({ kind: "answered", text: "token" });
  expect(upstream.seen.map(({ method, body }) => [method, body])).toEqual([
    ["HEAD", ""],
    ["POST", "{}"],
  ]);
});

test("connections are reused", async () => {
  const ports = new Set<number | undefined>();
  upstream.on("/", (response) => {
    ports.add(response.socket?.remotePort);
    response.end("ok");
  });
  for (let call = 0; call < 5; call += 1) await ask("/");
  expect(upstream.seen).toHaveLength(5);
  expect(ports.size).toBeLessThan(5);
});

const stall: [string, Reply][] = [
  ["before the headers", () => undefined],
  ["after the headers", (response) => response.writeHead(200).flushHeaders()],
  ["in the body", (response) => response.writeHead(200, { "content-length": "100" }).write("half")],
  [
    "in a compressed body",
    (response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).write(gzipSync("x".repeat(500)).subarray(0, 12)),
  ],
  ["in a redirect's body", (response) => response.writeHead(302, { location: "/on" }).write("moved")],
];
test.each(stall)("a call that stalls %s times out", async (_where, reply) => {
  upstream.on("/", reply);
  upstream.on("/on", () => undefined);
  const hasty = createEndpoints({ REQUEST_TIMEOUT_MS: TIMEOUT_MS });
  expect(await hasty.endpoints["psa-api"]({ url: upstream.origin })).toEqual({
    kind: "timed_out",
    timeoutMs: TIMEOUT_MS,
  });
  await hasty.close();
});

const LIMIT = 200_000;
/** The beginning of a gzip file of this many bytes, whose blocks are empty. */
function emptyBlocks(bytes: number): Buffer {
  const head = gzipSync("").subarray(0, 10);
  return Buffer.concat([head, Buffer.alloc(bytes - head.length, Buffer.from([0, 0, 0, 0xff, 0xff]))]);
}
const tooLarge: [string, Reply][] = [
  ["announced", (response) => response.writeHead(200, { "content-length": String(LIMIT + 1) }).flushHeaders()],
  ["only counted", (response) => response.writeHead(200).end(Buffer.alloc(LIMIT + 1, " "))],
  [
    "small until it is decompressed",
    { headers: { "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(50_000_000)) },
  ],
  // The inner stage is 100 MB of empty blocks.
  [
    "empty after two decompressions",
    { headers: { "content-encoding": "gzip, gzip" }, body: gzipSync(emptyBlocks(100_000_000)) },
  ],
  ["empty, but long", { headers: { "content-encoding": "gzip" }, body: emptyBlocks(LIMIT + 5) }],
];
test.each(tooLarge)("an API's answer over 200 kB that is %s is too large", async (_how, reply) => {
  upstream.on("/", reply);
  expect(await ask("/")).toEqual({ kind: "too_large", limitBytes: LIMIT });
});

test.each([
  ["a card", "psa-api", LIMIT],
  ["prices", "cardsiq", 1_000_000],
  ["a page", "psa-page", 5_000_000],
] as const)("%s from %s is accepted up to %d bytes", async (_what, name, most) => {
  const { endpoints } = open;
  upstream.on("/most", { body: Buffer.alloc(most, "x") });
  upstream.on("/more", { body: Buffer.alloc(most + 1, "x") });
  const answer = await endpoints[name]({ url: `${upstream.origin}/most` });
  expect(answer.kind === "answered" && answer.text.length).toBe(most);
  expect(await endpoints[name]({ url: `${upstream.origin}/more` })).toMatchObject({ kind: "too_large" });
});

const encoded: [string, Reply][] = [
  ["gzip", { headers: { "content-encoding": "gzip" }, body: gzipSync("Pokémon") }],
  ["br", { headers: { "content-encoding": "br" }, body: brotliCompressSync("Pokémon") }],
  ["deflate", { headers: { "content-encoding": "deflate" }, body: deflateSync("Pokémon") }],
  ["gzip in br", { headers: { "content-encoding": "gzip, br" }, body: brotliCompressSync(gzipSync("Pokémon")) }],
  [
    "latin-1 by its header",
    { headers: { "content-type": "text/html; charset=ISO-8859-1" }, body: Buffer.from("Pokémon", "latin1") },
  ],
  ["UTF-8 with a byte order mark", { body: Buffer.from("\ufeffPokémon") }],
  ["a charset nobody knows", { headers: { "content-type": "text/html; charset=klingon" }, body: "Pokémon" }],
];
test.each(encoded)("reads %s", async (_encoding, reply) => {
  upstream.on("/", reply);
  expect(await ask("/")).toMatchObject({ kind: "answered", text: "Pokémon" });
});

test("a page's own charset counts if the header names none", async () => {
  const page = Buffer.concat([
    Buffer.from('<meta charset="windows-1252"><p>Pok'),
    Buffer.from([0xe9]),
    Buffer.from("mon"),
  ]);
  upstream.on("/", { headers: { "content-type": "text/html" }, body: page });
  expect(await ask("/")).toMatchObject({ text: expect.stringContaining("Pokémon") as unknown });
});

test("an empty answer may claim to be compressed", async () => {
  upstream.on("/", { status: 204, headers: { "content-encoding": "gzip" } });
  expect(await ask("/")).toMatchObject({ kind: "answered", status: 204, text: "" });
});

test("follows redirects on the same host up to three times", async () => {
  upstream.on("/1", { status: 301, headers: { location: "/2" } });
  upstream.on("/2", { status: 307, headers: { location: `${upstream.origin}/3?a=b` } });
  upstream.on("/3?a=b", { status: 302, headers: { location: "/4" } });
  upstream.on("/4", { body: "there" });
  upstream.on("/0", { status: 308, headers: { location: "/1" } });
  expect(await ask("/1")).toMatchObject({ kind: "answered", text: "there", url: `${upstream.origin}/4` });
  expect(await ask("/0")).toMatchObject({ kind: "network_error", cause: expect.any(Error) as unknown });
});

test("a redirected POST becomes a GET unless the redirect keeps the method", async () => {
  upstream.on("/see-other", { status: 303, headers: { location: "/done" } });
  upstream.on("/keep", { status: 307, headers: { location: "/done" } });
  await ask("/see-other", { method: "POST", body: "{}" });
  await ask("/keep", { method: "POST", body: "{}" });
  expect(upstream.seen.filter(({ path }) => path === "/done").map(({ method, body }) => [method, body])).toEqual([
    ["GET", ""],
    ["POST", "{}"],
  ]);
});

test("a redirect to another host, port, or scheme is returned, not followed", async () => {
  const targets = [
    `${elsewhere.origin}/x`,
    upstream.origin.replace("127.0.0.1", "localhost"),
    upstream.origin.replace("http:", "https:"),
    "ftp://127.0.0.1/x",
  ];
  for (const target of targets) {
    upstream.on("/away", { status: 302, headers: { location: target } });
    expect(await ask("/away")).toEqual({ kind: "redirected", to: new URL(target).href });
  }
  expect(elsewhere.seen).toEqual([]);
});

test("a redirect without a readable URL is an ordinary answer", async () => {
  upstream.on("/nowhere", { status: 302 });
  upstream.on("/broken", { status: 302, headers: { location: "http://[" } });
  expect(await ask("/nowhere")).toMatchObject({ kind: "answered", status: 302 });
  expect(await ask("/broken")).toMatchObject({ kind: "answered", status: 302 });
});

const broken: [string, Reply][] = [
  ["resets the connection", (response) => response.socket?.resetAndDestroy()],
  [
    "hangs up within the body",
    (response) =>
      void response.writeHead(200, { "content-length": "50" }).write("half", () => response.socket?.destroy()),
  ],
  ["sends what is no gzip", { headers: { "content-encoding": "gzip" }, body: "no gzip" }],
  [
    "cuts the gzip short",
    { headers: { "content-encoding": "gzip" }, body: gzipSync("x".repeat(5000)).subarray(0, 30) },
  ],
  ["uses an encoding nobody asked for", { headers: { "content-encoding": "compress" }, body: "?" }],
  ["speaks no HTTP", (response) => void response.socket?.end("HELLO\r\n\r\n")],
];
test.each(broken)("an upstream that %s is a network error with its cause", async (_what, reply) => {
  upstream.on("/", reply);
  expect(await ask("/")).toMatchObject({ kind: "network_error", cause: expect.any(Error) as unknown });
});

test("a closed port is a network error", async () => {
  await upstream.close();
  expect(await ask("/")).toMatchObject({
    kind: "network_error",
    cause: expect.objectContaining({ code: "ECONNREFUSED" }) as unknown,
  });
  upstream = await startLocalUpstream();
});
