import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { fastify } from "fastify";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { buildApp } from "./app.ts";
import { anyone, type App } from "./guards.ts";
import { limitConnections } from "./connections.ts";
import { endSlowBodies, limitArrivingBodies, readUnwantedSlowly } from "./request-bodies.ts";

let app: App;
let logged: string[];
let served: number;
beforeEach(() => {
  logged = [];
  served = 0;
});
afterEach(async () => {
  await app.close();
});

/** More than the buffers of a connection hold. */
const LARGE_BYTES = 64_000_000;

async function listen(TRUSTED_PROXIES: string[] = []): Promise<void> {
  app = await buildApp({
    config: { HOST: "127.0.0.1", PUBLIC_URL: undefined, TRUSTED_PROXIES },
    log: pino({ level: "debug" }, { write: (line: string) => void logged.push(line) }),
    version: "0.0.0",
    resolveViewer: async () => ({ kind: "nobody", cookies: [] }),
    findToken: async () => null,
    checkDatabase: async () => {},
    routes: [
      async (routes) => {
        const schema = { body: z.object({ name: z.string() }) };
        routes.post("/api/things", { onRequest: [anyone], schema }, async () => ({ served: (served += 1) }));
        routes.post("/api/sheets", { onRequest: [anyone], preParsing: endSlowBodies(60_000) }, async () => ({}));
        routes.get("/api/large", { onRequest: [anyone] }, async () => Buffer.alloc(LARGE_BYTES));
      },
    ],
    webFolder: null,
    longestLoopDelayMs: 0,
    longestQueueMs: 60_000,
    slowReaderMs: 300,
    blockMs: 500,
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
}

/** Both ends of a connection: the client's and the server's. */
async function talk(): Promise<{ sender: Socket; taken: Socket }> {
  const taking = once(app.server, "connection");
  const sender = connect(Number(new URL(app.listeningOrigin).port), "127.0.0.1");
  const [[taken]] = await Promise.all([taking, once(sender, "connect")]);
  return { sender, taken: taken as Socket };
}

const request = (body: string, length = body.length) =>
  `POST /api/things HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 203.0.113.9\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`;
const failures = () => logged.filter((line) => z.object({ level: z.number() }).parse(JSON.parse(line)).level >= 40);

test("leaving in the middle of a body is not an error", async () => {
  await listen();
  const { sender } = await talk();
  const asked = once(app.server, "request");
  sender.write(request('{"na', 99));
  await asked;
  sender.destroy();
  await expect
    .poll(() => logged.some((line) => line.includes("The client disconnected")), { timeout: 20_000 })
    .toBe(true);
  expect(failures()).toEqual([]);
});

test.each([
  ["nobody trusted", []],
  ["a trusted proxy", ["127.0.0.1"]],
])(
  "a request whose sender left early, with %s, is no error, and only a complete one is served",
  async (_name, proxies) => {
    await listen(proxies);
    for (const body of ['{"name":"x"}', '{"na']) {
      const { sender, taken } = await talk();
      const asked = once(app.server, "request");
      const gone = new Promise<void>((closed) => taken.once("close", () => closed()));
      // Sent data is still read after the reset.
      sender.write(request(body, 12));
      sender.resetAndDestroy();
      await asked;
      await gone;
    }
    expect(failures()).toEqual([]);
    expect(served).toBe(1);
  },
);

test("a client that stops reading its answer loses the connection; one that reads gets all of it", async () => {
  await listen();
  const { sender, taken } = await talk();
  const ended = once(taken, "close");
  sender.write("GET /api/large HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await ended;
  sender.destroy();
  const read = await (await fetch(`${app.listeningOrigin}/api/large`)).arrayBuffer();
  expect(read.byteLength).toBe(LARGE_BYTES);
});

test("the rest of a refused body doesn't delay the next request on its connection", async () => {
  await listen();
  const { sender } = await talk();
  let answers = "";
  sender.on("data", (data) => (answers += String(data)));
  const body = "<".repeat(4_000_000);
  const type = "content-type: text/html";
  sender.write(`POST /api/sheets HTTP/1.1\r\nhost: localhost\r\n${type}\r\ncontent-length: ${body.length}\r\n\r\n`);
  sender.write(`${body}GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  await expect
    .poll(() => answers.match(/HTTP\/1\.1 \d+/g), { timeout: 20_000 })
    .toEqual(["HTTP/1.1 415", "HTTP/1.1 200"]);
  sender.destroy();
});

test("the rest of a large refused body is read slowly", async () => {
  app = fastify();
  readUnwantedSlowly(app, 1);
  app.addHook("onRequest", async (_request, reply) => reply.code(401).send("Sign in first"));
  app.post("/", async () => ({}));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { sender, taken } = await talk();
  sender.on("error", () => {});
  const answered = once(sender, "data");
  sender.write(`POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${LARGE_BYTES}\r\n\r\n`);
  sender.write(Buffer.alloc(LARGE_BYTES));
  expect(String(await answered)).toContain("401 Unauthorized");
  // At full speed, the rest would be read in a fraction of this time.
  await Promise.race([once(sender, "drain"), pause(2_000)]);
  expect(sender.writableLength).toBeGreaterThan(0);
  taken.destroy();
});

test("more than four unanswered requests on a connection block their network for a moment; other networks are served", async () => {
  await listen();
  const { sender: idle } = await talk();
  const { sender } = await talk();
  let answers = "";
  sender.on("data", (data) => (answers += String(data)));
  sender.on("error", () => {});
  const closed = Promise.all([once(idle.resume(), "close"), new Promise((resolve) => sender.once("close", resolve))]);
  for (let count = 0; count < 50; count += 1)
    sender.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(1_000));
  await closed;
  expect(failures()).toEqual([expect.stringContaining("Blocked a network")]);
  expect(answers.split("HTTP/1.1 200").length - 1).toBeLessThanOrEqual(5);
  const port = Number(new URL(app.listeningOrigin).port);
  expect(await isServed({ port, localAddress: "127.0.0.2" })).toBe(true);
  await expect.poll(() => isServed({ port, localAddress: "127.0.0.1" }), { timeout: 20_000 }).toBe(true);
});

test("requests with an unknown Expect header count like others, and the header is ignored", async () => {
  await listen();
  const { sender } = await talk();
  const ask = "GET /healthz HTTP/1.1\r\nhost: localhost\r\nexpect: a-surprise\r\n\r\n";
  const answered = once(sender, "data");
  sender.write(ask);
  expect(String(await answered)).toContain("200 OK");
  sender.on("error", () => {});
  const closed = new Promise((resolve) => sender.once("close", resolve));
  sender.write(ask.repeat(100));
  await closed;
});

test("too many small chunks close their connection; more of them block their network; a few small chunks are served", async () => {
  await listen();
  const head = "POST /api/things HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
  const chunked = `${head}transfer-encoding: chunked\r\n\r\n`;
  const { sender: other } = await talk();
  const answered = once(other, "data");
  other.write(`${chunked}5\r\n{"nam\r\n6\r\ne":"x"\r\n1\r\n}\r\n0\r\n\r\n`);
  expect(String(await answered)).toContain('{"served":1}');
  const sendSmallChunks = async (): Promise<void> => {
    const { sender } = await talk();
    sender.on("error", () => {});
    const closed = new Promise((resolve) => sender.once("close", resolve));
    sender.write(chunked + "1\r\nx\r\n".repeat(1_000_000));
    await closed;
  };
  let isOtherClosed = false;
  other.once("close", () => (isOtherClosed = true));
  await sendSmallChunks();
  expect(isOtherClosed).toBe(false);
  await Promise.all([...Array(20).keys()].map(sendSmallChunks));
  await expect.poll(() => isOtherClosed, { timeout: 20_000 }).toBe(true);
  const port = Number(new URL(app.listeningOrigin).port);
  expect(await isServed({ port, localAddress: "127.0.0.2" })).toBe(true);
  await expect.poll(() => isServed({ port, localAddress: "127.0.0.1" }), { timeout: 20_000 }).toBe(true);
});

test("each network can have a limited number of bodies arriving, also behind a proxy", async () => {
  app = fastify({ trustProxy: ["127.0.0.1"] });
  limitArrivingBodies(app, 2);
  app.post("/", async () => ({}));
  await app.listen({ port: 0, host: "127.0.0.1" });
  const begin = async (address: string): Promise<Socket> => {
    const { sender } = await talk();
    const asked = once(app.server, "request");
    sender.write(
      `POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nx-forwarded-for: ${address}\r\ncontent-length: 9\r\n\r\n{`,
    );
    await asked;
    return sender;
  };
  const statusOf = async (sender: Socket): Promise<string> => String((await once(sender, "data"))[0]).slice(9, 12);
  const [first, second] = [await begin("203.0.113.1"), await begin("203.0.113.1")];
  const third = await begin("203.0.113.1");
  expect(await statusOf(third)).toBe("429");
  const other = await begin("203.0.113.2");
  other.write('"a":123}');
  expect(await statusOf(other)).not.toBe("429");
  first.write('"a":123}');
  expect(await statusOf(first)).not.toBe("429");
  const again = await begin("203.0.113.1");
  again.write('"a":123}');
  expect(await statusOf(again)).not.toBe("429");
  for (const sender of [first, second, third, other, again]) sender.destroy();
});

test("behind a trusted proxy, too many requests close only their own connection", async () => {
  await listen(["127.0.0.1"]);
  const { sender: other } = await talk();
  const answered = once(other, "data");
  other.write(request('{"name":"x"}'));
  await answered;
  const { sender } = await talk();
  sender.on("error", () => {});
  const closed = new Promise((resolve) => sender.once("close", resolve));
  sender.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(1_000));
  await closed;
  const again = once(other, "data");
  other.write(request('{"name":"x"}'));
  expect(String(await again)).toContain('{"served":2}');
});

/** Whether a request from this address gets an answer on a connection of its own. */
async function isServed(from: { port: number; localAddress: string }): Promise<boolean> {
  const socket = connect({ host: "127.0.0.1", ...from });
  socket.on("error", () => {});
  socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
  return new Promise((resolve) => {
    socket.once("data", () => resolve(true));
    socket.once("close", () => resolve(false));
  });
}

test("connections are limited per network, except for trusted proxies, and in total", async () => {
  app = fastify();
  limitConnections(
    app,
    { config: { TRUSTED_PROXIES: ["127.0.0.5"] }, slowReaderMs: 60_000, blockMs: 500 },
    { each: 2, total: 6 },
  );
  await app.listen({ port: 0, host: "::" });
  const port = Number(new URL(app.listeningOrigin).port);
  const from: boolean[] = [];
  const addresses = [
    "127.0.0.2",
    "127.0.0.2",
    "127.0.0.2",
    "127.0.0.5",
    "127.0.0.5",
    "127.0.0.5",
    "127.0.0.3",
    "127.0.0.4",
  ];
  for (const localAddress of addresses) from.push(await isServed({ port, localAddress }));
  expect(from).toEqual([true, true, false, true, true, true, true, false]);
});

test("closing the server doesn't wait for connections without a request", async () => {
  await listen();
  const { sender } = await talk();
  const closed = once(sender, "close");
  await app.close();
  await closed;
  expect(sender.bytesRead).toBe(0);
});
