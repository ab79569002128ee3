import type { FastifyReply, FastifyRequest } from "fastify";
import type { Picture } from "./images.service.ts";

/** Headers that block scripts, forms, frames and MIME sniffing if a user opens a picture as a page. */
const HARMLESS = {
  "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
};

/**
 * Sends a picture, or 304 if the browser has it. Sets a file name, so that saved pictures have distinct names. The
 * caller must check access.
 */
export function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  picture: Picture,
  name: string,
): FastifyReply {
  const etag = `"${picture.etag}"`;
  // A browser keeps pictures only for the auth session in its cookie.
  void reply.headers({ ...HARMLESS, etag, "cache-control": "private, max-age=600", vary: "cookie" });
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
