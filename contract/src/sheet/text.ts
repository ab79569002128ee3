/**
 * Text as every part of the product can hold it: no NUL and no half of a character pair, which neither the database
 * nor a file name takes. All else stays as it is.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

/** The first `length` characters; an emoji is never cut in half. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : Array.from(text).slice(0, length).join("");
}
