import { plainText } from "./plain-text.ts";

/** Where words for the person go. stdout belongs to the file, so this is stderr. */
export type ScreenStream = { write(text: string): unknown; readonly columns?: number };

export type Screen = {
  /** Words that stay, one line each. */
  say(...lines: string[]): void;
  /** How it stands: drawn over and over in one place on a terminal, elsewhere a line now and then. */
  status(text: string): void;
};

/** In a log, so often at most is said how it stands. */
const STATUS_LINE_EVERY_MS = 30_000;
const USUAL_COLUMNS = 80;
const CLEAR_LINE = "\r\u001b[K";

/** @param nowMs a clock that only goes forward */
export function createScreen(stream: ScreenStream, isTerminal: boolean, nowMs: () => number): Screen {
  let isDrawn = false;
  let lastText = "";
  let lastAt = -Infinity;

  function draw(text: string): void {
    // The last column stays free: some terminals go to the next line when it is filled. Some say 0 for a width unknown.
    const room = Math.max(1, (stream.columns || USUAL_COLUMNS) - 1);
    stream.write(`${CLEAR_LINE}${Array.from(text).slice(0, room).join("")}`);
    isDrawn = true;
  }

  return {
    say(...lines) {
      if (isDrawn) stream.write(CLEAR_LINE);
      isDrawn = false;
      for (const line of lines) stream.write(`${plainText(line)}\n`);
    },
    status(text) {
      const plain = plainText(text);
      if (isTerminal) return draw(plain);
      if (plain === lastText || nowMs() - lastAt < STATUS_LINE_EVERY_MS) return;
      lastText = plain;
      lastAt = nowMs();
      stream.write(`${plain}\n`);
    },
  };
}
