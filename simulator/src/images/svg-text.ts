import { escapeText } from "../endpoints/html.ts";

type TextStyle = {
  x: number;
  y: number;
  size: number;
  width: number;
  fill: string;
  weight?: number;
  anchor?: "start" | "middle" | "end";
  extra?: string;
};

const FONTS = "Inter, Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', 'Droid Sans Fallback', sans-serif";
/** The average width of a capital letter, in font sizes. */
const LETTER_WIDTH = 0.63;
/** Chinese and Japanese characters are about twice as wide. Some names contain them. */
const WIDE = /[\u3000-\u9fff]/;
const SMALLEST_SHARE = 0.68;

/** One line of text that fits a width. Reduces the font size first, then cuts the text. */
export function svgText(text: string, style: TextStyle): string {
  const clean = text.replaceAll(/\p{Cc}/gu, " ");
  const letterWidth = WIDE.test(clean) ? LETTER_WIDTH * 1.35 : LETTER_WIDTH;
  const fits = style.width / letterWidth / Math.max(clean.length, 1);
  const size = Math.max(Math.min(style.size, fits), style.size * SMALLEST_SHARE);
  const letters = Math.floor(style.width / letterWidth / size);
  const shown = clean.length > letters ? `${clean.slice(0, Math.max(letters - 1, 1)).trimEnd()}…` : clean;
  return `<text x="${style.x}" y="${style.y}" font-family="${FONTS}" font-size="${size.toFixed(1)}" font-weight="${style.weight ?? 600}" fill="${style.fill}" text-anchor="${style.anchor ?? "start"}" ${style.extra ?? ""}>${escapeText(shown)}</text>`;
}

export function hsl(hue: number, saturation: number, lightness: number): string {
  return `hsl(${Math.round(((hue % 360) + 360) % 360)},${Math.round(saturation)}%,${Math.round(lightness)}%)`;
}

/** A linear gradient, by default from top left to bottom right. */
export function gradient(id: string, stops: readonly string[], direction = 'x1="0" y1="0" x2="1" y2="1"'): string {
  const marks = stops.map(
    (color, index) => `<stop offset="${(index / Math.max(stops.length - 1, 1)).toFixed(2)}" stop-color="${color}"/>`,
  );
  return `<linearGradient id="${id}" ${direction}>${marks.join("")}</linearGradient>`;
}

export function radial(id: string, inner: string, outer: string, place = 'cx="0.5" cy="0.5" r="0.5"'): string {
  return `<radialGradient id="${id}" ${place}><stop offset="0" stop-color="${inner}"/><stop offset="1" stop-color="${outer}"/></radialGradient>`;
}

export const DOWN = 'x1="0" y1="0" x2="0" y2="1"';
