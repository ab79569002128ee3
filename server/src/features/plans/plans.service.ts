import type { z } from "zod";
import { PRICE_SOURCES, type PricePlan, type PriceSourceName } from "@slabdesk/contract/api/prices.ts";
import type { ScanPlan } from "@slabdesk/contract/api/plans.ts";
import { COMPANIES, type Company } from "@slabdesk/contract/certs/company.ts";
import { PRICE_QUEUES } from "../../jobs/jobs.ts";
import type { PlannedCard, plannedSheetSchema } from "../../sheets/read-upload.ts";
import type { PausedState, Quota, Wall } from "../../upstreams/breaker-rules.ts";
import type { CertsService } from "../certs/certs.service.ts";
import { historyOfSheet } from "../history/lookup-history.service.ts";
import { countLookupsAhead, type RunContext } from "../runs/row-transactions.service.ts";
import { listCachedCerts } from "../runs/uploads.service.ts";
import { placeOfLane, placeOfNext } from "../sessions/session-changes.service.ts";
import type { Viewer } from "../sessions/sessions.service.ts";

export type PlansContext = RunContext;
export type PlannedScan = z.output<typeof plannedSheetSchema>;

const DAY_MS = 86_400_000;

/**
 * Estimates a run that starts now, if the first source finds every card. Makes no calls and stores nothing. Other
 * sessions' jobs ahead count toward the minutes, but not toward the quota: they may be done before it runs out.
 */
export async function planScan(context: PlansContext, viewer: Viewer, scan: PlannedScan): Promise<ScanPlan> {
  const { config, db, certs, now } = context;
  const { cards, toFix } = scan;
  const known = scan.reuseKnown ? await listCachedCerts(context, cards, scan.mode) : new Set<string>();
  const isKnown = (card: PlannedCard): boolean => known.size > 0 && known.has(`${card.company} ${card.certNumber}`);
  const fresh = cards.filter((card) => !isKnown(card));
  const freshRows = countRows(fresh);
  const quota = await certs.psaQuota();
  const asked = COMPANIES.filter((company) => fresh.some((card) => card.company === company));
  const first = await placeOfNext(db, "lookup", { userId: viewer.id });
  const firstPrice = await placeOfNext(db, "price", { userId: viewer.id });
  const companies = await Promise.all(asked.map((company) => planCompany(context, scan, company, { fresh, first })));
  const mayUsePage = scan.mode === "scraping" || (scan.mode === "api-with-fallback" && config.SCRAPING === "on");
  const prices = await Promise.all(
    (scan.includePricing ? PRICE_SOURCES : []).map((source) =>
      planPrices(context, source, { all: cards, uncached: fresh, first: firstPrice }),
    ),
  );
  const lookUpMs = Math.max(0, ...companies.map((plan) => plan.lookUpMs), ...prices.map((plan) => plan.fetchMs));
  const planOf = (company: Company) => companies.find((plan) => plan.company === company);
  const callsOf = (company: Company) => planOf(company)?.calls ?? 0;
  const psa = planOf("PSA");
  return {
    totalRows: scan.totalRows,
    counts: { ready: fresh.length, known: countRows(cards) - freshRows, duplicate: freshRows - fresh.length, toFix },
    knownLines: rangesOf(cards.filter(isKnown).flatMap((card) => card.lines)),
    calls: { psa: callsOf("PSA"), cgc: callsOf("CGC"), tag: callsOf("TAG") },
    sources: companies.flatMap(sourcesOf),
    ifLimited: psa && quota ? await limitsOf(certs, scan, psa, quota) : [],
    quota: viewer.role === "admin" && quota ? quotaAfter(quota, psa) : null,
    waits: companies.flatMap(waitsOf),
    walls: companies.flatMap(({ company, cards: asked, forecast: { wall } }) =>
      wall ? [{ company, source: wall.source, rows: countRows(asked), ...wallOf(wall.wall) }] : [],
    ),
    notConfigured: companies.flatMap(({ company, cards: asked, forecast: { obstacle } }) =>
      obstacle === null ? [] : [{ company, rows: countRows(asked), message: obstacle }],
    ),
    prices: prices.map(({ plan }) => plan),
    lookupHistory: await historyOfSheet(db, viewer, cards),
    minutes: Math.round(lookUpMs / 600) / 100,
    endsAt: endOf(now().getTime() + lookUpMs, companies, mayUsePage ? null : quota).toISOString(),
  };
}

/** The plan for a company's cards, in sheet order. The cards that wait are the last ones. */
type CompanyPlan = Awaited<ReturnType<typeof planCompany>>;

async function planCompany(
  context: PlansContext,
  { mode }: PlannedScan,
  company: Company,
  { fresh: all, first }: { fresh: readonly PlannedCard[]; first: number },
) {
  const cards = all.filter((card) => card.company === company);
  const forecast = await context.certs.forecast(company, mode, cards.length);
  const now = forecast.wall ? 0 : cards.length - forecast.waiting;
  const ahead = now > 0 ? await countLookupsAhead(context, company, first + now - 1) : 0;
  return {
    company,
    cards,
    forecast,
    calls: forecast.callsBySource.api + forecast.callsBySource.page,
    waits: forecast.wait && { state: forecast.wait, cards: cards.slice(now) },
    /** Time until the last card that does not wait is looked up, including other sessions' jobs ahead of it. */
    lookUpMs: (ahead + now) * forecast.paceMs,
  };
}

