import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";

/** A call as the other side saw it. */
export type SeenRequest = { method: string; path: string; headers: IncomingMessage["headers"]; body: string };

/** One answer of a path, or what to do with the connection instead. */
export type Reply =
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer }
  | ((response: ServerResponse, request: SeenRequest) => void);

/** A real HTTP server on the loopback that stands for an upstream in tests. */
export type LocalUpstream = {
  origin: string;
  host: string;
  seen: SeenRequest[];
  /** From now on the path (with its query) is answered like this; a list is used up in order, its last one stays. */
  on(path: string, ...replies: Reply[]): void;
  close(): Promise<void>;
};

/** Starts one; a path that nothing was said about is answered 404 with a plain text. */
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
      // The listening handle is let go one full turn of the event loop after "close".
      await setImmediate();
      await setImmediate();
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}
