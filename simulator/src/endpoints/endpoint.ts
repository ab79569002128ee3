import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Seeded } from "../made-up/seeded.ts";
import type { Answer } from "./answer.ts";
import { jsonAnswer } from "./answer.ts";
import type { Behavior, Latency } from "./behavior.ts";
import type { Call, CallLog } from "./call-log.ts";
import { botWall, browserRefused, originError } from "./cloudflare.ts";
import type { Endpoint, Fault } from "./faults.ts";
import { findMagic, type Part } from "./magic.ts";

/** The state shared by all endpoints of one simulator. */
export type House = {
  /** The simulator's address, set once it listens. */
  origin: string;
  behavior: Behavior;
  calls: CallLog;
  random: Seeded;
  /** Magic calls whose one-time fault has already occurred. */
  spent: Set<string>;
};

/**
 * The responses of one endpoint: the normal response for a cert, and its specific responses for faults. A fault without
 * a specific response gets the generic one below, or the normal response if the fault doesn't apply.
 */
export type Voice = {
  /** `certNumber` may differ from the requested cert. */
  found: (certNumber: string) => Answer | Promise<Answer>;
  notFound: () => Answer;
  quota: (retryAfterS: number | null) => Answer;
  /** `found` cut off in the middle, or a page without its record. */
  torn: (certNumber: string) => Answer | Promise<Answer>;
  /** An API's response to invalid credentials. Endpoints without credentials have none. */
  refused?: () => Answer;
  /** PSA's response to a valid token of an account that it has not approved. */
  notApproved?: () => Answer;
  serverError?: () => Answer;
  bareString?: () => Answer;
  noData?: () => Answer;
  invalidNumber?: () => Answer;
  emptyRecord?: () => Answer;
  encrypted?: () => Answer;
  /** Another card's response, for an endpoint whose response doesn't name its cert, or for a batch. */
  otherCert?: () => Answer;
  lookupError?: () => Answer;
};

/**
 * One call about one cert, "" for none. For a batch, `certs` has all certs, and `certNumber` is the one whose magic
 * applies to the whole batch. Random faults don't affect logins.
 */
type Ask = {
  endpoint: Endpoint;
  part: Part | "login";
  certNumber: string;
  certs?: readonly string[];
  voice: Voice;
};

/** Handles one call: logs it, waits for the latency, then responds or fails as configured. */
export async function answerCall(house: House, ask: Ask, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const fault =
    house.behavior.faultOf(ask.endpoint) ?? randomFault(house, ask, request.url) ?? magicFault(house, ask, request.url);
  house.calls.add({
    endpoint: ask.endpoint,
    method: request.method,
    path: request.url,
    ...(ask.certs ? { cert: null, certs: ask.certs } : { cert: ask.certNumber || null }),
    at: Date.now(),
    fault,
  });
  await waitLatency(house);
  await house.behavior.answering(ask.endpoint);
  if (fault === "hang") {
    reply.hijack();
    return;
  }
  if (fault === "reset") {
    reply.hijack();
    request.raw.socket.resetAndDestroy();
    return;
  }
  send(reply, fault === null ? await ask.voice.found(ask.certNumber) : await answerFault(house, fault, ask));
}

/** Responds to a call that is rejected before its certificate is looked up. */
export async function refuseCall(
  house: House,
  { fault, answer, ...call }: Pick<Call, "cert" | "certs"> & { endpoint: Endpoint; fault: Fault; answer: Answer },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  house.calls.add({ ...call, method: request.method, path: request.url, at: Date.now(), fault });
  await waitLatency(house);
  await house.behavior.answering(call.endpoint);
  send(reply, answer);
}

export function send(reply: FastifyReply, answer: Answer): void {
  void reply
    .code(answer.status)
    .headers(answer.headers ?? {})
    .type(answer.type)
    .send(answer.body);
}

export async function waitLatency(house: House): Promise<void> {
  const ms = pickLatency(house.behavior.latencyMs, house.random);
  if (ms > 0) await sleep(ms, undefined, { ref: false });
}

function pickLatency(latency: Latency, random: Seeded): number {
  return typeof latency === "number" ? latency : latency[0] + random.next() * (latency[1] - latency[0]);
}

