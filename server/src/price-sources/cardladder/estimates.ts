import type { Reading } from "../../graders/grader.ts";
import { unreadable, type Callable } from "./callable.ts";
import type { ArgumentSet } from "./memory.ts";
import { NO_ESTIMATE, readEstimate, saysAnything, type Estimate } from "./map.ts";

/** A card and grade to estimate. `condition` is build's notation, null if build named no grade. */
export type EstimateRequest = {
  set: ArgumentSet;
  profileId: string;
  grader: string;
  condition: string | null;
  description: string;
};
/** `isBadArgument`: the function rejected the request. The argument set or a half grade's notation may be the reason. */
export type EstimateAnswer = Reading<Estimate> & { isBadArgument?: boolean };

/**
 * Requests estimates. CardLadder answers only one of the two notations of half grades (README.md). The one answered
 * last is tried first (initially build's own), then the other if the first has no value.
 */
export function createEstimates(call: Callable, now: () => Date) {
  let answeredForm: HalfForm | null = null;

  async function ask(request: EstimateRequest): Promise<EstimateAnswer> {
    const estimated = await call("httpcardestimate", dataOf(request));
    if (estimated.kind === "no_such") return { ok: true, value: NO_ESTIMATE };
    if (estimated.kind !== "result")
      return { ok: false, outcome: estimated.outcome, isBadArgument: estimated.kind === "bad_argument" };
    const value = readEstimate(estimated.result, now());
    return value === "unreadable" ? { ok: false, outcome: unreadable(estimated.answer) } : { ok: true, value };
  }

  async function askBothForms(request: EstimateRequest, condition: string, written: HalfForm): Promise<EstimateAnswer> {
    const form = answeredForm ?? written;
    const first = await ask({ ...request, condition: withHalfForm(condition, form) });
    if (isValue(first)) {
      answeredForm = form;
      return first;
    }
    if (!first.ok && !first.isBadArgument) return first;
    const other: HalfForm = form === "." ? "_" : ".";
    const second = await ask({ ...request, condition: withHalfForm(condition, other) });
    if (isValue(second)) answeredForm = other;
    else if (first.ok && (saysAnything(first.value) || second.isBadArgument)) return first;
    return second;
  }

  return async (request: EstimateRequest): Promise<EstimateAnswer> => {
    const { condition } = request;
    if (condition === null) return { ok: true, value: NO_ESTIMATE };
    const written = halfFormOf(condition);
    return written === null ? ask(request) : askBothForms(request, condition, written);
  };
}

function dataOf({ set, profileId, grader, condition, description }: EstimateRequest): Record<string, unknown> {
  return set === "condition"
    ? { profileId, gradingCompany: grader, condition, description }
    : { profileId, grader, grade: condition, qualifierType: null, autographGrade: null };
}

export const isValue = (asked: EstimateAnswer): boolean => asked.ok && asked.value.estimateCents !== null;

/** The notation of a half grade: "g9.5" or "g9_5" (README.md). */
type HalfForm = "." | "_";

function halfFormOf(condition: string): HalfForm | null {
  const form = /^g\d{1,2}([._])5$/.exec(condition)?.[1];
  return form === "." || form === "_" ? form : null;
}

const withHalfForm = (condition: string, form: HalfForm): string => condition.replace(/[._]/, form);
