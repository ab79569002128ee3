import type { FastifyReply, FastifyRequest } from "fastify";
import type { Answer } from "../endpoints/answer.ts";
import { htmlAnswer, retryAfter, tear } from "../endpoints/answer.ts";
import { answerCall, type House, type Voice } from "../endpoints/endpoint.ts";
import type { Endpoint } from "../endpoints/faults.ts";
import { findMagic } from "../endpoints/magic.ts";
import type { Darkroom, ImageOrder } from "./darkroom.ts";

/** A request for one image file. `order` is null if there is no such file. */
type ImageCall = { endpoint: Endpoint; certNumber: string; order: ImageOrder | null };

/** Sends an image like the CDNs, which respond with 403 to requests for missing files. */
export async function answerImage(
  house: House,
  darkroom: Darkroom,
  call: ImageCall,
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

/** For some magic certs, the back is the same image as the front. */
function orderedBy(certNumber: string, order: ImageOrder): ImageOrder {
  const isSame = findMagic(certNumber)?.variant === "same_images";
  return isSame && order.side === "back" ? { ...order, side: "front", isCopy: true } : order;
}

function accessDenied(): Answer {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>`;
  return { status: 403, type: "application/xml", body: xml };
}
