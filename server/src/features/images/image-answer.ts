import type { FastifyReply, FastifyRequest } from "fastify";
import type { Picture } from "./images.service.ts";

/** Nothing in a picture runs, should somebody open it as a page: no script, no form, no frame, no guess at its kind. */
const HARMLESS = {
  "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
};

/**
 * Sends a picture to whoever may see it, or says that the browser has it already. It is named like a file, so that one
 * that is saved can be told from others.
 */
export function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  picture: Picture,
  name: string,
): FastifyReply {
  const etag = `"${picture.etag}"`;
  void reply.headers({ ...HARMLESS, etag, "cache-control": "private, max-age=600" });
  if (hasAlready(request.headers["if-none-match"], etag)) return reply.code(304).send();
  const ending = picture.contentType.replace("image/", "").replace("jpeg", "jpg");
  return reply
    .headers({
      "content-type": picture.contentType,
      "content-disposition": `inline; filename="${name.replace(/[^\w-]/g, "_")}.${ending}"`,
    })
    .send(picture.bytes);
}

function hasAlready(given: string | undefined, etag: string): boolean {
  return given?.split(",").some((one) => one.trim().replace(/^W\//, "") === etag) ?? false;
}
