import type { FastifyInstance } from "fastify";
import type { House } from "../endpoints/endpoint.ts";
import type { Darkroom } from "../images/darkroom.ts";
import { answerImage } from "../images/image-endpoint.ts";
import { SLAB_WIDTH } from "../images/slab.ts";
import { splitGrade, type SlabFace } from "../images/slab-face.ts";
import type { PsaCert } from "./psa-card.ts";
import { findPsaScan } from "./psa-cards.ts";

const WIDTHS: Record<string, number> = { "": SLAB_WIDTH, small: 180, large: 420 };

/** PSA's image host. The full size is at /cert/{imageId}/{token}.jpg, smaller sizes are in "small/" and "large/". */
export function addPsaImages(app: FastifyInstance, house: House, darkroom: Darkroom): void {
  app.get<{ Params: { "*": string } }>("/psa-images/cert/*", (request, reply) => {
    const [, imageId = "", size = "", token = ""] =
      /^(\d+)\/(?:(small|large)\/)?([\w-]+)\.jpg$/.exec(request.params["*"]) ?? [];
    const scan = findPsaScan(imageId, token);
    const order = scan && {
      face: faceOf(scan.card.cert),
      side: scan.isFront ? ("front" as const) : ("back" as const),
      shows: "slab" as const,
      width: WIDTHS[size] ?? SLAB_WIDTH,
    };
    return answerImage(
      house,
      darkroom,
      { endpoint: "psa-images", certNumber: scan?.card.cert.CertNumber ?? "", order },
      request,
      reply,
    );
  });
}

function faceOf(cert: PsaCert): SlabFace {
  const isTcg = /tcg/i.test(cert.Category);
  const sport = cert.Category.replace(/ cards$/i, "").toLowerCase();
  return {
    company: "PSA",
    certNumber: cert.CertNumber,
    kind: isTcg ? "tcg" : "sports",
    setLine: `${cert.Year} ${cert.Brand}`,
    name: cert.Subject,
    variety: cert.Variety,
    cardNumber: cert.CardNumber,
    year: cert.Year,
    theme: isTcg ? (cert.Brand.split(" ")[0] ?? "") : sport.charAt(0).toUpperCase() + sport.slice(1),
    score: null,
    ...splitGrade(cert.CardGrade ?? cert.GradeDescription),
  };
}
