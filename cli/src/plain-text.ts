import { cutText } from "@slabdesk/contract/sheet/text.ts";

/** Longer than anything the server says to staff. */
const LONGEST = 2_000;

/**
 * Text for a terminal: what a server, a file name or an error message says cannot move the cursor, color what follows
 * or turn its direction round.
 */
export function plainText(text: string): string {
  return cutText(text, LONGEST).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}
