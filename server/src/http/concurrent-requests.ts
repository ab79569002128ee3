import type { FastifyReply } from "fastify";
import { createPlaces } from "../concurrency/places.ts";
import type { Guard } from "./guards.ts";
import { HttpError } from "./http-error.ts";

/** The server holds only a few sheets above this size in memory at a time. */
const LARGE_UPLOAD_BYTES = 4 * 1024 * 1024;
const LARGE_UPLOADS_AT_ONCE = 2;

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
  const take = createPlaces(limit);
  return (key, reply) => {
    const leave = take(key);
    if (!leave) throw refusal();
    if (reply.raw.destroyed) leave();
    else reply.raw.once("close", leave);
  };
}
