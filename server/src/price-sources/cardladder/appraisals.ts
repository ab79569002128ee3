import { createSingleFlight } from "../../concurrency/single-flight.ts";
import { unavailable } from "../../graders/upstream-answers.ts";
import { isSameCert } from "../field-values.ts";
import { cardRefused, companyRefused, type NoPrice, type PricedCard } from "../price-source.ts";
import type { Reading, Refused } from "../../graders/grader.ts";
import { unreadable, type Callable } from "./callable.ts";
import { createEstimates, isValue, type EstimateAnswer, type EstimateRequest } from "./estimates.ts";
import { readProfile, saysAnything, type Estimate, type Profile } from "./map.ts";
import type { ArgumentSet, CardLadderMemory } from "./memory.ts";

/** Number of cached estimates, for cards that repeat within a sheet, and how long they serve. */
const CARDS_KEPT = 300;
const KEPT_MS = 600_000;

/** `at`: the function that answered. `mayBeSet`: another argument set may get a better answer. */
type Asked = EstimateAnswer & { at: "build" | "estimate"; mayBeSet: boolean };
type Built = Reading<Profile> & { isBadArgument?: boolean };
type Appraised = { ok: true; value: Estimate } | { ok: false; outcome: Refused | NoPrice };

/** Gets a card's estimate with one argument set, or once with the other. Remembers the set that gave a value. */
export function createAppraisals(call: Callable, memory: CardLadderMemory, now: () => Date) {
  const estimate = createEstimates(call, now);
  const kept = new Map<string, { answer: EstimateAnswer; askedAt: number }>();
  const flights = createSingleFlight<EstimateAnswer>();

  /** Caches successful answers. Concurrent requests for the same estimate share one attempt. */
  async function recall(asked: string, request: EstimateRequest): Promise<EstimateAnswer> {
    const known = kept.get(asked);
    if (known && now().getTime() - known.askedAt < KEPT_MS) return known.answer;
    return flights.run(asked, async () => {
      const askedAt = now().getTime();
      kept.delete(asked);
      const answer = await estimate(request);
      if (answer.ok) kept.set(asked, { answer, askedAt });
      const [oldest] = kept.keys();
      if (kept.size > CARDS_KEPT && oldest !== undefined) kept.delete(oldest);
      return answer;
    });
  }

  async function askWith(set: ArgumentSet, card: PricedCard): Promise<Asked> {
    const built = await build(call, card, set);
    if (!built.ok) return { ...built, at: "build", mayBeSet: built.isBadArgument === true };
    const request = { set, grader: card.company.toLowerCase(), ...built.value };
    const { profileId, grader, condition, description } = request;
    const answer = await recall(JSON.stringify([set, profileId, grader, condition, description]), request);
    const isEmpty = answer.ok && condition !== null && !isValue(answer);
    return { ...answer, at: "estimate", mayBeSet: isEmpty || answer.isBadArgument === true };
  }

  return async (card: PricedCard, answeredSet: ArgumentSet | null): Promise<Appraised> => {
    const set = answeredSet ?? "condition";
    const other = set === "condition" ? "grade" : "condition";
    const first = await askWith(set, card);
    const isDoubtful = first.mayBeSet && (answeredSet === null || first.isBadArgument === true);
    const second = isDoubtful ? await askWith(other, card) : null;
    const best = second && isBetter(second, first) ? second : first;
    if (isValue(best)) await memory.noteAnswer(best === first ? set : other);
    if (card.company === "PSA") return best;
    if (best.at === "estimate") await memory.noteAcceptance(card.company);
    if (best.ok || best.at === "estimate" || !best.isBadArgument) return best;
    const isCompanyRefused = await memory.noteRefusal(card);
    const cause = "cause" in best.outcome ? best.outcome.cause : undefined;
    return { ok: false, outcome: (isCompanyRefused ? companyRefused : cardRefused)("CardLadder", card, cause) };
  };
}

function isBetter(second: Asked, first: Asked): boolean {
  if (!first.ok) return second.ok || !second.isBadArgument;
  return second.ok && (isValue(second) || (saysAnything(second.value) && !saysAnything(first.value)));
}

/** One client sends `useTaxonomy` along with the second set. */
async function build(call: Callable, card: PricedCard, set: ArgumentSet): Promise<Built> {
  const { company, certNumber } = card;
  const taxonomy = set === "grade" ? { useTaxonomy: true } : {};
  const data = { cert: certNumber, grader: company.toLowerCase(), ...taxonomy };
  const built = await call("httpbuildcollectioncard", data);
  if (built.kind === "no_such") return { ok: false, outcome: uncachedCert(card) };
  if (built.kind !== "result")
    return { ok: false, outcome: built.outcome, isBadArgument: built.kind === "bad_argument" };
  const profile = readProfile(built.result);
  if (profile === "unreadable") return { ok: false, outcome: unreadable(built.answer) };
  if (profile === null) return { ok: false, outcome: uncachedCert(card) };
  if (profile.serial !== null && !isSameCert(card, profile.serial)) {
    const cause = new Error(`Requested ${company} ${certNumber}, received ${profile.serial}`);
    const message = `CardLadder returned a different certificate than ${certNumber}`;
    return { ok: false, outcome: unavailable(message, cause) };
  }
  return { ok: true, value: profile };
}

function uncachedCert({ company, certNumber }: PricedCard): Refused {
  return { code: "not_found", message: `CardLadder does not know ${company} ${certNumber}` };
}
