import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ScanEvent } from "@slabdesk/contract/api/sessions.ts";
import { mayStillFollow } from "../../http/guards.ts";

/**
 * Interval of the heartbeat, which keeps idle connections open and checks the viewer's auth session again. The check is
 * needed because sign-out notifications are lost while the node's database connection is down.
 */
const HEARTBEAT_MS = 5_000;

export type EventsToSend = {
  follow: (signal: AbortSignal) => AsyncGenerator<ScanEvent>;
  /** Calls `onNotice` when the viewer may have been signed out or demoted. Returns a function that stops watching. */
  watchViewer: (onNotice: () => void) => () => void;
};

/** Writes events to the response until the client disconnects, the viewer loses access, or the events end. */
export async function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  { follow, watchViewer }: EventsToSend,
): Promise<void> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  reply.hijack();
  const response = reply.raw;
  if (response.destroyed) return;
  response.on("close", end);
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
    "x-request-id": request.id,
  });
  response.write("retry: 2000\n\n");
  const check = (): Promise<void> => endUnlessAllowed(request, end);
  const unwatch = watchViewer(() => void check());
  const beat = async (): Promise<void> => {
    await check();
    if (!ending.signal.aborted) response.write(": still here\n\n");
  };
  const heartbeat = setInterval(() => void beat(), HEARTBEAT_MS);
  try {
    // The viewer may have been signed out between the guard and `watchViewer`.
    await check();
    for await (const event of follow(ending.signal)) {
      if (!(await mayStillFollow(request))) break;
      const text = `event: scan\nid: ${event.session.eventSeq}\ndata: ${JSON.stringify(event)}\n\n`;
      await write(response, text, ending.signal);
    }
  } catch (error) {
    // The browser reconnects automatically and continues after the last event it received.
    if (!ending.signal.aborted) request.log.error({ err: error }, "Event stream failed");
  } finally {
    clearInterval(heartbeat);
    unwatch();
    response.end();
  }
}

async function endUnlessAllowed(request: FastifyRequest, end: () => void): Promise<void> {
  try {
    if (!(await mayStillFollow(request))) end();
  } catch (error) {
    request.log.error({ err: error }, "Failed to check the viewer of an event stream");
    end();
  }
}

/** Waits for `drain`, so that a slow reader does not fill the server's memory. */
async function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (!response.write(text) && !signal.aborted) await once(response, "drain", { signal });
}
