import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";

/** A request as the upstream received it. */
export type SeenRequest = { method: string; path: string; headers: IncomingMessage["headers"]; body: string };

/** One response of a path, or a function that handles the connection. */
export type Reply =
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer }
  | ((response: ServerResponse, request: SeenRequest) => void);

/** An HTTP server on the loopback address that stands in for an upstream in tests. */
export type LocalUpstream = {
  origin: string;
  host: string;
  seen: SeenRequest[];
  /** Sets the responses of a path (with its query). A list is used in order; its last entry repeats. */
  on(path: string, ...replies: Reply[]): void;
  close(): Promise<void>;
};

/** Starts a server. A path without a configured response returns 404 with plain text. */
export async function startLocalUpstream(): Promise<LocalUpstream> {
  const replies = new Map<string, Reply[]>();
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const call = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body };
      seen.push(call);
      const list = replies.get(call.path) ?? [];
      const reply = (list.length > 1 ? list.shift() : list[0]) ?? { status: 404, body: "nothing here" };
      if (typeof reply === "function") reply(response, call);
      else response.writeHead(reply.status ?? 200, reply.headers).end(reply.body);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const host = `127.0.0.1:${portOf(server.address())}`;
  return {
    origin: `http://${host}`,
    host,
    seen,
    on: (path, ...given) => void replies.set(path, [...given]),
    async close() {
      await new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      });
      // The listening handle is released one full turn of the event loop after "close".
      await setImmediate();
      await setImmediate();
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}
