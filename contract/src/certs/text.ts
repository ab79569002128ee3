/** Removes NUL and replaces lone surrogates, which neither PostgreSQL nor file names can store. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

export function cutText(text: string, length: number): string {
  return text.length <= length ? text : Array.from(text).slice(0, length).join("");
}
