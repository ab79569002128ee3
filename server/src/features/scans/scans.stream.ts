import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ScanEvent } from "@slabdesk/contract/api/sessions.ts";
import { stillSignedIn } from "../../http/guards.ts";

/** A silent connection is kept open, and its viewer checked again, this often. */
const HEARTBEAT_MS = 5_000;

/** Writes events to the browser until it leaves, the viewer is signed out, or the events end. */
export async function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  follow: (signal: AbortSignal) => AsyncGenerator<ScanEvent>,
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
  const heartbeat = setInterval(() => void beat(request, response, end), HEARTBEAT_MS);
  try {
    for await (const event of follow(ending.signal)) {
      if (!(await stillSignedIn(request))) break;
      const text = `event: scan\nid: ${event.session.eventSeq}\ndata: ${JSON.stringify(event)}\n\n`;
      await write(response, text, ending.signal);
    }
  } catch (error) {
    // The browser comes back by itself and continues after the last event it has seen.
    if (!ending.signal.aborted) request.log.error({ err: error }, "An event stream broke");
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
}

async function beat(request: FastifyRequest, response: ServerResponse, end: () => void): Promise<void> {
  try {
    if (await stillSignedIn(request)) response.write(": still here\n\n");
    else end();
  } catch (error) {
    request.log.error({ err: error }, "A viewer could not be checked");
    end();
  }
}

/** A browser that reads slowly slows its own stream, not the server's memory. */
async function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (!response.write(text) && !signal.aborted) await once(response, "drain", { signal });
}
