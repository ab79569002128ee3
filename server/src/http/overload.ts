import { READING_MS, requests } from "../concurrency/budgets.ts";
import { createShares, type Release, type Shares } from "../concurrency/shares.ts";
import { isOfApi, isReading } from "./flood-guard.ts";
import type { App } from "./guards.ts";
import { networkOf } from "./own-address.ts";
import { HANDLED, releaseAtEnd, leftSignal, refusalOf } from "./concurrent-requests.ts";

/*
 * A node answers a few requests for data at a time, as many as keep its processors busy, and people take turns. More
 * wouldn't be faster, and would slow runs and event streams. What has to wait too long is refused. Requests that are not
 * proven to be a person's have places of their own for each network.
 */

/** A page sends up to six requests at once. */
const A_PERSONS_AT_ONCE = 4;
const AT_ONCE = 6;
const A_PERSONS_WAITING = 100;
const RETRY_AFTER_S = 2;
/** The most that a change is charged. Stopping 100,000 rows takes longer, but so can a wait for someone else's lock. */
const CHANGE_MS = 3_000;
const TOO_MANY = "Your other requests are still being answered. Wait for them, then try again";
/** The media type of event streams. Their routes give the place back themselves, once they are opened. */
export const EVENT_STREAM = "text/event-stream";
/** Answers that are not sent yet, because the client reads slowly, stay in memory. */
const A_PERSONS_UNSENT = 20;

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route waits for another server, with a limit of its own. It gives its place back before that wait. */
    isLong?: true;
    /** The route changes data, although its method is GET. */
    isChange?: true;
  }
  interface FastifyRequest {
    /** Gives back the request's place, early if it waits for something else that has another limit. */
    releasePlace: Release | null;
    /** Whether the request has a place of its route's own limit. */
    hasOwnPlace: boolean;
  }
  interface FastifyInstance {
    /** For routes that give their place back early and change data later. */
    changePlaces: Shares;
  }
}

/**
 * Limits the requests for data, and those that change data. A request for data waits at most `patienceMs` for a place, and
 * before that a third as long while too many of the person's responses are unsent.
 */
export function limitRequests(app: App, patienceMs: number): void {
  const common = { waiting: A_PERSONS_WAITING, patienceMs, refuse: refusalOf(TOO_MANY, RETRY_AFTER_S) };
  const timed = { budgets: requests, outlastsRests: true };
  const places = { ...common, ...timed, total: AT_ONCE, each: A_PERSONS_AT_ONCE, mostMs: READING_MS };
  const [ofPeople, ofNetworks] = [createShares(places), createShares(places)];
  const unsent = createShares({ ...common, patienceMs: patienceMs / 3, total: Infinity, each: A_PERSONS_UNSENT });
  const refuse = refusalOf("Your other changes are still being made. Wait for them, then try again");
  const ofChanges = { total: 8, each: 1, waiting: 20, patienceMs: 30_000, refuse };
  const changes = createShares({ ...ofChanges, ...timed, mostMs: CHANGE_MS });
  app.decorate("changePlaces", changes);
  app.decorateRequest("releasePlace", null);
  app.decorateRequest("hasOwnPlace", false);
  // Before the guards, which read the database too.
  app.addHook("onRequest", async (request, reply) => {
    const { method, provenPerson, routeOptions } = request;
    const { produces } = routeOptions.schema ?? {};
    const isStream = produces?.includes(EVENT_STREAM) === true;
    // Files have limits of their own, and so have event streams after they are opened.
    const { isLong, isChange } = routeOptions.config;
    const hasOwnLimit = (!isStream && produces) || isChange;
    if (!isReading(method) || !isOfApi(request) || hasOwnLimit) return;
    const person = provenPerson ?? `network ${networkOf(request.ip)}`;
    const gone = leftSignal(reply);
    if (!isStream && !isLong) releaseAtEnd(reply, await unsent.enter(person, gone));
    request.releasePlace = await (provenPerson === null ? ofNetworks : ofPeople).enter(person, gone);
  });
  // Changes wait for each other in the database, where each would hold a connection. A body that is still arriving holds
  // no place, but validating it takes time. What has arrived is done even if its client leaves.
  app.addHook("preValidation", async (request) => {
    const { method, viewer, hasOwnPlace, routeOptions } = request;
    if ((isReading(method) && !routeOptions.config.isChange) || !viewer || hasOwnPlace) return;
    request.releasePlace = await changes.enter(viewer.id);
  });
  // The work is done, also for a client that left. One that doesn't read its response no longer holds the place.
  app.addHook("onSend", async (request, reply) => {
    request.releasePlace?.();
    reply.raw.emit(HANDLED);
  });
}
