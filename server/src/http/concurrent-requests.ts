import type { FastifyReply } from "fastify";
import type { Guard } from "./guards.ts";
import { HttpError } from "./http-error.ts";

/** The server holds only a few sheets above this size in memory at a time. */
const LARGE_UPLOAD_BYTES = 4 * 1024 * 1024;
const LARGE_UPLOADS_AT_ONCE = 2;

/** Limits the number of large uploads processed at the same time. */
export function limitLargeUploads(): Guard {
  const takePlace = placesFor(LARGE_UPLOADS_AT_ONCE, () => {
    const message = "Other large sheets are being taken in. Please try again in a moment";
    return new HttpError(503, "overloaded", message, { headers: { "retry-after": "5" } });
  });
  return async (request, reply) => {
    const bytes = Number(request.headers["content-length"] ?? Infinity);
    if (bytes > LARGE_UPLOAD_BYTES) takePlace("large", reply);
  };
}

/** Limits concurrent requests per key. A request holds its place until its response or connection closes. */
export function placesFor(limit: number, refusal: () => HttpError): (key: string, reply: FastifyReply) => void {
  const taken = new Map<string, number>();
  return (key, reply) => {
    const count = taken.get(key) ?? 0;
    if (count >= limit) throw refusal();
    if (reply.raw.destroyed) return;
    taken.set(key, count + 1);
    reply.raw.once("close", () => {
      const left = (taken.get(key) ?? 1) - 1;
      if (left > 0) taken.set(key, left);
      else taken.delete(key);
    });
  };
}
