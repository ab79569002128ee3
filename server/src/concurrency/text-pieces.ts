import { setImmediate } from "node:timers/promises";

const LONG_ENOUGH = 64_000;

/** Called after a piece of work that occupied the event loop for this many milliseconds. The next one waits for it. */
export type Pause = (ms: number) => Promise<unknown>;

export const letOthers: Pause = () => setImmediate();

/** Joins texts into pieces of about 64,000 characters. Other requests are served between two pieces. */
export async function* inPieces(texts: Iterable<string>, pause: Pause = letOthers): AsyncGenerator<string> {
  let piece = "";
  let startedAt = performance.now();
  for (const text of texts) {
    piece += text;
    if (piece.length < LONG_ENOUGH) continue;
    const ms = performance.now() - startedAt;
    yield piece;
    await pause(ms);
    piece = "";
    startedAt = performance.now();
  }
  const ms = performance.now() - startedAt;
  if (piece === "") return;
  yield piece;
  await pause(ms);
}
