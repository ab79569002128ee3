import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Config } from "../config.ts";
import type { Intervals } from "../intervals.ts";
import type { App } from "./guards.ts";
import { networkOf, oneOf } from "./own-address.ts";
import { LEAST_BYTES_PER_SECOND } from "./request-bodies.ts";

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
  // Browsers open connections in advance. Node waits for those that have not sent a request yet.
  app.addHook("preClose", async () => {
    for (const socket of socketsOf(open)) if (socket.bytesRead === 0) socket.destroy();
  });
  app.addHook("onClose", async () => ends.forEach(clearInterval));
}

const socketsOf = (open: ReadonlyMap<string, Set<Socket>>): Socket[] => [...open.values()].flatMap((one) => [...one]);

/** A client with unread bytes at two checks in a row must have read enough between them. Unread answers fill memory. */
function endSlowReaders(open: ReadonlyMap<string, Set<Socket>>, slowReaderMs: number): NodeJS.Timeout {
  const leastBytes = (LEAST_BYTES_PER_SECOND * slowReaderMs) / 1_000;
  /** For each client with unread bytes, how many bytes it had read by the last check. */
  let takenBefore = new Map<Socket, number>();
  return setInterval(() => {
    const taken = new Map<Socket, number>();
    for (const socket of socketsOf(open))
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
