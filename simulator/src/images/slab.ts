import { seeded } from "../made-up/seeded.ts";
import { CARD_HEIGHT, CARD_WIDTH, drawCardBack, drawCardFront } from "./card-art.ts";
import { drawLabel } from "./slab-label.ts";
import type { SlabFace } from "./slab-face.ts";
import { gradient, hsl } from "./svg-text.ts";

export const SLAB_WIDTH = 600;
const SLAB_HEIGHT = 1000;
const CARD_X = (SLAB_WIDTH - CARD_WIDTH) / 2;
const CARD_Y = 282;

/** A photographed slab as an SVG document: case, label and card. */
export function drawSlab(face: SlabFace, side: "front" | "back"): string {
  const card = side === "front" ? drawCardFront(face) : drawCardBack(face);
  const desk = seeded(`desk ${face.certNumber}`).pick(["#eceae4", "#e4e7ec", "#f1efe9"]);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SLAB_WIDTH}" height="${SLAB_HEIGHT}" viewBox="0 0 ${SLAB_WIDTH} ${SLAB_HEIGHT}">
<defs>${gradient("plastic", ["#ffffff", "#dfe5ec", "#f7f9fb", "#cfd7e0"])}${gradient("glare", ["rgba(255,255,255,0.34)", "rgba(255,255,255,0.04)", "rgba(255,255,255,0)"])}</defs>
<rect width="${SLAB_WIDTH}" height="${SLAB_HEIGHT}" fill="${desk}"/>
<rect x="16" y="20" width="${SLAB_WIDTH - 32}" height="${SLAB_HEIGHT - 32}" rx="30" fill="#000" opacity="0.12"/>
<rect x="12" y="12" width="${SLAB_WIDTH - 24}" height="${SLAB_HEIGHT - 28}" rx="28" fill="url(#plastic)" stroke="#aeb8c4" stroke-width="2"/>
<rect x="28" y="28" width="${SLAB_WIDTH - 56}" height="212" rx="14" fill="#ffffff" opacity="0.75" stroke="#b9c3ce" stroke-width="2"/>
<rect x="${CARD_X - 22}" y="${CARD_Y - 20}" width="${CARD_WIDTH + 44}" height="${CARD_HEIGHT + 40}" rx="26" fill="#ffffff" opacity="0.6" stroke="#b9c3ce" stroke-width="2"/>
${drawLabel(face, side)}
<g transform="translate(${CARD_X},${CARD_Y})">${card}</g>
<path d="M12 400 L420 12 H572 Q588 12 588 40 V120 L12 690 Z" fill="url(#glare)" opacity="0.4"/></svg>`;
}

/** A small image that is fast to draw. Two colors distinguish cards and sides. */
export function drawPlainSlab({ certNumber }: SlabFace, side: "front" | "back"): string {
  const random = seeded(`plain ${certNumber} ${side}`);
  const [plastic, card] = [hsl(random.int(0, 359), 40, side === "front" ? 85 : 65), hsl(random.int(0, 359), 60, 40)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="400"><rect width="240" height="400" fill="${plastic}"/><rect x="45" y="112" width="150" height="210" fill="${card}"/></svg>`;
}

/** The bare card, as TAG scans it before encapsulation. */
export function drawBareCard(face: SlabFace, side: "front" | "back"): string {
  const card = side === "front" ? drawCardFront(face) : drawCardBack(face);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}" viewBox="0 0 ${CARD_WIDTH} ${CARD_HEIGHT}"><rect width="100%" height="100%" fill="#101216"/>${card}</svg>`;
}
