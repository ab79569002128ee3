import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import { z } from "zod";
import { ApiError, NetworkError, RequestTimeoutError, UnexpectedAnswerError } from "./errors.ts";
import { announceSessionLoss } from "./session-loss.ts";

const REQUEST_TIMEOUT_MS = 30_000;
const RETRY_DELAY_SECONDS = 0.3;

/** Undefined values are left out. */
type SearchParams = Readonly<Record<string, string | number | undefined>>;

type CallOptions = Pick<RequestInit, "keepalive"> & {
  method?: "get" | "post" | "put" | "patch" | "delete";
  searchParams?: SearchParams;
  json?: unknown;
  body?: Blob;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** True for calls that create or end a session. Their 401 and 403 are results, not a lost session. */
  isAboutSession?: boolean;
  /** What the login screen says if the session has ended. */
  signedOutMessage?: string | undefined;
};

/** Sends a request and parses its JSON. @throws one of `errors.ts`, or the DOMException of an aborted request */
export async function requestJson(path: string, options: CallOptions = {}): Promise<unknown> {
  try {
    return await sendTwice(path, options);
  } catch (error) {
    if (
      options.isAboutSession !== true &&
      error instanceof ApiError &&
      (error.status === 401 || error.status === 403)
    ) {
      // Ends the session here and reloads the page. `not_allowed` only shows Access Denied.
      const reason = REFUSALS.find((known) => known === error.code);
      announceSessionLoss(reason ? { reason } : { reason: "signed_out", message: options.signedOutMessage });
    }
    throw error;
  }
}

/** Sends a request that only reads again if the failure may pass. */
async function sendTwice(path: string, options: CallOptions): Promise<unknown> {
  const { method = "get", signal, timeoutMs = REQUEST_TIMEOUT_MS } = options;
  try {
    return await send(path, options, timeoutMs);
  } catch (error) {
    const delayMs = 1000 * retryDelaySeconds(error);
    if (method !== "get" || delayMs >= timeoutMs) throw error;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    signal?.throwIfAborted();
    return send(path, options, timeoutMs);
  }
}

/** Infinity if a second try would fail as well. */
function retryDelaySeconds(error: unknown): number {
  if (error instanceof NetworkError) return RETRY_DELAY_SECONDS;
  if (!(error instanceof ApiError)) return Number.POSITIVE_INFINITY;
  if (error.status === 503) return error.retryAfterSeconds ?? RETRY_DELAY_SECONDS;
  return error.status === 502 || error.status === 504 ? RETRY_DELAY_SECONDS : Number.POSITIVE_INFINITY;
}

async function send(path: string, options: CallOptions, timeoutMs: number): Promise<unknown> {
  const { method = "get", searchParams = {}, json, body, headers = {}, signal, keepalive = false } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(apiUrl(path, searchParams), {
      method: method.toUpperCase(),
      headers: json === undefined ? headers : { "content-type": "application/json", ...headers },
      body: json === undefined ? (body ?? null) : JSON.stringify(json),
      keepalive,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const answer = parseJson(await response.text());
    if (!response.ok) throw apiError(response, answer);
    if (answer === undefined) throw new UnexpectedAnswerError("the response is not JSON");
    return answer;
  } catch (error) {
    if (error === timeout.reason) throw new RequestTimeoutError(timeoutMs, { cause: error });
    if (error instanceof TypeError) throw new NetworkError("no response", { cause: error });
    throw error;
  }
}

export function apiUrl(path: string, searchParams: SearchParams = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(searchParams)) if (value !== undefined) query.set(name, String(value));
  return `/api/${path}${query.size === 0 ? "" : `?${query}`}`;
}

/** Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function apiError({ status, headers }: Response, answer: unknown): ApiError {
  const retryAfter = Number(headers.get("retry-after") ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : null;
  const body = errorBodySchema.safeParse(answer);
  if (!body.success) {
    const message = `The server returned an error (${status}).`;
    return new ApiError(message, { status, retryAfterSeconds, code: "unknown", requestId: null });
  }
  const { error, code, requestId, fields = {} } = body.data;
  return new ApiError(error, { status, retryAfterSeconds, code, requestId, fields });
}

const REFUSALS = ["deactivated", "must_change_password", "must_set_up_two_step", "not_allowed"] as const;

/** Like `requestJson`, but validates the response against the contract. */
export async function request<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  options: CallOptions = {},
): Promise<z.output<Schema>> {
  const { success, data, error: cause } = schema.safeParse(await requestJson(path, options));
  if (!success)
    throw new UnexpectedAnswerError(`${path} returned a response that doesn't match the contract`, { cause });
  return data;
}

/** The pages of a list, loaded one after another. */
export async function* pagesOf<Page extends { nextCursor: string | null }>(
  load: (cursor: string) => Promise<Page>,
): AsyncGenerator<Page> {
  let cursor: string | null = "0";
  while (cursor !== null) {
    const page: Page = await load(cursor);
    yield page;
    cursor = page.nextCursor;
  }
}

/** Rows of which only the id and this field are checked, because there can be 100,000 of them. */
export const uncheckedRows = <Row extends { id: string }>(field: keyof Row) =>
  z.array(z.custom<Row>((row) => typeof row === "object" && row !== null && "id" in row && field in row));
