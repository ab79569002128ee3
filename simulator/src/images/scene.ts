import type { Seeded } from "../made-up/seeded.ts";
import { DOWN, gradient, hsl, radial } from "./svg-text.ts";

/** A landscape with a creature that fills the given size. The same random numbers give the same drawing. */
export function drawScene(random: Seeded, width: number, height: number): string {
  const hue = random.int(0, 359);
  const isNight = random.chance(0.3);
  const horizon = height * (0.52 + random.next() * 0.14);
  return `<defs>${gradient("sky", isNight ? [hsl(hue, 60, 14), hsl(hue + 25, 62, 34), hsl(hue + 60, 70, 58)] : [hsl(hue, 78, 62), hsl(hue + 30, 85, 76), hsl(hue + 55, 95, 88)], DOWN)}
${radial("sun", isNight ? "rgba(255,255,240,0.95)" : "rgba(255,252,220,1)", "rgba(255,255,255,0)")}</defs>
<rect width="${width}" height="${height}" fill="url(#sky)"/>
${sky(random, width, horizon, isNight)}
${hills(random, hue, width, height, horizon, isNight)}
${creature(random, hue + random.pick([150, 180, 210, 100]), width / 2, height * 0.56, Math.min(width, height) * 0.27)}
${sparkles(random, width, height)}`;
}

function sky(random: Seeded, width: number, horizon: number, isNight: boolean): string {
  const x = width * (0.2 + random.next() * 0.6);
  const y = horizon * (0.25 + random.next() * 0.3);
  const rays = Array.from({ length: 14 }, (_, index) => {
    const angle = (index * Math.PI * 2) / 14;
    const at = (turn: number): string =>
      `${(x + Math.cos(angle + turn) * width * 1.4).toFixed(0)},${(y + Math.sin(angle + turn) * width * 1.4).toFixed(0)}`;
    return `<polygon points="${x.toFixed(0)},${y.toFixed(0)} ${at(-0.09)} ${at(0.09)}" fill="#fff" opacity="${isNight ? 0.05 : 0.14}"/>`;
  });
  const stars = isNight
    ? Array.from(
        { length: 34 },
        () =>
          `<circle cx="${random.int(0, width)}" cy="${random.int(0, Math.round(horizon))}" r="${(0.6 + random.next() * 1.8).toFixed(1)}" fill="#fff" opacity="0.85"/>`,
      )
    : Array.from({ length: 4 }, () =>
        cloud(random.int(0, width), random.int(10, Math.round(horizon * 0.8)), 16 + random.next() * 22),
      );
  return `${rays.join("")}${stars.join("")}<circle cx="${x}" cy="${y}" r="${width * 0.3}" fill="url(#sun)" opacity="0.75"/><circle cx="${x}" cy="${y}" r="${width * 0.075}" fill="#fffdf0"/>`;
}

function cloud(x: number, y: number, size: number): string {
  return `<g fill="#fff" opacity="0.55"><ellipse cx="${x}" cy="${y}" rx="${size * 1.8}" ry="${size * 0.5}"/><circle cx="${x - size * 0.5}" cy="${y - size * 0.3}" r="${size * 0.6}"/><circle cx="${x + size * 0.4}" cy="${y - size * 0.4}" r="${size * 0.75}"/></g>`;
}

function hills(random: Seeded, hue: number, width: number, height: number, horizon: number, isNight: boolean): string {
  return [0, 1, 2]
    .map((layer) => {
      const base = horizon + (height - horizon) * layer * 0.3;
      const peaks = 4 + layer;
      const step = width / peaks;
      let path = `M0 ${height} L0 ${base.toFixed(0)}`;
      for (let peak = 0; peak < peaks; peak += 1) {
        const rise = (0.12 - layer * 0.03) * height * (0.4 + random.next());
        path += ` Q${(step * (peak + 0.5)).toFixed(0)} ${(base - rise).toFixed(0)} ${(step * (peak + 1)).toFixed(0)} ${(base + rise * 0.15).toFixed(0)}`;
      }
      const lightness = (isNight ? 26 : 54) - layer * (isNight ? 7 : 10);
      return `<path d="${path} L${width} ${height} Z" fill="${hsl(hue + 90 + layer * 14, 48, lightness)}"/>`;
    })
    .join("");
}

