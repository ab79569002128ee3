import { seeded, type Seeded } from "../made-up/seeded.ts";
import { drawPlayer, teamColors } from "./player.ts";
import { drawScene } from "./scene.ts";
import type { SlabFace } from "./slab-face.ts";
import { DOWN, gradient, hsl, radial, svgText } from "./svg-text.ts";

/** The size of a drawn card, in real proportions. */
export const CARD_WIDTH = 472;
export const CARD_HEIGHT = 661;

const SHINY = /holo|foil|refractor|prizm|chrome|rainbow|rare|shiny|art|enchanted|manga|v(?:star|max)|gold/i;
const FULL_ART = /art|illustration|vmax|vstar|\bex\b|manga|enchanted|borderless|promo|parallel/i;

/** The front of a card. The same name and set give the same image, whoever graded the card. */
export function drawCardFront(face: SlabFace): string {
  const random = seeded(`${face.setLine} ${face.name}`);
  const art = face.kind === "tcg" ? tcgFront(face, random) : sportsFront(face, random);
  const shine = SHINY.test(`${face.variety} ${face.name} ${face.setLine}`) ? foil() : "";
  return clipped(`${art}${shine}`);
}

export function drawCardBack(face: SlabFace): string {
  const random = seeded(`back of ${face.theme}`);
  return clipped(face.kind === "tcg" ? tcgBack(random) : sportsBack(face, seeded(`${face.name} figures`)));
}

function clipped(content: string): string {
  return `<clipPath id="card"><rect width="${CARD_WIDTH}" height="${CARD_HEIGHT}" rx="20"/></clipPath><g clip-path="url(#card)">${content}</g>`;
}

function tcgFront(face: SlabFace, random: Seeded): string {
  return FULL_ART.test(`${face.variety} ${face.name}`) ? tcgFullArt(face, random) : tcgFramed(face, random);
}

function tcgFullArt(face: SlabFace, random: Seeded): string {
  const power = random.int(6, 34) * 10;
  return `<g>${drawScene(random, CARD_WIDTH, CARD_HEIGHT)}</g>
<defs>${gradient("shade", ["rgba(10,12,24,0)", "rgba(10,12,24,0.82)"], DOWN)}</defs>
<rect y="${CARD_HEIGHT - 230}" width="${CARD_WIDTH}" height="230" fill="url(#shade)"/>
<rect x="9" y="9" width="${CARD_WIDTH - 18}" height="${CARD_HEIGHT - 18}" rx="14" fill="none" stroke="#e9e4cf" stroke-width="7" opacity="0.9"/>
<rect x="24" y="24" width="${CARD_WIDTH - 48}" height="46" rx="12" fill="#fff" opacity="0.82"/>
${svgText(face.name, { x: 40, y: 57, size: 27, width: 300, fill: "#14161c", weight: 800 })}
${svgText(`HP ${power}`, { x: CARD_WIDTH - 40, y: 56, size: 23, width: 100, fill: "#a3162b", weight: 800, anchor: "end" })}
${attackLines(random, CARD_HEIGHT - 150, 60, "#ffffff")}${footLine(face, "#ffffff")}`;
}

function tcgFramed(face: SlabFace, random: Seeded): string {
  const border = Number(face.year) < 2004 ? ["#f7d95a", "#e3b428"] : ["#d9dde3", "#aeb6c2"];
  const hue = random.int(0, 359);
  return `<defs>${gradient("border", border)}${gradient("paper", [hsl(hue, 60, 86), hsl(hue + 30, 55, 76)], DOWN)}<clipPath id="window"><rect width="400" height="280" rx="6"/></clipPath></defs>
<rect width="${CARD_WIDTH}" height="${CARD_HEIGHT}" fill="url(#border)"/><rect x="20" y="20" width="${CARD_WIDTH - 40}" height="${CARD_HEIGHT - 40}" rx="10" fill="url(#paper)"/>
${svgText(face.name, { x: 38, y: 58, size: 27, width: 310, fill: "#15171c", weight: 800 })}
${svgText(`${random.int(4, 15) * 10} HP`, { x: CARD_WIDTH - 38, y: 57, size: 21, width: 90, fill: "#b3182c", weight: 800, anchor: "end" })}
<g transform="translate(36,74)"><g clip-path="url(#window)">${drawScene(random, 400, 280)}</g><rect width="400" height="280" rx="6" fill="none" stroke="#b9922a" stroke-width="6"/></g>
<rect x="60" y="366" width="352" height="20" rx="4" fill="#c9a544" opacity="0.8"/>${svgText(face.setLine, { x: CARD_WIDTH / 2, y: 381, size: 13, width: 336, fill: "#2b2410", anchor: "middle" })}
${attackLines(random, 442, 86, "#1c1f26")}${footLine(face, "#1c1f26")}`;
}

