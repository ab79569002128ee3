import type { FastifyReply, FastifyRequest } from "fastify";
import type { Answer } from "../endpoints/answer.ts";
import { htmlAnswer, retryAfter, tear } from "../endpoints/answer.ts";
import { answerCall, type House, type Voice } from "../endpoints/endpoint.ts";
import type { Endpoint } from "../endpoints/faults.ts";
import { findMagic } from "../endpoints/magic.ts";
import type { Darkroom, PictureOrder } from "./darkroom.ts";

/** A request for one picture file. `order` is null if there is no such file. */
type PictureCall = { endpoint: Endpoint; certNumber: string; order: PictureOrder | null };

/** Sends a picture like the CDNs, which respond with 403 to requests for missing files. */
export async function answerPicture(
  house: House,
  darkroom: Darkroom,
  call: PictureCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const order = call.order && orderedBy(call.certNumber, call.order);
  const found = async (): Promise<Answer> =>
    order === null
      ? accessDenied()
      : {
          status: 200,
          type: "image/jpeg",
          body: await darkroom.develop(order),
          headers: { "cache-control": "public, max-age=31536000" },
        };
  const voice: Voice = {
    found,
    notFound: accessDenied,
    torn: async () => tear(await found()),
    quota: (retryAfterS) =>
      htmlAnswer(
        429,
        "<html><head><title>429 Too Many Requests</title></head><body></body></html>",
        retryAfter(retryAfterS),
      ),
  };
  await answerCall(
    house,
    { endpoint: call.endpoint, part: "files", certNumber: call.certNumber, voice },
    request,
    reply,
  );
  return reply;
}

/** For some magic certs, the back is the same picture as the front. */
function orderedBy(certNumber: string, order: PictureOrder): PictureOrder {
  const isSame = findMagic(certNumber)?.variant === "same_pictures";
  return isSame && order.side === "back" ? { ...order, side: "front", isCopy: true } : order;
}

function accessDenied(): Answer {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>`;
  return { status: 403, type: "application/xml", body: xml };
}
