import { z } from "zod";
import { postJson, type UpstreamAnswer } from "../../upstreams/endpoint.ts";
import * as answers from "../../graders/upstream-answers.ts";
import type { ClientParts, NotFound, Refused } from "../../graders/grader.ts";
import type { HeldToken } from "../../graders/held-token.ts";
import { notUnderstood, refusalOf } from "../price-source.ts";

/** `no_such` and `bad_argument` are the function's own errors, which may be an answer. The others are failures. */
export type CallableAnswer =
  | { kind: "result"; result: unknown; answer: answers.Answered }
  | { kind: FailureKind; outcome: Refused };

type FailureKind = "no_such" | "bad_argument" | "token_refused" | "failed";

export type Callable = (name: string, data: Record<string, unknown>) => Promise<CallableAnswer>;

export const CARDLADDER_API = { company: "CardLadder", part: "API" } as const;

export function createCallable(parts: ClientParts<"CARDLADDER_API_URL">, signIn: HeldToken): Callable {
  const { endpoint, settings, now } = parts;
  return async (name, data) => {
    const call = async (token: string): Promise<CallableAnswer> => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await endpoint(postJson(`${settings.CARDLADDER_API_URL}/${name}`, { data }, headers));
      return readCallable(answers.withoutSecret(answer, token), now());
    };
    const reading = await signIn.call(call, (answer) => answer.kind === "token_refused");
    return reading.ok ? reading.value : { kind: "failed", outcome: reading.outcome };
  };
}

const envelopeSchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ status: z.string().optional().catch(undefined) }).nullish(),
});

/** Errors may come with any HTTP status, including 200. A rate limit is HTTP 429. */
function readCallable(answer: UpstreamAnswer, now: Date): CallableAnswer {
  if (answer.kind !== "answered") return { kind: "failed", outcome: answers.noAnswer(CARDLADDER_API, answer) };
  if (answer.status === 429) return { kind: "failed", outcome: refusalOf(CARDLADDER_API, answer, now) };
  const json = answers.parseJson(answer.text);
  const envelope = json.ok ? envelopeSchema.safeParse(json.value) : null;
  if (envelope?.data?.error) return readError(answer, envelope.data.error.status ?? "", now);
  if (answer.status === 401) return { kind: "token_refused", outcome: refusalOf(CARDLADDER_API, answer, now) };
  if (answer.status !== 200) return { kind: "failed", outcome: refusalOf(CARDLADDER_API, answer, now) };
  const result = envelope?.data?.result;
  if (result !== undefined) return { kind: "result", result, answer };
  const cause = json.ok ? envelope?.error : json.cause;
  return { kind: "failed", outcome: notUnderstood(CARDLADDER_API, answer, cause) };
}

export const unreadable = (answer: answers.Answered): Refused => notUnderstood(CARDLADDER_API, answer, null);

/** The daily quota's size and reset time are unknown, so the next attempt is in an hour. */
const QUOTA_WAIT_MS = 3_600_000;

type Failure = [kind: FailureKind, code: NotFound["code"], message: string];

const NOT_WORKING: Failure = ["failed", "unavailable", "CardLadder's API is not working at the moment"];
const FAILURES = new Map<string, Failure>([
  ["UNAUTHENTICATED", ["token_refused", "forbidden", "CardLadder rejected our sign-in (UNAUTHENTICATED)"]],
  ["PERMISSION_DENIED", ["failed", "forbidden", "CardLadder denied our account permission (PERMISSION_DENIED)"]],
  ["DEADLINE_EXCEEDED", ["failed", "timeout", "CardLadder did not finish in time (DEADLINE_EXCEEDED)"]],
  ["NOT_FOUND", ["no_such", "not_found", "CardLadder has no such card"]],
  ["INVALID_ARGUMENT", ["bad_argument", "unavailable", "CardLadder rejected the request (INVALID_ARGUMENT)"]],
]);

/** Maps the statuses of callable functions. Their messages are logged but not parsed. */
function readError(answer: answers.Answered, status: string, now: Date): CallableAnswer {
  if (status === "RESOURCE_EXHAUSTED") {
    const until = new Date(now.getTime() + QUOTA_WAIT_MS);
    const message = "CardLadder's daily limit is used up";
    return { kind: "failed", outcome: { code: "quota_exhausted", message, until, limit: null } };
  }
  const [kind, code, message] = FAILURES.get(status) ?? NOT_WORKING;
  return { kind, outcome: { code, message, cause: answers.answerAsCause(answer) } };
}
