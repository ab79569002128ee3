import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { PassThrough } from "node:stream";
import type { preParsingAsyncHookHandler } from "fastify";
import { createShares } from "../concurrency/shares.ts";
import type { Config } from "../config.ts";
import type { Intervals } from "../intervals.ts";
import type { App } from "./guards.ts";
import { HttpError, tryLater } from "./http-error.ts";
import { networkOf, oneOf } from "./own-address.ts";

/** Far slower than any usable connection, in either direction. */
const LEAST_BYTES_PER_SECOND = 4_000;
const TOO_SLOW = "The file arrived too slowly. Check your connection and send it again";

/** Ends requests whose body stops arriving: they hold a place. Enough of it must have arrived every `graceMs`. */
export function endSlowBodies(graceMs: number): preParsingAsyncHookHandler {
  const leastBytes = (LEAST_BYTES_PER_SECOND * graceMs) / 1_000;
  return async (_request, reply, payload) => {
    const body = new PassThrough();
    let bytes = 0;
    const check = setInterval(() => {
      if (bytes < leastBytes) body.destroy(new HttpError(408, "timeout", TOO_SLOW));
      bytes = 0;
    }, graceMs);
    body.once("close", () => clearInterval(check));
    // A request that is refused before its body is read has no other listener, and its answer ends the check.
    body.on("error", () => clearInterval(check));
    reply.raw.once("close", () => clearInterval(check));
    payload.on("data", (chunk: Buffer) => (bytes += chunk.length));
    payload.once("error", (error) => body.destroy(error));
    return payload.pipe(body);
  };
}

/** Even a large office sends fewer bodies at once. */
const ARRIVING_AT_MOST = 500;

/** Limits each network's requests whose bodies are still arriving. Behind a trusted proxy, the client's network counts. */
export function limitArrivingBodies(app: App, each = ARRIVING_AT_MOST): void {
  const refuse = () => tryLater(429, "Too many uploads from this address. Please wait a moment", 5);
  const shares = createShares({ total: Infinity, each, waiting: 0, refuse });
  app.addHook("onRequest", async ({ raw, ip }, reply) => {
    const { headers, complete } = raw;
    if (complete || !("content-length" in headers || "transfer-encoding" in headers)) return;
    const release = await shares.enter(networkOf(ip));
    raw.once("end", release);
    reply.raw.once("close", release);
  });
}

/** The pace for all unread bodies together, so that reading them takes little time from other requests. */
const UNWANTED_BYTES_PER_MS = 16_000;

/** Reads the rest of bodies whose requests were refused early, because the connection's next request follows it. */
export function readUnwantedSlowly(app: App, bytesPerMs = UNWANTED_BYTES_PER_MS): void {
  let paused = 0;
  app.addHook("onRequest", async ({ raw }, reply) => {
    // Node's own listener would read the rest at full speed, unless reading has begun.
    reply.raw.prependOnceListener("finish", () => {
      if (raw.complete) return;
      raw.unpipe().read();
      raw.on("data", ({ length }: Buffer) => {
        raw.pause();
        paused += 1;
        const goOn = (): void => {
          paused -= 1;
          raw.resume();
        };
        setTimeout(goOn, (length * paused) / bytesPerMs).unref();
      });
      raw.resume();
    });
  });
}

/** Clients wait for an answer before they send the next request on a connection. */
const UNANSWERED_AT_MOST = 4;
/** Each chunk takes time and memory, no matter how small it is. Clients and proxies normally send larger chunks. */
const SMALL_CHUNKS = { bytes: 512, aSecond: 10_000 };
/** A network can be an office or a proxy. Each connection takes memory and a file descriptor, which can run out. */
const CONNECTIONS = { each: 2_000, total: 8_000 };

type ConnectionParts = Pick<Intervals, "slowReaderMs" | "blockMs"> & { config: Pick<Config, "TRUSTED_PROXIES"> };

