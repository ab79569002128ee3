import type { Socket } from "node:net";
import { PassThrough } from "node:stream";
import type { preParsingAsyncHookHandler } from "fastify";
import type { App } from "./guards.ts";
import { HttpError } from "./http-error.ts";
import { networkOf } from "./own-address.ts";

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
    reply.raw.once("close", () => {
      clearInterval(check);
      // Unless the rest is read, the next request on the connection would wait for it.
      payload.unpipe(body).resume();
    });
    payload.on("data", (chunk: Buffer) => (bytes += chunk.length));
    payload.once("error", (error) => body.destroy(error));
    return payload.pipe(body);
  };
}

/**
 * Ends connections of clients that stop reading, because unread answers hold places and memory. A client with unread
 * bytes at two checks in a row must have read enough between them.
 */
export function endSlowReaders(app: App, graceMs: number): void {
  const leastBytes = (LEAST_BYTES_PER_SECOND * graceMs) / 1_000;
  const connections = new Set<Socket>();
  /** For each client with unread bytes, how many bytes it had read by the last check. */
  let takenBefore = new Map<Socket, number>();
  app.server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  const check = setInterval(() => {
    const taken = new Map<Socket, number>();
    for (const socket of connections)
      if (socket.writableLength > 0) taken.set(socket, socket.bytesWritten - socket.writableLength);
    for (const [socket, bytes] of taken)
      if (bytes - (takenBefore.get(socket) ?? -Infinity) < leastBytes) socket.destroy();
    takenBefore = taken;
  }, graceMs);
  app.addHook("onClose", async () => clearInterval(check));
}

/** Clients wait for an answer before they send the next request on a connection. */
const UNANSWERED_AT_MOST = 10;
/** A network can be an office or a proxy. Each connection takes memory and a file descriptor, which can run out. */
const CONNECTIONS = { each: 2_000, total: 8_000 };

/** Closes connections beyond these limits: too many connections, or too many requests on one, could crash the server. */
export function limitConnections(app: App, { each, total } = CONNECTIONS): void {
  const open = new Map<string, number>();
  const unanswered = new WeakMap<Socket, number>();
  app.server.maxConnections = total;
  app.server.on("connection", (socket) => {
    const network = networkOf(socket.remoteAddress ?? "");
    const count = (open.get(network) ?? 0) + 1;
    open.set(network, count);
    socket.once("close", () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
    if (count > each) socket.destroy();
  });
  app.addHook("onRequest", async ({ raw: { socket } }, reply) => {
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    reply.raw.once("close", () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    if (count <= UNANSWERED_AT_MOST) return;
    socket.destroy();
    void reply.hijack();
  });
}
