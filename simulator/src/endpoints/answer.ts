/** An endpoint's response. */
export type Answer = {
  status: number;
  type: string;
  body: string | Buffer;
  headers?: Record<string, string>;
};

const JSON_TYPE = "application/json; charset=utf-8";
const HTML_TYPE = "text/html; charset=utf-8";

export function jsonAnswer(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return { status, type: JSON_TYPE, body: JSON.stringify(value), headers };
}

export function htmlAnswer(status: number, html: string, headers: Record<string, string> = {}): Answer {
  return { status, type: HTML_TYPE, body: html, headers };
}

export function textAnswer(status: number, text: string): Answer {
  return { status, type: "text/plain; charset=utf-8", body: text };
}

/** The Retry-After header. Null means that the upstream doesn't send it. */
export function retryAfter(seconds: number | null): Record<string, string> {
  return seconds === null ? {} : { "retry-after": String(seconds) };
}

/** The same response with its body cut short but valid as HTTP. */
export function tear(answer: Answer): Answer {
  const kept = Math.ceil(answer.body.length * 0.6);
  return {
    ...answer,
    body: typeof answer.body === "string" ? answer.body.slice(0, kept) : answer.body.subarray(0, kept),
  };
}
