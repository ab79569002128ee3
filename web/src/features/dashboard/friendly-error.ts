/**
 * The text of the 'Processing Failed' box for a row's error. Parses the text, because rows from other tools and earlier
 * versions have nothing else. Raw program output, which has braces, is never shown.
 */
export function friendlyError(error: string | null): string {
  const text = (error ?? "").trim();
  const [, framed] = FRAME.exec(text) ?? [];
  const message = (framed ?? text).trim();
  if (NOT_CONFIGURED.test(message)) return message;
  const [, timeoutMs] = TIMEOUT.exec(message) ?? [];
  if (timeoutMs !== undefined) return `No response within ${Number(timeoutMs) / 1000} seconds`;
  const detail = DETAILS.flatMap((pattern) => pattern.exec(message)?.[1] ?? [])[0]?.trim();
  if (detail !== undefined) return isForStaff(detail) ? detail : PROCESSING_FAILED;
  if (framed !== undefined && isForStaff(message) && !message.includes(FAILED_TO_FETCH)) return message;
  if (text.includes(FAILED_TO_FETCH)) return "Server connection failed";
  return isForStaff(message) ? message : PROCESSING_FAILED;
}

const PROCESSING_FAILED = "Processing failed";
const FAILED_TO_FETCH = "Failed to fetch";

/** The prefix that a failed lookup adds to the upstream's message. */
const FRAME = /^Failed to fetch (?:PSA|CGC|TAG) cert .*?: \d{3} (.+)$/s;
const NOT_CONFIGURED = /credentials (?:are )?not configured/i;
const TIMEOUT = /^Request timeout after (\d+)ms$/;
const DETAILS = [/CGC API failed:\s*(.+)$/is, /PSA data\b[^:]*:\s*(.+)$/is];

function isForStaff(text: string): boolean {
  return text !== "" && !/[{}]/.test(text);
}
