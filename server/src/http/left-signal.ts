import type { FastifyReply } from "fastify";

/** Aborts when the caller leaves before the answer. */
export function leftSignal(reply: FastifyReply): AbortSignal {
  const left = new AbortController();
  reply.raw.on("close", () => left.abort());
  return left.signal;
}
