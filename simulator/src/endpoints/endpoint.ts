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

/** What all endpoints of one simulator share. */
export type House = {
  /** The simulator's own address, known once it listens. */
  origin: string;
  behavior: Behavior;
  calls: CallLog;
  random: Seeded;
  /** Magic calls whose one-time fault has been spent. */
  spent: Set<string>;
};

/**
 * How one endpoint speaks: its everyday answer about a cert, and its own words for the failures whose words are known.
 * A fault without words of its own here is answered in the general way below, or not at all when it makes no sense.
 */
export type Voice = {
  /** `certNumber` need not be the one that was asked for. */
  found: (certNumber: string) => Answer | Promise<Answer>;
  notFound: () => Answer;
  quota: (retryAfterS: number | null) => Answer;
  /** The same as `found` broken in mid-way, or a page whose record is missing. */
  torn: (certNumber: string) => Answer | Promise<Answer>;
  /** What an API says of credentials it does not take; endpoints that ask for none have no such words. */
  refused?: () => Answer;
  serverError?: () => Answer;
  bareString?: () => Answer;
  noData?: () => Answer;
  invalidNumber?: () => Answer;
  emptyRecord?: () => Answer;
  encrypted?: () => Answer;
  /** Some other card's answer, where one that names no cert has to be told from it, or a batch from other batches. */
  otherCert?: () => Answer;
  lookupError?: () => Answer;
};

/**
 * One call about one cert, "" for none. A batch has all its certs in `certs` and in `certNumber` the one whose magic
 * decides for the whole of it. A login is spared what happens by chance.
 */
type Ask = {
  endpoint: Endpoint;
  part: Part | "login";
  certNumber: string;
  certs?: readonly string[];
  voice: Voice;
};

/** Answers one call: counts it, waits as an upstream would, then answers or fails as told. */
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

/** Answers a call that does not get as far as its certificate. */
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
  // Prices are asked for by POST: the address alone would not tell one card's calls from another's.
  const isPrice = part === "cardladder" || part === "cardsiq";
  const path = isPrice ? `${url} ${certs?.join(" ") ?? certNumber}` : url;
  const fault = behavior.drawChaos({ endpoint, path });
  // A list of pictures names no certificate: nobody could tell that it is another one's.
  return fault === "other_cert" && part === "images" ? null : fault;
}

/** What the cert alone does to a call to an address; spends a fault that comes but once, or spares the first call. */
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

/** PSA was seen to say 76216, 86115 and 86251 seconds: the rest of a day. */
const QUOTA_RETRY_AFTER_S = 76216;
const BRIEF_RETRY_AFTER_S = 2;

/** Above the 5 MB that a client should take. */
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
    case "html_as_picture":
      return { status: 200, type: "image/jpeg", body: "<!DOCTYPE html><script>alert(document.domain)</script>" };
    case "svg_as_picture":
      return {
        status: 200,
        type: "image/svg+xml",
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="1000"><script>alert(document.domain)</script></svg>',
      };
    case "lookup_error":
      return voice.lookupError?.() ?? found();
  }
}

/** A different, ordinary cert of the same form: the last two digits become "13", or "31" where they are that already. */
export function neighborOf(certNumber: string): string {
  return `${certNumber.slice(0, -2)}${certNumber.endsWith("13") ? "31" : "13"}`;
}

async function huge(voice: Voice, certNumber: string): Promise<Answer> {
  const answer = await voice.found(certNumber);
  return { ...answer, body: Buffer.concat([Buffer.from(answer.body), Buffer.alloc(HUGE_BYTES, " ")]) };
}

/** "localhost" is another host than "127.0.0.1", and whoever follows is seen in the call log as "elsewhere". */
function redirect(house: House, certNumber: string): Answer {
  const location = `${house.origin.replace("127.0.0.1", "localhost")}/elsewhere/${certNumber}`;
  return { ...jsonAnswer(302, {}), headers: { location } };
}
