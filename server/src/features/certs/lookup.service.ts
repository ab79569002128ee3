import type { CardSource, Mode } from "@slabdesk/contract/api/cards.ts";
import type { LookUp } from "@slabdesk/contract/api/provenance.ts";
import type { Company } from "@slabdesk/contract/certs/company.ts";
import { storableText } from "@slabdesk/contract/certs/text.ts";
import type { Context } from "../../context.ts";
import type { PauseCode } from "../../database/schema.ts";
import type { Found, NotFound, Outcome, QuotaExhausted } from "../../graders/grader.ts";
import type { ClosedState, EndpointReport, EndpointState, PausedState } from "../../upstreams/breaker-rules.ts";
import type { Refusal } from "../../upstreams/breaker.ts";
import { LANE_OF, LOOKUP_ENDPOINTS, type LookupEndpoint } from "../../upstreams/endpoint.ts";
import type { WaitForCallSlot } from "../../upstreams/lane.ts";
import { boundOpenCards, countOpenPsaCards } from "./certs.repo.ts";

/** A card to look up, and when its run was requested; by default now. */
export type LookUpRequest = { company: Company; certNumber: string; mode: Mode; requestedAt?: Date };
/** No source could be asked, or the source said to retry later. `until` is null if an administrator must resume it. */
export type Waits = { code: PauseCode; message: string; until: Date | null };
/** The result of a lookup. If a grader's limit is reached, the card waits; it doesn't fail. */
export type CardAnswer = Found | NotFound | Waits;
export type Attempt = Extract<LookUp, { kind: "fresh" }>;
export type LookUpResult = { answer: CardAnswer; attempts: Attempt[] };

/** A source of cards. `endpoint` is null if it makes no call: an API without credentials answers `not_configured`. */
type Source = { source: CardSource; endpoint: LookupEndpoint | null };

const SCRAPING_OFF = "Web scraping is turned off. Choose API only, or ask an administrator to turn it on";

/** Returns the sources that a mode uses, in order. If scraping is off, pages are never read. */
export function sourcesOf({ config, upstreams }: Context, company: Company, mode: Mode): Source[] {
  const hasApi = upstreams.graders[company].hasApi();
  const [api, page] = LOOKUP_ENDPOINTS[LANE_OF[company]];
  const viaApi: Source = { source: "api", endpoint: hasApi ? api : null };
  const viaPage: Source[] = config.SCRAPING === "on" ? [{ source: "page", endpoint: page }] : [];
  if (mode === "scraping") return viaPage;
  if (mode === "api" || config.SCRAPING === "off") return [viaApi];
  return hasApi ? [viaApi, ...viaPage] : viaPage;
}

export function createLookup(context: Context) {
  const { db, now } = context;
  const { graders, breaker } = context.upstreams;

  /** With fewer calls left than all open cards need, each gets one: certificates come before images. */
  async function callsFor({ company }: LookUpRequest, { source, endpoint }: Source): Promise<number | undefined> {
    if (!endpoint || source === "page" || !graders[company].imagesOf) return undefined;
    const [{ quota }, bound] = await Promise.all([breaker.status(endpoint), boundOpenCards(db)]);
    const perCard = graders[company].callsPerCard[source];
    if (!quota || quota.remaining >= perCard * bound) return perCard;
    return quota.remaining >= perCard * (await countOpenPsaCards(db, quota.remaining)) ? perCard : 1;
  }

  type Notes = { attempts: Attempt[]; reports: Promise<unknown>[] };
  async function askSource(card: LookUpRequest, from: Source, waitForCallSlot: WaitForCallSlot, notes: Notes) {
    const { company, certNumber, requestedAt } = card;
    const { source, endpoint } = from;
    const { attempts, reports } = notes;
    async function ask(calls?: number): Promise<Outcome> {
      const [at, startedMs] = [now().toISOString(), performance.now()];
      const { viaApi, viaPage } = graders[company];
      const asked = source === "api" ? viaApi(certNumber, calls) : viaPage(certNumber);
      // A client that throws is a bug. The row settles and the log keeps the cause, so the job doesn't retry forever.
      const outcome = await asked.catch((cause: unknown): Outcome => ({ code: "unavailable", message: BROKEN, cause }));
      const durationMs = Math.round(performance.now() - startedMs);
      const message = storableText(outcome.code === "found" ? outcome.notes : outcome.message);
      attempts.push({ kind: "fresh", at, source, durationMs, outcome: outcome.code, message });
      return outcome;
    }
    if (!endpoint) return settled(await ask(), null);
    await waitForCallSlot();
    const admission = await breaker.admit(endpoint, requestedAt, await callsFor(card, from));
    if (admission.kind !== "admitted") return refusedBy(admission);
    const outcome = await ask(admission.reserved || undefined);
    const report = reportOf(outcome, certNumber);
    const reported = breaker.report(admission, callsOf(outcome, admission.reserved), report);
    // The next card may call an endpoint that works before its breaker has noted this.
    if (report.kind !== "works") return settled(outcome, await reported);
    reports.push(reported);
    return settled(outcome, null);
  }

  return {
    /**
     * Looks up one card. Tries the sources in order until one gives a final answer. Returns failures as answers. Awaits
     * `waitForCallSlot` before each call. Skips sources whose endpoint is paused or closed; those are not attempts.
     * `reported` resolves once the breakers have noted that the endpoints work. The next card need not wait for it.
     */
    async ask(
      card: LookUpRequest,
      waitForCallSlot: WaitForCallSlot,
    ): Promise<LookUpResult & { reported: Promise<unknown> }> {
      const attempts: Attempt[] = [];
      const reports: Promise<unknown>[] = [];
      const result = (answer: CardAnswer) => ({ answer, attempts, reported: Promise.all(reports) });
      let best: CardAnswer | null = null;
      for (const source of sourcesOf(context, card.company, card.mode)) {
        const answer = await askSource(card, source, waitForCallSlot, { attempts, reports });
        // These are about the card itself, so no other source needs to be asked.
        if (["found", "not_found", "invalid_number"].includes(answer.code)) return result(answer);
        best = best ? preferred(best, answer, now()) : answer;
      }
      return result(best ?? { code: "not_configured", message: SCRAPING_OFF });
    },

    /** Returns the best state of the mode's endpoints for a run requested at `requestedAt`, by default now. */
    async state(company: Company, mode: Mode, requestedAt?: Date): Promise<EndpointState> {
      const obstacle = await obstacleOf(context, company, mode);
      if (obstacle !== null) return { kind: "closed", code: "not_configured", message: obstacle };
      const endpoints = sourcesOf(context, company, mode).flatMap(({ endpoint }) => endpoint ?? []);
      const statuses = await Promise.all(endpoints.map((endpoint) => breaker.status(endpoint, requestedAt)));
      return bestOf(statuses.map(({ state }) => state));
    },
  };
}

