/*
 * An HTML parser's time grows with the square of the nesting: one megabyte of unclosed <div> keeps the process busy for
 * minutes, and reading its text overflows the stack. No certificate page nests deeper than some forty elements, and
 * browsers themselves stop at 512, so a deeper one is not parsed at all.
 */
const DEEPEST = 512;

const VOID = new Set([
  "area",
  "base",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "param",
  "source",
  "track",
  "wbr",
]);
/** Their end tags may be left out; they end by themselves, so they nest only inside elements that are counted. */
const ENDS_BY_ITSELF = new Set([
  "html",
  "head",
  "body",
  "p",
  "li",
  "dt",
  "dd",
  "option",
  "optgroup",
  "rp",
  "rt",
  "colgroup",
  "thead",
  "tbody",
  "tfoot",
  "tr",
  "td",
  "th",
]);
/** What stands in these is text, whatever it looks like. */
const RAW_TEXT = new Set(["script", "style", "title", "textarea", "iframe", "xmp"]);

const TAG_OR_COMMENT = /<!--|<(\/?)([a-z][^\s/<>]*)([^<>]*)/g;

/** Whether a page nests deeper than any that is meant to be read. One pass, without parsing. */
export function isNestedTooDeep(html: string): boolean {
  const source = html.toLowerCase();
  const stack: string[] = [];
  const tags = new RegExp(TAG_OR_COMMENT);
  for (let match = tags.exec(source); match; match = tags.exec(source)) {
    const [, slash, name = "", rest = ""] = match;
    if (match[0] === "<!--") tags.lastIndex = endOf(source, "-->", tags.lastIndex);
    else if (slash) close(stack, name);
    else if (RAW_TEXT.has(name)) tags.lastIndex = endOf(source, `</${name}`, tags.lastIndex);
    else if (!VOID.has(name) && !ENDS_BY_ITSELF.has(name) && !isEmptyDrawing(stack, rest)) stack.push(name);
    if (stack.length > DEEPEST) return true;
  }
  return false;
}

function endOf(source: string, end: string, from: number): number {
  const at = source.indexOf(end, from);
  return at < 0 ? source.length : at + end.length;
}

/** An end tag without its start tag is nothing, and none reaches out of the table that it stands in. */
function close(stack: string[], name: string): void {
  const at = stack.lastIndexOf(name);
  if (at >= 0 && (name === "table" || at > stack.lastIndexOf("table"))) stack.length = at;
}

/** Inside drawings, and only there, "/>" closes an element. */
function isEmptyDrawing(stack: readonly string[], rest: string): boolean {
  return rest.endsWith("/") && (stack.includes("svg") || stack.includes("math"));
}
