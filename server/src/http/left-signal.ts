import type { FastifyReply } from "fastify";

/** Aborts when the client disconnects before the answer is sent. */
export function leftSignal(reply: FastifyReply): AbortSignal {
  const left = new AbortController();
  reply.raw.on("close", () => left.abort());
  return left.signal;
}
