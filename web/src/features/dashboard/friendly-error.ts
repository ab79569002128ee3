/**
 * What the box 'Processing Failed' says of a row's error: SPEC section 8, 'Friendly error display in history'. It reads
 * the text because the rows of other tools and of earlier versions have nothing else. In this order:
 *
 *   credentials not configured     the message, as it is
 *   CGC API failed: <detail>       the detail
 *   PSA data failure: <detail>     the detail
 *   our own frame                  what stands in it: "Failed to fetch PSA cert 1: 404 PSA has no certificate 1"
 *   Failed to fetch                "Server connection failed"
 *   braces                         "Processing failed": a piece of a program, nothing for staff
 *
 * A detail that is a piece of a program itself counts as none.
 */
export function friendlyError(error: string | null): string {
  const text = (error ?? "").trim();
  const [, framed] = FRAME.exec(text) ?? [];
  const message = (framed ?? text).trim();
  if (NOT_CONFIGURED.test(message)) return message;
  const [, timeoutMs] = TIMEOUT.exec(message) ?? [];
  if (timeoutMs !== undefined) return `No answer within ${Number(timeoutMs) / 1000} seconds`;
  const detail = DETAILS.flatMap((pattern) => pattern.exec(message)?.[1] ?? [])[0]?.trim();
  if (detail !== undefined) return isForStaff(detail) ? detail : PROCESSING_FAILED;
  if (framed !== undefined && isForStaff(message) && !message.includes(FAILED_TO_FETCH)) return message;
  if (text.includes(FAILED_TO_FETCH)) return "Server connection failed";
  return isForStaff(message) ? message : PROCESSING_FAILED;
}

const PROCESSING_FAILED = "Processing failed";
const FAILED_TO_FETCH = "Failed to fetch";

/** SPEC's non-OK lookup: what it puts around the words of an answer. */
const FRAME = /^Failed to fetch (?:PSA|CGC|TAG) cert .*?: \d{3} (.+)$/s;
const NOT_CONFIGURED = /credentials (?:are )?not configured/i;
const TIMEOUT = /^Request timeout after (\d+)ms$/;
const DETAILS = [/CGC API failed:\s*(.+)$/is, /PSA data\b[^:]*:\s*(.+)$/is];

function isForStaff(text: string): boolean {
  return text !== "" && !/[{}]/.test(text);
}
