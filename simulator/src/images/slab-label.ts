import { seeded } from "../made-up/seeded.ts";
import type { SlabFace } from "./slab-face.ts";
import { gradient, svgText } from "./svg-text.ts";

const X = 42;
const Y = 42;
const WIDTH = 516;
const HEIGHT = 184;

/** The label at the top of a slab, in each company's style. */
export function drawLabel(face: SlabFace, side: "front" | "back"): string {
  switch (face.company) {
    case "PSA":
      return side === "front" ? psaFront(face) : psaBack(face);
    case "CGC":
      return side === "front" ? cgcFront(face) : cgcBack(face);
    case "TAG":
      return side === "front" ? tagFront(face) : tagBack(face);
  }
}

const RED = "#c8102e";

function psaFront(face: SlabFace): string {
  return `<rect x="${X}" y="${Y}" width="${WIDTH}" height="${HEIGHT}" rx="8" fill="${RED}"/><rect x="${X + 9}" y="${Y + 9}" width="${WIDTH - 18}" height="${HEIGHT - 18}" rx="3" fill="#fff"/>
${svgText(face.setLine, { x: X + 24, y: Y + 46, size: 25, width: 320, fill: "#15171c" })}
${svgText(face.name, { x: X + 24, y: Y + 80, size: 27, width: 320, fill: "#15171c", weight: 800 })}
${svgText(face.variety, { x: X + 24, y: Y + 110, size: 21, width: 320, fill: "#15171c" })}
${svgText(face.cardNumber && `#${face.cardNumber}`, { x: X + WIDTH - 24, y: Y + 46, size: 25, width: 120, fill: "#15171c", anchor: "end" })}
${svgText(face.gradeWord, { x: X + WIDTH - 24, y: Y + 80, size: 25, width: 130, fill: "#15171c", anchor: "end", weight: 700 })}
${svgText(face.gradeNumber, { x: X + WIDTH - 24, y: Y + 126, size: 46, width: 120, fill: "#15171c", anchor: "end", weight: 800 })}
${barcode(face.certNumber, X + 24, Y + 128, 170, 34, "#15171c")}
<rect x="${X + 222}" y="${Y + 124}" width="86" height="40" rx="5" fill="${RED}"/>${svgText("PSA", { x: X + 265, y: Y + 154, size: 29, width: 80, fill: "#fff", weight: 800, anchor: "middle" })}
${svgText(face.certNumber, { x: X + WIDTH - 24, y: Y + 162, size: 22, width: 170, fill: "#15171c", anchor: "end" })}`;
}

function psaBack(face: SlabFace): string {
  return `<rect x="${X}" y="${Y}" width="${WIDTH}" height="${HEIGHT}" rx="8" fill="${RED}"/><rect x="${X + 9}" y="${Y + 9}" width="${WIDTH - 18}" height="${HEIGHT - 18}" rx="3" fill="#fdf6f6"/>
${svgText("PSA", { x: 300, y: Y + 90, size: 74, width: 300, fill: RED, weight: 800, anchor: "middle" })}${barcode(face.certNumber, 190, Y + 108, 220, 36, "#15171c")}
${svgText(face.certNumber, { x: 300, y: Y + 166, size: 20, width: 220, fill: "#15171c", anchor: "middle" })}`;
}

const CGC_DEFS = `<defs>${gradient("cgc", ["#0b1220", "#12306b", "#1d4ed8"])}</defs>`;

function cgcFront(face: SlabFace): string {
  return `${CGC_DEFS}<rect x="${X}" y="${Y}" width="${WIDTH}" height="${HEIGHT}" rx="10" fill="url(#cgc)"/>
<rect x="${X + 14}" y="${Y + 14}" width="124" height="${HEIGHT - 28}" rx="10" fill="#f7fafc"/>
${svgText(face.gradeNumber || "AU", { x: X + 76, y: Y + 104, size: 68, width: 112, fill: "#0b1220", weight: 800, anchor: "middle" })}
${svgText(face.gradeWord.toUpperCase(), { x: X + 76, y: Y + 140, size: 17, width: 112, fill: "#1d4ed8", weight: 800, anchor: "middle" })}
${svgText(face.name, { x: X + 156, y: Y + 52, size: 28, width: 344, fill: "#ffffff", weight: 800 })}
${svgText(face.setLine, { x: X + 156, y: Y + 84, size: 20, width: 344, fill: "#cfdcf7" })}
${svgText([face.cardNumber, face.variety].filter((part) => part !== "").join(" · "), { x: X + 156, y: Y + 112, size: 18, width: 344, fill: "#cfdcf7" })}
${svgText("CGC", { x: X + 156, y: Y + 162, size: 34, width: 90, fill: "#ffffff", weight: 800 })}
${svgText(face.certNumber, { x: X + WIDTH - 20, y: Y + 160, size: 19, width: 200, fill: "#ffffff", anchor: "end" })}`;
}

function cgcBack(face: SlabFace): string {
  return `${CGC_DEFS}<rect x="${X}" y="${Y}" width="${WIDTH}" height="${HEIGHT}" rx="10" fill="url(#cgc)"/>
${svgText("CGC", { x: X + 30, y: Y + 112, size: 74, width: 240, fill: "#ffffff", weight: 800 })}${svgText("CERTIFIED CARDS", { x: X + 32, y: Y + 146, size: 18, width: 240, fill: "#cfdcf7", extra: 'letter-spacing="2"' })}
<rect x="${X + WIDTH - 156}" y="${Y + 22}" width="140" height="140" rx="8" fill="#fff"/>${codeSquare(face.certNumber, X + WIDTH - 146, Y + 32, 120, "#0b1220")}`;
}

function tagFront(face: SlabFace): string {
  return `<rect x="${X}" y="${Y}" width="${WIDTH}" height="${HEIGHT}" rx="12" fill="#0d0e12"/><rect x="${X + 5}" y="${Y + 5}" width="${WIDTH - 10}" height="${HEIGHT - 10}" rx="9" fill="none" stroke="#4a4f5c" stroke-width="2"/>
${svgText("TAG", { x: X + 24, y: Y + 54, size: 38, width: 110, fill: "#ffffff", weight: 800, extra: 'letter-spacing="3"' })}
${svgText(face.name, { x: X + 24, y: Y + 96, size: 25, width: 344, fill: "#ffffff", weight: 700 })}
${svgText(face.setLine, { x: X + 24, y: Y + 124, size: 17, width: 344, fill: "#b6bcc9" })}
${svgText([face.cardNumber, face.variety].filter((part) => part !== "").join(" · "), { x: X + 24, y: Y + 150, size: 16, width: 240, fill: "#b6bcc9" })}
${svgText(face.gradeNumber, { x: X + WIDTH - 66, y: Y + 84, size: 66, width: 110, fill: "#ffffff", weight: 800, anchor: "middle" })}
${svgText(face.gradeWord, { x: X + WIDTH - 66, y: Y + 112, size: 17, width: 116, fill: "#ffffff", weight: 700, anchor: "middle" })}
${face.score === null ? "" : svgText(`SCORE ${face.score}`, { x: X + WIDTH - 66, y: Y + 136, size: 14, width: 116, fill: "#b6bcc9", anchor: "middle" })}
${svgText(face.certNumber, { x: X + WIDTH - 20, y: Y + 164, size: 17, width: 150, fill: "#ffffff", anchor: "end" })}`;
}

function tagBack(face: SlabFace): string {
  return `<rect x="${X}" y="${Y}" width="${WIDTH}" height="${HEIGHT}" rx="12" fill="#0d0e12"/>
<rect x="${X + 22}" y="${Y + 22}" width="140" height="140" rx="8" fill="#fff"/>${codeSquare(face.certNumber, X + 32, Y + 32, 120, "#0d0e12")}
${svgText("TAG", { x: X + 200, y: Y + 96, size: 64, width: 240, fill: "#ffffff", weight: 800, extra: 'letter-spacing="4"' })}${svgText(`CERT ${face.certNumber}`, { x: X + 202, y: Y + 134, size: 20, width: 280, fill: "#b6bcc9" })}`;
}

function barcode(text: string, x: number, y: number, width: number, height: number, ink: string): string {
  const random = seeded(`bars ${text}`);
  let bars = "";
  for (let at = 0; at < width;) {
    const bar = random.int(1, 4);
    bars += `<rect x="${x + at}" y="${y}" width="${bar}" height="${height}" fill="${ink}"/>`;
    at += bar + random.int(2, 4);
  }
  return bars;
}

const MODULES = 21;

/** Looks like a QR code but encodes nothing. */
function codeSquare(text: string, x: number, y: number, size: number, ink: string): string {
  const random = seeded(`code ${text}`);
  const module = size / MODULES;
  const isEye = (row: number, column: number): boolean =>
    (row < 8 && column < 8) || (row < 8 && column > 12) || (row > 12 && column < 8);
  let modules = "";
  for (let row = 0; row < MODULES; row += 1) {
    for (let column = 0; column < MODULES; column += 1) {
      if (!isEye(row, column) && random.chance(0.48))
        modules += `M${(x + column * module).toFixed(1)} ${(y + row * module).toFixed(1)}h${module.toFixed(1)}v${module.toFixed(1)}h-${module.toFixed(1)}z`;
    }
  }
  const eye = (row: number, column: number): string =>
    `<rect x="${x + (column + 0.5) * module}" y="${y + (row + 0.5) * module}" width="${6 * module}" height="${6 * module}" fill="none" stroke="${ink}" stroke-width="${module}"/><rect x="${x + (column + 2) * module}" y="${y + (row + 2) * module}" width="${3 * module}" height="${3 * module}" fill="${ink}"/>`;
  return `<path d="${modules}" fill="${ink}"/>${eye(0, 0)}${eye(0, 14)}${eye(14, 0)}`;
}
