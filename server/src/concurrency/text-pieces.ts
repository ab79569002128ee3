import { setImmediate } from "node:timers/promises";

const LONG_ENOUGH = 64_000;

/** Joins texts into pieces of about 64,000 characters. Other requests are served between two pieces. */
export async function* inPieces(texts: Iterable<string>): AsyncGenerator<string> {
  let piece = "";
  for (const text of texts) {
    piece += text;
    if (piece.length < LONG_ENOUGH) continue;
    yield piece;
    piece = "";
    await setImmediate();
  }
  if (piece !== "") yield piece;
}
