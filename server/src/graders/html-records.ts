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

/** Loads a page without scripts, with the lines of a value separated. Null if the page nests too deep. */
export function loadPage(html: string): CheerioAPI | null {
  if (isNestedTooDeep(html)) return null;
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

/*
 * HTML parsing time grows with the square of the depth: 1 MB of unclosed <div> blocks the process for minutes.
 * Certificate pages nest about 40 deep, and browsers stop at 512.
 */
const DEEPEST = 512;

const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
/** Elements with optional end tags. They close implicitly, so they nest only inside elements that are counted. */
const ENDS_BY_ITSELF = new Set(
  "html head body p li dt dd option optgroup rp rt colgroup thead tbody tfoot tr td th".split(" "),
);
const RAW_TEXT = new Set(["script", "style", "title", "textarea", "iframe", "xmp"]);

const TAG_OR_COMMENT = /<!--|<(\/?)([a-z][^\s/<>]*)([^<>]*)/g;

/** Whether a page nests too deep to parse. Makes one pass without parsing. */
export function isNestedTooDeep(html: string): boolean {
  const source = html.toLowerCase();
  const stack: string[] = [];
  const tags = new RegExp(TAG_OR_COMMENT);
  for (let match = tags.exec(source); match; match = tags.exec(source)) {
    const [, slash, name = "", rest = ""] = match;
    // "/>" closes an element only inside SVG and MathML.
    const isEmptyDrawing = rest.endsWith("/") && (stack.includes("svg") || stack.includes("math"));
    if (match[0] === "<!--") tags.lastIndex = endOf(source, "-->", tags.lastIndex);
    else if (slash) close(stack, name);
    else if (RAW_TEXT.has(name)) tags.lastIndex = endOf(source, `</${name}`, tags.lastIndex);
    else if (!VOID.has(name) && !ENDS_BY_ITSELF.has(name) && !isEmptyDrawing) stack.push(name);
    if (stack.length > DEEPEST) return true;
  }
  return false;
}

function endOf(source: string, end: string, from: number): number {
  const at = source.indexOf(end, from);
  return at < 0 ? source.length : at + end.length;
}

/** Ignores an end tag without a start tag. No end tag closes elements outside its table. */
function close(stack: string[], name: string): void {
  const at = stack.lastIndexOf(name);
  if (at >= 0 && (name === "table" || at > stack.lastIndexOf("table"))) stack.length = at;
}
