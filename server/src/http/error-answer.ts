import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import type { ErrorBody, ErrorCode } from "@slabdesk/contract/api/errors.ts";
import { MOST_PROBLEMS } from "./body-limits.ts";
import { BUSY } from "./concurrent-requests.ts";
import { HttpError } from "./http-error.ts";

const BY_STATUS: Record<number, { code: ErrorCode; message: string }> = {
  400: { code: "bad_request", message: "The request could not be read" },
  401: { code: "unauthorized", message: "Please sign in to access the application" },
  403: { code: "not_allowed", message: "This is not allowed" },
  404: { code: "no_such_thing", message: "Nothing exists at this address" },
  408: { code: "timeout", message: "The request took too long to arrive" },
  413: { code: "too_large", message: "The request is too large" },
  415: { code: "unsupported_media_type", message: "This content type is not accepted here" },
  429: { code: "too_many_requests", message: "Too many requests. Please wait a moment" },
  431: { code: "too_large", message: "The headers of the request are too large" },
  503: { code: "overloaded", message: BUSY },
};

const UNEXPECTED =
  "Something went wrong on the server. Please try again. The server log has details under the request id";

/** Turns any thrown error into the error body. Unexpected errors are logged with stack and cause, and never shown. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof HttpError ? error : (readValidation(error) ?? readStatus(error));
  const err = known !== null && known.cause === undefined ? known.message : error;
  const about = { err, method: request.method, route: request.routeOptions.url };
  if (hasLeft(request, error)) request.log.debug(about, "The client disconnected before the end of its request");
  else if (!known) request.log.error(about, "A request failed unexpectedly");
  else if (known.status >= 500 && isLogged(request)) request.log.warn(about, "A request could not be served");
  const { status, code, message, fields, headers } = known ?? new HttpError(500, "internal", UNEXPECTED);
  const body: ErrorBody = { error: message, code, requestId: request.id, ...(fields && { fields }) };
  return reply
    .code(status)
    .headers({ ...headers, "x-request-id": request.id })
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send(body);
}

/** A failing upstream can cause thousands of these a minute. */
const LOGGED_A_MINUTE = 20;
const failures = { minute: 0, byRoute: new Map<string, number>() };

function isLogged({ routeOptions: { url = "" } }: FastifyRequest): boolean {
  const minute = Math.floor(performance.now() / 60_000);
  if (minute !== failures.minute) failures.byRoute.clear();
  failures.minute = minute;
  const count = (failures.byRoute.get(url) ?? 0) + 1;
  failures.byRoute.set(url, count);
  return count <= LOGGED_A_MINUTE;
}

/** A browser that opens an unknown address, such as /dashboard, gets the page: its place is in the query of `/`. */
export function answerUnknownRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const opensPage = request.method === "GET" && request.headers.accept?.includes("text/html") === true;
  if (opensPage && !request.url.startsWith("/api/")) return reply.redirect("/");
  return answerError(new HttpError(404, "no_such_thing", "Nothing exists at this address"), request, reply);
}

/** Responds on the raw socket to a request that is not valid HTTP or arrives too slowly. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const { code, message } = BY_STATUS[status] ?? { code: "bad_request", message: "The request could not be read" };
  const body = JSON.stringify({ error: message, code, requestId: randomUUID() } satisfies ErrorBody);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** Whether the client left while sending. Decompressors close with the connection, even after the last of the body. */
function hasLeft({ raw }: FastifyRequest, error: unknown): boolean {
  if (raw.readableAborted && !raw.complete) return true;
  const isCutOff = error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
  return isCutOff && raw.socket.destroyed;
}

function readValidation(error: unknown): HttpError | null {
  if (!hasZodFastifySchemaValidationErrors(error)) return null;
  const fields: Record<string, string> = {};
  for (const issue of error.validation.slice(0, MOST_PROBLEMS)) {
    const name = issue.instancePath.split("/").filter(Boolean).join(".") || (error.validationContext ?? "request");
    fields[name] ??= issue.message ?? "is not valid";
  }
  return invalidRequest(fields);
}

export function invalidRequest(fields: Record<string, string>): HttpError {
  const message = Object.entries(fields).map(([name, message]) => `${name}: ${message}`);
  return new HttpError(400, "bad_request", `The request is invalid. ${message.join("; ")}`, { fields });
}

/** Errors of the HTTP server and its plugins carry a status. Their own messages are not for staff. */
function readStatus(error: unknown): HttpError | null {
  if (!(error instanceof Error) || !("statusCode" in error) || typeof error.statusCode !== "number") return null;
  const status = error.statusCode;
  if (status < 400 || status >= 500) return null;
  const { code = "bad_request", message = STATUS_CODES[status] ?? "The request is invalid" } = BY_STATUS[status] ?? {};
  return new HttpError(status, code, message, { cause: error });
}