/** Plans the price calls for all cards, assuming that every card is found. */
async function planPrices(
  { db, pricing, jobs }: PlansContext,
  source: PriceSourceName,
  { all, uncached, first }: { all: readonly PlannedCard[]; uncached: readonly PlannedCard[]; first: number },
): Promise<{ plan: PricePlan; fetchMs: number }> {
  const isUncached = new Set(uncached);
  const forecast = await pricing.forecast(source, { cached: all.filter((card) => !isUncached.has(card)), uncached });
  const { isOn, cards, cached, calls, batches, batchSize, state, wall, paceMs } = forecast;
  const refused = forecast.refused.map((one) => ({ ...one, until: one.until.toISOString() }));
  const { until = null, message = null } = state.kind === "paused" ? waitOf(state) : {};
  const last = (await placeOfLane(db, source)) + first + cards - 1;
  const ahead = batches > 0 ? await jobs.countAhead(db, PRICE_QUEUES[source], last) : 0;
  return {
    plan: { source, isOn, cards, cached, calls, refused, until, message, wall: wall && wallOf(wall) },
    fetchMs: (Math.ceil(ahead / batchSize) + batches) * paceMs,
  };
}

function waitOf({ until, message }: PausedState) {
  return { until: until?.toISOString() ?? null, message };
}

function wallOf({ code, since, message, isDue }: Wall) {
  return { outcome: code, since: since.toISOString(), message, isProbed: isDue };
}

function countRows(cards: readonly PlannedCard[]): number {
  return cards.reduce((count, card) => count + card.lines.length, 0);
}

function sourcesOf({ company, forecast: { bySource, callsBySource } }: CompanyPlan): ScanPlan["sources"] {
  return (["api", "page"] as const)
    .map((source) => ({ company, source, cards: bySource[source], calls: callsBySource[source] }))
    .filter(({ cards }) => cards > 0);
}

function quotaAfter(quota: Quota, psa: CompanyPlan | undefined): ScanPlan["quota"] {
  const calls = psa?.forecast.callsBySource.api ?? 0;
  return {
    before: quota.remaining,
    after: Math.max(0, quota.remaining - calls),
    total: quota.limit,
    isConfirmed: quota.isConfirmed,
    resetsAt: quota.resetsAt?.toISOString() ?? null,
  };
}

/** The limits that PSA is known to give to accounts. */
const POSSIBLE_LIMITS = [1, 100];

/** Plans PSA's cards again with each possible limit that today's calls have not passed, until PSA has named its limit. */
async function limitsOf(certs: CertsService, { mode }: PlannedScan, psa: CompanyPlan, quota: Quota) {
  if (quota.isConfirmed) return [];
  const cards = psa.cards.length;
  const plans = POSSIBLE_LIMITS.filter((perDay) => perDay >= quota.used).map(async (perDay) => {
    const { bySource, waiting, wait } = await certs.forecast("PSA", mode, cards, perDay);
    if (bySource.api === psa.forecast.bySource.api) return [];
    const lastDay = Math.ceil(waiting / perDay) - 1;
    const endsAt = wait?.until ? new Date(wait.until.getTime() + lastDay * DAY_MS).toISOString() : null;
    return [{ perDay, cards, today: bySource.api, byPage: bySource.page, endsAt }];
  });
  return (await Promise.all(plans)).flat();
}

function waitsOf({ company, waits }: CompanyPlan): ScanPlan["waits"] {
  if (!waits) return [];
  const lines = waits.cards.flatMap((card) => card.lines);
  const { state } = waits;
  return [{ company, outcome: state.code, rows: lines.length, lines: rangesOf(lines), ...waitOf(state) }];
}

function rangesOf(lines: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const line of lines.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && line <= last[1] + 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges;
}

/** Returns when the last row settles if manual pauses end now. `quota` is null if the page can replace PSA's API. */
function endOf(lookedUpAt: number, companies: readonly CompanyPlan[], quota: Quota | null): Date {
  const ends = companies.flatMap(({ company, waits, forecast }) => {
    if (!waits) return [];
    const cards = waits.cards.length;
    const days = company === "PSA" && quota ? daysMore(cards, waits.state, quota) : 0;
    return [(waits.state.until?.getTime() ?? lookedUpAt) + days * DAY_MS + cards * forecast.paceMs];
  });
  return new Date(Math.max(lookedUpAt, ...ends));
}

/** The days after the first that these cards need. A wait for anything but the quota ends within today's window. */
function daysMore(cards: number, state: PausedState, quota: Quota): number {
  const first = state.code === "quota_exhausted" ? quota.limit : quota.remaining;
  return Math.max(0, Math.ceil((cards - first) / Math.max(1, quota.limit)));
}
