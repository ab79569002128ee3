import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { jsonAnswer, retryAfter, tear, type Answer } from "../endpoints/answer.ts";
import { answerCall, refuseCall, type House, type Voice } from "../endpoints/endpoint.ts";
import { findTagCard, withImagesAt } from "./tag-cards.ts";

/** The only valid key. */
export const TAG_API_KEY = "simulator-tag-key";

type Params = { Params: { certNumber: string } };

/** The detail call of api.taggrading.com. */
export function addTagApi(app: FastifyInstance, house: House): void {
  app.get<Params>("/tag-api/graded-cards/public/detail/:certNumber", async (request, reply) => {
    const { certNumber } = request.params;
    if (request.headers["x-tag-key"] !== TAG_API_KEY) {
      const refusal = { endpoint: "tag-api", cert: certNumber, fault: "refused", answer: forbidden() } as const;
      await refuseCall(house, refusal, request, reply);
      return reply;
    }
    await answerCall(
      house,
      { endpoint: "tag-api", part: "api", certNumber, voice: detailVoice(house) },
      request,
      reply,
    );
    return reply;
  });
}

const forbidden = (): Answer => jsonAnswer(403, { message: "Forbidden" });

function detailVoice(house: House): Voice {
  const notFound = (): Answer => jsonAnswer(404, { message: "Not Found" });
  const found = (certNumber: string): Answer => {
    const card = findTagCard(certNumber);
    if (!card) return notFound();
    return { ...jsonAnswer(200, null), body: withImagesAt({ data: card.detail }, `${house.origin}/tag-images`) };
  };
  return {
    found,
    notFound,
    quota: (retryAfterS) => jsonAnswer(429, { message: "Too Many Requests" }, retryAfter(retryAfterS)),
    torn: (certNumber) => tear(found(certNumber)),
    refused: forbidden,
    serverError: () => jsonAnswer(500, { message: "Internal Server Error" }),
    noData: () => jsonAnswer(200, { data: null }),
    emptyRecord: () => jsonAnswer(200, { data: {} }),
    encrypted,
  };
}

/** The default format without an agreement with TAG: 16 bytes, a colon, and a ciphertext in 16-byte blocks. */
function encrypted(): Answer {
  const noise = (seed: number): string => createHash("sha256").update(String(seed)).digest("hex");
  const cipher = Array.from({ length: 40 }, (_, block) => noise(block)).join("");
  return { ...jsonAnswer(200, null), body: `${noise(-1).slice(0, 32)}:${cipher}` };
}