/** Returns a message for staff if no source can be asked; otherwise null. */
export async function obstacleOf(context: Context, company: Company, mode: Mode): Promise<string | null> {
  const [first] = sourcesOf(context, company, mode);
  if (!first) return SCRAPING_OFF;
  if (first.endpoint) return null;
  // Without credentials, the API client makes no call and returns only the message.
  const answer = await context.upstreams.graders[company].viaApi("");
  return answer.code === "found" ? null : answer.message;
}

const BROKEN = "Slabdesk could not process the answer. The server log has details";

/** Calls that count against the daily quota. A found card uses all its reserved calls; a refused call doesn't count. */
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

export function reportOf(outcome: Outcome, card: string): EndpointReport {
  switch (outcome.code) {
    case "found":
      return outcome.quotaGone ? quotaGone(outcome.quotaGone) : { kind: "works" };
    case "not_found":
    case "invalid_number":
      return { kind: "works" };
    case "blocked":
    case "forbidden":
    case "unavailable": {
      const { code, message, needsAdministrator = false } = outcome;
      return { kind: "fails", code, message, card, needsAdministrator };
    }
    case "quota_exhausted":
      return quotaGone(outcome);
    case "timeout":
    case "not_configured":
      return { kind: "unclear", message: outcome.message };
  }
}

function quotaGone({ until, limit, message }: Omit<QuotaExhausted, "code">): EndpointReport {
  return { kind: "quota_gone", until, limit, message };
}

const isRefusal = (code: CardAnswer["code"]): boolean => code === "blocked" || code === "forbidden";

function settled(outcome: Outcome, until: Date | null): CardAnswer {
  if (outcome.code !== "quota_exhausted") return outcome;
  return { code: outcome.code, message: outcome.message, until: until ?? outcome.until ?? new Date() };
}

/** The answer for a card whose endpoint admits no lookup. */
export function refusedBy({ kind: _kind, ...answer }: Refusal): NotFound | Waits {
  return answer;
}

/** A manual pause has no end. */
export const timeOf = (until: Date | null): number => until?.getTime() ?? Number.POSITIVE_INFINITY;

/** A card whose API call failed waits this long for its page instead of failing. An outage's first pause is as long. */
const SHORT_WAIT_MS = 60_000;

/**
 * Picks the answer if neither source gave a final one. If both wait, use the wait that ends first. If only the API waits,
 * wait for it. If only the page waits, wait for it if that is short and the page did not refuse us, during a manual pause,
 * or after a refusal by the API, because a retry of the API doesn't help. If both failed, use the API's answer: refused
 * credentials must not hide behind the page's bot wall.
 */
function preferred(api: CardAnswer, page: CardAnswer, now: Date): CardAnswer {
  const isRefused = api.code === "not_configured" || isRefusal(api.code);
  if ("until" in api) return "until" in page && timeOf(page.until) < timeOf(api.until) ? page : api;
  if ("until" in page) {
    const isShort = timeOf(page.until) - now.getTime() <= SHORT_WAIT_MS && !isRefusal(page.code);
    return isShort || page.until === null || isRefused ? page : api;
  }
  return api.code === "not_configured" ? page : api;
}

const REMEDIES: readonly ClosedState["code"][] = ["not_configured", "forbidden", "blocked", "unavailable"];
const byRemedy = (a: ClosedState, b: ClosedState): number => REMEDIES.indexOf(a.code) - REMEDIES.indexOf(b.code);
const byTime = (a: PausedState, b: PausedState): number => timeOf(a.until) - timeOf(b.until);

/**
 * A card can use any endpoint that is open. Otherwise it waits for the pause that ends first. If all endpoints are closed,
 * the card ends with the outcome that someone can act on: refused credentials before a bot wall before an outage.
 */
function bestOf(states: readonly EndpointState[]): EndpointState {
  for (const kind of ["open", "due", "probing"] as const) {
    const state = states.find((one) => one.kind === kind);
    if (state) return state;
  }
  const closed = states.filter((state) => state.kind === "closed").toSorted(byRemedy);
  const paused = states.filter((state) => state.kind === "paused").toSorted(byTime);
  return paused[0] ?? closed[0] ?? { kind: "open" };
}
