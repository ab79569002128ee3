import type { FastifyInstance } from "fastify";
import type { House } from "../endpoints/endpoint.ts";
import type { Darkroom } from "../images/darkroom.ts";
import { answerImage } from "../images/image-endpoint.ts";
import { SLAB_WIDTH } from "../images/slab.ts";
import { splitGrade, type SlabFace } from "../images/slab-face.ts";
import { cgcField, isSportsCard, type CgcCard } from "./cgc-card.ts";
import { findCgcScan } from "./cgc-cards.ts";

/** CGC's image buckets as one host. Names with "TN_" and "@500x787" are smaller versions. */
export function addCgcImages(app: FastifyInstance, house: House, darkroom: Darkroom): void {
  app.get<{ Params: { "*": string } }>("/cgc-images/*", (request, reply) => {
    const path = `/${request.params["*"]}`;
    const scan = findCgcScan(path);
    const order = scan && {
      face: faceOf(scan.card),
      side: scan.isFront ? ("front" as const) : ("back" as const),
      shows: "slab" as const,
      width: widthOf(path),
    };
    return answerImage(
      house,
      darkroom,
      { endpoint: "cgc-images", certNumber: scan?.card.certNumber ?? "", order },
      request,
      reply,
    );
  });
}

function widthOf(path: string): number {
  if (path.includes("/TN_")) return 180;
  return path.includes("@500x787") ? 500 : SLAB_WIDTH;
}

/** Sports pages don't name the sport. Topps and Bowman are mostly baseball. */
function faceOf(card: CgcCard): SlabFace {
  const isSports = isSportsCard(card);
  const setLine = ["Year", "Manufacturer", "Card Set"]
    .map((label) => cgcField(card, label))
    .filter((part) => part !== "");
  return {
    company: "CGC",
    certNumber: card.certNumber,
    kind: isSports ? "sports" : "tcg",
    setLine: setLine.join(" "),
    name: cgcField(card, isSports ? "Player Name" : "Card Name"),
    variety: cgcField(card, "Variant 1"),
    cardNumber: cgcField(card, "Card Number"),
    year: cgcField(card, "Year"),
    theme: isSports ? "Baseball" : cgcField(card, "Game"),
    score: null,
    ...splitGrade(cgcField(card, "Grade")),
  };
}
