import { errorBodySchema } from "@slabdesk/contract/api/errors.ts";
import ky, { HTTPError, NetworkError as KyNetworkError, type Options, TimeoutError } from "ky";
import type { z } from "zod";
import { ApiError, NetworkError, RequestTimeoutError, UnexpectedAnswerError } from "./errors.ts";
import { announceLostRights, announceSessionLoss } from "./session-loss.ts";

const REQUEST_TIMEOUT_MS = 30_000;

/** ky throws for any status outside 2xx; `failure` maps each kind of error to one class. */
const client = ky.create({
  baseUrl: "/api/",
  timeout: REQUEST_TIMEOUT_MS,
  throwHttpErrors: true,
  retry: { limit: 1, methods: ["get"], statusCodes: [502, 503, 504], afterStatusCodes: [503] },
});

type CallOptions = Options & {
  /** True for calls that create or end a session. Their 401 and 403 are results, not a lost session. */
  isAboutSession?: boolean;
  /** What the login screen says if the session has ended. */
  signedOutMessage?: string;
};

function retryAfterSeconds(response: Response): number | null {
  const header = response.headers.get("retry-after");
  const seconds = header === null ? Number.NaN : Number(header);
  return Number.isFinite(seconds) ? seconds : null;
}

function apiError(error: HTTPError): ApiError {
  const status = error.response.status;
  const body = errorBodySchema.safeParse(error.data);
  const facts = { status, retryAfterSeconds: retryAfterSeconds(error.response), cause: error };
  return body.success
    ? new ApiError(body.data.error, {
        ...facts,
        code: body.data.code,
        requestId: body.data.requestId,
        fields: body.data.fields,
      })
    : new ApiError(`The server answered ${status} without saying why.`, { ...facts, code: "unknown", requestId: null });
}

function failure(error: unknown): unknown {
  if (error instanceof HTTPError) return apiError(error);
  if (error instanceof TimeoutError) return new RequestTimeoutError(REQUEST_TIMEOUT_MS, { cause: error });
  if (error instanceof KyNetworkError) return new NetworkError("no response", { cause: error });
  if (error instanceof SyntaxError) return new UnexpectedAnswerError("the response is not JSON", { cause: error });
  return error;
}

/**
 * Sends one request and parses its JSON. @throws ApiError, NetworkError, RequestTimeoutError, UnexpectedAnswerError. An
 * aborted request throws its DOMException.
 */
export function requestJson(path: string, options: CallOptions = {}): Promise<unknown> {
  return send(path, options, async (response): Promise<unknown> => {
    const text = await response.text();
    const answer: unknown = text === "" ? null : JSON.parse(text);
    return answer;
  });
}

async function send<T>(
  path: string,
  { isAboutSession = false, signedOutMessage, ...options }: CallOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  try {
    return await read(await client(path, options));
  } catch (error) {
    const thrown = failure(error);
    if (!isAboutSession && thrown instanceof ApiError && (thrown.status === 401 || thrown.status === 403))
      announceRefusal(thrown, signedOutMessage);
    throw thrown;
  }
}

/**
 * A 401 or 403 ends the session in the browser and reloads the page. The exception is `not_allowed`: the user is no
 * longer an administrator and sees Access Denied.
 */
function announceRefusal({ code }: ApiError, message: string | undefined): void {
  if (code === "not_allowed") announceLostRights();
  else if (code === "deactivated" || code === "must_change_password") announceSessionLoss({ reason: code });
  else announceSessionLoss({ reason: "signed_out", message });
}

/** Like `requestJson`, but validates the response against the contract. */
export async function request<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  options: CallOptions = {},
): Promise<z.output<Schema>> {
  const answer = schema.safeParse(await requestJson(path, options));
  if (!answer.success)
    throw new UnexpectedAnswerError(`${path} returned a response that doesn't match the contract`, {
      cause: answer.error,
    });
  return answer.data;
}