/** A small round creature. Some have wings, horns or long ears. */
function creature(random: Seeded, hue: number, x: number, y: number, size: number): string {
  const id = "body";
  const light = hsl(hue, 85, 72);
  const dark = hsl(hue - 15, 72, 40);
  const accent = hsl(hue + 60, 90, 62);
  const pair = (shape: string): string => `<g>${shape}</g><g transform="scale(-1,1)">${shape}</g>`;
  const ears = random.pick([
    `<path d="M18 -62 Q40 -150 74 -118 Q78 -70 48 -44 Z" fill="${dark}"/><path d="M30 -66 Q46 -122 64 -106 Q64 -76 48 -58 Z" fill="${accent}"/>`,
    `<ellipse cx="46" cy="-96" rx="19" ry="52" transform="rotate(22 46 -96)" fill="${dark}"/><ellipse cx="46" cy="-98" rx="9" ry="36" transform="rotate(22 46 -98)" fill="${accent}"/>`,
    `<path d="M14 -70 L30 -132 L58 -84 L86 -112 L80 -40 Z" fill="${accent}"/>`,
  ]);
  const wings = random.chance(0.55)
    ? pair(
        `<path d="M66 -6 Q150 -120 176 -40 Q186 20 146 34 Q118 50 66 30 Z" fill="${accent}" opacity="0.92"/><path d="M72 4 Q138 -70 156 -26 M72 14 Q130 0 150 16" stroke="#fff" stroke-width="4" opacity="0.6" fill="none"/>`,
      )
    : `<path d="M70 58 Q160 70 140 -10 Q176 40 130 84 Q100 104 64 84 Z" fill="${accent}"/>`;
  const mark = random.pick([
    `<path d="M0 -66 L14 -44 L0 -22 L-14 -44 Z" fill="${accent}"/>`,
    `<circle cx="0" cy="-50" r="13" fill="${accent}"/>`,
    `<path d="M0 -92 L16 -52 L-16 -52 Z" fill="#fff4c2"/>`,
  ]);
  return `<defs>${radial(id, light, dark, 'cx="0.4" cy="0.3" r="0.8"')}</defs>
<g transform="translate(${x.toFixed(0)},${y.toFixed(0)}) scale(${(size / 100).toFixed(3)})">
<ellipse cx="0" cy="104" rx="92" ry="14" fill="#000" opacity="0.22"/><circle r="128" fill="none" stroke="#fff" stroke-width="3" opacity="0.35"/>
${wings}${pair(ears)}${pair(`<ellipse cx="40" cy="92" rx="26" ry="17" fill="${dark}"/>`)}
<ellipse cx="0" cy="8" rx="88" ry="92" fill="url(#${id})"/><ellipse cx="0" cy="44" rx="52" ry="46" fill="#fff" opacity="0.38"/>${mark}
${pair(`<ellipse cx="33" cy="-8" rx="17" ry="22" fill="#fff"/><ellipse cx="31" cy="-4" rx="11" ry="16" fill="${hsl(hue + 180, 70, 22)}"/><circle cx="35" cy="-11" r="5" fill="#fff"/><ellipse cx="56" cy="22" rx="12" ry="7" fill="${hsl(350, 90, 70)}" opacity="0.7"/>`)}
<path d="M-12 26 Q0 ${random.int(34, 44)} 12 26" stroke="${hsl(hue, 60, 18)}" stroke-width="5" stroke-linecap="round" fill="none"/></g>`;
}

function sparkles(random: Seeded, width: number, height: number): string {
  const star = (): string => {
    const [x, y, size] = [random.int(10, width - 10), random.int(10, height - 10), 3 + random.next() * 8];
    return `<path d="M${x} ${y - size} Q${x} ${y} ${x + size} ${y} Q${x} ${y} ${x} ${y + size} Q${x} ${y} ${x - size} ${y} Q${x} ${y} ${x} ${y - size}" fill="#fff" opacity="${(0.4 + random.next() * 0.5).toFixed(2)}"/>`;
  };
  return Array.from({ length: 12 }, star).join("");
}
