import type { FastifyReply, FastifyRequest } from "fastify";
import { heavyWork } from "../concurrency/budgets.ts";
import { createShares, type Release, type Shares } from "../concurrency/shares.ts";
import { viewerOf, type Guard } from "./guards.ts";
import { tryLater, type HttpError } from "./http-error.ts";

export const BUSY = "The server is busy. Please try again in a moment";

/** The refusals of `createShares` as answers: 429 with this message for the person's own requests, else 503. */
export function refusalOf(ownMessage: string, retryAfterS = 5) {
  return (filledBy: "own requests" | "all requests"): HttpError =>
    filledBy === "own requests" ? tryLater(429, ownMessage, retryAfterS) : tryLater(503, BUSY, retryAfterS);
}

/** For large pages, of any route. */
export const largePages = createShares({
  total: 16,
  each: 3,
  waiting: 30,
  patienceMs: 30_000,
  budgets: heavyWork,
  outlastsRests: true,
  refuse: refusalOf("Your other pages of rows are still being read. Wait for them, then try again"),
});

/** Waits for one of the viewer's places. The request holds it until its end (`releaseAtEnd`). */
export async function holdPlace(shares: Shares, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  request.releasePlace?.();
  request.hasOwnPlace = true;
  releaseAtEnd(reply, await shares.enter(viewerOf(request).id, leftSignal(reply)));
}

/** Emitted on the raw response when the handler has ended, even if its client left. */
export const HANDLED = Symbol("handled");

/** Gives a place back when the handler has ended and the response or its connection has closed. */
export function releaseAtEnd({ raw }: FastifyReply, release: Release): void {
  raw.once(HANDLED, () => (raw.destroyed ? release() : raw.once("close", release)));
}

/** `holdPlace` as a guard that follows the one that identifies the viewer. */
export function withPlace(shares: Shares): Guard {
  return (request, reply) => holdPlace(shares, request, reply);
}

const leftSignals = new WeakMap<object, AbortSignal>();

/**
 * Aborts when the client disconnects before the answer is sent, or already if it has left: its body never comes. Each
 * response has one signal, because Node warns about more than ten listeners for its end.
 */
export function leftSignal({ raw }: FastifyReply): AbortSignal {
  const known = leftSignals.get(raw);
  if (known) return known;
  const left = new AbortController();
  leftSignals.set(raw, left.signal);
  if (raw.destroyed) left.abort();
  else raw.on("close", () => left.abort());
  return left.signal;
}
