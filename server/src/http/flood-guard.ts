import { hash } from "node:crypto";
import rateLimit from "@fastify/rate-limit";
import type { FastifyRequest } from "fastify";
import type { App, Credentials, FindToken, ResolveViewer } from "./guards.ts";
import { tryLater } from "./http-error.ts";
import { networkOf } from "./own-address.ts";

/*
 * Requests are counted before any other work, so identifying the caller must not cost a query. A token counts toward the
 * address until a guard accepts it, and then toward the person until one rejects it. Other parts of the credentials don't
 * matter, because they could differ in every request.
 */

/** Far above normal use. Loading a table of 20,000 thumbnails must stay below the second limit. */
const UNPROVEN_A_MINUTE = 1_200;
const PROVEN_A_MINUTE = 60_000;
/** Outside /api, such as the page's files. Allows a whole office to load the page at once. */
const FILES_IN_10_S = 3_000;
/** Most changes, and all exports, add an entry to the activity log, which nobody can delete. */
const CHANGES_A_MINUTE = 3_000;
const CHANGES_A_DAY = 50_000;

/** The oldest entries are evicted first. Their next request proves them again. */
const PROVEN_AT_MOST = 10_000;

declare module "fastify" {
  interface FastifyRequest {
    /** Whose credentials a request has, known before any query; null if they are unproven. */
    provenPerson: string | null;
  }
}

/** The path of a request can be encoded (`/%61pi/`), so its route counts. Unknown addresses have none. */
export const isOfApi = ({ routeOptions, url }: FastifyRequest): boolean =>
  [routeOptions.url, url].some((path) => path?.startsWith("/api/"));

export const isReading = (method: string): boolean => method === "GET" || method === "HEAD";

/** Rate-limits all routes except `/healthz`, which monitors poll. Returns a `resolveViewer` for the guards that records its results too. */
export async function guardAgainstFloods(
  app: App,
  { resolveViewer, findToken }: { resolveViewer: ResolveViewer; findToken: FindToken },
): Promise<ResolveViewer> {
  const proven = new Map<string, string>();
  /** Hashed so that no tokens stay in memory; null without one. */
  const keyOf = async (credentials: Credentials): Promise<string | null> => {
    const token = await findToken(credentials);
    return token && hash("sha256", token, "base64url");
  };
  await app.register(rateLimit, { global: false });
  const limit = (max: number, timeWindow = 60_000) =>
    app.createRateLimit({ max, timeWindow, keyGenerator: ({ provenPerson, ip }) => provenPerson ?? networkOf(ip) });
  const reading = [limit(PROVEN_A_MINUTE)];
  const changing = [limit(CHANGES_A_MINUTE), limit(CHANGES_A_DAY, 86_400_000)];
  const [unproven, ofFiles] = [limit(UNPROVEN_A_MINUTE), limit(FILES_IN_10_S, 10_000)];
  app.decorateRequest("provenPerson", null);

  app.addHook("onRequest", async (request, reply) => {
    const { url } = request.routeOptions;
    if (url === "/healthz") return;
    // A connection that was reset has no address to count and can't receive an answer.
    if (request.socket.remoteAddress === undefined) return void reply.hijack();
    if (isOfApi(request)) request.provenPerson = proven.get((await keyOf(request.headers)) ?? "") ?? null;
    const isProven = request.provenPerson !== null;
    const isExport = url?.endsWith("/export") === true;
    const byPerson = isReading(request.method) && !isExport ? reading : changing;
    const byNetwork = [isOfApi(request) ? unproven : ofFiles];
    for (const countOne of isProven ? byPerson : byNetwork) {
      const count = await countOne(request);
      if (count.isAllowed || !count.isExceeded) continue;
      const from = isProven ? "from this account" : "from this address";
      const advice = count.ttlInSeconds > 60 ? "Please try again tomorrow" : "Please wait a moment";
      throw tryLater(429, `Too many requests ${from}. ${advice}`, count.ttlInSeconds);
    }
  });

  return async (credentials, isUse) => {
    const answer = await resolveViewer(credentials, isUse);
    const key = await keyOf(credentials);
    if (key === null) return answer;
    proven.delete(key);
    if (answer.kind !== "viewer") return answer;
    proven.set(key, answer.viewer.id);
    const [oldest] = proven.keys();
    if (oldest !== undefined && proven.size > PROVEN_AT_MOST) proven.delete(oldest);
    return answer;
  };
}
