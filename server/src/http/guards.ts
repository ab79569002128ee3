import type { IncomingMessage, ServerResponse } from "node:http";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  RawServerDefault,
  RouteOptions,
} from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import {
  DEACTIVATED_MESSAGE,
  MUST_CHANGE_PASSWORD_MESSAGE,
  MUST_SET_UP_TWO_STEP_MESSAGE,
  type OwnProfile,
} from "@slabdesk/contract/api/people.ts";
import { noteRequest } from "../concurrency/budgets.ts";
import { HttpError } from "./http-error.ts";
import { isOwnOrigin } from "./own-address.ts";

/*
 * Every route under /api declares in its `onRequest` who may call it, or the server doesn't start (`guardOf`). People
 * who have to choose a password or set up two-step sign-in pass only `anyone` and `signedInOnce`. The services check
 * ownership and return 404 for other people's resources.
 */

/** The person and auth session behind a request's credentials. `cookies` clear those that are no longer valid. */
export type ViewerAnswer =
  | { kind: "viewer"; viewer: OwnProfile; authSessionId: string }
  | { kind: "nobody"; cookies: string[] }
  | { kind: "deactivated" };

export type Credentials = { cookie?: string | undefined; authorization?: string | undefined };
/** Finds the token of an auth session in credentials, without a query; null without one. */
export type FindToken = (credentials: Credentials) => Promise<string | null>;
/** Unless `isUse` is false, the auth session counts as used, which extends it. */
export type ResolveViewer = (credentials: Credentials, isUse?: boolean) => Promise<ViewerAnswer>;

declare module "fastify" {
  interface FastifyInstance {
    resolveViewer: ResolveViewer;
    /** The origin of PUBLIC_URL; null if it isn't set. */
    publicOrigin: string | null;
    /** Every route as "METHOD /path" with its audience; null if it has no guard. */
    whoMayCall(): { name: string; who: Who | null }[];
  }
  interface FastifyRequest {
    viewer: OwnProfile | null;
    authSessionId: string | null;
  }
}

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
export type Who = "anyone" | "signed in" | "admin";

const guards = new Map<unknown, Who>();

function guard(who: Who, check: Guard): Guard {
  guards.set(check, who);
  return check;
}

export const anyone: Guard = guard("anyone", async () => {});

/** Admits signed-in, active people. `message` is the error text for requests without a sign-in. */
export const signedInTo = (message: string): Guard =>
  guard("signed in", (request, reply) => admit(request, reply, message));

export const SIGN_IN_MESSAGE = "Please sign in to access the application";

export const signedIn: Guard = signedInTo(SIGN_IN_MESSAGE);

/** Also admits people who have to set up two-step sign-in, but not before they have chosen their own password. */
export const signedInToSetUp: Guard = guard("signed in", async (request, reply) =>
  requirePassword(await identify(request, reply, SIGN_IN_MESSAGE)),
);

/** Also admits people who signed in with a one-time password and have not chosen their own yet, or who have to set up two-step sign-in. */
export const signedInOnce: Guard = guard("signed in", (request, reply) => identify(request, reply, SIGN_IN_MESSAGE));

export const admin: Guard = guard("admin", async (request, reply) => {
  const viewer = await admit(request, reply, SIGN_IN_MESSAGE);
  if (viewer.role !== "admin") throw new HttpError(403, "not_allowed", "Only an administrator may do this");
});

/** Returns who may call a route, or null if it has no guard. */
export function guardOf(route: Pick<RouteOptions, "onRequest">): Who | null {
  const hooks: unknown[] = [route.onRequest].flat();
  return hooks.map((hook) => guards.get(hook)).find((who) => who !== undefined) ?? null;
}

/** The signed-in person. @throws Error if the route's guard doesn't require sign-in (a bug) */
export const viewerOf = (request: FastifyRequest): OwnProfile => request.viewer ?? failOpen(request, "viewer");

/** The auth session of a request's viewer. @throws Error like {@link viewerOf} */
export const signInOf = (request: FastifyRequest): string => request.authSessionId ?? failOpen(request, "sign-in");

function failOpen(request: FastifyRequest, what: string): never {
  throw new Error(`${request.routeOptions.url ?? "This route"} reads its ${what} but lets anyone in`);
}

/** Whether the caller of an event stream or an export is still signed in and kept their role. Doesn't extend the auth session. */
export async function mayStillFollow(request: FastifyRequest): Promise<boolean> {
  const answer = await request.server.resolveViewer(request.headers, false);
  if (answer.kind !== "viewer" || answer.viewer.mustChangePassword || answer.viewer.mustSetUpTwoStep) return false;
  return answer.viewer.role === "admin" || viewerOf(request).role === "user";
}

/**
 * For a GET that changes state: refuses requests that another site makes the browser send. At plain http addresses,
 * browsers don't send Sec-Fetch-Site, and the other page can forbid the Referer. But they send Accept-Language. Scripts
 * usually don't, except for Node's `fetch`, which also sends Sec-Fetch-Mode.
 */
export const refuseCrossSite: Guard = async (request) => {
  const { "sec-fetch-site": site, "sec-fetch-mode": mode, origin, referer, cookie, ...others } = request.headers;
  if (site === "cross-site" || site === "same-site") throw crossSite();
  if (site !== undefined) return;
  const from = origin ?? referer;
  const isHidden = from === undefined && cookie !== undefined && mode === undefined && "accept-language" in others;
  const isOther = from !== undefined && !(URL.canParse(from) && isOwnOrigin(new URL(from).origin, request));
  if (isHidden || isOther) throw crossSite();
};

const CHANGING_METHODS: ReadonlySet<string> = new Set<HTTPMethods>(["POST", "PUT", "PATCH", "DELETE"]);

/** Refuses requests from another site that change state. At plain http addresses, browsers send only Origin. */
export const refuseCrossSiteChanges: Guard = async (request, reply) => {
  if (!CHANGING_METHODS.has(request.method)) return;
  const { origin } = request.headers;
  if (origin !== undefined && isOwnOrigin(origin, request)) return;
  await refuseCrossSite(request, reply);
};

function crossSite(): HttpError {
  return new HttpError(403, "cross_site", "This request came from another site and was rejected");
}

async function admit(request: FastifyRequest, reply: FastifyReply, message: string): Promise<OwnProfile> {
  const viewer = await identify(request, reply, message);
  requirePassword(viewer);
  if (viewer.mustSetUpTwoStep) throw new HttpError(403, "must_set_up_two_step", MUST_SET_UP_TWO_STEP_MESSAGE);
  return viewer;
}

function requirePassword({ mustChangePassword }: OwnProfile): void {
  if (mustChangePassword) throw new HttpError(403, "must_change_password", MUST_CHANGE_PASSWORD_MESSAGE);
}

async function identify(request: FastifyRequest, reply: FastifyReply, message: string): Promise<OwnProfile> {
  const answer = await request.server.resolveViewer(request.headers);
  if (answer.kind === "deactivated") throw new HttpError(403, "deactivated", DEACTIVATED_MESSAGE);
  if (answer.kind === "nobody") {
    if (answer.cookies.length > 0) void reply.header("set-cookie", answer.cookies);
    throw new HttpError(401, "unauthorized", message);
  }
  noteRequest(answer.viewer.id);
  request.viewer = answer.viewer;
  request.authSessionId = answer.authSessionId;
  return answer.viewer;
}
