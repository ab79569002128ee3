import { PassThrough } from "node:stream";
import type { preParsingAsyncHookHandler } from "fastify";
import { createShares } from "../concurrency/shares.ts";
import type { App } from "./guards.ts";
import { HttpError, tryLater } from "./http-error.ts";
import { networkOf } from "./own-address.ts";

/** Far slower than any usable connection, in either direction. */
export const LEAST_BYTES_PER_SECOND = 4_000;
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
const UNWANTED_BYTES_PER_MS = 4_000;

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
