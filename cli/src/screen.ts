import { cutText } from "@slabdesk/contract/certs/text.ts";

/** The stream for messages: stderr, because stdout is reserved for the file. */
export type ScreenStream = { write(text: string): unknown; readonly columns?: number };

export type Screen = ReturnType<typeof createScreen>;

const STATUS_LINE_EVERY_MS = 30_000;
const USUAL_COLUMNS = 80;
const CLEAR_LINE = "\r\u001b[K";

/** @param nowMs a monotonic clock */
export function createScreen(stream: ScreenStream, isTerminal: boolean, nowMs: () => number) {
  let isDrawn = false;
  let lastText = "";
  let lastAt = -Infinity;

  return {
    say(...lines: string[]): void {
      if (isDrawn) stream.write(CLEAR_LINE);
      isDrawn = false;
      for (const line of lines) stream.write(`${plainText(line)}\n`);
    },
    /** Shows the status: redrawn in place on a terminal, else printed as a line at intervals. */
    status(text: string): void {
      const plain = plainText(text);
      if (isTerminal) {
        // Some terminals wrap when the last column is filled. Some report 0 for an unknown width.
        const room = Math.max(1, (stream.columns || USUAL_COLUMNS) - 1);
        stream.write(`${CLEAR_LINE}${Array.from(plain).slice(0, room).join("")}`);
        isDrawn = true;
        return;
      }
      if (plain === lastText || nowMs() - lastAt < STATUS_LINE_EVERY_MS) return;
      lastText = plain;
      lastAt = nowMs();
      stream.write(`${plain}\n`);
    },
  };
}

const LONGEST = 2_000;

/** Makes text safe for a terminal: it can't move the cursor, change colors or reverse the text direction. */
export function plainText(text: string): string {
  return cutText(text, LONGEST).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}
