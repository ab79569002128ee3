import { constants } from "node:zlib";
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import compress from "@fastify/compress";
import helmet from "@fastify/helmet";
import fastifyStatic from "@fastify/static";
import underPressure from "@fastify/under-pressure";
import fastify, { LogController, type FastifyBaseLogger, type FastifyRequest, type RouteOptions } from "fastify";
import {
  serializerCompiler,
  validatorCompiler,
  type FastifyPluginAsyncZod,
  type ZodTypeProvider,
} from "fastify-type-provider-zod";
import { heavyWork } from "../concurrency/budgets.ts";
import { takeTurn } from "../concurrency/event-loop.ts";
import { isNestedTooDeep } from "../concurrency/nested-json.ts";
import { createShares } from "../concurrency/shares.ts";
import type { Config } from "../config.ts";
import type { Intervals } from "../intervals.ts";
import { LARGEST_FORM_BYTES } from "./body-limits.ts";
import { BUSY, refusalOf } from "./concurrent-requests.ts";
import { limitConnections } from "./connections.ts";
import { answerBrokenRequest, answerError, answerUnknownRoute } from "./error-answer.ts";
import { guardAgainstFloods, isOfApi } from "./flood-guard.ts";
import { anyone, type App, type FindToken, guardOf, refuseCrossSiteChanges, type ResolveViewer } from "./guards.ts";
import { healthRoutes } from "./health.ts";
import { badRequest, HttpError, tryLater } from "./http-error.ts";
import { refuseUnknownHosts } from "./own-address.ts";
import { describeApi, DOCS_PATH } from "./openapi.ts";
import { limitRequests } from "./overload.ts";
import { limitArrivingBodies, readUnwantedSlowly } from "./request-bodies.ts";

export type AppParts = Pick<Intervals, "longestLoopDelayMs" | "longestQueueMs" | "slowReaderMs" | "blockMs"> & {
  config: Pick<Config, "HOST" | "PUBLIC_URL" | "TRUSTED_PROXIES">;
  log: FastifyBaseLogger;
  version: string;
  resolveViewer: ResolveViewer;
  findToken: FindToken;
  /** Rejects if the database does not respond. */
  checkDatabase: () => Promise<unknown>;
  routes: readonly FastifyPluginAsyncZod[];
  /** Folder of the built web app; null serves none. */
  webFolder: string | null;
};

/** A request must arrive completely within this time, so that slow senders can't hold connections open. */
const ARRIVAL_TIMEOUT_MS = 120_000;

const SURPLUS_DELAY_MS = 500;
/** Longer JSON bodies, in characters, count as heavy work. */
const LARGE_JSON = 64 * 1024;

export async function buildApp(parts: AppParts): Promise<App> {
  const app: App = fastify({
    loggerInstance: parts.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    genReqId: () => randomUUID(),
    // Without trusted proxies, `false` makes Fastify ignore X-Forwarded-For and similar headers.
    trustProxy: parts.config.TRUSTED_PROXIES.length > 0 && parts.config.TRUSTED_PROXIES,
    requestTimeout: ARRIVAL_TIMEOUT_MS,
    bodyLimit: LARGEST_FORM_BYTES,
    // Long enough to report what is wrong with a long cert number.
    routerOptions: { maxParamLength: 1_000 },
    return503OnClosing: false,
    // Requests with a malformed URL end here, before the hooks that limit requests.
    frameworkErrors: (error, request, reply) => {
      void reply.header("cache-control", "no-store");
      void pause(SURPLUS_DELAY_MS).then(() => answerError(error, request, reply));
    },
    clientErrorHandler: answerBrokenRequest,
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  delaySurplus(app);
  limitConnections(app, parts);
  readUnwantedSlowly(app);
  limitArrivingBodies(app);
  app.setNotFoundHandler(answerUnknownRoute);
  app.removeContentTypeParser("text/plain");
  acceptEmptyJson(app);
  app.decorateRequest("viewer", null);
  app.decorateRequest("authSessionId", null);

  nameRequests(app);
  refuseWhileClosing(app);
  await protect(app, parts);
  demandGuards(app);
  await describeApi(app, parts.version);
  await app.register(healthRoutes(parts.checkDatabase));
  for (const routes of parts.routes) await app.register(routes);
  if (parts.webFolder) await app.register(webFiles(parts.webFolder));
  return app;
}

/** Answers errors. Delays each 429, so that clients that repeat refused requests hardly slow others. */
function delaySurplus(app: App): void {
  app.setErrorHandler(async (error, request, reply) => {
    if (error instanceof HttpError && error.status === 429) await pause(SURPLUS_DELAY_MS);
    return answerError(error, request, reply);
  });
}

/** Many clients label every POST as JSON. A route that needs a body reports it as missing. Large ones are read in turns. */
function acceptEmptyJson(app: App): void {
  const parse = app.getDefaultJsonParser("error", "error");
  const refuse = refusalOf("Your other requests are still being read. Wait for them, then try again");
  const large = createShares({ total: Infinity, each: 2, waiting: 20, budgets: heavyWork, refuse });
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "string" }, async (request: FastifyRequest, text: string) => {
    const parsed = () =>
      new Promise((resolve, reject) => {
        if (text.length > LARGE_JSON && isNestedTooDeep(text)) throw badRequest("The JSON is nested too deep");
        void parse(request, text, (error, body) => (error ? reject(error) : resolve(body)));
      });
    if (text === "") return;
    if (text.length <= LARGE_JSON || !request.viewer) return parsed();
    const { id } = request.viewer;
    return large.run(id, () => takeTurn(id, parsed));
  });
}

