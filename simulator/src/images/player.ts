import type { Seeded } from "../made-up/seeded.ts";
import { DOWN, gradient, hsl, radial } from "./svg-text.ts";

type TeamColors = { main: string; deep: string; accent: string };

export function teamColors(random: Seeded): TeamColors {
  const hue = random.pick([0, 12, 28, 140, 200, 215, 230, 265, 345]);
  return { main: hsl(hue, 72, 44), deep: hsl(hue, 70, 20), accent: hsl(hue + random.pick([45, 180, 200]), 85, 58) };
}

/** A stadium with floodlights and a player that fills the given size. */
export function drawPlayer(random: Seeded, theme: string, colors: TeamColors, width: number, height: number): string {
  const skin = random.pick(["#8d5a3b", "#c68a5e", "#e0ac82", "#6b4229", "#f0c6a0"] as const);
  const lights = Array.from({ length: 26 }, () => {
    const radius = 4 + random.next() * 22;
    return `<circle cx="${random.int(0, width)}" cy="${random.int(0, Math.round(height * 0.5))}" r="${radius.toFixed(0)}" fill="#fff" opacity="${(0.05 + random.next() * 0.16).toFixed(2)}"/>`;
  });
  const beams = [0.12, 0.5, 0.88].map(
    (at) =>
      `<polygon points="${width * at},-10 ${width * (at - 0.28)},${height} ${width * (at + 0.28)},${height}" fill="#fff" opacity="0.07"/>`,
  );
  return `<defs>${gradient("stadium", [colors.deep, colors.main, colors.accent], DOWN)}${gradient("jersey", [colors.main, colors.deep], DOWN)}
${radial("face", lighter(skin), skin, 'cx="0.4" cy="0.35" r="0.75"')}</defs>
<rect width="${width}" height="${height}" fill="url(#stadium)"/>${beams.join("")}${lights.join("")}
<ellipse cx="${width / 2}" cy="${height * 1.02}" rx="${width * 0.85}" ry="${height * 0.3}" fill="${ground(theme)}"/>
<g transform="translate(${width / 2},${height * 0.47}) scale(${(Math.min(width, height) / 330).toFixed(3)}) rotate(${random.int(-5, 5)})">${bust(random, theme, colors)}</g>`;
}

function bust(random: Seeded, theme: string, colors: TeamColors): string {
  const number = random.int(1, 55);
  return `<path d="M-150 210 Q-146 92 -62 66 L62 66 Q146 92 150 210 Z" fill="url(#jersey)"/>
<path d="M-150 210 Q-146 110 -100 84 L-88 210 Z M150 210 Q146 110 100 84 L88 210 Z" fill="${colors.accent}" opacity="0.9"/>
<path d="M-32 20 L-34 70 Q0 104 34 70 L32 20 Z" fill="url(#face)"/><path d="M-36 68 Q0 108 36 68" stroke="#fff" stroke-width="7" fill="none"/>
<ellipse cx="0" cy="-24" rx="54" ry="66" fill="url(#face)"/>
<circle cx="-20" cy="-18" r="5" fill="#1d1712"/><circle cx="20" cy="-18" r="5" fill="#1d1712"/><path d="M-17 12 Q0 ${random.int(14, 28)} 17 12" stroke="#5a2d1c" stroke-width="5" fill="none" stroke-linecap="round"/>
${headgear(theme, colors)}
<text x="0" y="178" font-family="Arial, 'Liberation Sans', sans-serif" font-weight="800" font-size="78" text-anchor="middle" fill="#fff" stroke="${colors.deep}" stroke-width="3">${number}</text>`;
}

function headgear(theme: string, colors: TeamColors): string {
  switch (theme) {
    case "Baseball":
      return `<path d="M-57 -40 Q-56 -104 0 -106 Q56 -104 57 -40 Z" fill="${colors.deep}"/><path d="M-58 -42 Q0 -62 74 -34 Q92 -26 84 -18 Q10 -46 -56 -30 Z" fill="${colors.main}"/><circle cx="0" cy="-76" r="14" fill="${colors.accent}"/>`;
    case "Football":
      return `<path d="M-70 8 Q-84 -114 0 -116 Q84 -114 70 8 L48 8 Q50 -44 0 -46 Q-50 -44 -48 8 Z" fill="${colors.main}"/><path d="M-9 -116 h18 v70 h-18 Z" fill="${colors.accent}"/><path d="M-50 12 Q0 44 50 12 M-48 28 Q0 60 48 28" stroke="#d6d9df" stroke-width="7" fill="none"/>`;
    case "Hockey":
      return `<path d="M-60 -34 Q-62 -108 0 -108 Q62 -108 60 -34 Q30 -56 0 -56 Q-30 -56 -60 -34 Z" fill="${colors.deep}"/><path d="M-52 -40 Q0 -58 52 -40 L48 -10 Q0 -24 -48 -10 Z" fill="#dfefff" opacity="0.45"/>`;
    default:
      return `<path d="M-55 -34 Q-60 -98 0 -96 Q60 -98 55 -34 Q36 -72 0 -70 Q-36 -72 -55 -34 Z" fill="#1f1713"/>`;
  }
}

function ground(theme: string): string {
  if (theme === "Basketball") return "#c98a4b";
  return theme === "Hockey" ? "#e8f2fa" : "#3f8f4d";
}

function lighter(color: string): string {
  const channel = (from: number): string =>
    Math.min(255, Number.parseInt(color.slice(from, from + 2), 16) + 34)
      .toString(16)
      .padStart(2, "0");
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}