/** Attacks: energy dots, a bar in place of text and a number. */
function attackLines(random: Seeded, top: number, gap: number, ink: string): string {
  return [0, 1]
    .map((index) => {
      const y = top + index * gap;
      const dots = Array.from(
        { length: random.int(1, 3) },
        (_, dot) =>
          `<circle cx="${50 + dot * 26}" cy="${y}" r="11" fill="${hsl(random.int(0, 359), 80, 55)}" stroke="#fff" stroke-width="2"/>`,
      );
      const width = random.int(90, 170);
      return `${dots.join("")}<rect x="140" y="${y - 9}" width="${width}" height="16" rx="5" fill="${ink}" opacity="0.85"/>
<rect x="140" y="${y + 14}" width="${width + 60}" height="7" rx="3" fill="${ink}" opacity="0.35"/>
${svgText(String(random.int(2, 26) * 10), { x: CARD_WIDTH - 42, y: y + 9, size: 26, width: 70, fill: ink, weight: 800, anchor: "end" })}`;
    })
    .join("");
}

function footLine(face: SlabFace, ink: string): string {
  return `${svgText(face.cardNumber, { x: 42, y: CARD_HEIGHT - 34, size: 15, width: 130, fill: ink })}${svgText(face.year, { x: CARD_WIDTH - 42, y: CARD_HEIGHT - 34, size: 15, width: 60, fill: ink, anchor: "end" })}`;
}

const VINTAGE_BEFORE = 1993;

function sportsFront(face: SlabFace, random: Seeded): string {
  const colors = teamColors(random);
  const isVintage = Number(face.year) < VINTAGE_BEFORE;
  const inset = isVintage ? 26 : 0;
  const [width, height] = [CARD_WIDTH - inset * 2, CARD_HEIGHT - inset * 2];
  const plateY = CARD_HEIGHT - inset - 112;
  const autograph = /auto/i.test(`${face.variety} ${face.setLine}`) ? signature(random) : "";
  return `<rect width="${CARD_WIDTH}" height="${CARD_HEIGHT}" fill="${isVintage ? "#f4efe2" : "#0c0e13"}"/>
<svg x="${inset}" y="${inset}" width="${width}" height="${height}">${drawPlayer(random, face.theme, colors, width, height)}</svg>
<path d="M${inset} ${plateY + 30} L${CARD_WIDTH - inset} ${plateY - 6} L${CARD_WIDTH - inset} ${CARD_HEIGHT - inset} L${inset} ${CARD_HEIGHT - inset} Z" fill="${colors.deep}"/>
<path d="M${inset} ${plateY + 30} L${CARD_WIDTH - inset} ${plateY - 6} L${CARD_WIDTH - inset} ${plateY + 8} L${inset} ${plateY + 44} Z" fill="${colors.accent}"/>
${svgText(face.name, { x: inset + 26, y: CARD_HEIGHT - inset - 40, size: 36, width: CARD_WIDTH - inset * 2 - 52, fill: "#ffffff", weight: 800 })}
${svgText(face.theme.toUpperCase(), { x: inset + 27, y: CARD_HEIGHT - inset - 16, size: 15, width: 300, fill: "#ffffff", extra: 'letter-spacing="3" opacity="0.8"' })}
<rect x="${inset + 20}" y="${inset + 20}" width="128" height="32" rx="6" fill="#fff" opacity="0.92"/>${svgText(face.setLine.replace(/^\d{4}(?:-\d+)? /, ""), { x: inset + 84, y: inset + 42, size: 16, width: 116, fill: colors.deep, weight: 800, anchor: "middle" })}${autograph}`;
}

function signature(random: Seeded): string {
  let path = `M96 ${random.int(480, 500)}`;
  for (let x = 120; x < 380; x += 34) path += ` Q${x - 20} ${random.int(400, 450)} ${x} ${random.int(470, 510)}`;
  return `<path d="${path} q40 -30 60 4" stroke="#1d3fbf" stroke-width="5" fill="none" stroke-linecap="round"/>`;
}