function randomFault(
  { behavior, random }: House,
  { endpoint, part, certNumber, certs }: Ask,
  url: string,
): Fault | null {
  if (part === "login") return null;
  if (behavior.failureRate > 0 && random.chance(behavior.failureRate)) return "server_error";
  if (part === "files") return null;
  // Price calls use POST, so the URL alone doesn't identify the card.
  const isPrice = part === "cardladder" || part === "cardsiq";
  const path = isPrice ? `${url} ${certs?.join(" ") ?? certNumber}` : url;
  const fault = behavior.drawChaos({ endpoint, path });
  // An image list names no certificate, so another cert's list would be undetectable.
  return fault === "other_cert" && part === "images" ? null : fault;
}

/**
 * The fault that the cert causes for a call to a URL. Marks one-time faults as spent, and skips the first call if the
 * fault comes later.
 */
export function magicFault(
  house: House,
  ask: Pick<Ask, "endpoint" | "part" | "certNumber">,
  address: string = ask.endpoint,
): Fault | null {
  const magic = findMagic(ask.certNumber);
  const fault = ask.part === "login" ? null : (magic?.faults[ask.part] ?? null);
  if (fault === null || !(magic?.once || magic?.later)) return fault;
  const call = magic.later ? address : `${ask.endpoint}/${ask.part}/${ask.certNumber}`;
  const isFirst = !house.spent.has(call);
  house.spent.add(call);
  return isFirst === Boolean(magic.once) ? fault : null;
}

/** PSA sent 76216, 86115 and 86251 seconds: the rest of a day. */
const QUOTA_RETRY_AFTER_S = 76216;
const BRIEF_RETRY_AFTER_S = 2;

/** More than the 5 MB that a client should accept. */
const HUGE_BYTES = 6 * 1024 * 1024;

function answerFault(house: House, fault: Exclude<Fault, "hang" | "reset">, ask: Ask): Answer | Promise<Answer> {
  const { voice, certNumber } = ask;
  const found = (): Answer | Promise<Answer> => voice.found(certNumber);
  switch (fault) {
    case "not_found":
      return voice.notFound();
    case "server_error":
      return voice.serverError?.() ?? originError(house.random.pick([500, 502, 503]));
    case "quota":
      return voice.quota(QUOTA_RETRY_AFTER_S);
    case "quota_no_retry_after":
      return voice.quota(null);
    case "quota_brief":
      return voice.quota(BRIEF_RETRY_AFTER_S);
    case "bot_wall":
      return botWall();
    case "browser_refused":
      return browserRefused();
    case "other_cert":
      return voice.otherCert?.() ?? voice.found(neighborOf(certNumber));
    case "huge":
      return huge(voice, certNumber);
    case "redirect":
      return redirect(house, certNumber);
    case "torn":
      return voice.torn(certNumber);
    case "html":
      return {
        status: 200,
        type: "text/html; charset=utf-8",
        body: "<!DOCTYPE html><html><head><title>Scheduled maintenance</title></head><body><h1>We'll be right back</h1></body></html>",
      };
    case "refused":
      return voice.refused?.() ?? found();
    case "not_approved":
      return voice.notApproved?.() ?? found();
    case "bare_string":
      return voice.bareString?.() ?? found();
    case "no_data":
      return voice.noData?.() ?? found();
    case "invalid_number":
      return voice.invalidNumber?.() ?? found();
    case "empty_record":
      return voice.emptyRecord?.() ?? found();
    case "encrypted":
      return voice.encrypted?.() ?? found();
    case "html_as_image":
      return { status: 200, type: "image/jpeg", body: "<!DOCTYPE html><script>alert(document.domain)</script>" };
    case "svg_as_image":
      return {
        status: 200,
        type: "image/svg+xml",
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="1000"><script>alert(document.domain)</script></svg>',
      };
    case "lookup_error":
      return voice.lookupError?.() ?? found();
  }
}

/** A different, ordinary cert of the same format: the last two digits become "13", or "31" if they already are "13". */
export function neighborOf(certNumber: string): string {
  return `${certNumber.slice(0, -2)}${certNumber.endsWith("13") ? "31" : "13"}`;
}

async function huge(voice: Voice, certNumber: string): Promise<Answer> {
  const answer = await voice.found(certNumber);
  return { ...answer, body: Buffer.concat([Buffer.from(answer.body), Buffer.alloc(HUGE_BYTES, " ")]) };
}

/**
 * "localhost" is a different host from "127.0.0.1". The call log shows a client that follows the redirect as
 * "elsewhere".
 */
function redirect(house: House, certNumber: string): Answer {
  const location = `${house.origin.replace("127.0.0.1", "localhost")}/elsewhere/${certNumber}`;
  return { ...jsonAnswer(302, {}), headers: { location } };
}
