import { PassThrough } from "node:stream";
import type { preParsingAsyncHookHandler } from "fastify";
import { HttpError } from "./http-error.ts";

/** Far below any connection that people work with. */
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
    reply.raw.once("close", () => clearInterval(check));
    payload.on("data", (chunk: Buffer) => (bytes += chunk.length));
    payload.once("error", (error) => body.destroy(error));
    return payload.pipe(body);
  };
}
