import { createContext, createElement, Fragment, use } from "react";

/** What Find looks for, which the cells mark; null without a find text. */
export const FindPattern = createContext<RegExp | null>(null);

/** Matches any of the words, in upper and lower case. */
export function findPatternOf(words: readonly string[]): RegExp | null {
  if (words.length === 0) return null;
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const escaped = longestFirst.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`(${escaped.join("|")})`, "iu");
}

const MATCH = {
  borderRadius: 2,
  background: "color-mix(in srgb, var(--sd-accent) 26%, transparent)",
  color: "inherit",
};

/** A cell's text, with the matches of Find marked. */
export function Marked({ text }: { text: string }) {
  const pattern = use(FindPattern);
  const parts = pattern === null ? [] : text.split(pattern);
  if (parts.length <= 1) return text;
  // The pattern's group puts the matches at the odd places.
  const marked = parts.map((part, index) => (index % 2 === 0 ? part : createElement("mark", { style: MATCH }, part)));
  // As arguments, the parts need no keys.
  return createElement(Fragment, null, ...marked);
}