function foil(): string {
  return `<defs><linearGradient id="foil" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#ff5ea8" stop-opacity="0.2"/><stop offset="0.2" stop-color="#ffe66b" stop-opacity="0.18"/><stop offset="0.38" stop-color="#6bffc8" stop-opacity="0.16"/><stop offset="0.5" stop-color="#ffffff" stop-opacity="0.34"/><stop offset="0.62" stop-color="#6bb8ff" stop-opacity="0.16"/><stop offset="1" stop-color="#c36bff" stop-opacity="0.2"/></linearGradient></defs>
<rect width="${CARD_WIDTH}" height="${CARD_HEIGHT}" fill="url(#foil)"/>`;
}

function tcgBack(random: Seeded): string {
  const hue = random.int(195, 260);
  const [x, y] = [CARD_WIDTH / 2, CARD_HEIGHT / 2];
  const arms = Array.from(
    { length: 9 },
    (_, index) =>
      `<path d="M0 0 Q150 -110 330 -30 Q180 -40 0 0" transform="rotate(${index * 40})" fill="#fff" opacity="0.1"/>`,
  );
  return `<defs>${radial("vortex", hsl(hue, 80, 62), hsl(hue, 75, 20), 'cx="0.5" cy="0.5" r="0.75"')}${gradient("rim", [hsl(hue - 15, 65, 34), hsl(hue + 15, 70, 18)])}${radial("gem", "#fff7d6", hsl(38, 95, 52))}</defs>
<rect width="${CARD_WIDTH}" height="${CARD_HEIGHT}" fill="url(#rim)"/><rect x="22" y="22" width="${CARD_WIDTH - 44}" height="${CARD_HEIGHT - 44}" rx="16" fill="url(#vortex)"/>
<g transform="translate(${x},${y})">${arms.join("")}<circle r="128" fill="none" stroke="#ffe9a8" stroke-width="10"/><circle r="104" fill="${hsl(hue, 75, 24)}" opacity="0.75"/><path d="M0 -84 L24 -24 L84 0 L24 24 L0 84 L-24 24 L-84 0 L-24 -24 Z" fill="url(#gem)"/><circle r="20" fill="#fff"/></g>
<rect x="22" y="22" width="${CARD_WIDTH - 44}" height="${CARD_HEIGHT - 44}" rx="16" fill="none" stroke="#ffe9a8" stroke-width="4" opacity="0.7"/>`;
}

function sportsBack(face: SlabFace, random: Seeded): string {
  const colors = teamColors(seeded(`${face.setLine} ${face.name}`));
  const rows = Array.from({ length: 9 }, (_, index) => {
    const y = 330 + index * 28;
    const figures = Array.from({ length: 6 }, (_, column) =>
      svgText(String(random.int(1, 199)), {
        x: 160 + column * 52,
        y: y + 19,
        size: 15,
        width: 44,
        fill: "#26221a",
        anchor: "end",
      }),
    );
    const first = Number(face.year) || 2000;
    return `<rect x="36" y="${y}" width="400" height="28" fill="${index % 2 ? "#efe7d3" : "#e2d7bd"}"/>${svgText(String(first - 9 + index), { x: 48, y: y + 19, size: 15, width: 60, fill: "#26221a" })}${figures.join("")}`;
  });
  return `<rect width="${CARD_WIDTH}" height="${CARD_HEIGHT}" fill="#f5eedd"/><rect x="20" y="20" width="${CARD_WIDTH - 40}" height="${CARD_HEIGHT - 40}" rx="10" fill="none" stroke="${colors.main}" stroke-width="6"/>
<path d="M20 20 H452 V150 L20 190 Z" fill="${colors.main}"/><circle cx="86" cy="92" r="46" fill="#fff"/>${svgText(face.cardNumber || "•", { x: 86, y: 104, size: 32, width: 80, fill: colors.deep, weight: 800, anchor: "middle" })}
${svgText(face.name, { x: 152, y: 92, size: 30, width: 280, fill: "#fff", weight: 800 })}${svgText(face.theme, { x: 152, y: 120, size: 17, width: 280, fill: "#fff" })}
<g fill="#6e6650" opacity="0.5">${[214, 236, 258, 280].map((y, index) => `<rect x="40" y="${y}" width="${index === 3 ? 230 : 392}" height="9" rx="4"/>`).join("")}</g>
${rows.join("")}${svgText(face.setLine, { x: CARD_WIDTH / 2, y: CARD_HEIGHT - 38, size: 14, width: 380, fill: "#6e6650", anchor: "middle" })}`;
}
