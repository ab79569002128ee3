import { errorCodes, type FastifyRequest } from "fastify";
import { validatorCompiler } from "fastify-type-provider-zod";
import { heavyWork, requests } from "../concurrency/budgets.ts";
import { createShares } from "../concurrency/shares.ts";
import { LARGEST_UPLOAD_BYTES } from "../http/body-limits.ts";
import { HANDLED, holdPlace, releaseAtEnd, leftSignal, refusalOf } from "../http/concurrent-requests.ts";
import { type App, type Guard, viewerOf } from "../http/guards.ts";
import { HttpError } from "../http/http-error.ts";
import { endSlowBodies } from "../http/request-bodies.ts";
import type { Upload } from "./read-upload.ts";
import { createSheetReader, type SheetReaderOptions } from "./sheet-reader.ts";

/** The server holds only a few sheets above this size in memory at a time. */
const LARGE_BYTES = 4 * 1024 * 1024;
const PATIENCE_MS = 30_000;
const ALREADY_SENDING = "Your other sheets are still uploading. Wait for them, then try again";

/** Receives sheet uploads and gives each person a fair share of the memory. */
export function createSheetIntake({ slowBodyMs, ...options }: SheetReaderOptions & { slowBodyMs: number }) {
  const reader = createSheetReader(options);
  const common = { patienceMs: PATIENCE_MS, refuse: refusalOf(ALREADY_SENDING) };
  const large = createShares({ ...common, total: 6, each: 1, waiting: 2 });
  const small = createShares({ ...common, total: 24, each: 4, waiting: 20 });
  /** From the end of a body until its answer. Reading, planning and storing it spend the budget. */
  const heavy = createShares({ ...common, total: Infinity, each: 1, budgets: heavyWork });
  const light = createShares({ ...common, total: Infinity, each: 2, budgets: requests });
  const takePlace: Guard = async (request, reply) => {
    const bytes = Number(request.headers["content-length"] ?? Infinity);
    await holdPlace(bytes > LARGE_BYTES ? large : small, request, reply);
  };

  return {
    /** Prepares a plugin with a `route`: leaves bodies of these types, and the validation of all bodies, to it. */
    accept(app: App, types: readonly string[]): void {
      app.removeContentTypeParser([...types]);
      app.setValidatorCompiler(validateAllButBody);
      app.addContentTypeParser([...types], collect);
    },

    /** The options of a route whose body is a sheet. Its body arrives parsed and validated. */
    route(signedIn: Guard, wanted: Upload["wanted"]) {
      const readBody: Guard = async (request, reply) => {
        const { body: bytes } = request;
        if (!Buffer.isBuffer(bytes))
          throw new HttpError(415, "unsupported_media_type", "This content type is not accepted here");
        const isCsv = request.headers["content-type"]?.startsWith("text/csv") ?? false;
        const upload = { bytes, isCsv, query: request.query, wanted };
        const { id } = viewerOf(request);
        const isHeavy = bytes.length > 8_000;
        releaseAtEnd(reply, await (isHeavy ? heavy : light).enter(id, leftSignal(reply)));
        const read = () => reader.read(id, upload, leftSignal(reply));
        // The reader charges what it reads in a child process.
        const { body, count } = await (isHeavy ? read() : requests.charge(id, read));
        request.body = body;
        const readAt = performance.now();
        const most = mostForStoring(bytes.length, count, wanted);
        const { spend } = isHeavy ? heavyWork : requests;
        reply.raw.once(HANDLED, () => spend(id, Math.min(most, performance.now() - readAt)));
      };
      return {
        onRequest: [signedIn, takePlace],
        bodyLimit: LARGEST_UPLOAD_BYTES,
        preParsing: endSlowBodies(slowBodyMs),
        preValidation: readBody,
      };
    },

    close: () => reader.close(),
  };
}

/**
 * The most that is charged for storing, so that a slow server doesn't use up the person's budget: 0.05 ms per kB and per
 * row. Added rows are compared with the session's other rows.
 */
function mostForStoring(bytes: number, rows: number, wanted: Upload["wanted"]): number {
  return (wanted === "rows" ? 500 : 200) + (bytes / 1_000 + rows) / 20;
}

/** The first allocation for a body. A client that stops sending must not hold all the memory that it declared. */
const FIRST_BYTES = 64 * 1024;

/** Receives a body into one buffer: joining large parts, as Fastify does, delays others. @throws Fastify's 413 error */
async function collect({ headers, routeOptions }: FastifyRequest, body: AsyncIterable<Buffer>): Promise<Buffer> {
  const most = routeOptions.bodyLimit;
  const declared = Number(headers["content-length"] ?? 0);
  if (declared > most) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  let received = Buffer.allocUnsafeSlow(Math.min(declared, FIRST_BYTES));
  let length = 0;
  for await (const part of body) {
    if (length + part.length > most) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
    if (length + part.length > received.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(declared, 2 * (length + part.length)));
      received.copy(larger, 0, 0, length);
      received = larger;
    }
    part.copy(received, length);
    length += part.length;
  }
  return received.subarray(0, length);
}

const validateAllButBody: typeof validatorCompiler = (route) =>
  route.httpPart === "body" ? (value: unknown) => ({ value }) : validatorCompiler(route);
