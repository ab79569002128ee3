import { load } from "cheerio";
import type { CheerioAPI } from "cheerio";
import { foldText } from "./card-text.ts";
import type { Text } from "./card-text.ts";
import { isNestedTooDeep } from "./html-depth.ts";

export type Elements = ReturnType<ReturnType<CheerioAPI["root"]>["children"]>;

/** A printed record: its values by label, each label in the form of `labelKey`. */
export type PrintedRecord = ReadonlyMap<string, Text>;

/**
 * A page as its reader sees the words: no scripts, and lines of one value apart from each other. Null for one that is
 * nested so deeply that it cannot be meant to be read.
 */
export function loadPage(html: string): CheerioAPI | null {
  if (isNestedTooDeep(html)) return null;
  const $ = load(html);
  $("script, style, template, noscript").remove();
  $("p, br, div, li").after(" ");
  return $;
}

/** A label without what varies: letter case, white space, a colon at its end. */
export function labelKey(label: string): string {
  return (foldText(label) ?? "").replace(/\s*:$/, "").toLowerCase();
}

/** The first value printed under any of the labels (in the form of `labelKey`). */
export function valueOf(record: PrintedRecord, ...labels: string[]): Text {
  return labels.map((label) => record.get(label) ?? null).find((value) => value !== null) ?? null;
}

/**
 * Reads label and value pairs: each label element with the first value element that follows it beside it, before the
 * next label. A label that is printed twice keeps its first value.
 */
export function readPairs($: CheerioAPI, scope: Elements, labelTag: "dt" | "th", valueTag: "dd" | "td"): PrintedRecord {
  const record = new Map<string, Text>();
  for (const element of scope.find(labelTag).toArray()) {
    const label = $(element);
    const key = labelKey(label.text());
    const value = label.nextUntil(labelTag).filter(valueTag).first();
    if (key !== "" && !record.has(key)) record.set(key, foldText(value.text()));
  }
  return record;
}
