import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ScanEvent } from "@slabdesk/contract/api/sessions.ts";
import { mayStillFollow } from "../../http/guards.ts";

/** Interval of the heartbeat, which keeps idle connections open. */
const HEARTBEAT_MS = 5_000;

/** Auth sessions also expire, of which nothing notifies. */
const CHECK_MS = 60_000;

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
  // The viewer may have been signed out between the guard and `watchViewer`.
  let checked = endUnlessAllowed(request, end);
  const check = (): void => {
    checked = endUnlessAllowed(request, end);
  };
  const unwatch = watchViewer(check);
  const beat = (): boolean => !ending.signal.aborted && response.write(": still here\n\n");
  const timers = [setInterval(beat, HEARTBEAT_MS), setInterval(check, CHECK_MS)];
  try {
    for await (const event of follow(ending.signal)) {
      await checked;
      if (ending.signal.aborted) break;
      await write(response, textOf(event), ending.signal);
    }
  } catch (error) {
    // The browser reconnects automatically and continues after the last event it received.
    if (!ending.signal.aborted) request.log.error({ err: error }, "Event stream failed");
  } finally {
    for (const timer of timers) clearInterval(timer);
    unwatch();
    response.end();
  }
}

const texts = new WeakMap<ScanEvent, string>();

/** An event as text, made once for all followers. */
function textOf(event: ScanEvent): string {
  const text = texts.get(event) ?? `event: scan\nid: ${event.session.eventSeq}\ndata: ${JSON.stringify(event)}\n\n`;
  texts.set(event, text);
  return text;
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