function nameRequests(app: App): void {
  app.addHook("onRequest", async (request, reply) => {
    void reply.header("x-request-id", request.id);
  });
  app.addHook("onResponse", async (request, reply) => {
    const { method, url } = request;
    request.log.debug({ method, url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, "Answered");
  });
}

/** Keep-alive connections can still deliver requests after the server stops listening. */
function refuseWhileClosing(app: App): void {
  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });
  app.addHook("onRequest", async () => {
    if (!closing) return;
    throw new HttpError(503, "overloaded", "The server is restarting. Please try again in a moment", {
      headers: { connection: "close", "retry-after": "5" },
    });
  });
}

/** A large page of rows takes a third of the time of the default levels, and a seventh more bytes. */
const COMPRESSION = {
  zlibOptions: { level: 3 },
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } },
};

async function protect(app: App, parts: AppParts): Promise<void> {
  const { config, longestLoopDelayMs, longestQueueMs } = parts;
  const isSecure = config.PUBLIC_URL?.startsWith("https:") ?? false;
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy },
    strictTransportSecurity: isSecure,
    referrerPolicy: { policy: "same-origin" },
  });
  // The page's files are precompressed, and the docs are sent uncompressed, so that strangers can't force compression.
  app.addHook("onRoute", (route) => {
    if (!route.url.startsWith("/api/") || route.url.startsWith(DOCS_PATH)) route.compress = false;
  });
  await app.register(compress, { globalDecompression: false, ...COMPRESSION });
  await app.register(underPressure, {
    maxEventLoopDelay: longestLoopDelayMs,
    pressureHandler: (request) => {
      if (isOfApi(request)) throw tryLater(503, BUSY, 10);
    },
  });
  app.decorate("resolveViewer", await guardAgainstFloods(app, parts));
  limitRequests(app, longestQueueMs);
  app.decorate("publicOrigin", config.PUBLIC_URL === undefined ? null : new URL(config.PUBLIC_URL).origin);
  app.addHook("onRequest", refuseUnknownHosts(config));
  app.addHook("onRequest", refuseCrossSiteChanges);
  app.addHook("onRequest", async (_request, reply) => void reply.header("permissions-policy", PERMISSIONS));
  app.addHook("onSend", async (request, reply) => {
    if (isOfApi(request) && !reply.hasHeader("cache-control")) void reply.header("cache-control", "no-store");
  });
}

/** The scan station uses the camera. Nothing uses the others. */
const PERMISSIONS =
  "camera=(self), microphone=(), geolocation=(), payment=(), usb=(), serial=(), midi=(), display-capture=()";

/** Mantine inserts style elements. `wasm-unsafe-eval` lets the camera's barcode reader compile WebAssembly only. */
const contentSecurityPolicy = {
  "default-src": ["'self'"],
  "script-src": ["'self'", "'wasm-unsafe-eval'"],
  "style-src": ["'self'", "'unsafe-inline'"],
  "img-src": ["'self'", "data:", "blob:"],
  "font-src": ["'self'", "data:"],
  "connect-src": ["'self'"],
  "worker-src": ["'self'", "blob:"],
  "object-src": ["'none'"],
  "base-uri": ["'self'"],
  "form-action": ["'self'"],
  "frame-ancestors": ["'none'"],
};

function demandGuards(app: App): void {
  const routes: RouteOptions[] = [];
  app.decorate("whoMayCall", () =>
    routes.flatMap((route) =>
      [route.method].flat().map((method) => ({ name: `${method} ${route.url}`, who: guardOf(route) })),
    ),
  );
  app.addHook("onRoute", (route) => {
    routes.push(route);
  });
  app.addHook("onReady", async () => {
    const open = app.whoMayCall().filter(({ who }) => who === null);
    if (open.length === 0) return;
    throw new Error(`These routes have no guard: ${open.map(({ name }) => name).join(", ")}`);
  });
}

/** Serves the built web app. Files under assets/ have a hash in their name; browsers revalidate all others. */
function webFiles(folder: string): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook("onRoute", (route) => {
      route.onRequest = [anyone];
    });
    await app.register(fastifyStatic, {
      root: folder,
      schemaHide: true,
      cacheControl: false,
      // The build makes a Brotli and a gzip copy of each file.
      preCompressed: true,
      setHeaders: (reply, path) => {
        const hashed = /[\\/]assets[\\/]/.test(path);
        void reply.header("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
      },
    });
  };
}
