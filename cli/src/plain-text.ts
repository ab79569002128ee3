import { cutText } from "@slabdesk/contract/certs/text.ts";

/** Longer than any server message. */
const LONGEST = 2_000;

/**
 * Makes text safe for a terminal. Text from a server, a file name or an error message can't move the cursor, change
 * colors or reverse the text direction.
 */
export function plainText(text: string): string {
  return cutText(text, LONGEST).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}
