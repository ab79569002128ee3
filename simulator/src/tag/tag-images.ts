import type { FastifyInstance } from "fastify";
import type { House } from "../endpoints/endpoint.ts";
import type { Darkroom } from "../images/darkroom.ts";
import { answerImage } from "../images/image-endpoint.ts";
import { SLAB_WIDTH } from "../images/slab.ts";
import { splitGrade, type SlabFace } from "../images/slab-face.ts";
import type { TagDetail } from "./tag-card.ts";
import { findTagImage } from "./tag-cards.ts";

const WIDTHS = { slab: SLAB_WIDTH, square: 500, card: SLAB_WIDTH };
const SPORTS = new Set(["Baseball", "Basketball", "Football", "Hockey", "Soccer"]);

/** TAG's image host: slab photos by cert, card scans by UUID. */
export function addTagImages(app: FastifyInstance, house: House, darkroom: Darkroom): void {
  app.get<{ Params: { "*": string } }>("/tag-images/*", (request, reply) => {
    const path = `/${request.params["*"]}`;
    const image = findTagImage(path);
    const order = image && {
      face: faceOf(image.card.detail),
      side: image.isFront ? ("front" as const) : ("back" as const),
      shows: image.shows,
      width: WIDTHS[image.shows],
    };
    const certNumber = image?.card.detail.certificateValue ?? /\/([A-Z]\d{7})_/.exec(path)?.[1] ?? "";
    return answerImage(house, darkroom, { endpoint: "tag-images", certNumber, order }, request, reply);
  });
}

function faceOf(detail: TagDetail): SlabFace {
  const { cardSet } = detail;
  return {
    company: "TAG",
    certNumber: detail.certificateValue,
    kind: SPORTS.has(cardSet.cardSetType) ? "sports" : "tcg",
    setLine: `${cardSet.setYear} ${cardSet.brandName} ${cardSet.setName}`,
    name: detail.cardName,
    variety: cardSet.subsetName,
    cardNumber: detail.card.cardNumber,
    year: String(cardSet.setYear),
    theme: cardSet.cardSetType,
    score: detail.scoreTotal,
    ...splitGrade(detail.grade),
  };
}
