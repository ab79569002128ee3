import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ScanEvent } from "@slabdesk/contract/api/sessions.ts";
import { mayStillFollow } from "../../http/guards.ts";

/**
 * A silent connection is kept open this often, and its viewer checked again: a notice that they were signed out does not
 * arrive while the node's own connection to the database is down.
 */
const HEARTBEAT_MS = 5_000;

export type EventsToSend = {
  follow: (signal: AbortSignal) => AsyncGenerator<ScanEvent>;
  /** Calls `onNotice` when the viewer may have been signed out or demoted. Returns the way to stop. */
  watchViewer: (onNotice: () => void) => () => void;
};

/** Writes events to the browser until it leaves, the viewer is signed out or loses powers, or the events end. */
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
  const heartbeat = setInterval(() => void beat(response, check, ending.signal), HEARTBEAT_MS);
  try {
    // They may have been signed out since the guard let them in and before anybody watched.
    await check();
    for await (const event of follow(ending.signal)) {
      if (!(await mayStillFollow(request))) break;
      const text = `event: scan\nid: ${event.session.eventSeq}\ndata: ${JSON.stringify(event)}\n\n`;
      await write(response, text, ending.signal);
    }
  } catch (error) {
    // The browser comes back by itself and continues after the last event it has seen.
    if (!ending.signal.aborted) request.log.error({ err: error }, "An event stream broke");
  } finally {
    clearInterval(heartbeat);
    unwatch();
    response.end();
  }
}

async function beat(response: ServerResponse, check: () => Promise<void>, signal: AbortSignal): Promise<void> {
  await check();
  if (!signal.aborted) response.write(": still here\n\n");
}

async function endUnlessAllowed(request: FastifyRequest, end: () => void): Promise<void> {
  try {
    if (!(await mayStillFollow(request))) end();
  } catch (error) {
    request.log.error({ err: error }, "A viewer could not be checked");
    end();
  }
}

/** A browser that reads slowly slows its own stream, not the server's memory. */
async function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (!response.write(text) && !signal.aborted) await once(response, "drain", { signal });
}