/**
 * Closes connections that could slow or crash the server: those beyond the limits, those of clients that stop reading,
 * and those that send too many requests or small chunks. The last two also close the network's other connections, and
 * new ones for `blockMs`, because Node parses a whole packet of them, for up to 20 ms, before a connection can be closed.
 * The first connection with too many small chunks only closes itself, because it may belong to a harmless script.
 */
export function limitConnections(app: App, parts: ConnectionParts, { each, total } = CONNECTIONS): void {
  const open = new Map<string, Set<Socket>>();
  const unanswered = new WeakMap<Socket, number>();
  const blocked = new Set<string>();
  const smallChunks = new Map<string | Socket, number>();
  const proxies = new Set<string>();
  const isProxy = oneOf(parts.config.TRUSTED_PROXIES);
  const block = (network: string, socket: Socket): void => {
    socket.destroy();
    // The other connections of a trusted proxy carry other people's requests.
    if (proxies.has(network) || blocked.has(network)) return;
    app.log.warn({ network }, "Blocked a network for sending too many requests or small chunks at once");
    blocked.add(network);
    setTimeout(() => blocked.delete(network), parts.blockMs).unref();
    for (const one of open.get(network) ?? []) one.destroy();
  };
  app.server.maxConnections = total;
  app.server.on("connection", (socket) => {
    const network = networkOf(socket.remoteAddress ?? "");
    if (isProxy(socket.remoteAddress ?? "")) proxies.add(network);
    const sockets = (open.get(network) ?? new Set()).add(socket);
    open.set(network, sockets);
    socket.once("close", () => {
      sockets.delete(socket);
      if (sockets.size === 0) open.delete(network);
    });
    if (blocked.has(network) || (sockets.size > each && !proxies.has(network))) socket.destroy();
  });
  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    if (socket.destroyed) return;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    response.once("close", () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    const network = networkOf(socket.remoteAddress ?? "");
    if (count > UNANSWERED_AT_MOST) return block(network, socket);
    onSmallChunks(request, () => {
      const sender = proxies.has(network) ? socket : network;
      const small = (smallChunks.get(sender) ?? 0) + 1;
      smallChunks.set(sender, small);
      if (small === SMALL_CHUNKS.aSecond + 1) socket.destroy();
      else if (small > SMALL_CHUNKS.aSecond) block(network, socket);
    });
    app.routing(request, response);
  };
  // Before Fastify, because handling each of a thousand requests in a packet takes too long. Without the second
  // listener, Node would answer requests with an unknown Expect header itself, without a limit.
  app.server.removeAllListeners("request").on("request", receive).on("checkExpectation", receive);
  const ends = [endSlowReaders(open, parts.slowReaderMs), setInterval(() => smallChunks.clear(), 1_000)];
  app.addHook("onClose", async () => ends.forEach(clearInterval));
}

/** A client with unread bytes at two checks in a row must have read enough between them. Unread answers fill memory. */
function endSlowReaders(open: ReadonlyMap<string, Set<Socket>>, slowReaderMs: number): NodeJS.Timeout {
  const leastBytes = (LEAST_BYTES_PER_SECOND * slowReaderMs) / 1_000;
  /** For each client with unread bytes, how many bytes it had read by the last check. */
  let takenBefore = new Map<Socket, number>();
  return setInterval(() => {
    const taken = new Map<Socket, number>();
    for (const socket of [...open.values()].flatMap((sockets) => [...sockets]))
      if (socket.writableLength > 0) taken.set(socket, socket.bytesWritten - socket.writableLength);
    for (const [socket, bytes] of taken)
      if (bytes - (takenBefore.get(socket) ?? -Infinity) < leastBytes) socket.destroy();
    takenBefore = taken;
  }, slowReaderMs);
}

/** Calls back for each small chunk of a chunked body, before anything keeps it. */
function onSmallChunks(request: IncomingMessage, callBack: () => void): void {
  if (request.headers["transfer-encoding"] === undefined) return;
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null) => {
    if (request.socket.destroyed) return false;
    if (chunk !== null && chunk.length < SMALL_CHUNKS.bytes) callBack();
    return push(chunk);
  };
}
