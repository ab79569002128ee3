import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

export type Download = { fileName: string; contentType: string; body: Readable };

/** Sends a file to be saved while it is made. When the body breaks the connection does, so it is not taken for whole. */
export function sendDownload(reply: FastifyReply, { fileName, contentType, body }: Download): FastifyReply {
  const names = `filename="${asciiName(fileName)}"; filename*=UTF-8''${encodeURIComponent(fileName)}`;
  return reply.header("content-type", contentType).header("content-disposition", `attachment; ${names}`).send(body);
}

/** File names of sessions hold letters of any script; old readers of the header take ASCII alone. */
function asciiName(fileName: string): string {
  return fileName.replace(/[^\w.-]/g, "_");
}
