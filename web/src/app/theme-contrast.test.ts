import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/* WCAG 2.2, 1.4.3: text has a contrast of at least 4.5 with its background. Computed from the theme's colors. */

const CSS = readFileSync(new URL("theme.css", import.meta.url), "utf8");
const LOWEST = 4.5;

const tokens = new Map(
  [...CSS.matchAll(/--sd-([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g)].map(
    ([, name = "", light, dark, both = ""]) => [name, { light: light ?? both, dark: dark ?? both }],
  ),
);

/** The relative luminance of "#rrggbb". */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(text: string, background: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(text), luminanceOf(background)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const PLAIN = ["surface", "canvas", "fill", "hover"];
const ROWS = ["warn-row", "bad-row", "accent-soft"];
const TEXTS: readonly (readonly [text: string, backgrounds: readonly string[]])[] = [
  ["ink", [...PLAIN, ...ROWS, "good-soft", "warn-soft", "bad-soft"]],
  ["muted", [...PLAIN, ...ROWS]],
  ["neutral", [...PLAIN, ...ROWS]],
  ["accent", ["surface", "canvas", "hover", "accent-soft"]],
  ["good-text", ["surface", "canvas", "hover", "good-soft"]],
  ["warn", ["surface", "canvas", "hover", "warn-soft", "warn-row"]],
  ["bad", ["surface", "canvas", "hover", "bad-soft", "bad-row"]],
  ["on-ink", ["ink", "ink-hover"]],
  ["on-accent", ["accent"]],
  ["on-bad", ["bad"]],
  ["on-company", ["psa", "cgc", "tag"]],
];

describe.each(["light", "dark"] as const)("in the %s scheme", (scheme) => {
  test.each(TEXTS)("%s is readable on its backgrounds", (text, backgrounds) => {
    const color = (name: string): string => tokens.get(name)?.[scheme] ?? `no color ${name}`;
    const tooLow = backgrounds
      .map((background) => [background, contrast(color(text), color(background))] as const)
      .filter(([, ratio]) => !(ratio >= LOWEST));
    expect(tooLow).toEqual([]);
  });
});
