import { createHash } from "node:crypto";
import rateLimit from "@fastify/rate-limit";
import type { App } from "./app-instance.ts";
import type { Credentials, ResolveViewer } from "./guards.ts";
import { HttpError } from "./http-error.ts";
import { networkOf } from "./network.ts";

/*
 * Requests are counted before anything else is done for them, so they may not cost a query to find out whose they are.
 * Credentials are
 *
 * - unproven, until a guard has found somebody signed in behind them: their requests count for their address, as those
 *   without any do
 * - proven, from then on: their requests count for that person, wherever they come from
 * - unproven again, when a guard finds nobody behind them any more
 */

/** Far above what people do; a table of 20,000 thumbnails must never meet the second. */
const UNPROVEN_A_MINUTE = 1_200;
const PROVEN_A_MINUTE = 60_000;

/** The oldest are forgotten first, and proven again by their next request. */
const PROVEN_AT_MOST = 10_000;

/**
 * Puts the limits in front of every route under /api.
 *
 * @returns `resolveViewer` for the guards, which notes what they find out
 */
export async function guardAgainstFloods(app: App, resolveViewer: ResolveViewer): Promise<ResolveViewer> {
  const proven = new Map<string, string>();
  const timeWindow = 60_000;
  await app.register(rateLimit, { global: false });
  const byAddress = app.createRateLimit({ max: UNPROVEN_A_MINUTE, timeWindow });
  const byPerson = app.createRateLimit({
    max: PROVEN_A_MINUTE,
    timeWindow,
    keyGenerator: ({ headers, ip }) => proven.get(keyOf(headers)) ?? networkOf(ip),
  });

  app.addHook("onRequest", async (request, reply) => {
    if (!request.url.startsWith("/api/")) return;
    // Whose connection was reset in the meantime has no address to count for, and hears no answer.
    if (request.socket.remoteAddress === undefined) {
      reply.hijack();
      return;
    }
    const isProven = hasCredentials(request.headers) && proven.has(keyOf(request.headers));
    const count = await (isProven ? byPerson : byAddress)(request);
    if (count.isAllowed || !count.isExceeded) return;
    const from = isProven ? "from this account" : "from this address";
    throw new HttpError(429, "too_many_requests", `Too many requests ${from}. Please wait a moment`, {
      headers: { "retry-after": String(count.ttlInSeconds) },
    });
  });

  return async (credentials) => {
    const answer = await resolveViewer(credentials);
    if (!hasCredentials(credentials)) return answer;
    const key = keyOf(credentials);
    proven.delete(key);
    if (answer.kind !== "viewer") return answer;
    proven.set(key, answer.viewer.id);
    for (const oldest of proven.keys()) {
      if (proven.size <= PROVEN_AT_MOST) break;
      proven.delete(oldest);
    }
    return answer;
  };
}

function hasCredentials({ cookie, authorization }: Credentials): boolean {
  return Boolean(cookie ?? authorization);
}

/** A hash, so that no credentials lie about in memory. */
function keyOf({ cookie = "", authorization = "" }: Credentials): string {
  return createHash("sha256").update(`${cookie}\n${authorization}`).digest("base64url");
}
