import type { CardSource, Mode } from "@slabdesk/contract/api/cards.ts";
import type { LookUp } from "@slabdesk/contract/api/provenance.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import { storableText } from "@slabdesk/contract/sheet/text.ts";
import type { PauseCode } from "../../database/schema.ts";
import type { Found, Grader, NotFound, Outcome } from "../../graders/grader.ts";
import type { Breaker, EndpointReport, Gate, PausedGate } from "../../lanes/breaker.ts";
import type { WaitForCallSlot } from "../../lanes/lane.ts";
import { SCRAPING_OFF, type SourceOrders } from "./certs.source-order.ts";

/** Nobody could be asked, or the answer was to come back later: the card waits until then, null until it is opened by hand. */
export type Waits = { code: PauseCode; message: string; until: Date | null };
/** What asking came to. A grader's limit is never an end: the card waits. */
export type CardAnswer = Found | NotFound | Waits;
/** One asking of a source, as the row shows it. */
export type Attempt = Extract<LookUp, { kind: "fresh" }>;
/** What asking came to, and each source that was asked for it, in their order. */
export type Asked = { answer: CardAnswer; attempts: Attempt[] };

export type LookupParts = {
  graders: Record<Company, Grader>;
  sourceOrders: SourceOrders;
  breaker: Pick<Breaker, "state" | "admit" | "report">;
  now: () => Date;
};
export type Lookup = ReturnType<typeof createLookup>;

/** Asks the companies in the three modes, through endpoints that may be paused. */
export function createLookup({ graders, sourceOrders, breaker, now }: LookupParts) {
  async function askSource(
    company: Company,
    source: CardSource,
    certNumber: string,
    waitForCallSlot: WaitForCallSlot,
    attempts: Attempt[],
  ): Promise<CardAnswer> {
    const grader = graders[company];
    async function ask(): Promise<Outcome> {
      const [at, startedMs] = [now().toISOString(), performance.now()];
      const asked = source === "api" ? grader.viaApi(certNumber) : grader.viaPage(certNumber);
      const outcome = await asked.catch(brokenReader);
      const durationMs = Math.round(performance.now() - startedMs);
      attempts.push({ kind: "fresh", at, source, durationMs, outcome: outcome.code, message: messageOf(outcome) });
      return outcome;
    }
    if (!sourceOrders.isGated(company, source)) return settled(await ask(), null);
    await waitForCallSlot();
    const admission = await breaker.admit(sourceOrders.endpointOf(company, source));
    if (admission.kind !== "admitted") return waitsFor(admission);
    const outcome = await ask();
    const until = await breaker.report(admission, callsOf(outcome, admission.reserved), reportOf(outcome));
    return settled(outcome, until);
  }

  return {
    /**
     * Asks for one card, source after source until one has an answer about it. A failure is an answer, never an
     * exception. `leave` is awaited before each call. A source whose endpoint is paused is not asked, and is no attempt.
     */
    async ask(company: Company, certNumber: string, mode: Mode, waitForCallSlot: WaitForCallSlot): Promise<Asked> {
      const attempts: Attempt[] = [];
      let best: CardAnswer | null = null;
      for (const source of sourceOrders.sourcesOf(company, mode)) {
        const answer = await askSource(company, source, certNumber, waitForCallSlot, attempts);
        if (isFinal(answer)) return { answer, attempts };
        best = best ? preferred(best, answer) : answer;
      }
      return { answer: best ?? { code: "not_configured", message: SCRAPING_OFF }, attempts };
    },

    /** Whether a card of this company and mode would be asked for now. */
    async gate(company: Company, mode: Mode): Promise<Gate> {
      const sources = sourceOrders.sourcesOf(company, mode).filter((source) => sourceOrders.isGated(company, source));
      const states = await Promise.all(
        sources.map((source) => breaker.state(sourceOrders.endpointOf(company, source))),
      );
      return bestOf(states.map((state) => state.gate));
    },
  };
}

/** A client that throws is a bug of ours: the row settles and the log keeps the cause, instead of asking again and again. */
function brokenReader(error: unknown): Outcome {
  return { code: "unavailable", message: "Slabdesk could not read the answer; its log tells why", cause: error };
}

/** For staff: why there is no card, or what was noted about the one that was found. */
function messageOf(outcome: Outcome): string {
  return storableText(outcome.code === "found" ? outcome.notes : outcome.message);
}

/** Calls that count against a day's quota: a found card took all of its calls, a refused call counts for nothing. */
function callsOf(outcome: Outcome, reserved: number): number {
  switch (outcome.code) {
    case "found":
      return outcome.quotaGone ? 1 : reserved;
    case "quota_exhausted":
    case "not_configured":
      return 0;
    default:
      return 1;
  }
}

function reportOf(outcome: Outcome): EndpointReport {
  switch (outcome.code) {
    case "found": {
      const { quotaGone } = outcome;
      if (!quotaGone) return { kind: "works" };
      return { kind: "quota_gone", until: quotaGone.until, limit: quotaGone.limit, message: quotaGone.message };
    }
    case "not_found":
    case "invalid_number":
      return { kind: "works" };
    case "blocked":
    case "forbidden":
    case "unavailable":
      return { kind: "fails", code: outcome.code, message: outcome.message };
    case "quota_exhausted":
      return { kind: "quota_gone", until: outcome.until, limit: outcome.limit, message: outcome.message };
    case "timeout":
    case "not_configured":
      return { kind: "unclear", message: outcome.message };
  }
}

function settled(outcome: Outcome, until: Date | null): CardAnswer {
  if (outcome.code !== "quota_exhausted") return outcome;
  return { code: outcome.code, message: outcome.message, until: until ?? outcome.until ?? new Date() };
}

function waitsFor({ code, message, until }: Omit<PausedGate, "kind">): Waits {
  return { code, message: message, until };
}

export function isWaiting(answer: CardAnswer): answer is Waits {
  return "until" in answer;
}

/** An answer about the card itself, after which another source has nothing to add. */
function isFinal(answer: CardAnswer): boolean {
  return answer.code === "found" || answer.code === "not_found" || answer.code === "invalid_number";
}

const timeOf = (until: Date | null): number => until?.getTime() ?? Number.POSITIVE_INFINITY;

/**
 * When neither source gave a card: a card that only failed because its page is held by hand waits for it; one that was
 * asked counts before one that is paused, as the page is what is used meanwhile; of two that were asked, the one that may
 * pass by itself, as it decides whether the row can be retried.
 */
function preferred(api: CardAnswer, page: CardAnswer): CardAnswer {
  if (isWaiting(api) && isWaiting(page)) return timeOf(api.until) <= timeOf(page.until) ? api : page;
  if (isWaiting(page) && page.until === null) return page;
  if (isWaiting(page)) return api.code === "not_configured" || api.code === "forbidden" ? page : api;
  if (isWaiting(api) || api.code === "not_configured" || api.code === "forbidden") return page;
  return api;
}

const isPaused = (gate: Gate): gate is PausedGate => gate.kind === "paused";
const byTime = (a: PausedGate, b: PausedGate): number => timeOf(a.until) - timeOf(b.until);

/** A card takes whatever of its endpoints is open; only when all are paused it waits, for the first that opens. */
function bestOf(gates: readonly Gate[]): Gate {
  for (const kind of ["open", "due", "probing"] as const) {
    const gate = gates.find((one) => one.kind === kind);
    if (gate) return gate;
  }
  return gates.filter(isPaused).toSorted(byTime)[0] ?? { kind: "open" };
}
