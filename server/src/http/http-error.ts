import type { ErrorCode } from "@slabdesk/contract/api/errors.ts";

type Details = { fields?: Record<string, string>; headers?: Record<string, string>; cause?: unknown };

/** A request that can't be served, with a message for staff. One handler turns it into the error body. */
export class HttpError extends Error {
  override name = "HttpError";
  readonly status: number;
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  readonly headers: Record<string, string>;

  constructor(status: number, code: ErrorCode, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.status = status;
    this.code = code;
    this.fields = details.fields;
    this.headers = details.headers ?? {};
  }
}

export function badField(field: string, message: string): HttpError {
  return new HttpError(400, "bad_request", message, { fields: { [field]: message } });
}

export const badRequest = (message: string): HttpError => new HttpError(400, "bad_request", message);

/** A refusal because of the present state of what the request is about. */
export const conflict = (message: string): HttpError => new HttpError(409, "conflict", message);

/** A refusal because of too many requests of the caller (429), or of all (503), that ends after some seconds. */
export function tryLater(status: 429 | 503, message: string, retryAfterS: number): HttpError {
  const code = status === 429 ? "too_many_requests" : "overloaded";
  return new HttpError(status, code, message, { headers: { "retry-after": String(retryAfterS) } });
}

/** Responds the same for someone else's resource and for one that doesn't exist. */
export function noSuchThing(what: string): HttpError {
  return new HttpError(404, "no_such_thing", `There is no such ${what}, or it is not yours`);
}
