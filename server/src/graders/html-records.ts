import { load, type CheerioAPI } from "cheerio";
import { foldText, type Text } from "./card-text.ts";

export function elementsOf($: CheerioAPI, selector: string): Elements[] {
  return $.root()
    .find(selector)
    .toArray()
    .map((element) => $(element));
}

export type Elements = ReturnType<ReturnType<CheerioAPI["root"]>["children"]>;

/** A printed record: values by label. Labels have the form of `labelKey`. */
export type PrintedRecord = ReadonlyMap<string, Text>;

/** Loads a page without scripts, with the lines of a value separated. A hostile page can take minutes or hours. */
export function loadPage(html: string): CheerioAPI {
  const $ = load(html);
  $("script, style, template, noscript").remove();
  $("p, br, div, li").after(" ");
  return $;
}

/** Normalizes a label: lower case, single spaces, no colon at the end. */
export const labelKey = (label: string): string => (foldText(label) ?? "").replace(/\s*:$/, "").toLowerCase();

/** The first value under any of the labels (in the form of `labelKey`). */
export function valueOf(record: PrintedRecord, ...labels: string[]): Text {
  return labels.map((label) => record.get(label) ?? null).find((value) => value !== null) ?? null;
}

/** Reads label and value pairs: each label with the first value before the next. The first of equal labels counts. */
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
