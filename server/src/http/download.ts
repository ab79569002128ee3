import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

export type Download = { fileName: string; contentType: string; body: Readable };

/** Streams a file download. If the body fails, the connection breaks, so the browser doesn't keep a partial file. */
export function sendDownload(reply: FastifyReply, { fileName, contentType, body }: Download): FastifyReply {
  // Session file names may use any script. Old readers of the header accept only ASCII.
  const asciiName = fileName.replace(/[^\w. -]/g, "_");
  const names = `filename="${asciiName}"; filename*=UTF-8''${encodeURIComponent(fileName)}`;
  return reply.header("content-type", contentType).header("content-disposition", `attachment; ${names}`).send(body);
}
